// Who may do what: the right status of every call for every caller and every owner. It follows from the
// call's access and example; what does not is said here.
import { vi } from 'vitest';
import { addClass } from '../../contract/classes/classes.ts';
import { accessOf, address, type AnyCall, isInQuery } from '../../contract/platform/call.ts';
import { createTokens } from '../../server/signin/tokens.ts';
import { testApp } from '../../server/testing/app.ts';
import { anAdmin, anInstructor, aUser, type TestUser } from '../../server/testing/factories.ts';
import { aPicture } from '../../server/testing/pictures.ts';
import { filled, make, shared, subjectOf } from './things.ts';

export const app = await testApp();

export const people = {
  student: await aUser(app),
  'other student': await aUser(app),
  instructor: await anInstructor(app),
  'other instructor': await anInstructor(app),
  admin: await anAdmin(app),
};
export type Person = keyof typeof people;
/** The others own what is someone else's. */
export const callers = ['student', 'instructor', 'admin'] as const;
const neighbour: Record<Person, Person> = {
  student: 'other student',
  'other student': 'student',
  instructor: 'other instructor',
  'other instructor': 'instructor',
  admin: 'student',
};

const ended = await aUser(app);
await app.db.deleteFrom('session').where('id', '=', ended.sessionId).execute();
const tokenFor = ({ id, sessionId }: TestUser, config: object = {}) =>
  createTokens({ ...app.config, ...config }).sign({ userId: id, sessionId });
export const strangers = {
  'no token': undefined,
  'expired token': await expiredToken(people.student),
  'token of an ended session': ended.token,
  'forged token': await tokenFor(people.student, {
    secret: 'another secret of thirty-two letters or more',
  }),
};

/** Signed with our own key an hour ago, so that only its age is wrong. */
async function expiredToken(who: TestUser): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  try {
    return await tokenFor(who);
  } finally {
    vi.useRealTimers();
  }
}

export type Headers = Record<string, string>;
export const bearer = (token: string | undefined): Headers =>
  token ? { authorization: `Bearer ${token}` } : {};

const picture = await aPicture();

export function ask(call: AnyCall, input: object, headers: Headers, extra: object = {}) {
  const { path, rest } = address(call, input);
  const sent = { ...rest, ...extra };
  return app.ask({
    method: call.method,
    url: path,
    ...(isInQuery(call) ? { query: sent as Record<string, string> } : { payload: sent }),
    ...(call.takes && { payload: picture }),
    headers: { ...headers, ...(call.takes && { 'content-type': 'image/jpeg' }) },
  });
}

export const whose = ['own', "someone else's", 'unknown', 'malformed'] as const;
export type Whose = (typeof whose)[number];

/** Where nothing has the id. */
const unknowns: Record<string, string> = {
  'my address': 'nobody@example.com',
  intent: 'pi_unknown',
  stray: 'pi_unknown',
  'failed event': 'evt_unknown',
};

/** The input that names the thing; null if the call names none of that kind. */
export async function inputOf(call: AnyCall, person: Person, of: Whose): Promise<object | null> {
  const own = inputs[call.id]?.(person, of);
  if (own) return own;
  const subject = subjectOf(call.example);
  if (!subject && of !== 'own' && of !== 'malformed') return null;
  const named = (word: string) => {
    if (word !== subject || of === 'own') return make(word, app, people[person]);
    if (of === "someone else's") return make(word, app, people[neighbour[person]]);
    if (of === 'malformed') return word === 'my address' ? 1 : 'x';
    return unknowns[word] ?? '00000000-0000-4000-8000-000000000000';
  };
  const input = (await filled(call.example ?? {}, named)) as object;
  return subject || of === 'own' ? input : { ...input, nonsense: '1' };
}

const nobodysSecret: Partial<Record<Whose, object>> = {
  "someone else's": { secret: 'unknown' },
  unknown: { secret: 'unknown' },
  malformed: { secret: 1 },
};

/** Where the example is not what the matrix asks. */
const inputs: Record<string, (person: Person, of: Whose) => object | undefined> = {
  // An admin says whose it is.
  'POST /classes': (person, of) =>
    person === 'admin' && of === 'own'
      ? { ...addClass.example, email: people.admin.email, instructorId: people.instructor.id }
      : undefined,
  // With their own address the callers of the matrix would be gone: server/signin/account.test.ts.
  'POST /account/delete': (_person, of) => (of === 'own' ? {} : undefined),
  // The holder of a secret is told to whom it was mailed: server/people/guardians.test.ts.
  'POST /guardians/invitation': (_person, of) => nobodysSecret[of],
  'POST /guardians/accept': (_person, of) => nobodysSecret[of],
};

/** What the declaration alone says: null when this caller may call. */
export function refusedBy(call: AnyCall, person: Person): number | null {
  const access = accessOf(call);
  if (access.includes('session')) return 401;
  const open = access.some((word) => word === 'public' || word === 'signed-in' || word === 'self');
  return open || access.some((word) => word === people[person].role) ? null : 403;
}

/** The status for a caller who may call. */
export function expected(call: AnyCall, person: Person, of: Whose): number {
  const said = statuses[call.id]?.[of];
  if (said !== undefined) return typeof said === 'number' ? said : said(person);
  if (of === 'malformed') return 400;
  const right = statuses[call.id]?.own ?? call.status ?? 200;
  const own = typeof right === 'number' ? right : right(person);
  const subject = subjectOf(call.example) ?? '';
  if (of === 'own') return own;
  if (subject === 'my address') return 403;
  if (of === 'unknown') return 404;
  const access = accessOf(call);
  const forAdmins = access.includes('admin') || shownToAdmins.has(call.id);
  const found = subject in shared || access.join() === 'admin' || (forAdmins && person === 'admin');
  return found ? own : 404;
}

/** Calls for all who are signed in that show an admin what belongs to others, too. */
const shownToAdmins = new Set([
  'GET /classes/:id',
  'GET /participants/care/:id',
  'GET /payments/:id',
  'GET /attendance',
  'GET /announcements',
]);

type Status = number | ((person: Person) => number);
const all = (status: Status) => ({ own: status, "someone else's": status, unknown: status });
const adminsMay = (person: Person) => (person === 'admin' ? 200 : 403);

/** There is no card provider here: a request that gets as far as asking it counts as allowed. */
const askedTheProvider = 503;

const statuses: Record<string, Partial<Record<Whose, Status>>> = {
  // Their answers to a valid cookie, link or secret: server/signin.
  'POST /auth/sign-in/email': all(401),
  'POST /auth/sign-in/social': { own: 404 },
  'GET /auth/callback/google': { own: 404, malformed: 404 },
  'GET /auth/get-session': { malformed: 200 },
  'POST /auth/sign-in/second-step': { own: 400 },
  'POST /auth/request-password-reset': all(200),
  'POST /auth/reset-password': { own: 400 },
  'POST /auth/verify-email': { own: 400 },
  'POST /auth/invitation': { own: 400 },
  'POST /auth/accept-invitation': { own: 400 },
  'GET /users/admin/:email': all(200),
  'GET /users/instructor/:email': all(200),
  'POST /guardians/invitation': { "someone else's": 400, unknown: 400 },
  'POST /guardians/accept': { "someone else's": 400, unknown: 400 },
  'GET /classes/instructor': { ...all(adminsMay), own: 200 },
  'POST /classes': { "someone else's": 400, unknown: 400 },
  // Who asks does not matter: the address is the key.
  'GET /feeds/:secret/rally.ics': { "someone else's": 200, malformed: 404 },
  'POST /create-payment-intent': { own: askedTheProvider },
  'POST /checkout': { own: askedTheProvider },
  // It is recorded already.
  'POST /payments': { own: 200 },
  // Marks of foreign and unknown meetings are refused one by one: server/rollcall/marks.test.ts.
  'POST /marks': all(200),
  'POST /account/delete': all(400),
};

/** For a visitor of a public call, who owns nothing. */
export const toVisitor = (call: AnyCall, of: Whose) =>
  call.id === 'GET /classes/:id' && of === 'own' ? 404 : expected(call, 'student', of);
