// Asks the server about a mailed link as soon as its page is open: a link that no longer works says
// so before any form.
import { useEffect, useState } from 'react';
import { ApiError } from '../platform/api/send.ts';
import { checkLink, type CheckedLink } from '../people/session/account.ts';

type Kind = 'confirm' | 'reset';
export type LinkState = 'checking' | 'dead' | { error: unknown } | CheckedLink;

async function stateOf(kind: Kind, token: string): Promise<LinkState> {
  try {
    const link = await checkLink({ kind, token });
    return link.works ? link : 'dead';
  } catch (error) {
    return error instanceof ApiError && error.field === 'token' ? 'dead' : { error };
  }
}

export function useMailedLink(kind: Kind, token: string) {
  const [state, setState] = useState<LinkState>('checking');
  useEffect(() => {
    let left = false;
    const look = async () => {
      const next = await stateOf(kind, token);
      if (!left) setState(next);
    };
    void look();
    return () => {
      left = true;
    };
  }, [kind, token]);
  const again = async () => {
    setState('checking');
    setState(await stateOf(kind, token));
  };
  return { state, die: () => setState('dead'), again: () => void again() };
}
