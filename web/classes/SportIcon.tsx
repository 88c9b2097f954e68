// The icon of a sport, from a file of all of them: the scripts of public pages do not carry it.
// Lucide's paths except ball, basketball, paddle and soccer (see NOTICE.md).
import type { SportIcon as Name } from '../../contract/platform/sporticons.ts';
import { Strokes } from '../platform/ui/Icon.tsx';

export function SportIcon({ name, className }: { name: Name; className?: string }) {
  return (
    <Strokes className={className}>
      <use href={`/media/sport/icons.svg#${name}`} />
    </Strokes>
  );
}
