// The steps of the protocol: what a family, a request of theirs, the server, an admin and the card
// provider may do next. Each is one transaction or one call to the provider.
import type { Model, Step } from './explore.ts';
import {
  type Basket,
  type Family,
  freeSeats,
  isLive,
  keyOf,
  type Line,
  noRefund,
  noSeat,
  type Refund,
  type Seat,
  startOf,
  type State,
  type World,
} from './protocol.ts';

/** Wrong ways to do it, each of which must be caught. */
export const controls = {
  freeFirst: 'a seat is freed before its basket is closed',
  regroupFirst: 'a hold moves to another basket while the older intent can be paid',
  byAmount: 'a refund of the same amount is taken for the one that is asked about',
  noLook: 'a refund whose answer was lost is sent again without a look',
};
export type Control = keyof typeof controls;

const dueRefund: Refund = { ...noRefund, row: 'due' };

export function protocol(world: World, control?: Control): Model<State> {
  return { start: startOf(world), keyOf, stepsOf };

  function stepsOf(state: State): Step<State>[] {
    const steps: Step<State>[] = [];
    for (const [klass, { mayBeDenied }] of world.classes.entries())
      if (mayBeDenied && !state.denied[klass])
        steps.push({
          name: `admin: denies class ${klass}`,
          next: { ...state, denied: state.denied.with(klass, true) },
          byServer: false,
        });
    for (const place of state.families.keys()) ofFamily(state, place, steps);
    return steps;
  }

  function ofFamily(state: State, place: number, steps: Step<State>[]): void {
    const family = state.families[place];
    const { wants = [], mayLeave = false } = world.families[place] ?? {};
    if (!family) return;
    const { seats, baskets } = family;
    const unmade = baskets.findIndex((basket) => basket.state === 'unmade');

    const step = (who: string, what: string, changed: Partial<Family>) => {
      const families = state.families.with(place, { ...family, ...changed });
      const name = `${who} ${place}: ${what}`;
      steps.push({ name, next: { ...state, families }, byServer: who === 'server' });
    };
    const seatStep = (who: string, what: string, line: number, changed: Partial<Seat>) => {
      const seat = seats[line] ?? noSeat;
      step(who, `${what} ${line}`, { seats: seats.with(line, { ...seat, ...changed }) });
    };

    if (unmade !== -1) {
      claims();
      attachments();
    }
    for (const [line, seat] of seats.entries()) {
      // Its time is over, the item was removed, or its class was denied.
      if (seat.hold === 'held') seatStep('server', 'gives up seat', line, { hold: 'releasing' });
      if (seat.hold === 'releasing' && (seat.basket === -1 || control === 'freeFirst'))
        seatStep('server', 'frees seat', line, { hold: 'none', basket: -1 });
    }
    for (const [index, basket] of baskets.entries())
      if (basket.state !== 'unmade') ofBasket(index, basket);

    /** All seats that are asked for, or none: one statement. */
    function claims(): void {
      const missing = [...seats.keys()].filter(
        (line) =>
          !isLive(seats[line] ?? noSeat) &&
          !seats[line]?.enrolled &&
          !state.denied[wants[line] ?? -1],
      );
      for (const ask of groupsOf(missing)) {
        const fits = ask.every((line) => {
          const klass = wants[line] ?? -1;
          const together = ask.filter((other) => wants[other] === klass).length;
          return freeSeats(world, state, klass) >= together;
        });
        if (!fits) continue;
        const held = seats.map((seat, line): Seat =>
          ask.includes(line) ? { ...seat, hold: 'held', basket: -1 } : seat,
        );
        step('family', `claims ${ask.join(' and ')}`, { seats: held });
      }
    }

    /** Loose holds become a basket: one transaction. */
    function attachments(): void {
      const able = [...seats.keys()].filter((line) => {
        const { hold, basket } = seats[line] ?? noSeat;
        return hold === 'held' && (basket === -1 || control === 'regroupFirst');
      });
      for (const group of groupsOf(able)) {
        const lines = seats.map((_, line): Line => {
          const outcome = group.includes(line) ? 'open' : 'absent';
          return { outcome, refund: noRefund };
        });
        step('family', `makes basket ${unmade} of ${group.join(' and ')}`, {
          seats: seats.map((seat, line) =>
            group.includes(line) ? { ...seat, basket: unmade } : seat,
          ),
          baskets: baskets.with(unmade, { state: 'open', intent: 'none', lines }),
        });
      }
    }

    function ofBasket(index: number, basket: Basket): void {
      const { state: phase, intent } = basket;
      const own = seats.filter((seat) => seat.basket === index && isLive(seat));
      const put = (who: string, what: string, changed: Partial<Basket>) =>
        step(who, `${what} ${index}`, { baskets: baskets.with(index, { ...basket, ...changed }) });

      // payments/intent.ts: asked for, perhaps answered late, stored only while the basket is open.
      if (intent === 'none' && phase !== 'paid')
        put('request', 'asks for the intent of', { intent: 'made' });
      const isOpen = phase === 'open' && own.every(({ hold }) => hold === 'held');
      if (intent === 'made' && isOpen) put('request', 'stores the intent of', { intent: 'stored' });
      if (intent === 'made' && phase === 'open' && !isOpen)
        put('request', 'cancels the late intent of', { intent: 'canceled' });
      // The hourly comparison.
      if (intent === 'made' && phase !== 'open')
        put('server', 'cancels the stray intent of', { intent: 'canceled' });
      if (intent === 'stored') {
        put('family', 'confirms the card for', { intent: 'succeeded' });
        put('provider', 'cancels the intent of', { intent: 'canceled' });
      }

      // payments/close.ts
      if (phase === 'open') {
        const isGivenUp = own.some(({ hold }) => hold === 'releasing');
        if (isGivenUp) put('server', 'begins to close', { state: 'closing' });
        else if (control !== 'regroupFirst')
          put('family', 'wants another grouping than', { state: 'closing' });
      }
      if (phase === 'closing' && intent === 'stored')
        put('server', 'cancels the intent of', { intent: 'canceled' });
      if (phase === 'closing' && intent !== 'stored' && intent !== 'succeeded') {
        const loose = seats.map((seat) => (seat.basket === index ? { ...seat, basket: -1 } : seat));
        const closed: Basket = { ...basket, state: 'closed' };
        step('server', `closes ${index}`, { seats: loose, baskets: baskets.with(index, closed) });
      }
      if (intent === 'succeeded' && phase !== 'paid')
        step('server', `settles ${index}`, settled(index, basket));
      if (phase === 'paid') for (const line of basket.lines.keys()) ofLine(index, basket, line);
    }

    /** payments/settle.ts: one transaction. */
    function settled(index: number, basket: Basket): Family {
      let now: Family = family ?? { seats: [], baskets: [] };
      const lines = basket.lines.map((line, place): Line => {
        if (line.outcome !== 'open') return line;
        const seat = now.seats[place] ?? noSeat;
        const klass = wants[place] ?? -1;
        const own = isLive(seat) && seat.basket === index;
        const isSold = !state.denied[klass] && !seat.enrolled && (own || freeNow(klass) >= 1);
        const enrolled = seat.enrolled || isSold;
        // Another live hold for the same seat is given up: paid already.
        const rest: Seat = own || !isLive(seat) ? noSeat : { ...seat, hold: 'releasing' };
        now = { ...now, seats: now.seats.with(place, { ...rest, enrolled }) };
        return isSold
          ? { outcome: 'enrolled', refund: noRefund }
          : { outcome: 'refused', refund: dueRefund };
      });
      const paid: Basket = { ...basket, state: 'paid', lines };
      return { ...now, baskets: baskets.with(index, paid) };

      function freeNow(klass: number): number {
        const families = state.families.with(place, now);
        return freeSeats(world, { ...state, families }, klass);
      }
    }

    function ofLine(index: number, basket: Basket, at: number): void {
      const line = basket.lines[at];
      const seat = seats[at];
      if (!line || !seat) return;
      const name = `line ${at} of ${index}`;
      const changed = (next: Line) =>
        baskets.with(index, { ...basket, lines: basket.lines.with(at, next) });

      // refunds/routes.ts: the seat and the debt in one transaction.
      if (mayLeave && line.outcome === 'enrolled')
        step('admin', `refunds and ends ${name}`, {
          seats: seats.with(at, { ...seat, enrolled: false }),
          baskets: changed({ outcome: 'left', refund: dueRefund }),
        });

      // refunds/send.ts: look, send under our key, record.
      const { row, made, keyKnown, looked } = line.refund;
      if (row !== 'due') return;
      const refund = (who: string, what: string, next: Partial<Refund>) =>
        step(who, `${what} the refund of ${name}`, {
          baskets: changed({ ...line, refund: { ...line.refund, ...next } }),
        });
      const done = { row: 'done', looked: false, keyKnown: false } as const;
      const othersMade = basket.lines.some((one) => one !== line && one.refund.made > 0);
      if (made > 0 || (control === 'byAmount' && othersMade)) refund('server', 'records', done);
      else if (!looked) refund('server', 'does not find', { looked: true });
      if (looked || (control === 'noLook' && made === 1))
        refund('server', 'sends', {
          looked: false,
          keyKnown: true,
          made: keyKnown ? made : made + 1,
        });
      // No request lasts a day: a worker that had looked is gone.
      if (keyKnown)
        refund('provider', 'has forgotten the key of', { keyKnown: false, looked: false });
    }
  }
}

/** All of them, or one of them. */
const groupsOf = (lines: number[]): number[][] =>
  lines.length > 1 ? [lines, ...lines.map((line) => [line])] : lines.map((line) => [line]);
