// What the roll call keeps on the phone, in two databases. One has the rosters, with names: it is
// deleted at sign-out (session/phone.ts) and roster by roster 24 hours after the meeting. The other
// has the marks that are not sent yet: they stay until the server has answered, under the user who
// made them.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { OwnMeeting } from '../../contract/classes/calendar.ts';
import type { NewMark, Roster } from '../../contract/rollcall/rollcall.ts';
import { token } from '../platform/api/token.ts';
import { rosterDatabase, rostersKeptUntil } from '../people/session/phone.ts';
import type { Me } from './rows.ts';
import { type Sealed, seal, unseal } from './sealed.ts';

/** Who opened the roll call here last, for an opening without a network. */
interface KeptPerson extends Me {
  meetings?: Planned[];
}

export type Planned = Pick<
  OwnMeeting,
  '_id' | 'classId' | 'name' | 'day' | 'starts' | 'ends' | 'startsAt' | 'place' | 'state'
>;

/** A mark on its way. `about` names the class and the time, never a child. */
export interface Outgoing {
  _id: string;
  userId: string;
  mark: NewMark;
  about: string;
}

export interface Refused extends Outgoing {
  reason: string;
}

/** Sealed: it says what a child is allergic to. */
type KeptRoster = Kept & Sealed;

interface Kept {
  userId: string;
  until: string;
}
type KeptMark = Kept & { mark: NewMark };
/** `key` is that of a row (rows.ts). */
type KeptNote = Kept & { meetingId: string; key: string; note: string };

interface Rosters extends DBSchema {
  person: { key: 'me'; value: KeptPerson };
  rosters: { key: string; value: KeptRoster };
  /** Of everyone on a kept roster, also when a newer roster no longer has them. */
  names: { key: string; value: Kept & { name: string } };
  /** Marks that the server has and a kept roster may not have yet. */
  sent: { key: string; value: KeptMark };
  /** Refused marks whole: what they say of a person may be a name. */
  words: { key: string; value: KeptMark };
  /** Notes about people who have no mark yet. */
  notes: { key: string; value: KeptNote };
}

interface Marks extends DBSchema {
  marks: { key: string; value: Outgoing; indexes: { user: string } };
  /** Without their words, which end with the rosters. */
  refused: { key: string; value: Refused; indexes: { user: string } };
}

const day = 86_400_000;

/** Opened once. Another tab that deletes the database, or the browser, may close it. */
function database<Schema extends DBSchema>(
  name: string,
  version: number,
  upgrade: (db: IDBPDatabase<Schema>) => void,
) {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  return () => {
    opened ??= openDB<Schema>(name, version, {
      upgrade,
      blocking: (_now, _next, { target }) => {
        opened = null;
        (target as IDBDatabase).close();
      },
      terminated: () => {
        opened = null;
      },
    }).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}

const rosters = database<Rosters>(rosterDatabase, 4, (db) => {
  for (const name of ['person', 'rosters', 'names', 'sent', 'words', 'notes'] as const)
    db.createObjectStore(name);
});

const marks = database<Marks>('rally-marks', 1, (db) => {
  for (const name of ['marks', 'refused'] as const)
    db.createObjectStore(name, { keyPath: '_id' }).createIndex('user', 'userId');
});

const keyOf = (userId: string, { classId, meetingId }: Roster) =>
  `${userId} ${meetingId ?? classId}`;

/** Nothing is written after a sign-out. Checked when the database is open, in the same step. */
const signedOut = () => token.read() === null;

export async function keepPerson(person: KeptPerson): Promise<void> {
  const db = await rosters();
  if (!signedOut()) await db.put('person', person, 'me');
}

/** Null after a sign-out, which deletes the token, too. */
export async function readPerson(): Promise<KeptPerson | null> {
  if (signedOut()) return null;
  return (await (await rosters()).get('person', 'me')) ?? null;
}

/** With who calls it: a roll call opened by its address must open without the list, too. */
export async function keepRoster({ id: userId, name }: Me, roster: Roster): Promise<void> {
  const sealed = await seal(roster);
  const db = await rosters();
  if (signedOut()) return;
  const { until, people } = roster;
  const before = await db.get('person', 'me');
  if (before?.id !== userId) await db.put('person', { id: userId, name }, 'me');
  await db.put('rosters', { userId, until, ...sealed }, keyOf(userId, roster));
  for (const { participantId, name } of people)
    await db.put('names', { userId, until, name }, participantId);
  await sayUntil(db);
}

/** Marks have no names: this is for one that the server refuses. */
export async function readName(userId: string, participantId: string): Promise<string | null> {
  const found = await (await rosters()).get('names', participantId);
  return found?.userId === userId ? found.name : null;
}

/** Without a meeting: the kept one that ends first. */
export async function readRoster(
  userId: string,
  classId: string,
  meetingId: string | null,
): Promise<Roster | null> {
  const own = (await keptRosters(userId)).filter((roster) => roster.classId === classId);
  return own.find((roster) => !meetingId || roster.meetingId === meetingId) ?? null;
}

export async function keptRosters(userId: string): Promise<Roster[]> {
  const all = await (await rosters()).getAll('rosters');
  const own = all.filter((kept) => kept.userId === userId && Date.parse(kept.until) > Date.now());
  const opened = await Promise.all(own.map((kept) => unseal<Roster>(kept)));
  return opened
    .filter((roster) => roster !== null)
    .toSorted((one, other) => Date.parse(one.until) - Date.parse(other.until));
}

/** Those of the list, and those whose roll call was opened without it. Null: the phone has none. */
export async function keptMeetings(userId: string): Promise<Planned[] | null> {
  const listed = (await readPerson())?.meetings;
  const opened = (await keptRosters(userId)).flatMap(({ classId, name, meetingId, meetings }) =>
    meetings
      .filter(({ _id }) => _id === meetingId && !listed?.some((meeting) => meeting._id === _id))
      .map((meeting) => Object.assign(meeting, { classId, name })),
  );
  return listed || opened.length > 0 ? [...(listed ?? []), ...opened] : null;
}

export async function forgetRoster(userId: string, classId: string): Promise<void> {
  const db = await rosters();
  for (const roster of await keptRosters(userId))
    if (roster.classId === classId) await db.delete('rosters', keyOf(userId, roster));
}

/** Deletes what is 24 hours past its meeting, and what belongs to another user. */
export async function sweep(userId: string): Promise<void> {
  const db = await rosters();
  const old = (kept: Kept) => kept.userId !== userId || !(Date.parse(kept.until) > Date.now());
  for (const name of ['rosters', 'names', 'sent', 'words', 'notes'] as const) {
    const [keys, all] = await Promise.all([db.getAllKeys(name), db.getAll(name)]);
    for (const [nth, key] of keys.entries())
      if (!all[nth] || old(all[nth])) await db.delete(name, key);
  }
  await sayUntil(db);
}

export async function keepNote(
  userId: string,
  { meetingId, until }: Roster,
  { key, note }: Pick<KeptNote, 'key' | 'note'>,
): Promise<void> {
  const db = await rosters();
  if (!meetingId || signedOut()) return;
  const at = `${userId} ${meetingId} ${key}`;
  if (note) await db.put('notes', { userId, until, meetingId, key, note }, at);
  else await db.delete('notes', at);
}

export async function readNotes(
  userId: string,
  meetingId: string | null,
): Promise<ReadonlyMap<string, string>> {
  const all = await (await rosters()).getAll('notes');
  const own = all.filter((kept) => kept.userId === userId && kept.meetingId === meetingId);
  return new Map(own.map(({ key, note }) => [key, note]));
}

async function sayUntil(db: IDBPDatabase<Rosters>): Promise<void> {
  const times = (await db.getAll('rosters')).map(({ until }) => until);
  if (times.length > 0) rostersKeptUntil(times.toSorted().at(-1) ?? '');
}

const blank = ({ guest, note: _note, ...mark }: NewMark): NewMark => ({
  ...mark,
  ...(guest !== undefined && { guest: '…' }),
});

/** Resolves when the marks are on the disk: 'strict' waits for it, the browser's default does not. */
export async function addMarks(added: readonly Outgoing[]): Promise<void> {
  const work = (await marks()).transaction('marks', 'readwrite', { durability: 'strict' });
  await Promise.all([...added.map((mark) => work.store.add(mark)), work.done]);
}

const byTime = (one: Outgoing, other: Outgoing) =>
  Date.parse(one.mark.at) - Date.parse(other.mark.at);

export async function readMarks(userId: string): Promise<Outgoing[]> {
  return (await (await marks()).getAllFromIndex('marks', 'user', userId)).toSorted(byTime);
}

export async function readRefused(userId: string): Promise<Refused[]> {
  const [all, db] = [
    await (await marks()).getAllFromIndex('refused', 'user', userId),
    await rosters(),
  ];
  const whole = all.map(async (refused) => {
    const kept = await db.get('words', refused._id);
    return kept ? Object.assign(refused, { mark: kept.mark }) : refused;
  });
  return (await Promise.all(whole)).toSorted(byTime);
}

/** The server has answered: what it has is gone from here, what it refuses is kept to be shown. */
export async function settleMarks(
  done: readonly Outgoing[],
  refused: readonly Refused[],
): Promise<void> {
  await keepIn('sent', done, 2 * day);
  await keepIn('words', refused, day);
  const work = (await marks()).transaction(['marks', 'refused'], 'readwrite');
  await Promise.all([
    ...[...done, ...refused].map(({ _id }) => work.objectStore('marks').delete(_id)),
    ...refused.map((one) => work.objectStore('refused').put({ ...one, mark: blank(one.mark) })),
    work.done,
  ]);
}

async function keepIn(store: 'sent' | 'words', marks: readonly Outgoing[], ms: number) {
  const db = await rosters();
  if (signedOut()) return;
  const until = new Date(Date.now() + ms).toISOString();
  for (const { userId, mark } of marks) await db.put(store, { userId, until, mark }, mark._id);
}

export async function readSent(userId: string): Promise<NewMark[]> {
  const all = await (await rosters()).getAll('sent');
  return all.filter((sent) => sent.userId === userId).map(({ mark }) => mark);
}

export async function dismissRefused(id: string): Promise<void> {
  await (await marks()).delete('refused', id);
  await (await rosters()).delete('words', id);
}
