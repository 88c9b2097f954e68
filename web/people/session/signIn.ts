// Signs up, in and out.
import { createUser } from '../../../contract/people/users.ts';
import {
  type AuthUser,
  secondStep as secondStepCall,
  signIn as signInCall,
  signInWithGoogle as withGoogle,
  signOut as signOutCall,
  signUp as signUpCall,
} from '../../../contract/signin/signin.ts';
import { ApiError, send } from '../../platform/api/send.ts';
import { token } from '../../platform/api/token.ts';
import { forgetRosters } from './phone.ts';
import { cancelReads, enter, leave } from './renewal.ts';
import { fromGoogle } from './restore.ts';
import { read, setState } from './state.ts';

/**
 * Runs a change of who is signed in under the loading flag of section 4, which falls again when it
 * fails.
 */
async function withLoading<T>(work: () => Promise<T>): Promise<T> {
  const now = read();
  const before = now.state === 'loading' ? { state: 'out' as const, user: null } : now;
  setState({ ...before, state: 'loading' });
  try {
    return await work();
  } catch (error) {
    setState(before);
    throw error;
  }
}

/**
 * `code`: the password was right, and the code of an authenticator app is wanted as well
 * (secondStep).
 */
export const signIn = ({ email, password }: { email: string; password: string }) =>
  withLoading(async (): Promise<'in' | 'code'> => {
    const { user } = await send(signInCall, { email, password });
    if (user) {
      await enterAnew(user);
      return 'in';
    }
    setState({ state: 'out', user: null });
    return 'code';
  });

/** Six digits of the app, or a backup code. */
export const secondStep = (code: string) =>
  withLoading(async () => {
    await enterAnew((await send(secondStepCall, { code })).user);
  });

/** A token and rosters that are still stored may belong to another user. */
async function enterAnew(user: AuthUser) {
  token.remove();
  forgetRosters();
  await enter(user);
}

/**
 * Signing up answers alike whether the email is known or not, so the proof is the sign-in that
 * follows. When that fails, an account with another password exists, or the mailbox must be
 * confirmed first: the message serves both.
 */
export const signUp = (form: { name: string; image: string; email: string; password: string }) =>
  withLoading(async () => {
    await send(signUpCall, form);
    const { name, email, password } = form;
    const { user } = await send(signInCall, { email, password }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 429) throw error;
      throw new ApiError(error.status, {
        code: 'SIGN_IN_INSTEAD',
        message:
          'Please check your mailbox, or log in: if you already have an account, its password still holds.',
      });
    });
    await send(createUser, { name, email, role: 'student' });
    if (user) await enterAnew(user);
  });

export const signOut = () =>
  withLoading(async () => {
    await cancelReads();
    await send(signOutCall, {});
    leave();
  });

/**
 * Leaves the page for Google (or the configured issuer) and comes back to `returnTo`, a path of
 * ours.
 */
export const signInWithGoogle = (returnTo: string) =>
  withLoading(async () => {
    const { url } = await send(withGoogle, {
      provider: 'google',
      callbackURL: returnTo,
      errorCallbackURL: '/login?error=google',
    });
    sessionStorage.setItem(fromGoogle, 'yes');
    location.assign(url);
  });
