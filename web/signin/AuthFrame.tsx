// What the pages around signing in share: their frame, their form, Google's button, the passwords.
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { limits } from '../../contract/platform/limits.ts';
import { useSettings } from '../platform/api/query.ts';
import { readable } from '../platform/api/send.ts';
import { paths } from '../platform/paths.ts';
import { signInWithGoogle } from '../people/session/signIn.ts';
import { knownHere, selection } from '../people/session/selection.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Button } from '../platform/ui/Button.tsx';
import { Field } from '../platform/ui/Field.tsx';
import { useInBrowser } from '../platform/ui/hydrated.ts';
import { Icon } from '../platform/ui/Icon.tsx';
import { ErrorNote } from '../platform/ui/States.tsx';

/** Leads back to where the user came from. The page stays as it is until the next one is loaded. */
export function useLeaveWhenSignedIn(origin: string): boolean {
  const { state } = useSession();
  const navigate = useNavigate();
  useEffect(() => {
    if (state === 'in') void navigate(origin, { replace: true });
  }, [state, origin, navigate]);
  return state === 'in';
}

interface AuthFrameProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
  /** Which of the two ways in it is: with links from one to the other. */
  tabs?: typeof paths.login | typeof paths.signup;
}

export function AuthFrame({ title, lead, children, foot, tabs }: AuthFrameProps) {
  return (
    <div className="measure grid items-start gap-12 py-8 sm:py-12 lg:grid-cols-2 lg:gap-16">
      <div
        aria-hidden="true"
        className="rounded-box sticky top-24 hidden h-[40rem] overflow-hidden bg-band-raised lg:block"
      >
        <picture className="contents">
          <source srcSet="/media/banner/summer-kit-phone.avif" type="image/avif" />
          <img
            src="/media/banner/summer-kit-phone.webp"
            alt=""
            width={800}
            height={1000}
            loading="lazy"
            className="size-full origin-right scale-105 object-cover"
          />
        </picture>
        <p className="font-display absolute top-10 left-10 text-5xl font-semibold text-[#fffdf8]">
          See you on court.
        </p>
      </div>
      <div className="mx-auto w-full max-w-md lg:py-4">
        {tabs && <AuthTabs at={tabs} />}
        <h1 className="text-3xl sm:text-5xl">{title}</h1>
        {lead && <p className="muted mt-2 text-lg">{lead}</p>}
        <div className="mt-6 flex flex-col gap-5">{children}</div>
        {foot && <div className="border-base-300 mt-8 border-t pt-6">{foot}</div>}
      </div>
    </div>
  );
}

const dress = {
  page: { gap: 'gap-5', button: { size: 'large' } },
  part: { gap: 'gap-4', button: { look: 'outline', className: 'self-start' } },
  dialog: { gap: 'gap-4', button: {} },
} as const;

interface AuthFormProps {
  /** Of useSendForm. */
  form: {
    props: ComponentProps<'form'>;
    /** Words, or a note of its own. */
    problem: ReactNode;
    retry?: (() => void) | undefined;
    busy: boolean;
  };
  submit: string;
  /** Of a page of its own, of a part of one, or of a dialog. */
  of?: keyof typeof dress;
  disabled?: boolean;
  children?: ReactNode;
}

/** Its fields, what is wrong with all of them, and the button that sends them. */
export function AuthForm({ form, submit, of = 'page', disabled, children }: AuthFormProps) {
  return (
    // Without our script it must not send a password in the address.
    <form method="post" className={`flex flex-col ${dress[of].gap}`} {...form.props}>
      {children}
      {typeof form.problem === 'string' ? (
        <ErrorNote message={form.problem} onRetry={form.retry} />
      ) : (
        form.problem
      )}
      <Button type="submit" {...dress[of].button} busy={form.busy} disabled={disabled}>
        {submit}
      </Button>
    </form>
  );
}

/** After a new password by mail: somebody else may have used the account before. */
export const WhatStays = () => (
  <p>
    What this account has stays: look through{' '}
    <Link to={paths.dashboard.family} className="link">
      Family
    </Link>{' '}
    and{' '}
    <Link to={paths.dashboard.paymentHistory} className="link">
      Payments
    </Link>
    , and remove what is not yours.
  </p>
);

/** Such a page that could not be loaded. */
export const FailedFrame = ({
  title,
  ...failure
}: { title: string } & ComponentProps<typeof ErrorNote>) => (
  <AuthFrame title={title}>
    <ErrorNote {...failure} />
  </AuthFrame>
);

const waysIn = [
  [paths.signup, 'Sign up'],
  [paths.login, 'Login'],
] as const;

/** What the link to Login carries: a visitor without an account here is offered to sign up first. */
const loginChosen = 'loginChosen';

/** At /login somebody who has selected a class, and never signed in on this device. */
export function useSignUpFirst(): boolean {
  const state: unknown = useLocation().state;
  const isNew = useInBrowser(() => selection.read() !== null && !knownHere(), false);
  return isNew && !(typeof state === 'object' && state !== null && loginChosen in state);
}

function AuthTabs({ at }: { at: string }) {
  const { state } = useLocation();
  return (
    <nav aria-label="Sign up or log in" className="auth-tabs">
      {waysIn.map(([to, label]) => (
        <Link
          key={to}
          to={to}
          state={{
            ...(state as object | null),
            ...(to === paths.login && { [loginChosen]: true }),
          }}
          aria-current={at === to ? 'page' : undefined}
          className="aria-[current=page]:bg-base-100 dark:aria-[current=page]:bg-base-300 rounded-lg py-2.5 text-center text-sm font-medium aria-[current=page]:shadow-sm"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Usually the one that is known already. */
export function PasswordField({
  label,
  onShow,
  ...rest
}: ComponentProps<typeof Field> & { onShow?: (shown: boolean, typed: string) => void }) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      required
      autoComplete="current-password"
      {...rest}
      label={label}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          className="btn btn-ghost btn-sm"
          aria-pressed={shown}
          onClick={({ currentTarget }) => {
            setShown(!shown);
            const input = currentTarget.parentElement?.parentElement?.querySelector('input');
            onShow?.(!shown, input?.value ?? '');
          }}
        >
          {shown ? 'Hide' : 'Show'}
          <span className="sr-only"> {label}</span>
        </button>
      }
    />
  );
}

/** A password to be chosen, and what is asked of it here. */
export function NewPassword({ onInput, ...field }: ComponentProps<typeof PasswordField>) {
  const { strictPasswords } = useSettings();
  const [typed, setTyped] = useState('');
  return (
    <PasswordField
      required={false}
      autoComplete="new-password"
      hint={
        strictPasswords ? 'At least 8 characters, of any kind.' : <PasswordTicks typed={typed} />
      }
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onInput?.(event);
      }}
      {...field}
    />
  );
}

/** Ticked while one types: a phone proposes passwords without one of these characters. */
function PasswordTicks({ typed }: { typed: string }) {
  const { min, max } = limits.password;
  const asked: [words: string, done: boolean][] = [
    [`${min} to ${max} characters`, typed.length >= min && typed.length <= max],
    ['upper and lower case', /[A-Z]/.test(typed) && /[a-z]/.test(typed)],
    ['a number', /\d/.test(typed)],
    ['one of ! @ # $ & *', /[!@#$&*]/.test(typed)],
  ];
  return (
    <span className="flex flex-wrap gap-x-4">
      {asked.map(([words, done]) => (
        <span key={words} className={done ? 'text-success font-medium' : ''}>
          {done && (
            <>
              <Icon name="check" className="mr-1 inline size-4" stroke={3} />
              <span className="sr-only">Done: </span>
            </>
          )}
          {words}
        </span>
      ))}
    </span>
  );
}

interface Twice {
  field: (name: 'password' | 'confirmPassword') => Omit<ComponentProps<typeof Field>, 'label'>;
  /** The second one is filled: whoever reads what they type need not type it again. */
  repeat: (password: string) => void;
}

/** The same, twice. With Show the second follows the first. */
export function NewPasswords({ label, field, repeat }: Twice & { label: string }) {
  const [shown, setShown] = useState(false);
  const first = field('password');
  return (
    <>
      <NewPassword
        label={label}
        onShow={(isShown, typed) => {
          setShown(isShown);
          if (isShown && typed) repeat(typed);
        }}
        onInput={({ currentTarget }) => shown && repeat(currentTarget.value)}
        {...first}
      />
      <PasswordField
        label="Confirm Password"
        required={false}
        autoComplete="new-password"
        {...field('confirmPassword')}
      />
    </>
  );
}

/** Shown without a configuration, too: then it says that it is not set up. */
export function GoogleButton({ returnTo }: { returnTo: string }) {
  const { google } = useSettings();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      await signInWithGoogle(returnTo);
    } catch (error) {
      setProblem(readable(error));
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <p aria-hidden="true" className="meta text-center">
        or
      </p>
      <Button look="outline" disabled={!google} busy={busy} onClick={() => void start()}>
        <img src="/media/social/google.svg" alt="" className="size-5" />
        Continue with Google
      </Button>
      {!google && (
        <p className="muted text-center text-sm">Sign-in with Google is not available here yet.</p>
      )}
      <ErrorNote message={problem} />
    </div>
  );
}
