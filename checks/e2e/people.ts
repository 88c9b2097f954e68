// Users and classes for the journeys, made through the API because that is faster than the forms.
import { type APIRequestContext, expect, type Page, request } from '@playwright/test';

export const password = 'Tennis#2026';
const demoPassword = 'Rally#2026';

export interface Person {
  id: string;
  name: string;
  email: string;
  /** Asks the API in this person's name. */
  ask: (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    data?: object,
  ) => Promise<Record<string, unknown>>;
  cookies: Awaited<ReturnType<APIRequestContext['storageState']>>['cookies'];
}

let count = 0;
/** Different in every test, worker and project. */
export const unique = (word: string) =>
  `${word} ${Date.now().toString(36)}${process.pid.toString(36)}${(count += 1)}`;

async function signedIn(
  email: string,
  secret: string,
  name: string,
  image = '/media/people/casey-morgan.svg',
): Promise<Person> {
  const site = process.env['RALLY_URL'] ?? '';
  const context = await request.newContext({ baseURL: site, extraHTTPHeaders: { origin: site } });
  const post = async (path: string, data: object) => {
    const answer = await context.post(path, { data });
    if (!answer.ok())
      throw new Error(`POST ${path} answered ${answer.status()}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  if (secret === password) await post('/api/auth/sign-up/email', { name, email, password, image });
  await post('/api/auth/sign-in/email', { email, password: secret });
  const { insertedId } = await post('/api/users', { name, email, role: 'student' });
  const newToken = async () => ({ made: Date.now(), ...(await post('/api/jwt', { email })) });
  let token: { made: number; token?: unknown } = await newToken();
  return {
    id: String(insertedId),
    name,
    email,
    cookies: (await context.storageState()).cookies,
    ask: async (method, path, data) => {
      // It lives for 15 minutes; a proof is longer.
      if (Date.now() - token.made > 600_000) token = await newToken();
      const headers = { authorization: `Bearer ${String(token.token)}` };
      const answer = await context.fetch(`/api${path}`, { method, headers, ...(data && { data }) });
      if (!answer.ok())
        throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    },
  };
}

let admin: Promise<Person> | undefined;

/** The demo academy's admin; several journeys share this person, none changes it. */
export const theAdmin = () => (admin ??= signedIn('admin@rally.test', demoPassword, 'Avery Admin'));

export async function someone(
  role: 'student' | 'instructor' = 'student',
  { name, image }: { name?: string; image?: string } = {},
): Promise<Person> {
  const short = unique(role === 'student' ? 'Sasha' : 'Ines');
  const email = `${short.replace(' ', '.').toLowerCase()}@example.com`;
  const person = await signedIn(email, password, name ?? short, image);
  if (role === 'instructor')
    await (await theAdmin()).ask('PATCH', `/users/instructor/${person.id}`);
  return person;
}

/** The mails to an address, newest first. They leave after the answer. */
export async function mailsTo(email: string): Promise<{ subject: string; text: string }[]> {
  const context = await request.newContext({ baseURL: process.env['RALLY_URL'] ?? '' });
  const answer = await context.get(`/dev/mail.json?to=${encodeURIComponent(email)}`);
  const mails = (await answer.json()) as { subject: string; text: string }[];
  await context.dispose();
  return mails;
}

/** The path of the newest mailed link to a page of ours. */
export async function mailedLink(
  email: string,
  page: '/confirm' | '/resetpassword' | '/invitation',
): Promise<string> {
  let link = '';
  await expect(async () => {
    const text = (await mailsTo(email)).map((mail) => mail.text).join('\n');
    link = new RegExp(`${page}[?#]\\S+`).exec(text)?.[0] ?? '';
    expect(link).not.toBe('');
  }).toPass();
  return link;
}

/** The six digits of the newest mail that confirms an address. */
export async function mailedCode(email: string): Promise<string> {
  let code = '';
  await expect(async () => {
    const text = (await mailsTo(email)).map((mail) => mail.text).join('\n');
    code = /type (\d{6}) on the page/i.exec(text)?.[1] ?? '';
    expect(code).not.toBe('');
  }).toPass();
  return code;
}

/** A person whose address is confirmed, as after the link of the welcome mail. */
export async function confirmed(person: Person): Promise<Person> {
  const token = new URLSearchParams((await mailedLink(person.email, '/confirm')).split('?')[1]).get(
    'token',
  );
  await person.ask('POST', '/auth/verify-email', { token });
  return person;
}

/** Signs the browser in: the session is the cookie, and the page requests its token. */
export async function enter(page: Page, person: Person) {
  await page.context().addCookies(person.cookies);
}

export interface MadeClass {
  id: string;
  name: string;
  instructor: Person;
}

interface ClassWish {
  name?: string;
  seat?: number;
  price?: number;
  /** Approved unless told otherwise; null leaves it waiting for a decision. */
  decided?: 'approve' | 'deny' | null;
  instructor?: Person;
}

export async function aClass(wish: ClassWish = {}): Promise<MadeClass> {
  const instructor = wish.instructor ?? (await someone('instructor'));
  const name = wish.name ?? unique('Juggling');
  const { insertedId } = await instructor.ask('POST', '/classes', {
    name,
    img: '/media/class/red-ball-tennis.webp',
    price: wish.price ?? 49,
    seat: wish.seat ?? 5,
    sport: 'Other',
    schedule: 'Mon 16:00',
    place: 'Court 1',
  });
  const id = String(insertedId);
  const { decided = 'approve' } = wish;
  if (decided) await (await theAdmin()).ask('PATCH', `/classes/${decided}/${id}`);
  return { id, name, instructor };
}

export const select = (student: Person, { id }: MadeClass) =>
  student.ask('POST', '/bookeds', { itemId: id });
