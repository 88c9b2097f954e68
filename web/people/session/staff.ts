// Calls of the pages that a mailed link opens for staff, and of a new address.
import type { StaffRole } from '../../../contract/people/staff.ts';
import { identity, sessionUser } from './identity.ts';
import { read, setState } from './state.ts';

export interface OpenInvitation {
  email: string;
  role: StaffRole;
  account: 'none' | 'yours' | 'other' | 'login';
}

/** What an invitation offers; nothing is spent by asking. */
export const readInvitation = (secret: string) =>
  identity<OpenInvitation>('POST', '/invitation', { secret });

export const acceptInvitation = (form: { secret: string; name?: string; password?: string }) =>
  identity<{ email: string; role: StaffRole }>('POST', '/accept-invitation', form);

/**
 * Answers the address that the account has now: one that is not confirmed changes at once, if the new
 * one has no account.
 */
export async function changeEmail(form: { email: string; password: string }): Promise<string> {
  await identity('POST', '/change-email', form);
  const user = await sessionUser();
  if (!user) return '';
  if (user.email !== read().user?.email) setState({ state: 'in', user });
  return user.email;
}

export const confirmNewEmail = (token: string) =>
  identity<{ email: string }>('POST', '/confirm-new-email', { token });
