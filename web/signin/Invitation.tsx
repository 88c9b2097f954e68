// /invitation#secret: accepts the invitation to look after a child.
import { useQuery } from '@tanstack/react-query';
import { acceptInvitation, readInvitation } from '../../contract/people/family.ts';
import { invitation } from '../people/session/invitation.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { query, useCall } from '../platform/api/query.ts';
import { ApiError, readable } from '../platform/api/send.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { ProgressBar } from '../platform/ui/States.tsx';
import { AuthFrame, FailedFrame } from './AuthFrame.tsx';
import { OtherAddress, Press, useMailedSecret } from './Mailed.tsx';

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

const SignedOut = () => (
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

function Accepting({ secret }: { secret: string }) {
  const { user } = useSession();
  const accept = useCall(acceptInvitation);
  const told = useQuery({ ...query(readInvitation, { secret }), retry: false, gcTime: 0 });
  const error = accept.error ?? told.error;
  const press = async () => {
    try {
      await accept.mutateAsync({ secret });
    } catch (error) {
      if (!isDead(error)) throw error;
    }
    invitation.forget();
  };
  if (accept.data) return <Accepted names={accept.data.children} />;
  if (isDead(error)) return <BadLink />;
  if (error?.code === 'EMAIL_MISMATCH')
    return (
      <OtherAddress
        lead={<span className="wrap-anywhere">{error.message}</span>}
        submit="Log out and use another account"
      />
    );
  if (told.error) {
    const again = () => void told.refetch();
    return <FailedFrame title="Your invitation" message={readable(told.error)} onRetry={again} />;
  }
  if (!told.data) return <ProgressBar />;
  const { from, children } = told.data;
  return (
    <AuthFrame
      title={`${from ? `${from} invites you` : 'You are invited'} to look after ${inWords(children)}`}
      lead="You will see the classes, book, and keep the allergies and contacts, together with the other guardians."
    >
      <Press submit="Accept" act={press}>
        <p>
          You are logged in as <strong className="wrap-anywhere">{user?.email}</strong>.
        </p>
      </Press>
    </AuthFrame>
  );
}

const isDead = (error: unknown) => error instanceof ApiError && error.code === 'BAD_LINK';

const inWords = (names: readonly string[]) => new Intl.ListFormat('en').format(names);

const Accepted = ({ names }: { names: readonly string[] }) => (
  <AuthFrame title={`You now look after ${inWords(names)}`}>
    <output className="block text-lg">
      Choose {names.length === 1 ? 'this child' : 'them'} whenever you select a class.
    </output>
    <LinkButton to={paths.dashboard.family} size="large">
      Go to my family
    </LinkButton>
  </AuthFrame>
);

const BadLink = () => (
  <AuthFrame
    title="This invitation no longer works"
    lead="It was accepted already, was withdrawn, or is older than 7 days. Ask the guardian who invited you for a new one: Family, Share with another guardian."
  >
    <LinkButton to={paths.dashboard.family} look="outline">
      Go to my family
    </LinkButton>
  </AuthFrame>
);
