// Ages, time, place and size of a class with their icons: short on cards, with labels on the class
// page.
import type { Class, ClassDetail } from '../../../contract/classes.ts';
import { Icon, type IconName } from '../../ui/Icon.tsx';

interface Fact {
  icon: IconName;
  label: string;
  value: string;
}

/** An instructor may write "8 to 12" or "8 to 12 years". */
const agesInWords = (ages: string) => (/year|age/i.test(ages) ? ages : `Ages ${ages}`);

/** Without labels, in as few lines as the width allows. A long text ends with an ellipsis. */
export function ShortFacts({ item }: { item: Pick<Class, 'ages' | 'schedule' | 'place'> }) {
  const facts: Omit<Fact, 'label'>[] = [
    { icon: 'calendar', value: item.schedule },
    { icon: 'users', value: item.ages && agesInWords(item.ages) },
    { icon: 'pin', value: item.place },
  ];
  return (
    <ul className="figures flex flex-wrap gap-x-3 gap-y-0.5 text-sm">
      {facts
        .filter(({ value }) => value)
        .map(({ icon, value }) => (
          <li
            key={icon}
            className="flex max-w-full items-center gap-1.5 first:min-w-full"
            title={value}
          >
            <Icon name={icon} className="muted size-4.5 shrink-0" />
            <span className="truncate">{value}</span>
          </li>
        ))}
    </ul>
  );
}

/** The whole facts with their labels. */
export function ClassFacts({ item }: { item: ClassDetail }) {
  return (
    <dl className="figures grid gap-x-6 gap-y-4 min-[22rem]:grid-cols-2">
      {factsOf(item)
        .filter(({ value }) => value)
        .map(({ icon, label, value }) => (
          <div key={label} className="relative min-h-10 pl-13">
            <dt className="muted text-sm">
              <span className="bg-base-300/60 text-base-content absolute top-0.5 left-0 flex size-10 items-center justify-center rounded-full">
                <Icon name={icon} />
              </span>
              {label}
            </dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

const factsOf = (item: ClassDetail): Fact[] => [
  { icon: 'calendar', label: 'When', value: item.schedule },
  { icon: 'pin', label: 'Where', value: item.place },
  { icon: 'users', label: 'Ages', value: item.ages },
  {
    icon: 'userPlus',
    label: 'Group size',
    value: `Up to ${item.capacity}${item.enrolled > 0 ? `, ${item.enrolled} enrolled` : ''}`,
  },
];
