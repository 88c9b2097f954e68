// Work that is due later: a processing payment, a late refund, a dispute. Survives a restart.
// (Webhooks have their own schedule.)
import { endProcessing } from './charging.ts';
import { endRefund, openDispute } from './refunds.ts';
import { Refusal } from './errors.ts';
import type { World } from './world.ts';

const works: Record<string, (world: World, object: string) => void> = {
  charge: (world, id) => endProcessing(world, id, 'charge'),
  decline: (world, id) => endProcessing(world, id, 'decline'),
  refund_succeeds: (world, id) => void endRefund(world, id, 'succeeded'),
  refund_fails: (world, id) => void endRefund(world, id, 'failed'),
  dispute: (world, id) => void openDispute(world, id),
};

export function openDue(world: World) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function look(): void {
    if (stopped) return;
    clearTimeout(timer);
    for (const { seq, work, object } of world.store.dueTasks(world.now())) {
      world.store.together(() => {
        world.store.dropTask(seq);
        try {
          works[work]?.(world, object);
        } catch (error) {
          // The object has changed meanwhile (disputed twice, for example): nothing to do.
          if (!(error instanceof Refusal)) throw error;
        }
      });
    }
    const next = world.store.nextTaskAt();
    if (!next) return;
    timer = setTimeout(look, Math.min(Math.max(next - world.now(), 1), 3_600_000));
    timer.unref();
  }

  return {
    look,
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
