// A page that is loaded when its URL is opened. `preload` lets the first render (server and browser) have it at hand, so that
// no progress bar replaces what the server has drawn.
import { type ComponentType, use } from 'react';
import type { Reads } from '../api/reads.ts';

interface Loaded {
  Page: ComponentType;
  reads?: Reads;
}

export interface Screen {
  Page: ComponentType;
  preload: () => Promise<Loaded>;
  /** The source file, by which the build's manifest knows its chunk. */
  file: string;
  /** Rendered on the server; the others get an empty shell. */
  served: boolean;
}

export function screen(file: string, load: () => Promise<Loaded>, served = false): Screen {
  let loaded: Loaded | null = null;
  let loading: Promise<Loaded> | null = null;
  const preload = () => {
    loading ??= load().then(
      (module) => {
        loaded = module;
        return module;
      },
      (error: unknown) => {
        // A lost connection must not be remembered: the next visit tries again.
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  function Page() {
    const { Page: Inner } = loaded ?? use(preload());
    return <Inner />;
  }
  return { Page, preload, file, served };
}
