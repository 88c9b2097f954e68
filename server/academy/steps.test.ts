// The first steps of a new academy, as an admin reads them.
import { expect, it } from 'vitest';
import { readSteps } from '../../contract/academy/steps.ts';
import { type Cards, ProviderError } from '../platform/cards.ts';
import { appOn, testApp } from '../testing/app.ts';
import { anAdmin } from '../testing/factories.ts';

const app = await testApp();
const stripe = { secretKey: 'sk_test_x', publishableKey: 'pk_test_x', webhookSecret: 'whsec_x' };

it.each([
  ['keys', null, null],
  ['event', stripe, null],
  ['other keys', stripe, new ProviderError('refused', 'x', null)],
  ['answer', stripe, new ProviderError('silent', 'x', null)],
])('Connect Stripe waits for: %s', async (waits, keys, problem) => {
  const { token } = await anAdmin(app);
  const intent = async () => {
    if (problem) throw problem;
    return null;
  };
  const between = (cards: Cards): Cards => ({ ...cards, intent });
  const next = await appOn(app.url, { stripe: keys }, { between });
  expect((await next.send(readSteps, {}, token)).body.cards).toBe(waits);
  await next.close();
});
