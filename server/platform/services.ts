// What a room is given: every room takes what it needs of this one object (app.ts makes it).
import type { Config } from './config.ts';
import type { AcademySettings } from './db/academy.ts';
import type { Database } from './db/connection.ts';
import type { Jobs } from './db/jobs.ts';
import type { Frame } from './db/write.ts';
import type { Ends } from './ends.ts';
import type { On } from './http/on.ts';
import type { RawPost } from './http/raw.ts';
import type { Cards } from './cards.ts';

/** A line that starts with ALARM needs an operator. */
export interface Log {
  info(what: object, message: string): void;
  warn(what: object, message: string): void;
  error(what: object, message: string): void;
}

export interface Services extends Pick<Database, 'db' | keyof Frame> {
  on: On;
  onRaw: RawPost;
  jobs: Jobs;
  cards: Cards;
  academy: AcademySettings;
  ends: Ends;
  /** As the environment says, with the academy's own words, zone and currency as they are now. */
  config: Config & { locale?: string | null };
  log: Log;
}

/** Some of them, and of the configuration some words: for what tests and commands run alone. */
export type Some<Name extends keyof Services, Word extends keyof Config = never> = Pick<
  Services,
  Name
> & { config: Pick<Config, Word> };

export type Mailing = Some<'jobs', 'brand' | 'publicUrl'>;
