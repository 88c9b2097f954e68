// Changes of the own account that change the session, too.
import type { AnyCall, Answer, Input } from '../../../contract/platform/call.ts';
import { changeEmail } from '../../../contract/signin/join.ts';
import {
  changePassword,
  disableSecondStep,
  signOut,
  updateProfile,
  verifySecondStep,
} from '../../../contract/signin/signin.ts';
import { send } from '../../platform/api/send.ts';
import { token } from '../../platform/api/token.ts';
import { leave, renew, schedule, sessionUser } from './renewal.ts';
import { setState } from './state.ts';

async function readUser() {
  const user = await sessionUser();
  if (user) setState({ state: 'in', user });
  return user;
}

export async function saveProfile(profile: Input<typeof updateProfile>) {
  await send(updateProfile, profile);
  await readUser();
}

/**
 * Answers the address that the account has now: one that is not confirmed changes at once, if the new
 * one has no account.
 */
export async function moveTo(form: Input<typeof changeEmail>): Promise<string> {
  await send(changeEmail, form);
  return (await readUser())?.email ?? '';
}

/** These give this browser a new session; the old token has ended with the old one. */
const withNewSession =
  <C extends AnyCall>(call: C) =>
  async (form: Input<C>): Promise<Answer<C>> => {
    const answer = await send(call, form);
    token.remove();
    await renew();
    schedule();
    return answer;
  };

export const setPassword = withNewSession(changePassword);
export const turnOnTwoFactor = withNewSession(verifySecondStep);
export const turnOffTwoFactor = withNewSession(disableSecondStep);

/** The account is gone, and its sessions with it; what is left are cookies. */
export async function forgetSession() {
  leave();
  await send(signOut, {}).catch(() => null);
}
