// Asks before a page with unsaved words is left: by a link, by Back, or by closing the tab. Several
// forms of a page ask once.
// The router cannot hold a navigation back. While there is something unsaved, the history has an
// extra entry of the same page: Back leads from it to the page itself, and the form stays.
import { useEffect } from 'react';
import { ask } from './alert.ts';
import { depthOf, dropExtra, linkOf, pushExtra } from './history.ts';

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
  pushExtra('unsaved');
  addEventListener('popstate', onBack);
  addEventListener('click', onClick, true);
  addEventListener('beforeunload', onClose);
}

async function stop() {
  removeEventListener('popstate', onBack);
  removeEventListener('click', onClick, true);
  removeEventListener('beforeunload', onClose);
  // After a navigation another entry is the present one.
  if (depthOf('unsaved') > 0) await dropExtra();
}

const onBack = () => void askAtBack();
async function askAtBack() {
  if (isLetGo) return;
  isLetGo = await mayLeave();
  if (forms === 0) return;
  if (isLetGo) history.back();
  else pushExtra('unsaved');
}

/** Before the router sees the click. */
function onClick(event: MouseEvent) {
  const link = linkOf(event);
  if (isLetGo || !link) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  void askAtLink(link);
}

async function askAtLink(link: HTMLAnchorElement) {
  if (!(await mayLeave())) return;
  isLetGo = true;
  if (depthOf('unsaved') > 0) await dropExtra();
  link.click();
}

function onClose(event: BeforeUnloadEvent) {
  if (!isLetGo) event.preventDefault();
}
