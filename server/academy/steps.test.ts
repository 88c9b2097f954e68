// The first steps of a new academy, as an admin reads them.
import { afterAll, expect, it } from 'vitest';
import { readSteps } from '../../contract/academy/steps.ts';
import { type Cards, ProviderError } from '../platform/cards.ts';
import { appOn, testApp } from '../testing/app.ts';
import { anAdmin } from '../testing/factories.ts';

const app = await testApp();
const stripe = { secretKey: 'sk_test_x', publishableKey: 'pk_test_x', webhookSecret: 'whsec_x' };

let problem: ProviderError | null = null;
const intent = async () => {
  if (problem) throw problem;
  return null;
};
const between = (cards: Cards): Cards => ({ ...cards, intent });
const withKeys = await appOn(app.url, { stripe }, { between });
afterAll(() => withKeys.close());

it.each([
  ['keys', app, null],
  ['event', withKeys, null],
  ['other keys', withKeys, new ProviderError('refused', 'x', null)],
  ['answer', withKeys, new ProviderError('silent', 'x', null)],
])('Connect Stripe waits for: %s', async (waits, on, says) => {
  const { token } = await anAdmin(app);
  problem = says;
  expect((await on.send(readSteps, {}, token)).body.cards).toBe(waits);
});
