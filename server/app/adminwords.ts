// What the words after `npm run admin --` ask for.
import { email as emailRule } from '../../contract/platform/rules.ts';

const removal = '--remove-second-factor';

export const usage = `Usage: npm run admin -- someone@example.com\n       npm run admin -- ${removal} someone@example.com`;

/** Null: the words are not as the usage says. */
export function readWords(given: readonly string[]): { email: string; removes: boolean } | null {
  const removes = given[0] === removal;
  const [address, ...more] = removes ? given.slice(1) : given;
  const email = emailRule.safeParse(address ?? '').data;
  return email && more.length === 0 ? { email, removes } : null;
}
