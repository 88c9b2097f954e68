// A page that is loaded when its URL is opened. `preload` lets the first render (server and
// browser) have it at hand, so that no progress bar replaces what the server has drawn.
import { type ComponentType, startTransition, use, useEffect, useReducer } from 'react';
import type { Reads } from '../platform/api/reads.ts';
import { reach } from '../platform/api/send.ts';
import { Button } from '../platform/ui/Button.tsx';
import { EmptyState } from '../platform/ui/States.tsx';

interface Loaded {
  Page: ComponentType;
  reads?: Reads;
}

export interface Screen {
  Page: ComponentType;
  preload: () => Promise<Loaded>;
  /** The source file, by which the build's manifest knows its chunk. */
  file: string;
  /** What the server draws: the page with its data, the frame around pages, or an empty shell. */
  served: 'page' | 'frame' | null;
}

type NameOf<File extends string> = File extends `${string}/${infer Rest}` ? NameOf<Rest> : File;
export type Load<File extends string> = () => Promise<
  Record<NameOf<File>, ComponentType> & { reads?: Reads }
>;

/** `file` is in `web/`, and exports a component of its name. */
export function screen<File extends string>(
  file: File,
  load: Load<File>,
  served: Screen['served'] = null,
): Screen {
  const name = file.split('/').at(-1) as NameOf<File>;
  let loaded: Loaded | null = null;
  let loading: Promise<Loaded> | null = null;
  /** The same promise until it is forgotten: else it would be asked for at every render. */
  let outcome: Promise<Loaded | null> | null = null;
  const preload = () => {
    loading ??= load().then(
      ({ [name]: Page, reads }) => (loaded = { Page, ...(reads && { reads }) }),
    );
    return loading;
  };
  const settled = () => (outcome ??= preload().catch(() => null));
  const forget = () => {
    if (!loaded) loading = outcome = null;
  };
  const retry = async () => {
    forget();
    // Some browsers remember a failed import, and a new version of the site has other files: a new
    // document helps in both cases.
    if (!(await settled()) && (await isReachable())) location.reload();
  };

  function Page() {
    const [, redraw] = useReducer((count: number) => count + 1, 0);
    const found = loaded ?? use(settled());
    if (found) return <found.Page />;
    return (
      <NotLoaded
        onRetry={() => void retry().then(() => startTransition(redraw))}
        onLeave={forget}
      />
    );
  }
  return { Page, preload, file: `web/${file}.tsx`, served };
}

const isReachable = () =>
  reach(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The next visit and a connection that comes back try again. */
function NotLoaded({ onRetry, onLeave }: { onRetry: () => void; onLeave: () => void }) {
  useEffect(() => {
    addEventListener('online', onRetry);
    return () => removeEventListener('online', onRetry);
  }, [onRetry]);
  useEffect(() => onLeave, [onLeave]);
  return (
    <div role="alert" className="px-4 py-16">
      <EmptyState
        heading="h1"
        title="No connection"
        action={<Button onClick={onRetry}>Retry</Button>}
      />
    </div>
  );
}
