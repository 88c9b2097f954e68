// What to bring to a class, as a list: one line or one part between commas each.
import { Icon } from '../../platform/ui/Icon.tsx';
import { Section } from './Section.tsx';

export function Bring({ words }: { words: string }) {
  const things = words
    .split(/[\n,;]/)
    .map((thing) => thing.replace(/^[-–•*\s]+/, '').trim())
    .filter(Boolean);
  if (things.length === 0) return null;
  return (
    <Section title="What to bring">
      <ul className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {things.map((thing) => (
          <li key={thing} className="flex gap-2.5">
            <Icon name="check" className="text-success mt-0.5 size-4.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere first-letter:uppercase">{thing}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
