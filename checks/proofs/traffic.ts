// Traffic for tests of outages: users who read, write and buy without pause; the status of each
// response; and a journal of every acknowledged write, to be compared with the database afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  cardKeys,
  openClasses,
  people,
  type Person,
  query,
} from '../../server/testing/processes.ts';

export interface Journal {
  classes: string[];
  payments: string[];
}

interface Options {
  /** The current address. */
  door: () => string;
  /** The address of the card provider; without one there are no purchases. */
  provider?: () => string;
  teacher: Person;
  students: Person[];
  classes: string[];
  /** How many of each kind at once. */
  hands?: { readers: number; authors: number; shoppers: number; buyers: number };
  /** The pause of each client between two requests. */
  restMs?: number;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export type Traffic = ReturnType<typeof traffic>;

/**
 * Longer than any limit of ours (5 s for a connection, 5 s for a statement, 15 s for the card
 * provider).
 */
const patienceMs = 25_000;

export function traffic({
  door,
  provider,
  teacher,
  students,
  classes,
  restMs = 5,
  hands,
}: Options) {
  const { readers, authors, shoppers, buyers } = hands ?? {
    readers: 3,
    authors: 2,
    shoppers: 1,
    buyers: 2,
  };
  const journal: Journal = { classes: [], payments: [] };
  const tally: Record<string, number> = {};
  /** Responses that must never occur. */
  const wrong: string[] = [];
  let cut = 0;
  /** The machine itself was too busy (server/platform/http/server.ts): not a sign of a defect. */
  let shed = 0;
  let slowest = 0;
  const closing = new AbortController();
  let turn = 0;

  /** Null when the connection was cut: whether it was done is unknown. */
  async function ask(
    method: string,
    path: string,
    who?: Person,
    body?: object,
  ): Promise<Answer | null> {
    const began = Date.now();
    try {
      const response = await fetch(door() + path, {
        method,
        headers: {
          ...(who ? { authorization: `Bearer ${await who.token()}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(patienceMs),
      });
      const text = await response.text();
      const json = String(response.headers.get('content-type')).includes('json');
      const answer = {
        status: response.status,
        body: json ? (JSON.parse(text) as Record<string, unknown>) : {},
      };
      const problem = problemWith(response, answer.body, json);
      if (problem) wrong.push(`${method} ${path}: ${problem} ${text.slice(0, 200)}`);
      if (response.status === 503 && response.headers.get('retry-after') === '2') shed++;
      else tally[response.status] = (tally[response.status] ?? 0) + 1;
      slowest = Math.max(slowest, Date.now() - began);
      return answer;
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError')
        wrong.push(`${method} ${path}: no answer at all`);
      cut++;
      return null;
    }
  }

  const wanted: (() => [path: string, who?: Person | undefined])[] = [
    () => ['/api/classes?status=approved'],
    () => [`/api/classes?search=outage&page=${1 + (turn % 50)}`],
    () => ['/'],
    () => [`/classes/${classes[turn % classes.length]}`],
    () => ['/sitemap.xml'],
    () => ['/api/instructors', students[turn % students.length]],
    () => [`/api/bookeds?email=${teacher.email}`, teacher],
    () => [`/api/payments?email=${teacher.email}&sort=dsc`, teacher],
  ];

  async function read() {
    const [path = '/', who] = wanted[turn++ % wanted.length]?.() ?? [];
    await ask('GET', path, who);
  }

  async function write() {
    const answer = await ask('POST', '/api/classes', teacher, {
      name: `Written ${turn++}`,
      img: 'https://example.com/class.webp',
      price: 20,
      seat: 5,
      description: 'A class that was acknowledged must not be lost. '.repeat(20),
    });
    if (answer?.status === 201) journal.classes.push(String(answer.body['insertedId']));
  }

  async function shop() {
    const who = students[turn % students.length];
    const itemId = classes[turn++ % classes.length];
    const answer = await ask('POST', '/api/bookeds', who, { itemId });
    if (answer?.status === 201)
      await ask('DELETE', `/api/booked/${String(answer.body['insertedId'])}`, who);
  }

  let sale = 0;
  async function buy() {
    const who = students[sale % students.length];
    const itemId = classes[Math.floor(sale / students.length) % classes.length];
    sale++;
    const inCart = await ask('POST', '/api/bookeds', who, { itemId });
    if (inCart?.status !== 201 && inCart?.status !== 409) return;
    const opened = await ask('POST', '/api/create-payment-intent', who, { price: 19.99, itemId });
    if (opened?.status !== 200) return;
    const transactionId = await confirm(provider?.() ?? '', String(opened.body['clientSecret']));
    if (!transactionId) return;
    const recorded = await ask('POST', '/api/payments', who, { transactionId });
    const result = recorded?.body['insertResult'] as { insertedId: string } | undefined;
    if (result) journal.payments.push(result.insertedId);
  }

  async function again(work: () => Promise<void>) {
    while (!closing.signal.aborted) {
      await work();
      await sleep(restMs);
    }
  }

  const times = (count: number, work: () => Promise<void>) =>
    Array.from({ length: count }, () => again(work));
  const clients = [
    ...times(readers, read),
    ...times(authors, write),
    ...times(shoppers, shop),
    ...times(provider ? buyers : 0, buy),
  ];

  return {
    journal,
    tally,
    wrong,
    cut: () => cut,
    shed: () => shed,
    slowest: () => slowest,
    answered: () => Object.values(tally).reduce((sum, count) => sum + count, 0),
    acknowledged: () => journal.classes.length + journal.payments.length,
    async stop() {
      closing.abort();
      await Promise.all(clients);
    },
  };
}

/**
 * Success, a refusal that a busy shop may give, or 503 with Retry-After in our error shape; never
 * anything else, and never no response.
 */
function problemWith(
  { status, headers }: Response,
  body: Record<string, unknown>,
  json: boolean,
): string | null {
  if (status < 400 || status === 409 || status === 404) return null;
  if (status !== 503) return `answered ${status}`;
  if (!(Number(headers.get('retry-after')) > 0)) return '503 without Retry-After';
  const ours =
    body['error'] === true &&
    typeof body['code'] === 'string' &&
    typeof body['requestId'] === 'string';
  return json && !ours ? '503 in a shape that is not ours' : null;
}

/** What the browser does when Pay is pressed. Null when the provider did not answer. */
export async function confirm(provider: string, clientSecret: string): Promise<string | null> {
  const intent = clientSecret.split('_secret_')[0] ?? '';
  try {
    const response = await fetch(`${provider}/v1/payment_intents/${intent}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cardKeys.publishableKey}` },
      body: new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa' }),
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.arrayBuffer();
    return response.ok ? intent : null;
  } catch {
    return null;
  }
}

/** An instructor with open classes, and students. */
export async function aCrowd(url: string, count: number, classes: number, seats?: number) {
  const [teacher] = (await people(url, 'instructor', 1)) as [Person];
  const students = await people(url, 'student', count);
  return { teacher, students, classes: await openClasses(url, teacher, classes, seats) };
}

/**
 * Stops all clients and checks: no forbidden response, no request without a response, and every
 * acknowledged write is there.
 */
export async function endWell(load: Traffic, url: string): Promise<void> {
  await load.stop();
  expect(load.wrong).toEqual([]);
  expect(load.cut()).toBe(0);
  expect(await missing(url, load.journal)).toEqual([]);
}

/** What was acknowledged and is missing. */
export async function missing(url: string, { classes, payments }: Journal): Promise<string[]> {
  const rows = await query<{ line: string }>(
    url,
    `select 'class ' || id as line from unnest($1::uuid[]) id where not exists (select from class where class.id = id.id)
     union all
     select 'payment ' || id from unnest($2::uuid[]) id where not exists (select from payment where payment.id = id.id)`,
    [classes, payments],
  );
  return rows.map(({ line }) => line);
}
