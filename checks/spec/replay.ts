// Replays a recorded file against the real app: sends its steps in order and returns the file with
// the answers of now. What differs at every run becomes a placeholder: the same value, the same one.
import { expect } from 'vitest';
import { aShop } from '../../server/testing/checkout.ts';
import { aUser } from '../../server/testing/factories.ts';
import { aGoogle, client, walk } from '../../server/testing/google.ts';
import { codeOf } from '../../server/testing/totp.ts';
import { linkIn, type Reply, Visitor } from '../../server/testing/visitor.ts';

/** A step says its situation and is compared, or prepares one (`given`) and must only succeed. */
export interface Step {
  situation?: string;
  given?: string;
  /** Who sends it: sam, olga, casey or ada by token; any other name is a browser with cookies. */
  as?: string;
  call?: string;
  body?: Record<string, unknown>;
  /** Placeholders for fields of the answer, or for the outcome of another act. */
  name?: Record<string, string>;
  /** Instead of a call: a card is charged, a mailed link opened, a code made, Google visited. */
  card?: string;
  /** Another card than one that is charged, as provider.ts names it. */
  kind?: string;
  mail?: [email: string, page: string];
  code?: [secret: string, ahead: number];
  google?: true;
  answer?: object;
}
export interface Recorded {
  steps: Step[];
}

const people = {
  sam: { name: 'Sam Student', email: 'sam@example.com' },
  olga: { name: 'Olga Other', email: 'olga@example.com' },
  casey: { name: 'Casey Coach', email: 'casey@example.com', role: 'instructor' },
  ada: { name: 'Ada Admin', email: 'ada@example.com', role: 'admin' },
} as const;

const patterns: [kind: string, pattern: RegExp][] = [
  ['token', /eyJ[\w-]{10,}\.[\w-]+\.[\w-]+/g],
  ['intent', /pi_[A-Za-z0-9]+/g],
  ['secret', /(?<=_secret_)\w+/g],
  ['id', /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g],
  ['time', /\d{4}-\d\d-\d\dT[\d:.]+Z/g],
  ['port', /(?<=127\.0\.0\.1:)\d+/g],
  ['state', /(?<=[?&](?:state|code|code_challenge|nonce)=)[^&"]+/g],
];

/** What replaces what in one file, in both directions. */
class Placeholders {
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  bind(name: string, value: string) {
    this.#known.set(value, `<${name}>`);
  }
  hide(text: string): string {
    let hidden = text.replace(/"requestId":"[^"]+"/, '"requestId":"<request>"');
    for (const [kind, pattern] of patterns)
      for (const [value] of hidden.matchAll(pattern)) {
        if (this.#known.has(value)) continue;
        const count = (this.#counts.get(kind) ?? 0) + 1;
        this.#counts.set(kind, count);
        this.bind(`${kind} ${count}`, value);
      }
    for (const [value, name] of [...this.#known].toSorted(([a], [b]) => b.length - a.length))
      hidden = hidden.replaceAll(value, name);
    return hidden.replace(/\bR-20\d\d-/g, 'R-<year>-');
  }
  show(text: string): string {
    let shown = text;
    for (const [value, name] of this.#known) shown = shown.replaceAll(name, value);
    return shown;
  }
}

const { issuer, anAccount } = await aGoogle();
const google = { ...client, issuer: issuer.url };
const grace = anAccount({ email: 'grace@example.com' });

/** Names and attributes; of a value whether it is empty, of an age the minutes, rounded up. */
const cookiesOf = (reply: Reply) =>
  [reply.headers['set-cookie'] ?? []].flat().map((one) =>
    one
      .replace(/^([^=]+=)[^;]+/, '$1<value>')
      .replace(/(?<=expires=)[^;]+/i, '<time>')
      .replace(/(?<=Max-Age=)\d+/, (age) => `${Math.ceil(Number(age) / 60) * 60}`),
  );

function answerOf(reply: Reply, hide: (text: string) => string) {
  const { location, 'content-type': type } = reply.headers;
  const cookies = cookiesOf(reply).toSorted();
  return {
    status: reply.status,
    ...(type ? { type } : {}),
    ...(location ? { location: hide(location) } : {}),
    ...(cookies.length > 0 ? { cookies } : {}),
    body: String(type).includes('json') ? (JSON.parse(hide(reply.text)) as unknown) : reply.text,
  };
}

export async function replay(file: Recorded): Promise<Recorded> {
  const { app, provider } = await aShop({ google }, { tells: false });
  const values = new Placeholders();
  const visitors = new Map<string, Visitor>();
  const tokens = new Map<string, string>();
  let googleUrl = '';
  for (const [name, person] of Object.entries(people)) {
    const { id, token } = await aUser(app, person);
    values.bind(name, id);
    tokens.set(name, token);
  }

  async function call(step: Step): Promise<Reply> {
    const [method = '', path = ''] = values.show(step.call ?? '').split(' ');
    const body = step.body && (JSON.parse(values.show(JSON.stringify(step.body))) as object);
    const name = step.as ?? '';
    const visitor = visitors.get(name) ?? new Visitor(app);
    if (name) visitors.set(name, visitor);
    const token = tokens.get(name);
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    return visitor.ask(method as 'GET', path, body, headers);
  }

  /** The fields that a step can name. */
  async function act(step: Step): Promise<unknown> {
    if (step.card) {
      const { body } = await provider.confirm(values.show(step.card), step.kind);
      return body;
    }
    if (step.mail) {
      const { search, hash } = await linkIn(app, ...step.mail);
      return { link: new URLSearchParams(search).get('token') ?? hash.slice(1) };
    }
    if (step.code) return { code: codeOf(values.show(step.code[0]), step.code[1]) };
    const back = await walk(googleUrl, grace.sub);
    return { back: back.pathname + back.search };
  }

  const steps: Step[] = [];
  for (const step of file.steps) {
    const reply = step.call ? await call(step) : null;
    if (step.given && reply) expect([step.given, reply.text, reply.status < 400]).toContain(true);
    if (reply?.body?.['url']) googleUrl = reply.body['url'] as string;
    const found = reply ? reply.body : await act(step);
    for (const [path, name] of Object.entries(step.name ?? {})) values.bind(name, at(found, path));
    const { answer: _, ...sent } = step;
    steps.push(
      step.situation && reply
        ? { ...sent, answer: answerOf(reply, (text) => values.hide(text)) }
        : sent,
    );
  }
  return { steps };
}

function at(found: unknown, path: string): string {
  let value = found;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  if (typeof value !== 'string') throw new Error(`No ${path} in ${JSON.stringify(found)}`);
  return value;
}
