// Records, for the search at the end (afterwards.spec.ts), the error responses that browsers got
// and every secret that was typed or issued, in the data folder of the server under test.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Response } from '@playwright/test';
import { Client } from 'pg';
import { readPostmaster, urlOf } from '../../server/platform/postgres/postmaster.ts';

export const home = process.env['RALLY_DATA'] ?? '';
export const files = { log: 'server.log', refusals: 'refusals.log', secrets: 'secrets.log' };

/** Shorter values are no secrets of ours and would be found by chance. */
const shortest = 8;

export function keepSecret(kind: string, value: string): void {
  if (value.length >= shortest)
    appendFileSync(join(home, files.secrets), `${JSON.stringify([kind, value])}\n`);
}

/**
 * Keeps every error response, and the secrets that the browser sent and received. Error responses of
 * the card provider are not kept: its client has the secret of the payment.
 */
export async function keepAnswer(response: Response): Promise<void> {
  const { pathname } = new URL(response.url());
  const sends = keepSent(response);
  const refused = response.status() >= 400 && !pathname.startsWith('/sandbox/');
  if (!refused && !sends && !pathname.startsWith('/api/auth/')) return;
  // The body is gone when the page was left.
  const body = await response.text().catch(() => '');
  const cookies = await response.headerValues('set-cookie').catch(() => []);
  for (const cookie of cookies) keepCookie(cookie);
  if (refused) {
    const line = `${response.status()} ${JSON.stringify(response.headers())} ${body}\n`;
    appendFileSync(join(home, files.refusals), line);
  } else {
    keepNamed(/^(token|secret|uri|backupCodes|client_?secret)$/i, parsed(body));
  }
}

/** Whether the request had a body. */
function keepSent(response: Response): boolean {
  const request = response.request();
  const body = request.postData() ?? '';
  const form = request.headers()['content-type']?.includes('urlencoded');
  // A secret in an address is one word; the texts of the injection tests are not.
  const address = [...new URL(request.url()).searchParams].filter(([, value]) =>
    /^[\w.~-]+$/.test(value),
  );
  for (const given of [
    form ? Object.fromEntries(new URLSearchParams(body)) : parsed(body),
    Object.fromEntries(address),
  ])
    keepNamed(/^(\w*password|token|code|state|client_?secret)$/i, given);
  return body !== '';
}

function keepNamed(names: RegExp, value: unknown, name = ''): void {
  if (typeof value === 'string' && names.test(name)) keepSecret(name, value);
  if (typeof value !== 'object' || !value) return;
  for (const [key, inner] of Object.entries(value))
    keepNamed(names, inner, Array.isArray(value) ? name : key);
}

/** Of a cookie only the hash is stored. */
function keepCookie(cookie: string): void {
  const [, name = '', text = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  const value = decodeURIComponent(text);
  keepSecret(`cookie ${name}`, value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function openDatabase(): Promise<Client> {
  const address = readPostmaster(home);
  if (!address) throw new Error(`There is no database in ${home}`);
  const client = new Client({ connectionString: urlOf(home, address) });
  await client.connect();
  return client;
}

/**
 * Every value of every column of every table, our own and those of the jobs, as one text for each
 * table.
 */
export async function readDatabase(): Promise<Record<string, string>> {
  const client = await openDatabase();
  const { rows: tables } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'`);
  const texts: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ text: string | null }>(
      `select string_agg(each.value, e'\\n') as text from ${name} t, jsonb_each_text(to_jsonb(t)) each`,
    );
    texts[name] = rows[0]?.text ?? '';
  }
  await client.end();
  return texts;
}
