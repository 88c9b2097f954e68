// Makes pictures anew, in a process of its own: a picture that crashes the decoder, or keeps it busy,
// takes down that process and not the app. The process has no environment, so it knows no secret. It
// ends when it is not needed, and is replaced after some pictures: memory that libvips keeps is
// given back.
// Not for: who may upload (features/office/pictures.ts).
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { limits } from '../../contract/limits.ts';
import { assertOutsideTransaction } from '../db/transaction.ts';

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

/** What the process is asked, and what it answers. */
export interface PictureWork {
  bytes: Uint8Array;
  widths: readonly number[];
}
export type PictureDone = { made: MadePicture } | { problem: string };

/** A file that is no picture, or none that we take. The message is a sentence for people. */
export class BadPicture extends Error {}
/** Too many pictures are waiting. */
export class TooManyPictures extends Error {}

export interface Pictures {
  /** `wide`: for a screen's whole width. */
  make(bytes: Buffer, options?: { wide?: boolean }): Promise<MadePicture>;
  /** The id of the process that decodes, while there is one. */
  pid(): number | undefined;
  close(): void;
}

interface Options {
  program?: string;
  /** For one picture, from its turn on. */
  limitMs?: number;
  idleMs?: number;
  perProcess?: number;
  /** How many may wait: each is up to 8 MB in memory. */
  waiting?: number;
}

interface Turn {
  work: PictureWork;
  resolve: (made: MadePicture) => void;
  reject: (error: Error) => void;
}

const unreadable = 'The picture cannot be read. Please choose another one.';
const tooSlow = 'The picture takes too long to read. Please choose another one.';
const notOne = 'This is no picture that we can read. Please choose a JPEG, PNG, WebP or AVIF file.';

export function createPictures({
  program = join(import.meta.dirname, 'picturework.ts'),
  limitMs = 15_000,
  idleMs = 30_000,
  perProcess = 50,
  waiting = 8,
}: Options = {}): Pictures {
  const queue: Turn[] = [];
  let child: ChildProcess | null = null;
  let made = 0;
  let current: Turn | null = null;
  let limit: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;

  function end(): void {
    child?.removeAllListeners();
    child?.kill('SIGKILL');
    child = null;
    made = 0;
  }

  function start(): ChildProcess {
    // Buffers travel as they are. Few arenas: glibc keeps less of what is freed.
    const started = fork(program, {
      serialization: 'advanced',
      execArgv: [],
      env: { MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.on('message', (done: PictureDone) => settle(done));
    started.on('error', () => settle({ problem: unreadable }, true));
    started.on('exit', () => settle({ problem: unreadable }, true));
    // It keeps no process of ours alive.
    started.unref();
    started.channel?.unref();
    return started;
  }

  function settle(done: PictureDone, isBroken = false): void {
    const turn = current;
    current = null;
    clearTimeout(limit);
    if (isBroken || ++made >= perProcess) end();
    if (turn && 'made' in done) turn.resolve(done.made);
    else if (turn && 'problem' in done) turn.reject(new BadPicture(done.problem));
    next();
  }

  function next(): void {
    if (current) return;
    current = queue.shift() ?? null;
    if (!current) {
      idle = setTimeout(end, idleMs).unref();
      return;
    }
    clearTimeout(idle);
    child ??= start();
    limit = setTimeout(() => settle({ problem: tooSlow }, true), limitMs);
    child.send(current.work, (error) => {
      if (error) settle({ problem: unreadable }, true);
    });
  }

  return {
    make(bytes, { wide = false } = {}) {
      assertOutsideTransaction('The decoder of pictures');
      if (!looksLikeOne(bytes)) return Promise.reject(new BadPicture(notOne));
      if (queue.length >= waiting) return Promise.reject(new TooManyPictures());
      const widths = wide
        ? [...limits.picture.widths, limits.picture.widest]
        : limits.picture.widths;
      const { promise, resolve, reject } = Promise.withResolvers<MadePicture>();
      queue.push({ work: { bytes, widths }, resolve, reject });
      next();
      return promise;
    },
    pid: () => child?.pid,
    close() {
      const turns = [...(current ? [current] : []), ...queue.splice(0)];
      current = null;
      for (const { reject } of turns) reject(new TooManyPictures());
      clearTimeout(limit);
      clearTimeout(idle);
      end();
    },
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
