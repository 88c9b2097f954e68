// /login: email and password, or Google; then back to where the user came from (specification,
// sections 2 and 8).
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { messages } from '../../contract/platform/messages.ts';
import { useSettings } from '../platform/api/query.ts';
import { usePlainForm } from '../platform/api/plainform.ts';
import { ApiError, readable } from '../platform/api/send.ts';
import {
  AuthForm,
  AuthFrame,
  GoogleButton,
  PasswordField,
  useLeaveWhenSignedIn,
  useSignUpFirst,
} from './AuthFrame.tsx';
import { paths } from '../platform/paths.ts';
import { originOf } from '../people/session/origin.ts';
import { selection } from '../people/session/selection.ts';
import { secondStep, signIn } from '../people/session/signIn.ts';
import { toast } from '../platform/ui/alert.ts';
import { Field } from '../platform/ui/Field.tsx';
import { partOnDemand } from '../platform/ui/onDemand.tsx';
import { Skeleton } from '../platform/ui/States.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { useHydrated, useInBrowser } from '../platform/ui/hydrated.ts';

/** With the library of its rules: the login goes without. */
const Signup = partOnDemand(
  () => import('./Signup.tsx').then((m) => m.Signup),
  <AuthFrame title="Sign Up">
    <Skeleton className="h-96" />
  </AuthFrame>,
);

/** A visitor on the way to a class who has no account here signs up first. */
export function Login() {
  return useSignUpFirst() ? <Signup /> : <LoginForm />;
}

function LoginForm() {
  usePageTitle('Login', { description: 'Log in to select classes and pay for them.' });
  const location = useLocation();
  const { demoAccounts } = useSettings();
  const ready = useHydrated();
  const selected = useInBrowser(selection.read, null);
  const broughtBack = useInBrowser(afterGoogle, '');
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

  const isBlocked = blocked === 'account' || (broughtBack === accountBlocked && problem === null);
  const wrong = isBlocked ? <AccountBlocked /> : notice || (problem ?? broughtBack);
  return (
    <AuthFrame
      title="Login"
      lead={
        selected
          ? 'Log in, and the class you selected goes straight into your cart.'
          : 'Good to see you again.'
      }
      tabs={paths.login}
    >
      <AuthForm
        form={{
          props: { onSubmit },
          problem: blocked === 'tries' ? <TooManyTries text={problem} /> : wrong,
          busy: busy || leaving,
        }}
        submit="Login"
        disabled={!ready}
      >
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
      </AuthForm>
      <GoogleButton returnTo={origin} />
      {demoAccounts && <DemoAccounts />}
    </AuthFrame>
  );
}

interface SecondStepProps {
  leaving: boolean;
  /** The time for the second step is over: the password is asked for again. */
  onOver: (words: string) => void;
}

/** A code of the authenticator app, or a backup code. */
function SecondStep({ leaving, onOver }: SecondStepProps) {
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
      <AuthForm form={{ props: { onSubmit }, problem, busy: busy || leaving }} submit="Login">
        <Field
          label="Code"
          name="code"
          required
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={20}
        />
      </AuthForm>
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
const TooManyTries = ({ text }: { text: string | null }) => (
  <Alert>
    {text} You can also{' '}
    <Link to={paths.forgotPassword} className="link">
      choose a new password by email
    </Link>
    .
  </Alert>
);

const Alert = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="refused">
    {children}
  </p>
);

function AccountBlocked() {
  const { contact } = useSettings();
  return (
    <Alert>
      This account is blocked. Write to{' '}
      {contact ? (
        <a href={`mailto:${contact}`} className="link wrap-anywhere">
          {contact}
        </a>
      ) : (
        'the academy'
      )}
      .
    </Alert>
  );
}

function DemoAccounts() {
  return (
    <div className="bg-base-300 rounded-field p-4 text-sm">
      <h2 className="text-base">Just looking around?</h2>
      <p className="mt-1">
        <code>student@rally.test</code>, <code>parent@rally.test</code> (two children),{' '}
        <code>coach@rally.test</code> or <code>admin@rally.test</code>, password{' '}
        <code>Rally#2026</code>
      </p>
    </div>
  );
}
