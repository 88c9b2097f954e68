// In the place of a basket while its seats are being held.
import { Skeleton } from '../../../ui/States.tsx';

export function HoldingSeats() {
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]" aria-busy="true">
      <output className="sr-only">Holding the seats for you</output>
      <Skeleton className="h-80" />
      <Skeleton className="h-64" />
    </div>
  );
}
