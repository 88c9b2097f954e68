// /login: email and password, or Google; then back to where the user came from (specification,
// sections 2 and 8).
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { messages } from '../../contract/platform/messages.ts';
import { useSettings } from '../platform/api/query.ts';
import { usePlainForm } from '../platform/api/plainform.ts';
import { ApiError, readable } from '../platform/api/send.ts';
import { AuthFrame, GoogleButton, PasswordField, useLeaveWhenSignedIn } from './AuthFrame.tsx';
import { Problem } from '../platform/ui/Problem.tsx';
import { paths } from '../platform/paths.ts';
import { originOf } from '../people/session/origin.ts';
import { selection } from '../people/session/selection.ts';
import { secondStep, signIn } from '../people/session/signIn.ts';
import { toast } from '../platform/ui/alert.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Field } from '../platform/ui/Field.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { useHydrated, useInBrowser } from '../platform/ui/hydrated.ts';

export function Login() {
  usePageTitle('Login', { description: 'Log in to select classes and pay for them.' });
  const location = useLocation();
  const { demoAccounts } = useSettings();
  const ready = useHydrated();
  const selected = useInBrowser(selection.read, null);
  const broughtBack = useInBrowser(afterGoogle, '');
  const broughtBackBlocked = broughtBack === accountBlocked;
  const [wantsCode, setWantsCode] = useState(false);
  // Why the second step was given up.
  const [notice, setNotice] = useState('');
  const [blocked, setBlocked] = useState<'tries' | 'account' | null>(null);
  const origin = originOf(location.state);
  const leaving = useLeaveWhenSignedIn(origin);
  const { onSubmit, problem, busy } = usePlainForm<'email' | 'password'>(
    async ({ email, password }) => {
      setBlocked(null);
      setNotice('');
      if ((await signIn({ email: email.trim(), password })) === 'code') setWantsCode(true);
      else toast(messages.loggedIn);
    },
    (error) => {
      setBlocked(blockOf(error));
      return inWords(error);
    },
  );

  if (wantsCode) {
    return (
      <SecondStep
        leaving={leaving}
        onOver={(words) => {
          setNotice(words);
          setWantsCode(false);
        }}
      />
    );
  }

  return (
    <AuthFrame
      title="Login"
      lead={
        selected
          ? 'Log in, and the class you selected goes straight into your cart.'
          : 'Good to see you again.'
      }
      tabs
    >
      <form method="post" className="flex flex-col gap-5" onSubmit={onSubmit}>
        <Field
          label="Email"
          name="email"
          type="email"
          required
          autoComplete="username"
          inputMode="email"
        />
        <PasswordField label="Password" name="password" />
        <Link to={paths.forgotPassword} className="link link-primary self-start text-sm">
          Forgot password?
        </Link>
        {blocked === 'tries' ? (
          <TooManyTries text={problem} />
        ) : blocked === 'account' || (broughtBackBlocked && problem === null) ? (
          <AccountBlocked />
        ) : (
          <Problem text={notice || (problem ?? broughtBack)} />
        )}
        <Button type="submit" size="large" busy={busy || leaving} disabled={!ready}>
          Login
        </Button>
      </form>
      <GoogleButton returnTo={origin} />
      {demoAccounts && <DemoAccounts />}
    </AuthFrame>
  );
}

/** The second step: a code of the authenticator app, or a backup code. */
function SecondStep({
  leaving,
  onOver,
}: {
  leaving: boolean;
  /** The time for the second step is over: the password is asked for again. */
  onOver: (words: string) => void;
}) {
  const { onSubmit, problem, busy } = usePlainForm<'code'>(async ({ code }) => {
    try {
      await secondStep(code.trim());
      toast(messages.loggedIn);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'SECOND_STEP_OVER') throw error;
      onOver(readable(error));
    }
  });
  return (
    <AuthFrame
      title="One more step"
      lead="Type the code that your authenticator app shows, or one of your backup codes."
    >
      <form method="post" className="flex flex-col gap-5" onSubmit={onSubmit}>
        <Field
          label="Code"
          name="code"
          required
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={20}
        />
        <Problem text={problem} />
        <Button type="submit" size="large" busy={busy || leaving}>
          Login
        </Button>
      </form>
    </AuthFrame>
  );
}

/** The reason in the address, when Google's account is blocked here. */
const accountBlocked = 'blocked';

function blockOf(error: unknown) {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'ACCOUNT_BLOCKED') return 'account';
  return error.status === 429 ? 'tries' : null;
}

/**
 * What the way back from Google says in the URL, which only the browser reads: the server draws one
 * page for all visitors.
 */
function afterGoogle(): string {
  const errors = new URLSearchParams(window.location.search).getAll('error');
  if (errors.length === 0) return '';
  if (errors.includes(accountBlocked)) return accountBlocked;
  return errors.includes('second_step')
    ? 'Your account has two-step sign-in: please log in with your password and a code.'
    : 'Signing in with Google did not work. Please try again.';
}

/** The same words whether the email is unknown or the password wrong. */
function inWords(error: unknown): string {
  const wrongPair =
    error instanceof ApiError &&
    ['WRONG_CREDENTIALS', 'INVALID_INPUT', 'UNAUTHENTICATED'].includes(error.code);
  return wrongPair ? 'Wrong email or password.' : readable(error);
}

/**
 * Others may have used up the guesses at this account; its owner still comes in through the
 * mailbox.
 */
function TooManyTries({ text }: { text: string | null }) {
  return (
    <p
      role="alert"
      className="border-error/40 text-error rounded-field border px-4 py-3 text-sm font-medium"
    >
      {text} You can also{' '}
      <Link to={paths.forgotPassword} className="link">
        choose a new password by email
      </Link>
      .
    </p>
  );
}

function AccountBlocked() {
  const { contact } = useSettings();
  return (
    <p
      role="alert"
      className="border-error/40 text-error rounded-field border px-4 py-3 text-sm font-medium"
    >
      This account is blocked. Write to{' '}
      {contact ? (
        <a href={`mailto:${contact}`} className="link wrap-anywhere">
          {contact}
        </a>
      ) : (
        'the academy'
      )}
      .
    </p>
  );
}

function DemoAccounts() {
  return (
    <div className="bg-base-300/50 rounded-field p-4 text-sm">
      <h2 className="text-base">Just looking around?</h2>
      <p className="mt-1">
        <code>student@rally.test</code>, <code>parent@rally.test</code> (two children),{' '}
        <code>coach@rally.test</code> or <code>admin@rally.test</code>, password{' '}
        <code>Rally#2026</code>
      </p>
    </div>
  );
}
