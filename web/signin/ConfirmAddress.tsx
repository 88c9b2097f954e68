// /confirm?token=…: confirms the address that a mail was sent to.
import { type ReactNode, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { confirmEmail } from '../../contract/signin/signin.ts';
import { ConfirmCode } from '../people/confirm/ConfirmCode.tsx';
import { useSession } from '../people/session/SessionProvider.tsx';
import { useSendForm } from '../platform/api/form.ts';
import { ApiError, readable, send } from '../platform/api/send.ts';
import { paths } from '../platform/paths.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { ProgressBar } from '../platform/ui/States.tsx';
import { AuthForm, AuthFrame, FailedFrame, PasswordField, WhatStays } from './AuthFrame.tsx';
import { type CheckedLink, NewPasswordForm, useMailedLink } from './Mailed.tsx';

const title = 'Confirm your address';

export function ConfirmAddress() {
  usePageTitle('Confirm Address', { hidden: true });
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const { link, isDead, error, die, again } = useMailedLink('confirm', token);
  const [done, setDone] = useState<Way | null>(null);

  if (isDead) return <DeadLink />;
  if (error) return <FailedFrame title={title} message={readable(error)} onRetry={again} />;
  if (!link) return <ProgressBar label="Checking the link" />;
  if (done || link.confirmed) return <Confirmed way={done} {...link} />;
  return <Confirming token={token} link={link} onDone={setDone} onDead={die} />;
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
  const form = useSendForm<{ password?: string }>({
    send: async (shown) => {
      try {
        await send(confirmEmail, { token, ...shown });
        onDone('known');
      } catch (error) {
        if (error instanceof ApiError && error.code === 'BAD_LINK') onDead();
        else if (error instanceof ApiError && error.code === 'PASSWORD_NEEDED') setPress(false);
        throw error;
      }
    },
    fieldOf: () => undefined,
    inWords,
  });
  const frame = (lead: string, children: ReactNode) => (
    <AuthFrame
      title={title}
      lead={
        <>
          Is <strong className="wrap-anywhere">{link.email}</strong> your address? {lead}
        </>
      }
    >
      {children}
    </AuthFrame>
  );

  if (press)
    return frame('One press confirms it.', <AuthForm form={form} submit="Confirm my address" />);
  if (anew) {
    const save = async (newPassword: string) => {
      await send(confirmEmail, { token, newPassword });
      onDone('anew');
    };
    return frame(
      'Choose a new password. The old one stops working, and every device is signed out. Everything else stays.',
      <>
        <NewPasswordForm submit="Confirm and change password" onDead={onDead} save={save} />
        <Button look="outline" onClick={() => setAnew(false)}>
          I know the password of the sign-up
        </Button>
      </>,
    );
  }
  return frame(
    'Type the password that you chose when you signed up.',
    <>
      <AuthForm form={form} submit="Confirm my address">
        <PasswordField label="Password" {...form.field('password')} />
      </AuthForm>
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
  if (state === 'in')
    return (
      <AuthFrame
        title={expired}
        lead="A link works for a day. The six digits of a new mail do the same."
      >
        <ConfirmCode onConfirmed={() => setConfirmed(true)} />
      </AuthFrame>
    );
  return (
    <AuthFrame
      title={expired}
      lead="A link works for a day. A link to choose a new password confirms your address, too."
      foot={
        <Link to={paths.login} className="link link-primary">
          Back to Login
        </Link>
      }
    >
      <LinkButton to={paths.forgotPassword}>Send me a link for a new password</LinkButton>
    </AuthFrame>
  );
}

const expired = 'This link has expired';
