// Whether the user teaches: an instructor, or an admin who said so on the own page.
import { useQuery } from '@tanstack/react-query';
import { getAccount } from '../../../contract/signin/account.ts';
import { query } from '../../platform/api/query.ts';
import { useSession } from './SessionProvider.tsx';

/** Undefined until it is known. */
export function useTeaches(): boolean | undefined {
  const { role } = useSession();
  const enabled = role === 'admin';
  const { data, isPending } = useQuery({ ...query(getAccount, {}), enabled, staleTime: 60_000 });
  if (!enabled) return role === 'instructor';
  return isPending ? undefined : data?.teaches === true;
}
