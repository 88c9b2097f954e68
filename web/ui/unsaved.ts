// Asks before a page with unsaved words is left: by a link, by Back, or by closing the tab.
import { useEffect } from 'react';
import { ask } from './alert.ts';

const really = () =>
  ask({
    title: 'Leave without saving?',
    text: 'What you typed here is not saved yet.',
    yes: 'Leave',
    no: 'Stay',
    danger: true,
  });

export function useUnsaved(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return undefined;
    let leaving = false;
    const beforeClosing = (event: BeforeUnloadEvent) => {
      if (!leaving) event.preventDefault();
    };
    const leaveBy = async (link: HTMLAnchorElement) => {
      leaving = await really();
      if (leaving) link.click();
    };
    // Before the router sees the click.
    const beforeLink = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a[href]');
      if (leaving || !(link instanceof HTMLAnchorElement) || !leadsAway(link, event)) return;
      event.preventDefault();
      event.stopPropagation();
      void leaveBy(link);
    };
    // Back leads from this entry to the same page: the form stays while the question is open.
    const stay = () => history.pushState({ ...history.state, unsaved: true }, '');
    const onBack = async () => {
      if (leaving) return;
      leaving = await really();
      if (leaving) history.back();
      else stay();
    };
    stay();
    const beforeBack = () => void onBack();
    addEventListener('beforeunload', beforeClosing);
    addEventListener('click', beforeLink, true);
    addEventListener('popstate', beforeBack);
    return () => {
      removeEventListener('beforeunload', beforeClosing);
      removeEventListener('click', beforeLink, true);
      removeEventListener('popstate', beforeBack);
      // Saved: the entry has served. After a navigation another one is current.
      if (!leaving && (history.state as { unsaved?: true } | null)?.unsaved) history.back();
    };
  }, [unsaved]);
}

function leadsAway(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const { ctrlKey, metaKey, shiftKey, button } = event;
  const elsewhere = link.target === '_blank' || ctrlKey || metaKey || shiftKey || button !== 0;
  return !elsewhere && /^https?:$/.test(link.protocol) && !link.hasAttribute('download');
}
