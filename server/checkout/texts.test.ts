import { expect, it } from 'vitest';
import { basketMail, bookedMail, receiptMail, whoComesMail } from './texts.ts';

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
  payer: { email: 'ada@example.com', name: 'Ada', proven: true },
  itemName: '2 classes: Tennis',
  amountCents: 3_998,
  creditCents: 0,
  swapCents: 0,
  date: new Date('2026-11-16T23:30:00Z'),
  receiptNumber: 'R-2026-000001',
  intentId: 'pi_1',
};
const academy = { brand: 'Rally', publicUrl: 'https://rally.test', timeZone: 'Europe/Madrid' };

it('the receipt of several seats says who teaches, and the day', () => {
  const { text } = basketMail(academy, payment, [line('Mia'), line('Leo')]);
  expect(text).toContain(
    'Tennis, for Mia: $19.99\nInstructor: Marco Silva\nBring: Racket\n\nTennis, for Leo',
  );
  expect(text).toContain('\nDate: 17 Nov 2026\n');
});

it('an address that is not proven is told no name', () => {
  const ada = { ...payment.payer, proven: false };
  const paid = { ...payment, payer: ada };
  const [mia, leo] = [line('Mia'), line('Leo')];
  const mails = [
    receiptMail(academy, paid, mia, { child: mia.child }),
    basketMail(academy, paid, [mia, leo]),
    bookedMail(academy, ada, [mia]),
    whoComesMail(academy, ada, { className: 'Tennis', before: 'Mia', now: 'Leo' }),
  ];
  const said = mails.map(({ subject, text }) => `${subject}\n${text}`);
  for (const words of said) expect(words).not.toMatch(/Mia|Leo|Ada/);
  expect(said[0]).toContain('The seat of your child in 2 classes');
  expect(said[1]).toContain('Tennis, for your child: $19.99');
  expect(mails[2]?.subject).toBe('Your child is booked for Tennis');
  expect(mails[3]?.subject).toBe('Your child comes to Tennis');
});
