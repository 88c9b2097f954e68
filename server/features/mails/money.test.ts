import { expect, it } from 'vitest';
import { basketMail } from './money.ts';

const line = (name: string) => ({
  itemName: 'Tennis',
  classId: crypto.randomUUID(),
  worthCents: 1_999,
  schedule: '',
  place: '',
  instructor: 'Marco Silva',
  bring: 'Racket',
  problem: null,
  child: { id: crypto.randomUUID(), name },
});

const payment = {
  id: crypto.randomUUID(),
  studentId: crypto.randomUUID(),
  email: 'ada@example.com',
  customer: 'Ada',
  itemName: '2 classes: Tennis',
  amountCents: 3_998,
  date: new Date('2026-11-16T23:30:00Z'),
  receiptNumber: 'R-2026-000001',
  intentId: 'pi_1',
  status: 'pending' as const,
};
const academy = { brand: 'Rally', publicUrl: 'https://rally.test', timeZone: 'Europe/Madrid' };

it('the receipt of several seats says who teaches, what to bring and the day it was paid', () => {
  const { text } = basketMail(academy, payment, [line('Mia'), line('Leo')]);
  expect(text).toContain(
    'Tennis, for Mia: $19.99\nInstructor: Marco Silva\nBring: Racket\n\nTennis, for Leo',
  );
  expect(text).toContain('\nDate: 17 Nov 2026\n');
});
