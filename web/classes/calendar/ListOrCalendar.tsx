// The switch between the two ways of looking at the classes. Filters that both have are kept.
import { Link } from 'react-router';
import { paths } from '../../platform/paths.ts';
import { inCalendar } from '../filters.ts';

interface ListOrCalendarProps {
  here: 'list' | 'calendar';
  search: URLSearchParams;
}

export function ListOrCalendar({ here, search }: ListOrCalendarProps) {
  const kept = new URLSearchParams([...search].filter(([name]) => inCalendar.includes(name)));
  const query = kept.size > 0 ? `?${kept}` : '';
  const ways = [
    { name: 'List', to: `${paths.classes}${query}`, on: here === 'list' },
    { name: 'Calendar', to: `${paths.calendar}${query}`, on: here === 'calendar' },
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
