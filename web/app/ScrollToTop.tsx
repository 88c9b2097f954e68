// After a navigation: scrolls to the top or to the anchor, and moves the focus to the new content or its
// first field, as a browser does when it loads a page. Going back is left to the browser.
import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

export function ScrollToTop() {
  const { pathname, hash } = useLocation();
  const kind = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (kind === NavigationType.Pop) return;
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    if (target) target.scrollIntoView();
    else scrollTo(0, 0);
    const content = document.getElementById('content');
    const first = content?.querySelector<HTMLElement>('[data-focus-first]') ?? content;
    first?.focus({ preventScroll: true });
  }, [pathname, hash, kind]);
  return null;
}
