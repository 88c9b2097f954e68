// /dashboard/rollcall/:classId?meeting=: the roll call of one meeting. It opens without a network.
import { useEffect, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { MarkStatus } from '../../../contract/rollcall/marks.ts';
import {
  type NewMark,
  openRollCall,
  type Roster,
  type RosterMeeting,
} from '../../../contract/rollcall/rollcall.ts';
import { CallButton } from '../../platform/api/CallButton.tsx';
import { afterTap, isHere, markOf, opens, type Row, rowsOf } from '../rows.ts';
import { keepNote as storeNote, readNotes } from '../store.ts';
import { ClassAnnouncements } from '../../classes/ClassAnnouncements.tsx';
import { CareSheet } from '../../people/care/CareSheet.tsx';
import { paths } from '../../platform/paths.ts';
import { ask, toast } from '../../platform/ui/alert.ts';
import { Button, LinkButton } from '../../platform/ui/Button.tsx';
import { Select } from '../../platform/ui/Field.tsx';
import { dayName, momentOf } from '../../platform/ui/dates.ts';
import { keepFocus } from '../../platform/ui/focus.ts';
import { usePageTitle } from '../../platform/ui/head.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { Caller, useCalling, Waiting } from './Caller.tsx';
import { printer } from './icons.ts';
import { MarkSheet } from './MarkSheet.tsx';
import { PersonRow } from './PersonRow.tsx';
import { PrintList } from './PrintList.tsx';
import { isKept, useRoster } from './reads.ts';
import { WalkIn } from './WalkIn.tsx';
import { earlyWords } from './words.ts';

export function ClassRollCall() {
  return (
    <Caller>
      <Meeting />
    </Caller>
  );
}

function Meeting() {
  const { classId = '' } = useParams();
  const [search, setSearch] = useSearchParams();
  const { me } = useCalling();
  const { roster, gone, missing, retry, trying } = useRoster(me, classId, search.get('meeting'));
  if (gone)
    return (
      <EmptyState
        heading="h1"
        title="There is no such roll call"
        action={<LinkButton to={paths.dashboard.rollCall}>Roll Call</LinkButton>}
      >
        The class is not yours, or the meeting was removed.
      </EmptyState>
    );
  if (roster)
    return (
      <List
        key={roster.meetingId}
        roster={roster}
        onChoose={(meeting) => setSearch({ meeting }, { replace: true })}
      />
    );
  return (
    <div className="max-w-3xl">
      <h1 className="mb-4 text-2xl">Roll Call</h1>
      <Waiting />
      {missing && !trying ? (
        <ErrorNote
          message="This list is not on this phone, and the server does not answer."
          onRetry={retry}
        />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-3">
          {[1, 2, 3, 4].map((nth) => (
            <Skeleton key={nth} className="h-18" />
          ))}
        </div>
      )}
    </div>
  );
}

type Open = { kind: 'more' | 'care'; key: string } | { kind: 'walk-in' } | null;

function List({ roster, onChoose }: { roster: Roster; onChoose: (meetingId: string) => void }) {
  const { me, marks, opensOffline } = useCalling();
  const [open, setOpen] = useState<Open>(null);
  const { busy, notes, keepNote, store } = useStoring(roster);
  const meeting = roster.meetings.find(({ _id }) => _id === roster.meetingId);
  const own = { waiting: marks.marks.map(({ mark }) => mark), sent: marks.sent };
  const rows = rowsOf(roster, own, me);
  const people = rows.filter(({ person }) => person);
  const guests = rows.filter(({ person }) => !person);
  const closed = whyClosed(meeting);
  const mayOpen = !meeting && roster.mayOpen;
  const markRows = async (
    marked: readonly Pick<Row, 'key' | 'person' | 'mark'>[],
    status: MarkStatus,
    written?: string,
  ) => {
    if (!meeting) return;
    const early = rows.some(({ mark }) => mark) ? null : earlyWords(meeting.startsAt);
    if (early && !(await ask({ title: early, yes: 'Take it now', no: 'Not yet' }))) return;
    const noteOf = ({ key }: Pick<Row, 'key'>) => written ?? notes.get(key) ?? '';
    const { _id: meetingId } = meeting;
    await store(marked.map((row) => markOf(row, { meetingId, status, note: noteOf(row) })));
  };
  /** A mark that cannot be stored does not take the note with it. */
  const markWith = (row: Row, status: MarkStatus, note: string) => {
    keepNote(row.key, note);
    void markRows([row], status, note);
  };
  const uncalled = people.filter(({ mark }) => !mark);
  const shown = open && 'key' in open ? rows.find(({ key }) => key === open.key) : undefined;
  const close = () => setOpen(null);
  return (
    <>
      <div className="max-w-3xl print:hidden">
        <TopBar
          roster={roster}
          meeting={meeting}
          total={rows.length}
          uncalled={closed ? 0 : uncalled.length}
          onAllPresent={() => void markRows(uncalled, 'present')}
          onWalkIn={closed ? undefined : () => setOpen({ kind: 'walk-in' })}
        />
        <Waiting />
        {opensOffline && isKept(me, roster) && (
          <p className="mb-4 flex items-center gap-1.5 text-sm font-medium text-success">
            <Icon name="check" className="size-4" /> On this phone: works without a network
          </p>
        )}
        {mayOpen && <OpenToday classId={roster.classId} />}
        {closed && !mayOpen && (
          <p className="mb-4 rounded-box border border-base-300 bg-base-100 p-4 font-medium">
            {closed}
          </p>
        )}
        {rows.length === 0 && (
          <EmptyState title="No one is enrolled yet">
            The names appear here as soon as families have booked.
          </EmptyState>
        )}
        {rows.length > 0 && (!closed || rows.some(({ mark }) => mark)) && (
          <Here
            here={rows.filter(isHere).length}
            total={rows.length}
            unsent={rows.filter(({ waits }) => waits).length}
          />
        )}
        <ul className="flex flex-col gap-3">
          {rows.map((row) => (
            <PersonRow
              key={row.key}
              row={row}
              meId={me.id}
              busy={busy.has(row.key)}
              readOnly={closed !== null || !row.person}
              note={busy.has(row.key) ? undefined : notes.get(row.key)}
              onTap={() => void markRows([row], afterTap(row))}
              onMore={() => setOpen({ kind: 'more', key: row.key })}
              onCare={() => setOpen({ kind: 'care', key: row.key })}
            />
          ))}
        </ul>
        {roster.meetings.length > (meeting ? 1 : 0) && (
          <div className="mt-8 max-w-xs">
            <Select
              label="Another meeting"
              value={meeting?._id ?? ''}
              onChange={(event) => onChoose(event.target.value)}
            >
              {!meeting && <option value="">Choose</option>}
              {roster.meetings.map(({ _id, day, starts, taken, state }) => (
                <option key={_id} value={_id}>
                  {`${dayName(day)}, ${starts}`}
                  {state === 'cancelled' ? ' · cancelled' : taken ? ' · taken' : ''}
                </option>
              ))}
            </Select>
          </div>
        )}
        <div className="mt-8">
          <ClassAnnouncements classId={roster.classId} name={roster.name} />
        </div>
      </div>
      <PrintList roster={roster} meeting={meeting} rows={rows} me={me} />
      {shown && open?.kind === 'more' && (
        <MarkSheet
          row={shown}
          note={notes.get(shown.key) || undefined}
          readOnly={closed !== null}
          onMark={(status, note) => markWith(shown, status, note)}
          onNote={(note) =>
            shown.mark ? markWith(shown, shown.mark.status, note) : keepNote(shown.key, note)
          }
          onCare={() => setOpen({ kind: 'care', key: shown.key })}
          onClose={close}
        />
      )}
      {shown?.person?.care && open?.kind === 'care' && (
        <CareSheet name={shown.name} facts={shown.person.care} onClose={close} />
      )}
      {open?.kind === 'walk-in' && (
        <WalkIn
          taken={guests.map(({ key }) => key)}
          onAdd={(guest) => void markRows([{ key: guest, person: null, mark: null }], 'present')}
          onClose={close}
        />
      )}
    </>
  );
}

const OpenToday = ({ classId }: { classId: string }) => (
  <div className="card-frame mb-4">
    <p>
      This class has no dates. Open a roll call for today: allergies and contacts are then shown for
      12 hours.
    </p>
    <CallButton
      className="min-h-12 self-start"
      call={openRollCall}
      input={{ id: classId }}
      said="The roll call is open"
    >
      Open today's roll call
    </CallButton>
  </div>
);

function whyClosed(meeting: RosterMeeting | undefined): string | null {
  if (!meeting) return 'Give the class dates to take a roll call.';
  if (meeting.state === 'cancelled') return 'This meeting is cancelled.';
  const when = opens(meeting, Date.now());
  if (when === 'late') return 'This meeting was more than 30 days ago: the roll call is closed.';
  if (when === 'open') return null;
  const from = new Date(Date.parse(meeting.startsAt) - 86_400_000).toISOString();
  return `The roll call opens a day before the meeting: ${momentOf(from)}.`;
}

/** Rows show marks when they are stored. `notes` wait for the next mark of their row. */
function useStoring(roster: Roster) {
  const { me, queue } = useCalling();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [notes, setNotes] = useState<ReadonlyMap<string, string>>(new Map());
  const { id } = me;
  const { meetingId } = roster;
  useEffect(() => {
    readNotes(id, meetingId).then(
      // What was written meanwhile is newer.
      (kept) => setNotes((now) => new Map([...kept, ...now])),
      () => null,
    );
  }, [id, meetingId]);
  const keepNote = (key: string, note: string) => {
    setNotes((now) => new Map([...now, [key, note]]));
    void storeNote(id, roster, { key, note }).catch(() => null);
  };
  const store = async (added: NewMark[]) => {
    const keys = added.map(({ participantId, guest }) => participantId ?? guest ?? '');
    if (added.length === 0 || keys.some((key) => busy.has(key))) return;
    setBusy((now) => new Set([...now, ...keys]));
    try {
      const meeting = roster.meetings.find(({ _id }) => _id === roster.meetingId);
      const when = meeting ? `${dayName(meeting.day)} ${meeting.starts}` : '';
      await queue.add(added, `${roster.name}, ${when}`);
      for (const key of keys) keepNote(key, '');
    } catch {
      toast('This mark could not be stored on this phone. Please try again.', 'error');
    } finally {
      setBusy((now) => new Set([...now].filter((key) => !keys.includes(key))));
    }
  };
  return { busy, notes, keepNote, store };
}

interface TopBarProps {
  roster: Roster;
  meeting: RosterMeeting | undefined;
  total: number;
  uncalled: number;
  onAllPresent: () => void;
  onWalkIn: (() => void) | undefined;
}

function TopBar(props: TopBarProps) {
  const { roster, meeting, total, uncalled, onAllPresent, onWalkIn } = props;
  usePageTitle(`Roll call: ${roster.name}`);
  return (
    <div className="mb-4">
      <Link to={paths.dashboard.rollCall} className="roll-back">
        <Icon name="left" className="size-5" /> Roll Call
      </Link>
      <h1 className="text-2xl wrap-anywhere">{roster.name}</h1>
      {meeting && (
        <p className="figures mt-1">
          {dayName(meeting.day)}, {meeting.starts}–{meeting.ends}
          {meeting.place && ` · ${meeting.place}`}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {uncalled > 0 && (
          <Button
            className="min-h-12 max-sm:px-3"
            onClick={({ currentTarget }) =>
              void keepFocus(currentTarget, async () => onAllPresent())
            }
          >
            <Icon name="check" className="size-5" stroke={2.5} /> All present
          </Button>
        )}
        {onWalkIn && (
          <Button look="outline" className="min-h-12 max-sm:px-3" onClick={onWalkIn}>
            <Icon name="userPlus" className="size-5" /> Walk-in
          </Button>
        )}
        <Button
          look="outline"
          className="min-h-12 max-sm:px-3"
          disabled={total === 0}
          onClick={() => window.print()}
        >
          <Icon name={printer} className="size-5" />{' '}
          <span className="max-[22rem]:sr-only">Print</span>
        </Button>
      </div>
    </div>
  );
}

function Here({ here, total, unsent }: { here: number; total: number; unsent: number }) {
  return (
    <p className="figures roll-count" aria-live="polite">
      {here} of {total} here
      {unsent > 0 && <span className="text-base font-medium">{unsent} not sent</span>}
    </p>
  );
}
