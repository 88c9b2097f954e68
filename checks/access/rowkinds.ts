// The kinds of rows of the access matrix: calls that name a user by email, a row by id, or neither.
// Used by matrix.ts.
import { invitationOf, neighbour, people, type Person } from './owned.ts';

export const whose = ['own', "someone else's", 'unknown', 'malformed'] as const;
export type Whose = (typeof whose)[number];

export interface Row {
  /** The input that names the row; null if the call has none of that kind. */
  input(person: Person, whose: Whose): Promise<object | null> | object | null;
  /** The status for a caller who may call. */
  expected(person: Person, whose: Whose): number;
  /** The status for a visitor of a public call, if it differs from a student's. */
  visitor?(whose: Whose): number;
}

export const unknownId = '00000000-0000-4000-8000-000000000000';
export const emailOf = (person: Person, of: Whose) =>
  ({
    own: people[person].email,
    "someone else's": people[neighbour[person]].email,
    unknown: 'nobody@example.com',
    malformed: 'no email',
  })[of];

/** A call that names a user by email and answers only about the caller. */
export const byEmail = (
  extra: object = {},
  others: (person: Person) => number = () => 403,
): Row => ({
  input: (person, of) => ({ email: emailOf(person, of), ...extra }),
  expected: (person, of) =>
    ({ own: 200, "someone else's": others(person), unknown: others(person), malformed: 400 })[of],
});

export type Owned = (person: Person) => Promise<string>;

export async function thing(own: Owned, person: Person, of: Whose) {
  const id = {
    own: () => own(person),
    "someone else's": () => own(neighbour[person]),
    unknown: () => unknownId,
    malformed: () => 'x',
  }[of];
  return { id: await id() };
}

/** A call that names a row by id; foreign and unknown get the same response. */
export const byId = (own: Owned, expected: Row['expected'], extra: object = {}): Row => ({
  input: async (person, of) => ({ ...(await thing(own, person, of)), ...extra }),
  expected,
});
export const ownerGets =
  (own: number): Row['expected'] =>
  (_person, of) =>
    ({ own, "someone else's": 404, unknown: 404, malformed: 400 })[of];
export const foundByOwner = ownerGets(200);
export const ofAdminToo: Row['expected'] = (person, of) =>
  person === 'admin' && of === "someone else's" ? 200 : foundByOwner(person, of);
export const foundByAll: Row['expected'] = (_person, of) =>
  ({ own: 200, "someone else's": 200, unknown: 404, malformed: 400 })[of];

/** A seat of one's own that is to be for oneself. */
export const forOneself = (own: Owned): Row => ({
  input: async (person, of) => ({
    ...(await thing(own, person, of)),
    participantId: people[person].id,
  }),
  expected: foundByOwner,
});

/** A GET by cookie: its query is read by Google's way back or not at all. */
export const openGet = (status: number): Row => ({
  input: (_person, of) => (of === 'own' ? {} : of === 'malformed' ? { nonsense: '1' } : null),
  expected: () => status,
});

/** A call without a user or an id. */
export const plain = (input: object = {}, status = 200): Row => ({
  input: (_person, of) =>
    of === 'own' ? input : of === 'malformed' ? { ...input, nonsense: 1 } : null,
  expected: (_person, of) => (of === 'malformed' ? 400 : status),
});

/** The holder of a secret is told to whom it was mailed: people/guardians.test.ts. */
export const byInvitation: Row = {
  input: async (person, of) =>
    of === 'own'
      ? { secret: await invitationOf(person) }
      : of === 'malformed'
        ? { secret: 1 }
        : { secret: 'unknown' },
  expected: (_person, of) => (of === 'own' ? 200 : 400),
};
