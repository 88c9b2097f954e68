// A browser from the view of the API: keeps cookies and sends the headers of browsers.
import type { OutgoingHttpHeaders } from 'node:http';
import type { ErrorBody } from '../../contract/platform/errors.ts';
import { type TestApp, unique } from './app.ts';

export const goodPassword = 'Tennis#2026';

export interface Reply {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Partial<ErrorBody> & Record<string, unknown>;
  text: string;
}

export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly app: TestApp;
  address = '127.0.0.1';

  constructor(app: TestApp) {
    this.app = app;
  }

  async ask(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const answer = await this.app.ask({
      method,
      url,
      remoteAddress: this.address,
      headers: {
        host: new URL(this.app.config.publicUrl).host,
        ...(method === 'POST'
          ? { origin: this.app.config.publicUrl, 'sec-fetch-site': 'same-origin' }
          : {}),
        ...(this.cookies.size > 0
          ? { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') }
          : {}),
        ...headers,
      },
      ...(payload ? { payload } : {}),
    });
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) this.keep(cookie);
    const isJson = String(answer.headers['content-type']).includes('json');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: isJson ? answer.json<Reply['body']>() : {},
    };
  }

  auth(path: string, payload: object = {}, headers: Record<string, string> = {}) {
    return this.ask('POST', `/api/auth/${path}`, payload, headers);
  }

  async signIn(email: string, password = goodPassword) {
    return this.auth('sign-in/email', { email, password });
  }

  async token(email: string): Promise<string> {
    const { body } = await this.ask('POST', '/api/jwt', { email });
    return String(body['token']);
  }

  /** Whether a call that needs a token goes through. */
  async isLetIn(token: string, email: string): Promise<boolean> {
    const { status } = await this.ask('GET', `/api/users/admin/${email}`, undefined, {
      authorization: `Bearer ${token}`,
    });
    return status === 200;
  }

  keep(cookie: string) {
    const [pair = ''] = cookie.split(';');
    const at = pair.indexOf('=');
    const gone = /max-age=0\b/i.test(cookie);
    if (gone) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

export const aForm = (given: Record<string, unknown> = {}) => ({
  name: 'Ada Lovelace',
  image: 'https://example.com/ada.png',
  email: `${unique('ada')}@example.com`,
  password: goodPassword,
  ...given,
});

/** A user who signed up and in through the API. */
export async function aMember(app: TestApp, given: Record<string, unknown> = {}) {
  const visitor = new Visitor(app);
  const form = aForm(given);
  await visitor.auth('sign-up/email', form);
  await visitor.signIn(form.email, form.password);
  return { visitor, ...form };
}

/** The same, with a confirmed address. */
export async function aConfirmedMember(app: TestApp, given: Record<string, unknown> = {}) {
  const member = await aMember(app, given);
  await app.db
    .updateTable('user')
    .set({ provenAt: new Date() })
    .where('email', '=', member.email)
    .execute();
  return member;
}

export const hasSession = async (visitor: Visitor) =>
  (await visitor.ask('GET', '/api/auth/get-session')).text !== 'null';

export const idOf = async ({ db }: TestApp, email: string) =>
  (await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow())
    .id;

/**
 * The subjects of all mails to an address. Mails leave after the answer, in any order: this waits for
 * those under way.
 */
export async function subjectsTo(app: TestApp, email: string): Promise<string[]> {
  await app.settled();
  return (await app.mail.messages(email)).map(({ subject }) => subject);
}

/** The token of a mailed link for a new password. */
export async function resetToken(app: TestApp, email: string): Promise<string> {
  await new Visitor(app).auth('request-password-reset', { email });
  return (await linkIn(app, email, '/resetpassword')).searchParams.get('token') ?? '';
}

/**
 * The link in the newest mail that has one, or has one to this page. Mails that are queued at one
 * moment arrive in any order.
 */
export async function linkIn(app: TestApp, email: string, page = ''): Promise<URL> {
  await app.settled();
  const links = (await app.mail.messages(email))
    .flatMap(({ text }) => /^https?:\/\/\S+(?:\?token=|#)\S+$/m.exec(text)?.[0] ?? [])
    .map((link) => new URL(link));
  const link = links.find(({ pathname }) => pathname.startsWith(page));
  if (!link) throw new Error(`No link was mailed to ${email}`);
  return link;
}
