// render(): the HTML of one URL, made on the server. Public pages are drawn with what they read. Of
// the dashboard the frame is drawn, without any data. The others are an empty shell.
import { dehydrate, type QueryClient } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import type { AnyCall, Answer, Input } from '../../contract/platform/call.ts';
import { settings as settingsCall } from '../../contract/platform/settings.ts';
import { App } from './App.tsx';
import { screensAt } from './router.tsx';
import type { Screen } from './screen.tsx';
import { newQueryClient } from '../platform/api/query.ts';
import type { Read } from '../platform/api/reads.ts';
import { knowSports } from '../platform/api/sports.ts';
import { type Assets, type Document, document } from './document.ts';
import { type Head, HeadContext } from '../platform/ui/head.tsx';

export interface RenderRequest {
  url: string;
  /** Development only. */
  nonce?: string | undefined;
  /** Answers a call without a network in between, as to a visitor. */
  ask: <C extends AnyCall>(call: C, input: Input<C>) => Promise<Answer<C>>;
  settings: Answer<typeof settingsCall>;
  /** The files that the page needs: the entry's and those of the given source files. */
  assets: (sources: string[]) => Assets;
}

export interface Rendered extends Document {
  status: number;
  /** False when something could not be read: such a page must not be kept. */
  whole: boolean;
}

export async function render(request: RenderRequest): Promise<Rendered> {
  const { url, nonce, ask, settings, assets } = request;
  const at = new URL(url, 'http://rally.invalid');
  const { screens, params } = screensAt(at.pathname);
  const page = screens.at(-1);
  const client = newQueryClient();
  client.setQueryData([settingsCall.id, {}], settings);
  knowSports(settings.sports);
  const frame = screens.find(({ served }) => served === 'frame');
  const isPage = page?.served === 'page';
  let head: Head = page && !isPage ? { title: 'Welcome', hidden: true } : { title: 'Home' };
  let body = '';
  let outcome: Outcome = page ? 'whole' : 'missing';
  if (!page || isPage || frame) {
    if (isPage) outcome = await fill(client, page, { params, search: at.searchParams }, ask);
    await frame?.preload();
    const takeHead = (own: Head) => {
      head = own;
    };
    body = renderToString(
      <HeadContext value={takeHead}>
        <StaticRouter location={url}>
          <App client={client} />
        </StaticRouter>
      </HeadContext>,
    );
  }
  return {
    status: outcome === 'missing' ? 404 : 200,
    whole: outcome !== 'partial',
    ...document({
      head,
      nonce,
      body,
      complete: !page || isPage,
      path: at.pathname,
      state: dehydrate(client),
      settings,
      assets: assets(screens.map(({ file }) => file)),
    }),
  };
}

type Outcome = 'whole' | 'partial' | 'missing';

async function fill(
  client: QueryClient,
  page: Screen,
  at: { params: Record<string, string | undefined>; search: URLSearchParams },
  ask: RenderRequest['ask'],
): Promise<Outcome> {
  const { reads } = await page.preload();
  const readAll = async (all: Read[]): Promise<Outcome> => {
    const outcomes = await Promise.all(all.map(readOne));
    return outcomes.find((outcome) => outcome !== 'whole') ?? 'whole';
  };
  const readOne = async ({ call, input, next }: Read): Promise<Outcome> => {
    const key = [call.id, input];
    try {
      const answer = await ask(call, input);
      client.setQueryData(key, answer);
      return await readAll(next(answer as never));
    } catch (error) {
      // What does not exist is known to be nothing; what failed for now is asked again by the
      // browser.
      if (!isMissing(error)) return 'partial';
      client.setQueryData(key, null);
      return 'missing';
    }
  };
  return readAll(reads?.(at) ?? []);
}

/** 400 as well: an id that is none names nothing. */
const isMissing = (error: unknown) =>
  typeof error === 'object' &&
  error !== null &&
  'status' in error &&
  (error.status === 404 || error.status === 400);
