// /invitation#secret: accepts the invitation to look after a child. Opening the page accepts
// nothing; its button does.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { acceptInvitation, readInvitation } from '../../contract/people/family.ts';
import { query, readAgain, useCall } from '../platform/api/query.ts';
import { ApiError, readable } from '../platform/api/send.ts';
import { AuthFrame, FailedFrame } from './AuthFrame.tsx';
import { Problem } from '../platform/ui/Problem.tsx';
import { paths } from '../platform/paths.ts';
import { invitation } from '../people/session/invitation.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { signOut } from '../people/session/signIn.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { ProgressBar } from '../platform/ui/States.tsx';
import { useMailedSecret } from './mailedsecret.ts';

export function Invitation() {
  usePageTitle('Invitation', { hidden: true });
  const secret = useMailedSecret(invitation, paths.invitation);
  const { state, retryRole } = useSession();
  if (retryRole) return <FailedFrame title="Your invitation" onRetry={retryRole} />;
  if (state === 'loading') return <ProgressBar />;
  if (!secret) return <BadLink />;
  return state === 'in' ? <Accepting key={secret} secret={secret} /> : <SignedOut />;
}

/** The secret stays out of what is carried along: Google's pages would see it. */
const back = { from: { pathname: paths.invitation } };

function SignedOut() {
  return (
    <AuthFrame
      title="You are invited to look after a child"
      lead="Log in with the address that the invitation was mailed to, or sign up with it. Then you can accept."
    >
      <LinkButton to={paths.login} state={back} size="large">
        Login
      </LinkButton>
      <LinkButton to={paths.signup} state={back} size="large" look="outline">
        Sign up
      </LinkButton>
    </AuthFrame>
  );
}

function Accepting({ secret }: { secret: string }) {
  const { user } = useSession();
  const client = useQueryClient();
  const accept = useCall(acceptInvitation);
  const told = useQuery({ ...query(readInvitation, { secret }), retry: false, gcTime: 0 });
  const error = accept.error ?? told.error;
  const code = error?.code;
  const press = () =>
    accept.mutate(
      { secret },
      {
        onSuccess: () => {
          invitation.forget();
          // Whoever has the secret reads the mails of the address: accepting confirms it.
          void readAgain(client);
        },
        onError: (error) => error.code === 'BAD_LINK' && invitation.forget(),
      },
    );
  if (accept.data) return <Accepted names={accept.data.children} />;
  if (code === 'BAD_LINK') return <BadLink />;
  if (code === 'EMAIL_MISMATCH')
    return <OtherAddress email={user?.email ?? ''} message={readable(error)} />;
  const again = () => {
    accept.reset();
    void told.refetch();
  };
  if (told.error)
    return <FailedFrame title="Your invitation" message={readable(told.error)} onRetry={again} />;
  if (!told.data) return <ProgressBar />;
  const { from, children } = told.data;
  return (
    <AuthFrame
      title={
        from
          ? `${from} invites you to look after ${inWords(children)}`
          : `You are invited to look after ${inWords(children)}`
      }
      lead="You will see the classes, book, and keep the care facts, together with the other guardians."
    >
      <p>
        You are logged in as <strong className="wrap-anywhere">{user?.email}</strong>.
      </p>
      <Problem text={accept.error && readable(accept.error)} />
      <Button size="large" busy={accept.isPending} onClick={press}>
        Accept
      </Button>
    </AuthFrame>
  );
}

const inWords = (names: readonly string[]) => new Intl.ListFormat('en').format(names);

function Accepted({ names }: { names: readonly string[] }) {
  return (
    <AuthFrame title={`You now look after ${inWords(names)}`}>
      <output className="block text-lg">
        Choose {names.length === 1 ? 'this child' : 'them'} whenever you select a class.
      </output>
      <LinkButton to={paths.dashboard.family} size="large">
        Go to my family
      </LinkButton>
    </AuthFrame>
  );
}

function BadLink() {
  return (
    <AuthFrame
      title="This invitation no longer works"
      lead="It was accepted already, was withdrawn, or is older than 7 days. Ask the guardian who invited you for a new one: Family, Share with another guardian."
    >
      <LinkButton to={paths.dashboard.family} look="outline">
        Go to my family
      </LinkButton>
    </AuthFrame>
  );
}

/**
 * The message names the address of the invitation. Signing out keeps the invitation: the next account
 * may be the right one.
 */
function OtherAddress({ email, message }: { email: string; message: string }) {
  return (
    <Blocked
      title="This invitation is for another address"
      lead={
        <>
          <span className="wrap-anywhere">{message}</span> You are logged in as{' '}
          <strong className="wrap-anywhere">{email}</strong>.
        </>
      }
      action="Log out and use another account"
      act={signOut}
    />
  );
}

interface BlockedProps {
  title: string;
  lead: ReactNode;
  action: string;
  act: () => Promise<unknown>;
  children?: ReactNode;
}

function Blocked({ title, lead, action, act, children }: BlockedProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const press = async () => {
    setBusy(true);
    setProblem('');
    try {
      await act();
    } catch (error) {
      setProblem(error instanceof ApiError ? readable(error) : 'That did not work.');
    }
    setBusy(false);
  };
  return (
    <AuthFrame title={title} lead={lead}>
      {children}
      <Problem text={problem} />
      <Button look={children ? 'outline' : 'primary'} busy={busy} onClick={() => void press()}>
        {action}
      </Button>
    </AuthFrame>
  );
}
