// The switch between the two ways of looking at the classes. Filters that both have are kept.
import { Link } from 'react-router';
import { paths } from '../../platform/paths.ts';
import { inCalendar } from '../filters.ts';
import { addressOf } from '../search.ts';

interface ListOrCalendarProps {
  here: 'list' | 'calendar';
  search: URLSearchParams;
}

export function ListOrCalendar({ here, search }: ListOrCalendarProps) {
  const kept = new URLSearchParams([...search].filter(([name]) => inCalendar.includes(name)));
  const ways = [
    { name: 'List', to: addressOf(paths.classes, kept), on: here === 'list' },
    { name: 'Calendar', to: addressOf(paths.calendar, kept), on: here === 'calendar' },
  ];
  return (
    <ul aria-label="Show classes as" className="segments">
      {ways.map(({ name, to, on }) => (
        <li key={name}>
          <Link
            to={to}
            aria-current={on ? 'page' : undefined}
            className={`segment ${on ? 'segment-on' : ''}`}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
