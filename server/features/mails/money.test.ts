import { expect, it } from 'vitest';
import { basketMail } from './money.ts';

const line = (name: string) => ({
  itemName: 'Tennis',
  classId: crypto.randomUUID(),
  worthCents: 1_999,
  schedule: '',
  place: '',
  problem: null,
  child: { id: crypto.randomUUID(), name },
});

it('the name of a child is no link: another guardian may have chosen it', () => {
  const payment = {
    id: crypto.randomUUID(),
    email: 'ada@example.com',
    customer: 'Ada',
    itemName: '2 classes: Tennis',
    amountCents: 3_998,
    date: new Date(),
    receiptNumber: 'R-2026-000001',
    intentId: 'pi_1',
    status: 'pending' as const,
  };
  const academy = { brand: 'Rally', publicUrl: 'https://rally.test' };
  const names = ['Verify at evil.example', 'https://evil.example'].map(line);
  const { text } = basketMail(academy, payment, names);
  expect(text).toContain('Tennis, for Verify at evil. example: ');
  expect(text).toContain('Tennis, for a child: ');
  expect(text).not.toContain('evil.example');
});
