// Warns that a class meets at the same time as another one of the same participant.
import type { Clash } from '../../contract/platform/clash.ts';
import { dayName } from '../platform/ui/dates.ts';

/** 'Same time as Judo: Mon 5 Jan, 16:00 and 3 more.' One sentence for each other class. */
export const clashInWords = (clashes: readonly Clash[]) =>
  [...Map.groupBy(clashes, (clash) => clash.with)]
    .map(([name, [first, ...more]]) => {
      const when = first ? `${dayName(first.day)}, ${first.starts}` : '';
      return `Same time as ${name}: ${when}${more.length > 0 ? ` and ${more.length} more` : ''}.`;
    })
    .join(' ');

export function ClashNote({ clashes }: { clashes: readonly Clash[] | undefined }) {
  if (!clashes?.length) return null;
  return <p className="text-warning text-sm font-medium">{clashInWords(clashes)}</p>;
}
