// Makes pictures anew, one after the other, each in a process of its own: a picture that crashes the
// decoder takes down that process, which has no environment and so knows no secret.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { limits } from '../../contract/platform/limits.ts';
import { assertOutsideTransaction } from '../platform/db/transaction.ts';

export interface PictureFile {
  width: number;
  type: 'image/avif' | 'image/webp';
  bytes: Buffer;
}

export interface MadePicture {
  /** Of the largest file. */
  width: number;
  height: number;
  files: PictureFile[];
}

export interface PictureWork {
  bytes: Uint8Array;
  widths: readonly number[];
}
export type PictureDone = { made: MadePicture } | { problem: string };

/** A file that is no picture, or none that we take. The message is a sentence for people. */
export class BadPicture extends Error {}
export class TooManyPictures extends Error {}

export type Pictures = ReturnType<typeof createPictures>;

interface Options {
  program?: string;
  /** For one picture, from its turn on. */
  limitMs?: number;
  /** How many may wait: each is up to 8 MB in memory. */
  waiting?: number;
}

const unreadable = 'The picture cannot be read. Please choose another one.';
const tooSlow = 'The picture takes too long to read. Please choose another one.';
const notOne = 'This is no picture that we can read. Please choose a JPEG, PNG, WebP or AVIF file.';

export function createPictures({
  program = join(import.meta.dirname, 'decodework.ts'),
  limitMs = 15_000,
  waiting = 8,
}: Options = {}) {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let asked = 0;

  async function makeOne(work: PictureWork): Promise<MadePicture> {
    const { promise, resolve, reject } = Promise.withResolvers<MadePicture>();
    // Buffers travel as they are. Few arenas: glibc keeps less of what is freed.
    const child = fork(program, {
      serialization: 'advanced',
      execArgv: [],
      env: { MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      timeout: limitMs,
      killSignal: 'SIGKILL',
      signal: closing.signal,
    });
    child.once('message', (done: PictureDone) => {
      if ('made' in done) resolve(done.made);
      else reject(new BadPicture(done.problem));
    });
    child.once('exit', (_code, signal) =>
      reject(new BadPicture(signal === 'SIGKILL' ? tooSlow : unreadable)),
    );
    child.once('error', () => reject(new TooManyPictures()));
    child.send(work, (error) => {
      if (error) reject(new BadPicture(unreadable));
    });
    return promise.finally(() => child.kill('SIGKILL'));
  }

  return {
    /** `wide`: for a screen's whole width. */
    async make(bytes: Buffer, { wide = false } = {}) {
      assertOutsideTransaction('The decoder of pictures');
      if (!looksLikeOne(bytes)) throw new BadPicture(notOne);
      if (asked > waiting) throw new TooManyPictures();
      const { widths, widest } = limits.picture;
      asked += 1;
      const turn = last
        .then(() => makeOne({ bytes, widths: wide ? [...widths, widest] : widths }))
        .finally(() => (asked -= 1));
      last = turn.catch(() => undefined);
      return turn;
    },
    close: () => closing.abort(),
  };
}

/** By its first bytes: what a file is called, or says that it is, does not count. */
export function looksLikeOne(bytes: Buffer): boolean {
  const at = (start: number, end: number) => bytes.toString('latin1', start, end);
  return (
    at(0, 3) === '\xff\xd8\xff' ||
    at(0, 8) === '\x89PNG\r\n\x1a\n' ||
    (at(0, 4) === 'RIFF' && at(8, 12) === 'WEBP') ||
    (at(4, 8) === 'ftyp' && /avif|avis|heic|heix|hevc|mif1|msf1/.test(at(8, 40)))
  );
}
