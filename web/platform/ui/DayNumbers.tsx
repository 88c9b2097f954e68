// The numbers of a chart as a table, folded until they are asked for.
import { dayName } from './dates.ts';

export interface Point {
  /** An ISO day. */
  day: string;
  value: number;
}

interface DayNumbersProps {
  title: string;
  points: readonly Point[];
  format: (value: number) => string;
}

export function DayNumbers({ title, points, format }: DayNumbersProps) {
  return (
    <details className="text-sm">
      <summary className="muted w-fit cursor-pointer content-center max-sm:min-h-11">
        Show the numbers
      </summary>
      {/* It scrolls: the keys must reach it. */}
      <section
        aria-label={`${title}, numbers`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="mt-2 max-h-56 overflow-auto"
      >
        <table className="w-full text-left tabular-nums">
          <caption className="sr-only">{title}</caption>
          <thead className="muted">
            <tr>
              <th scope="col">Day</th>
              <th scope="col" className="text-right">
                {title.split(' ')[0]}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map(({ day, value }, index) => (
              <tr key={day} className="border-base-300 border-t">
                <th scope="row" className="py-1 font-normal">
                  {dayName(day)}
                  {index === 0 && ' (today so far)'}
                </th>
                <td className="text-right">{format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
