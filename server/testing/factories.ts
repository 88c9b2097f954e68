// Users and classes for tests. Rows that they refer to are created too.
import { hashOf, newSecret } from '../platform/db/hashed.ts';
import { createTokens } from '../signin/tokens.ts';
import type { Role } from '../../contract/platform/call.ts';
import type { Sport } from '../../contract/classes/classes.ts';
import { facts as everyFact } from '../../contract/classes/classes.ts';
import type { Facts } from '../classes/proposals.ts';
import { type TestApp, unique } from './app.ts';

export interface TestUser {
  id: string;
  email: string;
  name: string;
  role: Role;
  proven: boolean;
  sessionId: string;
  /** A real access token of a live session. */
  token: string;
  /** What the cookie of that session has. */
  secret: string;
}

export async function aUser(
  app: TestApp,
  given: { role?: Role; name?: string; email?: string } = {},
): Promise<TestUser> {
  const role = given.role ?? 'student';
  const name = given.name ?? unique(role);
  const email = given.email ?? `${unique(role)}@example.com`;
  const { id } = await app.db
    .insertInto('user')
    .values({ name, email, role, image: 'https://example.com/face.png', provenAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const session = await aSession(app, id);
  return { id, email, name, role, proven: true, ...session };
}

export async function aSession(app: TestApp, userId: string) {
  const secret = newSecret();
  const { id: sessionId } = await app.db
    .insertInto('session')
    .values({
      userId,
      secretHash: hashOf(secret),
      expiresAt: new Date(Date.now() + 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { sessionId, secret, token: await createTokens(app.config).sign({ userId, sessionId }) };
}

export const anAdmin = (app: TestApp) => aUser(app, { role: 'admin' });
export const anInstructor = (app: TestApp) => aUser(app, { role: 'instructor' });

interface InvitationGiven {
  email?: string;
  role?: 'instructor' | 'admin';
  /** Null: the operator. */
  invitedBy?: string | null;
}

/** An open invitation as staff, with the secret of its link. */
export async function aStaffInvitation(app: TestApp, given: InvitationGiven = {}) {
  const secret = unique('secret');
  const invited = app.db
    .insertInto('staffInvitation')
    .values({
      email: given.email ?? `${unique('coach')}@example.com`,
      role: given.role ?? 'instructor',
      invitedBy: given.invitedBy ?? null,
      secretHash: hashOf(secret),
    })
    .returning(['id', 'email']);
  return { secret, ...(await invited.executeTakeFirstOrThrow()) };
}

interface ClassGiven {
  instructor?: TestUser;
  name?: string;
  cents?: number;
  capacity?: number;
  status?: 'pending' | 'approved' | 'denied';
  sport?: Sport;
  schedule?: string;
  place?: string;
}

export async function aClass(app: TestApp, given: ClassGiven = {}) {
  const instructor = given.instructor ?? (await anInstructor(app));
  const facts: Facts = {
    ...(Object.fromEntries(everyFact.map((fact) => [fact, ''])) as Facts),
    name: given.name ?? unique('class'),
    img: '/media/class/first-touch-soccer.webp',
    sport: given.sport ?? 'Soccer',
    schedule: given.schedule ?? '',
    place: given.place ?? '',
    level: 'all',
  };
  const { status = 'approved' } = given;
  const row = await app.db
    .insertInto('class')
    .values({
      ...facts,
      ...(status !== 'pending' && { proposedAt: null }),
      instructorId: instructor.id,
      priceCents: given.cents ?? 1_999,
      capacity: given.capacity ?? 10,
      status,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, instructor: instructor.name };
}
