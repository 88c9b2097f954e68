// Formatting and validation in the card frame. The frame itself is tested in the browser journeys.
import { describe, expect, it } from 'vitest';

interface Verdict {
  state: string;
  error?: { code: string; message: string };
}
interface Fields {
  writeNumber(text: string): string;
  writeExpiry(text: string, deleting?: boolean): string;
  writeCvc(text: string, number: string): string;
  judgeNumber(text: string, testCards?: Set<string>): Verdict;
  judgeExpiry(text: string, today: Date): Verdict;
  judgeCvc(text: string, number: string): Verdict;
}
const fields = (await import(new URL('browser/fields.js', import.meta.url).href)) as Fields;

describe('a card number', () => {
  it('is written in the groups of its brand, no longer than it is', () => {
    expect(fields.writeNumber('42424242424242429999')).toBe('4242 4242 4242 4242');
    expect(fields.writeNumber('378282246310005')).toBe('3782 822463 10005');
    expect(fields.writeNumber('4242-42')).toBe('4242 42');
  });

  it('is validated while it is typed, and a real one is refused', () => {
    const cards = new Set(['4242424242424242']);
    expect(fields.judgeNumber('', cards).state).toBe('empty');
    expect(fields.judgeNumber('4242', cards).state).toBe('incomplete');
    expect(fields.judgeNumber('4242 4242 4242 4242', cards).state).toBe('complete');
    expect(fields.judgeNumber('4242 4242 4242 4241', cards).error?.code).toBe('invalid_number');
    expect(fields.judgeNumber('4539 5787 6362 1486', cards).error?.code).toBe(
      'test_mode_live_card',
    );
  });
});

describe('an expiry', () => {
  it.each([
    ['1', false, '1'],
    ['12', false, '12 / '],
    ['12 /', true, '1'],
    ['12 / ', true, '12 / '],
    ['5', false, '05 / '],
    ['1/', false, '01 / '],
    ['1234', false, '12 / 34'],
    ['05/2034', false, '05 / 34'],
    ['2034-05', false, '05 / 34'],
  ])('typed as %j (a backspace: %s) is written %j', (typed, deleting, written) =>
    expect(fields.writeExpiry(typed, deleting)).toBe(written),
  );

  it('is validated by the calendar', () => {
    const today = new Date(2030, 5, 15);
    expect(fields.judgeExpiry('06 / 30', today).state).toBe('complete');
    expect(fields.judgeExpiry('05 / 30', today).error?.code).toBe('invalid_expiry_month_past');
    expect(fields.judgeExpiry('12 / 29', today).error?.code).toBe('invalid_expiry_year_past');
    expect(fields.judgeExpiry('13 / ', today).error?.code).toBe('invalid_expiry_month');
    expect(fields.judgeExpiry('12 / 3', today).error?.code).toBe('incomplete_expiry');
  });
});

describe('a security code', () => {
  it('has three digits, four with American Express', () => {
    expect(fields.writeCvc('12345', '4242424242424242')).toBe('123');
    expect(fields.writeCvc('12345', '378282246310005')).toBe('1234');
    expect(fields.judgeCvc('123', '378282246310005').state).toBe('incomplete');
    expect(fields.judgeCvc('123', '4242424242424242').state).toBe('complete');
  });
});
