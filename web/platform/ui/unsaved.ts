// Asks before a page with unsaved words is left: by a link, by Back, or by closing the tab. Several
// forms of a page ask once.
// The router cannot hold a navigation back. While there is something unsaved, the history has an
// extra entry of the same page: Back leads from it to the page itself, and the form stays.
import { useEffect } from 'react';
import { ask } from './alert.ts';

const mayLeave = () =>
  ask({
    title: 'Leave without saving?',
    text: 'What you typed on this page is not saved.',
    yes: 'Leave',
    no: 'Stay',
    danger: true,
  });

let forms = 0;
/** The user has agreed, or the extra entry is being removed. */
let isLetGo = false;

export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    forms += 1;
    if (forms === 1) start();
    return () => {
      forms -= 1;
      if (forms === 0) void stop();
    };
  }, [isUnsaved]);
}

function start() {
  isLetGo = false;
  pushExtra();
  addEventListener('popstate', onBack);
  addEventListener('click', onClick, true);
  addEventListener('beforeunload', onClose);
}

async function stop() {
  removeEventListener('popstate', onBack);
  removeEventListener('click', onClick, true);
  removeEventListener('beforeunload', onClose);
  await dropExtra();
}

const pushExtra = () => history.pushState({ ...history.state, unsaved: true }, '');

/** After a navigation another entry is the current one. */
async function dropExtra() {
  if (!(history.state as { unsaved?: true } | null)?.unsaved) return;
  await new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
    history.back();
  });
}

const onBack = () => void askAtBack();
async function askAtBack() {
  if (isLetGo) return;
  isLetGo = await mayLeave();
  if (forms === 0) return;
  if (isLetGo) history.back();
  else pushExtra();
}

/** Before the router sees the click. */
function onClick(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (isLetGo || !link || !leadsAway(link, event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  void askAtLink(link);
}

async function askAtLink(link: HTMLAnchorElement) {
  if (!(await mayLeave())) return;
  isLetGo = true;
  await dropExtra();
  link.click();
}

function leadsAway(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const { ctrlKey, metaKey, shiftKey, altKey, button } = event;
  const isPlain = button === 0 && !(ctrlKey || metaKey || shiftKey || altKey);
  const isElsewhere = link.origin === location.origin && link.pathname !== location.pathname;
  return isPlain && isElsewhere && !link.target && !link.download;
}

function onClose(event: BeforeUnloadEvent) {
  if (!isLetGo) event.preventDefault();
}
