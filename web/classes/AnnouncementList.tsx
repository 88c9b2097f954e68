// Announcements as their readers see them: families and the staff of a class.
import type { Announcement } from '../../contract/classes/announcements.ts';
import { momentOf } from '../platform/ui/dates.ts';

export function AnnouncementList({ items }: { items: readonly Announcement[] }) {
  return (
    <ul className="divide-base-300 divide-y">
      {items.map((item) => (
        <li key={item._id} className="py-3 first:pt-0 last:pb-0">
          <p className="font-semibold wrap-anywhere">{item.subject}</p>
          <p className="muted text-sm">
            {item.from}, <time dateTime={item.at}>{momentOf(item.at)}</time>
            {item.families !== undefined && `, to ${inFamilies(item.families)}`}
          </p>
          <p className="mt-1 max-w-prose text-sm whitespace-pre-line wrap-anywhere">{item.words}</p>
        </li>
      ))}
    </ul>
  );
}

export const inFamilies = (count: number) => (count === 1 ? '1 family' : `${count} families`);
