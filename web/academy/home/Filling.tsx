// How full the classes on sale are: the fullest ten from half on, and those under 30 %.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AdminFigures, Fill } from '../../../contract/academy/figures.ts';
import { inWords } from '../../platform/lists/total.ts';
import { paths } from '../../platform/paths.ts';
import { type Rank, RankedBars } from '../../platform/ui/Chart.tsx';

const ranksOf = (fills: readonly Fill[]): Rank[] =>
  fills.map(({ _id, name, sold, capacity }) => ({
    id: _id,
    label: (
      <Link to={paths.dashboard.review(_id)} className="link-hover link" title={name}>
        {name}
      </Link>
    ),
    part: sold,
    whole: capacity,
  }));

export function Filling({ figures }: { figures: AdminFigures }) {
  const { fullest, emptiest, underThirty } = figures;
  if (fullest.length + emptiest.length === 0) return null;
  return (
    <section aria-labelledby="filling" className="flex flex-col gap-4">
      <h2 id="filling" className="text-lg">
        How full the classes are
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Panel title="Fullest" note="Seats sold">
          {fullest.length > 0 ? (
            <RankedBars ranks={ranksOf(fullest)} />
          ) : (
            <p className="muted text-sm">No class on sale has half of its seats sold yet.</p>
          )}
        </Panel>
        <Panel title="Under 30 %" note={underThirty > 0 && `${inWords(underThirty)} in all`}>
          {emptiest.length > 0 ? (
            <RankedBars ranks={ranksOf(emptiest)} tone="error" />
          ) : (
            <p className="muted text-sm">
              Every class on sale has at least 30 % of its seats sold.
            </p>
          )}
        </Panel>
      </div>
    </section>
  );
}

interface PanelProps {
  title: string;
  note: ReactNode;
  children: ReactNode;
}

function Panel({ title, note, children }: PanelProps) {
  return (
    <div className="card border-base-300 bg-base-100 gap-4 border p-5">
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="font-semibold">{title}</h3>
        <span className="muted text-sm tabular-nums">{note}</span>
      </div>
      {children}
    </div>
  );
}
