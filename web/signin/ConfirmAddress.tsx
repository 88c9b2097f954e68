// /confirm?token=…: confirms the address that a mail was sent to. Opening the page confirms
// nothing; its button does.
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useSendForm } from '../platform/api/form.ts';
import { ApiError, readable } from '../platform/api/send.ts';
import { AuthFrame, PasswordField, WhatStays } from './AuthFrame.tsx';
import { Problem } from '../platform/ui/Problem.tsx';
import { paths } from '../platform/paths.ts';
import { type CheckedLink, confirmAddress } from '../people/session/account.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { ErrorNote, ProgressBar } from '../platform/ui/States.tsx';
import { ConfirmCode } from '../people/confirm/ConfirmCode.tsx';
import { useMailedLink } from './mailedlink.ts';
import { NewPasswordForm } from './NewPasswordForm.tsx';

export function ConfirmAddress() {
  usePageTitle('Confirm Address', { hidden: true });
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const { state, die, again } = useMailedLink('confirm', token);
  const [done, setDone] = useState<Way | null>(null);

  if (state === 'checking') return <ProgressBar label="Checking the link" />;
  if (state === 'dead') return <DeadLink />;
  if ('error' in state) {
    return (
      <AuthFrame title="Confirm your address">
        <ErrorNote message={readable(state.error)} onRetry={again} />
      </AuthFrame>
    );
  }
  if (done || state.confirmed) return <Confirmed way={done} {...state} />;
  return <Confirming token={token} link={state} onDone={setDone} onDead={die} />;
}

/** By what shows who signed up, or by a new password. */
type Way = 'known' | 'anew';

/** `way`: null where it was confirmed before. */
function Confirmed({ way, email, signedIn }: CheckedLink & { way: Way | null }) {
  return (
    <AuthFrame title="Your address is confirmed.">
      <output className="block text-lg">
        <strong className="wrap-anywhere">{email}</strong>{' '}
        {way ? 'is yours. Thank you.' : 'was confirmed before.'}
      </output>
      {way === 'anew' && <WhatStays />}
      {signedIn && way !== 'anew' ? (
        <LinkButton to={paths.classes}>See the classes</LinkButton>
      ) : (
        <LinkButton to={paths.login}>Log in</LinkButton>
      )}
    </AuthFrame>
  );
}

interface ConfirmingProps {
  token: string;
  link: CheckedLink;
  onDone: (way: Way) => void;
  onDead: () => void;
}

function Confirming({ token, link, onDone, onDead }: ConfirmingProps) {
  // The session may end while the page is open: then the password is asked for after all.
  const [press, setPress] = useState(link.signedIn === true);
  const [anew, setAnew] = useState(false);
  const confirm = async (shown: { password?: string }) => {
    try {
      await confirmAddress({ token, ...shown });
      onDone('known');
    } catch (error) {
      if (error instanceof ApiError && error.code === 'BAD_LINK') onDead();
      else if (error instanceof ApiError && error.code === 'PASSWORD_NEEDED') setPress(false);
      throw error;
    }
  };
  const { props, field, problem, busy } = useSendForm<{ password?: string }>({
    send: confirm,
    fieldOf: () => undefined,
    inWords,
  });
  const frame = (lead: ReactNode, children: ReactNode) => (
    <AuthFrame
      title="Confirm your address"
      lead={
        <>
          Is <strong className="wrap-anywhere">{link.email}</strong> your address? {lead}
        </>
      }
    >
      {children}
    </AuthFrame>
  );

  if (press) {
    return frame(
      'One press confirms it.',
      <form className="flex flex-col gap-5" {...props}>
        <Problem text={problem} />
        <Button type="submit" size="large" busy={busy}>
          Confirm my address
        </Button>
      </form>,
    );
  }
  if (anew) {
    return frame(
      'Choose a new password. The old one stops working, and every device is signed out. Everything else stays.',
      <>
        <NewPasswordForm
          submit="Confirm and change password"
          onDead={onDead}
          save={async (newPassword) => {
            await confirmAddress({ token, newPassword });
            onDone('anew');
          }}
        />
        <Button look="outline" onClick={() => setAnew(false)}>
          I know the password of the sign-up
        </Button>
      </>,
    );
  }
  return frame(
    'Type the password that you chose when you signed up.',
    <>
      <form method="post" className="flex flex-col gap-5" {...props}>
        <PasswordField label="Password" {...field('password')} />
        <Problem text={problem} />
        <Button type="submit" size="large" busy={busy}>
          Confirm my address
        </Button>
      </form>
      <Button look="outline" onClick={() => setAnew(true)}>
        Choose a new password instead
      </Button>
    </>,
  );
}

const inWords = (error: unknown) =>
  error instanceof ApiError && error.code === 'WRONG_PASSWORD'
    ? 'This is not the password of the sign-up. If you do not know it, choose a new one.'
    : readable(error);

function DeadLink() {
  const { state, user } = useSession();
  const [confirmed, setConfirmed] = useState(false);
  if (confirmed) return <Confirmed way="known" works email={user?.email ?? ''} signedIn />;
  return (
    <AuthFrame
      title="This link has expired"
      lead={
        state === 'in'
          ? 'A link works for a day. The six digits of a new mail do the same.'
          : 'A link works for a day. A link to choose a new password confirms your address, too.'
      }
      foot={
        state === 'in' ? null : (
          <Link to={paths.login} className="link link-primary">
            Back to Login
          </Link>
        )
      }
    >
      {state === 'in' ? (
        <ConfirmCode onConfirmed={() => setConfirmed(true)} />
      ) : (
        <LinkButton to={paths.forgotPassword}>Send me a link for a new password</LinkButton>
      )}
    </AuthFrame>
  );
}
