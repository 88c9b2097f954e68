// The icon of a sport, from a file of all of them: the scripts of public pages do not carry it.
// Lucide's paths except ball, basketball, paddle and soccer (see NOTICE.md).
// Not for: the other icons (ui/Icon.tsx).
import type { SportIcon as Name } from '../../../contract/sporticons.ts';

export function SportIcon({ name, className = 'size-4.5' }: { name: Name; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <use href={`/media/sport/icons.svg#${name}`} />
    </svg>
  );
}
