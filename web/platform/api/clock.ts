// The server's clock, for what ends at a time that the server has set.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { reach } from './send.ts';

/** Seconds left until `end`; null until it and the server's clock are known. */
export function useSecondsLeft(end: string | undefined): number | null {
  const { data: skew } = useQuery({
    queryKey: ['server clock'],
    queryFn: readSkew,
    staleTime: Infinity,
    retry: false,
  });
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return skew === undefined || !end
    ? null
    : Math.max(0, Math.ceil((Date.parse(end) - now - skew) / 1_000));
}

/** How far the server's clock is ahead, in ms: a wrong clock at home must not end a hold early. */
async function readSkew(): Promise<number> {
  try {
    const asked = Date.now();
    const response = await reach('/api/settings', { method: 'HEAD', cache: 'no-store' });
    const skew = Date.parse(response.headers.get('date') ?? '') - (asked + Date.now()) / 2;
    // The header has whole seconds: less than two is no difference.
    return Number.isNaN(skew) || Math.abs(skew) < 2_000 ? 0 : skew;
  } catch {
    return 0;
  }
}
