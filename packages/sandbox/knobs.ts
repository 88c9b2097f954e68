// What Stripe has no call for: the result of the challenge page, and the controls for tests
// (faults, clock, disputes).
import { keyOf, type Keys } from './api.ts';
import { shownCards } from './cards.ts';
import { answerChallenge } from './charging.ts';
import { missingParam, unauthorized, unknownUrl } from './errors.ts';
import type { Faults } from './faults.ts';
import { type Args, oneOf, requiredText, text } from './form.ts';
import { closeDispute, endRefund, openDispute } from './refunds.ts';
import type { Endpoint } from './webhooks.ts';
import type { World } from './world.ts';

interface Turn {
  method: string;
  path: string;
  authorization: string | undefined;
  json: Record<string, unknown>;
}

interface Levers {
  advance(ms: number): void;
  pointTo(endpoint: Endpoint): void;
}

export function openKnobs(world: World, keys: Keys, faults: Faults, levers: Levers) {
  const { store } = world;
  return function turn({ method, path, authorization, json }: Turn): object {
    const what = `${method} ${path}`;
    const args = wordsOf(json);
    if (what === 'GET /sandbox/test_cards') return { data: shownCards() };
    if (what === 'POST /sandbox/challenge') return challenge(args, authorization);
    if (keyOf(keys, { authorization, args: {} }) !== 'secret') {
      throw unauthorized('The knobs of the sandbox need the secret key.', 'secret_key_required');
    }
    switch (what) {
      case 'POST /sandbox/faults':
        return faults.add(json);
      case 'DELETE /sandbox/faults':
        faults.clear();
        return { data: [] };
      case 'GET /sandbox/clock':
        return { now: Math.floor(world.now() / 1000) };
      case 'POST /sandbox/clock':
        levers.advance(Number(json['advance']) * 1000);
        return { now: Math.floor(world.now() / 1000) };
      case 'POST /sandbox/webhook': {
        const url = requiredText(args, 'url');
        levers.pointTo({ url, secret: requiredText(args, 'secret') });
        return { url };
      }
      case 'POST /sandbox/disputes':
        return store.together(() => openDispute(world, args));
    }
    const dispute = /^POST \/sandbox\/disputes\/(\w+)\/close$/.exec(what)?.[1];
    if (dispute) {
      const status = oneOf(args, 'status', ['won', 'lost']) ?? 'lost';
      return store.together(() => closeDispute(world, dispute, status));
    }
    const refund = /^POST \/sandbox\/refunds\/(\w+)$/.exec(what)?.[1];
    if (refund) {
      const status = oneOf(args, 'status', ['succeeded', 'failed']) ?? 'succeeded';
      return store.together(() => endRefund(world, refund, status));
    }
    throw unknownUrl(method, path);
  };

  function challenge(args: Args, authorization: string | undefined): object {
    const source = text(args, 'source');
    if (!source && keyOf(keys, { authorization, args: {} }) !== 'secret') {
      throw unauthorized('Give the source of the challenge, or the secret key.');
    }
    const outcome = oneOf(args, 'outcome', ['pass', 'fail']);
    if (!outcome) throw missingParam('outcome');
    const intent = requiredText(args, 'payment_intent');
    return store.together(() => {
      const { id, status } = answerChallenge(world, intent, source, outcome === 'pass');
      return { id, object: 'payment_intent', status };
    });
  }
}

const wordsOf = (json: Record<string, unknown>): Args =>
  Object.fromEntries(
    Object.entries(json).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
