// The people whom a class can be selected for.
import { listParticipants } from '../../contract/people/family.ts';
import { query } from '../platform/api/query.ts';

/** A failure is not asked again: the class then goes into the cart for oneself. */
export const participants = { ...query(listParticipants, {}), staleTime: 300_000, retry: false };
