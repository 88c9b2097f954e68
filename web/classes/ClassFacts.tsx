// Ages, time, place and size of a class: short on cards, with labels on the class page.
import type { ReactNode } from 'react';
import type { Class, ClassDetail } from '../../contract/classes/classes.ts';
import { withoutSingles } from '../../contract/classes/slots.ts';
import { useSettings, whereabouts } from '../platform/api/query.ts';
import { shortMoney } from '../platform/ui/money.ts';
import { noDates, Parts } from '../platform/ui/WhenWhere.tsx';
import { dayInYear, dayName } from '../platform/ui/dates.ts';
import { Icon, type IconName } from '../platform/ui/Icon.tsx';
import { levelWords } from './filters.ts';

interface Fact {
  icon: IconName;
  label: string;
  value: string;
}

const agesInWords = (ages: string) => (/year|age/i.test(ages) ? ages : `Ages ${ages}`);

/** "Began 5 Jan, 7 of 10 meetings left"; empty before it begins and without dates. */
export const progressOf = ({ firstDay, left, of }: Pick<Class, 'firstDay' | 'left' | 'of'>) =>
  firstDay && left !== undefined && of !== undefined
    ? `Began ${dayInYear(firstDay)}, ${left} of ${of} meetings left`
    : '';

/** "Mon, Wed · 16:00–17:30 · from 5 Jan": without the last day and single meetings. */
export const shortSchedule = ({ schedule, firstDay, left }: Class) =>
  firstDay
    ? [
        ...withoutSingles(schedule).split(' · ').slice(0, -1),
        ...(left === undefined ? [`from ${dayInYear(firstDay)}`] : []),
      ].join(' · ')
    : schedule;

const levelOf = ({ level }: Pick<Class, 'level'>) => (level === 'all' ? '' : levelWords[level]);

/** In as few lines as the width allows. */
export function ShortFacts({ item }: { item: Class }) {
  const who = [item.ages && agesInWords(item.ages), levelOf(item)].filter(Boolean).join(' · ');
  const facts: Omit<Fact, 'label'>[] = [
    { icon: 'calendar', value: shortSchedule(item) },
    { icon: 'clock', value: progressOf(item) },
    { icon: 'users', value: who },
    { icon: 'pin', value: item.place },
  ];
  return (
    <ul className="figures flex flex-wrap gap-x-3 gap-y-0.5 text-sm">
      {!item.firstDay && <li className="text-warning min-w-full font-medium">{noDates}</li>}
      {facts
        .filter(({ value }) => value)
        .map(({ icon, value }) => (
          <li key={icon} className="flex max-w-full items-start gap-1.5 first:min-w-full">
            <Icon name={icon} className="muted mt-px size-4.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              {icon === 'calendar' ? <Parts words={value} /> : value}
            </span>
          </li>
        ))}
    </ul>
  );
}

/** "Starts Mon 23 Nov · 23 meetings · $5.61 each" */
export function glanceAt({ firstDay, left, ended, price, meetings = [] }: ClassDetail): string {
  const count = left ?? meetings.filter(({ state }) => state !== 'cancelled').length;
  if (!firstDay || ended || count === 0) return '';
  return [
    left === undefined && `Starts ${dayName(firstDay)}`,
    `${count === 1 ? '1 meeting' : `${count} meetings`}${left === undefined ? '' : ' left'}`,
    count > 1 && `${shortMoney(Math.round((price / count) * 100) / 100)} each`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Opens the map of a phone. Nothing is loaded from there before. */
export const MapLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <a
    href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(to)}`}
    rel="noreferrer"
    className="underline underline-offset-4"
  >
    {children}
  </a>
);

export function ClassFacts({ item }: { item: ClassDetail }) {
  const city = whereabouts(useSettings());
  const address = item.meetings?.find(({ place }) => place === item.place)?.address;
  const onMap = address ?? (city && `${item.place}, ${city}`);
  return (
    <dl className="figures grid gap-x-6 gap-y-4 min-[22rem]:grid-cols-2">
      {factsOf(item)
        .filter(({ value }) => value)
        .map(({ icon, label, value }) => (
          <div
            key={label}
            className={`relative min-h-10 pl-13 ${value.length > 30 ? 'col-span-full' : ''}`}
          >
            <dt className="muted text-sm">
              <span className="bg-base-300 text-base-content absolute top-0.5 left-0 flex size-10 items-center justify-center rounded-full">
                <Icon name={icon} />
              </span>
              {label}
            </dt>
            <dd className="font-medium wrap-anywhere">
              {icon === 'pin' && onMap ? (
                <MapLink to={onMap}>{value}</MapLink>
              ) : (
                <Parts words={value} />
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}

export const factsOf = (item: ClassDetail): Fact[] => [
  { icon: 'calendar', label: 'When', value: item.schedule },
  { icon: 'clock', label: 'Under way', value: progressOf(item) },
  { icon: 'pin', label: 'Where', value: item.place },
  { icon: 'users', label: 'Ages', value: item.ages },
  { icon: 'ball', label: 'Level', value: levelOf(item) },
  {
    icon: 'userPlus',
    label: 'Group size',
    value: `Up to ${item.capacity}${item.enrolled > 0 ? `, ${item.enrolled} enrolled` : ''}`,
  },
];
