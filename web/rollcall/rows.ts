// The rows of a roll call: the roster, and the marks of this phone over it. Pure.
import { cameTo, type MarkStatus, standing } from '../../contract/rollcall/marks.ts';
import type { Mark, NewMark, Roster, RosterPerson } from '../../contract/rollcall/rollcall.ts';

export interface Row {
  key: string;
  name: string;
  person: RosterPerson | null;
  mark: Mark | null;
  differing: readonly Mark[];
  waits: boolean;
  /** What was marked last on this phone, where a later mark from elsewhere says otherwise. */
  lost?: Mark;
}

export interface Me {
  id: string;
  name: string;
}

interface Own {
  waiting: readonly NewMark[];
  sent: readonly NewMark[];
}

export function rowsOf(roster: Roster, { waiting, sent }: Own, me: Me): Row[] {
  const own = [...sent, ...waiting].filter(({ meetingId }) => meetingId === roster.meetingId);
  const unsent = new Set(waiting.map(({ _id }) => _id));
  const rowOf = (
    key: string,
    name: string,
    told: { mark: Mark | null; marks: readonly Mark[] },
    person: RosterPerson | null,
  ): Row => {
    const added = own
      .filter(({ participantId, guest }) => (participantId ?? guest) === key)
      .map((mark) => asMark(mark, me));
    const { mark, differing } = standing([
      ...told.marks,
      ...(told.mark ? [told.mark] : []),
      ...added,
    ]);
    const last = standing(added).mark;
    const isLost = last && last.status !== mark?.status;
    const waits = mark !== null && unsent.has(mark._id);
    return { key, name, person, mark, differing, waits, ...(isLost && { lost: last }) };
  };
  const known = new Map(roster.guests.map((guest) => [guest.guest, guest]));
  const guests = new Set([...known.keys(), ...own.flatMap(({ guest }) => guest ?? [])]);
  return [
    ...roster.people.map((person) => rowOf(person.participantId, person.name, person, person)),
    ...[...guests]
      .map((guest) => rowOf(guest, guest, known.get(guest) ?? { mark: null, marks: [] }, null))
      // A walk-in who is marked absent was a mistake.
      .filter(({ mark }) => mark && mark.status !== 'absent'),
  ];
}

const asMark = ({ _id, status, note, at }: NewMark, me: Me): Mark => ({
  _id,
  status,
  note: note ?? '',
  at,
  by: me.name,
  byId: me.id,
});

export const afterTap = (row: Row): MarkStatus =>
  row.mark?.status === 'present' ? 'absent' : 'present';

export const isHere = ({ mark }: Row) =>
  mark !== null && cameTo(mark.status) && mark.status !== 'left';

// A new mark of a row. It counts, however wrong the phone's clock is: it is later than every mark
// that the user has seen. The server stores a time in the future as now.
export function markOf(
  row: Pick<Row, 'key' | 'person' | 'mark'>,
  { meetingId, status, note }: { meetingId: string; status: MarkStatus; note?: string },
  now = Date.now(),
): NewMark {
  const seen = row.mark ? Date.parse(row.mark.at) : 0;
  return {
    _id: newId(),
    meetingId,
    ...(row.person ? { participantId: row.key } : { guest: row.key }),
    status,
    ...(note && { note }),
    at: new Date(Math.max(now, seen + 1)).toISOString(),
  };
}

/** randomUUID exists over https and on localhost only. */
function newId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  const bytes = (crypto as Crypto).getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

export function opens(
  { startsAt, endsAt }: { startsAt: string; endsAt: string },
  now: number,
): 'early' | 'open' | 'late' {
  const day = 86_400_000;
  if (now < Date.parse(startsAt) - day) return 'early';
  return now > Date.parse(endsAt) + 30 * day ? 'late' : 'open';
}
