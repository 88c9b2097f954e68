// Starts the app in the browser: takes over what the server has drawn, or draws into the empty
// shell.
import './styles.css';
import { type DehydratedState, hydrate } from '@tanstack/react-query';
import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { App } from './App.tsx';
import { screensAt } from './router.tsx';
import { newQueryClient } from '../platform/api/query.ts';

// zod, once a form loads it, would try `new Function`, which our content security policy reports
// even where it is caught. This is where its config() writes; calling that would load zod with
// every page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** Ends a task of the browser, so that a slow phone answers to fingers between two halves of the start. */
const pause = () => new Promise((next) => setTimeout(next));

await pause();
const client = newQueryClient();
const handedOver = document.getElementById('state')?.textContent;
if (handedOver) {
  const state = JSON.parse(handedOver) as DehydratedState;
  // The server drops a kept page when something in it changes, so what arrives is as of now,
  // whenever it was rendered.
  for (const { state: read } of state.queries) read.dataUpdatedAt = Date.now();
  hydrate(client, state);
}

const app = (
  <StrictMode>
    <BrowserRouter>
      <App client={client} />
    </BrowserRouter>
  </StrictMode>
);

const root = document.getElementById('root');
if (root) {
  // A chunk that does not arrive must not leave the page dead: the app starts anyway and says so
  // where the chunk is missing.
  await Promise.allSettled(screensAt(location.pathname).screens.map((screen) => screen.preload()));
  // As a transition React takes over in small steps, and the page answers to fingers in between.
  if (root.hasChildNodes()) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
  const { clickedEarly } = window as { clickedEarly?: () => HTMLElement | undefined };
  clickedEarly?.()?.click();
  // A frame is painted in fonts of the system (fonts.css). Ours come after the page's data, and from
  // then on at once: the browser keeps them.
  setTimeout(() => {
    delete document.documentElement.dataset['fonts'];
    void document.fonts
      .load('1em "Figtree Variable"')
      .then(() => localStorage.setItem('fonts', 'kept'))
      // Without a network the fonts of the system stay.
      .catch(() => undefined);
  }, 1_000);
}
