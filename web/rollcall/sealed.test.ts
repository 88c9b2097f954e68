// A roster on the phone: sealed, and opened with its own key only.
import { expect, it } from 'vitest';
import { seal, unseal } from './sealed.ts';

const roster = { people: [{ name: 'Tom', care: { allergies: 'Peanuts' } }] };
const text = (bytes: ArrayBuffer) => new TextDecoder('latin1').decode(bytes);

it('opens what it sealed', async () => {
  expect(await unseal(await seal(roster))).toEqual(roster);
});

it('leaves no word of an allergy in the bytes', async () => {
  expect(text((await seal(roster)).bytes)).not.toContain('Peanuts');
  expect(text(new TextEncoder().encode(JSON.stringify(roster)).buffer)).toContain('Peanuts');
});

it('never gives its key away', async () => {
  const { key } = await seal(roster);
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow('extractable');
});

it('opens nothing changed, nor with the key of another', async () => {
  const [own, other] = [await seal(roster), await seal(roster)];
  expect(await unseal({ ...own, bytes: own.bytes.slice(1) })).toBeNull();
  expect(await unseal({ ...own, key: other.key })).toBeNull();
});
