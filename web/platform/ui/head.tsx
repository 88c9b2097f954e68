// What a page says about itself in its <head>. On the server it is collected into the HTML
// (server.tsx); in the browser it follows the navigation.
import { createContext, useContext, useEffect } from 'react';

export interface Head {
  /** Follows the brand: `Rally Sports Academy | Classes`. */
  title: string;
  description?: string | undefined;
  /** The page's own path, when what it shows has another address than the one in the bar. */
  canonical?: string | undefined;
  image?: string | undefined;
  /** schema.org, as JSON-LD. */
  data?: object | undefined;
  hidden?: boolean | undefined;
}

interface Site {
  brand: string;
  publicUrl: string;
}

export const SiteContext = createContext<Site>({ brand: '', publicUrl: '' });
export const HeadContext = createContext<((head: Head) => void) | null>(null);

export function usePageTitle(title: string, more: Omit<Head, 'title'> = {}) {
  const collect = useContext(HeadContext);
  const { brand, publicUrl } = useContext(SiteContext);
  collect?.({ title, ...more });
  const { description, canonical } = more;
  useEffect(() => {
    document.title = `${brand} | ${title}`;
    if (description)
      document.querySelector('meta[name=description]')?.setAttribute('content', description);
    const link = document.querySelector('link[rel=canonical]');
    link?.setAttribute('href', `${publicUrl || location.origin}${canonical ?? location.pathname}`);
  }, [brand, publicUrl, title, description, canonical]);
}
