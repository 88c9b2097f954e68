// Keeps the settings of an open page current: they are read again at every navigation, and colours
// that have changed meanwhile are adopted.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { settings } from '../../contract/platform/settings.ts';
import { useSettings } from '../platform/api/query.ts';

export function LiveSettings() {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const { primary, accent } = useSettings();
  const shown = useRef({ pathname, primary, accent });
  useEffect(() => {
    if (shown.current.pathname === pathname) return;
    shown.current.pathname = pathname;
    void client.invalidateQueries({ queryKey: [settings.id] });
  }, [client, pathname]);
  useEffect(() => {
    const { current } = shown;
    if (current.primary === primary && current.accent === accent) return;
    [current.primary, current.accent] = [primary, accent];
    void import('../platform/api/colours.ts').then(({ adoptColours }) =>
      adoptColours({ primary, accent }),
    );
  }, [primary, accent]);
  return null;
}
