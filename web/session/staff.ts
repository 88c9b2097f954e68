// Calls of the pages that a mailed link opens for staff, and of a new address.
import type { StaffRole } from '../../contract/staff.ts';
import { identity } from './identity.ts';

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

export const changeEmail = (form: { email: string; password: string }) =>
  identity('POST', '/change-email', form);

export const confirmNewEmail = (token: string) =>
  identity<{ email: string }>('POST', '/confirm-new-email', { token });
