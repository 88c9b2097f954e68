// The secret in the fragment of a mailed link.
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { KeptSecret } from '../people/session/invitation.ts';

/** Out of the address, where others could read it, into the memory of this tab. */
export function useMailedSecret(kept: KeptSecret, path: string): string | null {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const arrived = hash.slice(1);
  const [secret, setSecret] = useState(() => arrived || kept.read());
  // Another link, opened in the same tab.
  if (arrived && arrived !== secret) setSecret(arrived);
  useEffect(() => {
    if (!arrived) return;
    kept.keep(arrived);
    void navigate(path, { replace: true });
  }, [arrived, kept, navigate, path]);
  return secret;
}
