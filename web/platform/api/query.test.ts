import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { listCart } from '../../../contract/checkout/cart.ts';
import { newQueryClient, readAgain } from './query.ts';

/**
 * Somebody looks at the cart: the first read was answered before the change, and its answer is
 * still under way.
 */
function lookingAtTheCart() {
  const client = newQueryClient();
  const first = Promise.withResolvers<string>();
  const answers = [first.promise, Promise.resolve('with the class')];
  const observer = new QueryObserver(client, {
    queryKey: [listCart.id, {}],
    queryFn: () => answers.shift() ?? Promise.reject(new Error('read too often')),
  });
  const stop = observer.subscribe(() => undefined);
  return {
    client,
    stop,
    seen: () => observer.getCurrentResult().data,
    arrive: () => first.resolve('empty'),
  };
}

test('what was read before a change is not shown after it', async () => {
  const { client, stop, seen, arrive } = lookingAtTheCart();
  const again = readAgain(client, [listCart]);
  arrive();
  await again;
  expect(seen()).toBe('with the class');
  stop();
});
