// What a user changes on the own account, and the links that we mail: password, address, second
// step, sessions.
import { token } from '../../platform/api/token.ts';
import { identity, sessionUser } from './identity.ts';
import { leave, renew, schedule } from './renewal.ts';
import { setState } from './state.ts';

export const requestReset = (email: string) =>
  identity('POST', '/request-password-reset', { email });

export const resetPassword = (form: { token: string; newPassword: string }) =>
  identity('POST', '/reset-password', form);

export interface CheckedLink {
  works: boolean;
  email?: string;
  confirmed?: boolean;
  /** This browser holds a session of the account that the link names. */
  signedIn?: boolean;
}

/** Whether a mailed link still works; nothing is spent by asking. */
export const checkLink = (link: { kind: 'confirm' | 'reset'; token: string }) =>
  identity<CheckedLink>('POST', '/check-link', link);

export const confirmAddress = (form: { token: string; password?: string; newPassword?: string }) =>
  identity('POST', '/verify-email', form);

/** The six digits of the newest mail, typed in a session of the account. */
export const confirmByCode = (code: string) => identity('POST', '/verify-email', { code });

/** `already`: the address is confirmed, so nothing was sent. */
export const sendConfirmation = () =>
  identity<{ already?: true }>('POST', '/send-verification-email', {});

export async function updateProfile(profile: { name?: string; image?: string }) {
  await identity('POST', '/update-user', profile);
  const user = await sessionUser();
  if (user) setState({ state: 'in', user });
}

/** These give this browser a new session; the old token has ended with the old one. */
async function withNewSession<T>(path: string, form: object): Promise<T> {
  const answer = await identity<T>('POST', path, form);
  token.remove();
  await renew();
  schedule();
  return answer;
}

export const changePassword = (form: {
  currentPassword: string;
  newPassword: string;
  confirmPassword: string;
}) => withNewSession('/change-password', form);

export const beginTwoFactor = (form: { password: string }) =>
  identity<{ uri: string; secret: string; backupCodes: string[] }>(
    'POST',
    '/two-factor/enable',
    form,
  );

export const turnOnTwoFactor = (code: string) => withNewSession('/two-factor/verify', { code });

export const turnOffTwoFactor = (form: { password: string; code: string }) =>
  withNewSession('/two-factor/disable', form);

export const newBackupCodes = async (form: { password: string; code: string }) =>
  (await identity<{ backupCodes: string[] }>('POST', '/two-factor/backup-codes', form)).backupCodes;

export const signOutElsewhere = () => identity('POST', '/revoke-other-sessions', {});

/** The account is gone, and its sessions with it; what is left are cookies. */
export async function forgetSession() {
  leave();
  await identity('POST', '/sign-out', {}).catch(() => null);
}
