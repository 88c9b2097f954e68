// /join#secret: accepts an invitation as instructor or admin. Opening the page accepts nothing; its
// button does.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSendForm } from '../platform/api/form.ts';
import { readAgain, useSettings } from '../platform/api/query.ts';
import { ApiError, readable } from '../platform/api/send.ts';
import { AuthFrame, FailedFrame, GoogleButton, NewPasswords } from './AuthFrame.tsx';
import { Problem } from '../platform/ui/Problem.tsx';
import { dashboardOf, paths } from '../platform/paths.ts';
import { staffInvitation } from '../people/session/invitation.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { signIn, signOut } from '../people/session/signIn.ts';
import { acceptInvitation, type OpenInvitation, readInvitation } from '../people/session/staff.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Field } from '../platform/ui/Field.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { ProgressBar } from '../platform/ui/States.tsx';
import { useMailedSecret } from './mailedsecret.ts';

export function Join() {
  usePageTitle('Join', { hidden: true });
  const secret = useMailedSecret(staffInvitation, paths.join);
  const { state, user, retryRole } = useSession();
  const [done, setDone] = useState<OpenInvitation['role'] | null>(null);
  const known = secret !== null && state !== 'loading';
  const open = useQuery({
    queryKey: ['staff invitation', secret, user?.id ?? null],
    queryFn: () => readInvitation(secret ?? ''),
    enabled: known && done === null,
    staleTime: Infinity,
    gcTime: 0,
    retry: (failures, error) =>
      failures < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
  });
  const dead = open.error instanceof ApiError && open.error.code === 'BAD_LINK';
  useEffect(() => {
    if (dead) staffInvitation.forget();
  }, [dead]);

  if (retryRole) return <FailedFrame title="Your invitation" onRetry={retryRole} />;
  if (done) return <Joined role={done} />;
  if (secret === null || dead) return <BadLink />;
  if (open.error)
    return (
      <FailedFrame
        title="Your invitation"
        message={readable(open.error)}
        onRetry={() => void open.refetch()}
      />
    );
  if (!known || !open.data) return <ProgressBar label="Reading the invitation" />;
  const props = { secret, invitation: open.data, onDone: setDone };
  if (open.data.account === 'other') return <OtherAddress invitation={open.data} />;
  if (open.data.account === 'login') return <LogInFirst invitation={open.data} />;
  return open.data.account === 'yours' ? <Accept {...props} /> : <NewAccount {...props} />;
}

interface Accepting {
  secret: string;
  invitation: OpenInvitation;
  onDone: (role: OpenInvitation['role']) => void;
}

const words = {
  instructor: { as: 'an instructor', may: 'You add classes of your own and see who comes.' },
  admin: { as: 'an admin', may: 'You approve classes and manage people and payments.' },
};

const useTitle = ({ role }: OpenInvitation) => {
  const { brand } = useSettings();
  return { title: `Join ${brand}`, lead: `As ${words[role].as}. ${words[role].may}` };
};

/** Another account was made with the address while the page was open, or the link has ended. */
function useAccepting({ secret, onDone }: Accepting) {
  const client = useQueryClient();
  return async (form: { name?: string; password?: string }) => {
    const { email, role } = await acceptInvitation({ secret, ...form });
    staffInvitation.forget();
    if (form.password !== undefined) await signIn({ email, password: form.password });
    await readAgain(client);
    onDone(role);
  };
}

type Values = Record<'name' | 'password' | 'confirmPassword', string>;

const rules = () => import('./formrules.ts');

function NewAccount(props: Accepting) {
  const { strictPasswords, google } = useSettings();
  const accept = useAccepting(props);
  const { title, lead } = useTitle(props.invitation);
  const form = useSendForm<Values>({
    resolver: async (...typed) => (await rules()).joinRules(strictPasswords)(...typed),
    send: ({ name, password }) => accept({ name, password }),
  });
  useEffect(() => void rules().catch(() => undefined), []);
  return (
    <AuthFrame title={title} lead={lead}>
      <form method="post" className="flex flex-col gap-5" {...form.props}>
        <Field
          label="Email"
          readOnly
          value={props.invitation.email}
          autoComplete="username"
          className="bg-base-200"
        />
        <Field label="Name" autoComplete="name" maxLength={100} {...form.field('name')} />
        <NewPasswords label="Password" field={form.field} />
        <Problem text={form.problem} onRetry={form.retry} />
        <Button type="submit" size="large" busy={form.busy}>
          Join
        </Button>
      </form>
      {google && <GoogleButton returnTo={paths.join} />}
    </AuthFrame>
  );
}

/** Signed in with the address of the invitation, by password or by Google. */
function Accept(props: Accepting) {
  const accept = useAccepting(props);
  const { title, lead } = useTitle(props.invitation);
  const { props: form, problem, busy } = useSendForm({ send: () => accept({}) });
  return (
    <AuthFrame title={title} lead={lead}>
      <form className="flex flex-col gap-5" {...form}>
        <p>
          You are logged in as <strong className="wrap-anywhere">{props.invitation.email}</strong>.
          What you booked stays as it is.
        </p>
        <Problem text={problem} />
        <Button type="submit" size="large" busy={busy}>
          Accept
        </Button>
      </form>
    </AuthFrame>
  );
}

/** The secret stays out of what is carried along: Google's pages would see it. */
const back = { from: { pathname: paths.join } };

function LogInFirst({ invitation }: { invitation: OpenInvitation }) {
  const { title, lead } = useTitle(invitation);
  return (
    <AuthFrame title={title} lead={lead}>
      <p>
        There is an account with the address{' '}
        <strong className="wrap-anywhere">{invitation.email}</strong>. Log in with it, then you can
        accept.
      </p>
      <LinkButton to={paths.login} state={back} size="large">
        Login
      </LinkButton>
    </AuthFrame>
  );
}

function OtherAddress({ invitation }: { invitation: OpenInvitation }) {
  const { user } = useSession();
  const { props, problem, busy } = useSendForm({ send: signOut });
  return (
    <AuthFrame
      title="This invitation is for another address"
      lead={
        <>
          It was sent to <strong className="wrap-anywhere">{invitation.email}</strong>. You are
          logged in as <strong className="wrap-anywhere">{user?.email}</strong>.
        </>
      }
    >
      <form className="flex flex-col gap-5" {...props}>
        <Problem text={problem} />
        <Button type="submit" busy={busy}>
          Log out and go on
        </Button>
      </form>
    </AuthFrame>
  );
}

function Joined({ role }: { role: OpenInvitation['role'] }) {
  const { role: now, roleLoading } = useSession();
  if (role === 'admin' && !roleLoading && now !== 'admin')
    return (
      <AuthFrame
        title="Welcome"
        lead="You are an admin as soon as two-step sign-in is on: a code from an app on your phone, each time you sign in."
      >
        <LinkButton to={paths.dashboard.account} size="large">
          Turn it on
        </LinkButton>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Welcome" lead={`You are now ${words[role].as}. ${words[role].may}`}>
      <LinkButton
        to={role === 'admin' ? paths.dashboard.adminHome : dashboardOf(role)}
        size="large"
      >
        Go to the dashboard
      </LinkButton>
    </AuthFrame>
  );
}

function BadLink() {
  return (
    <AuthFrame
      title="This invitation no longer works"
      lead="It was accepted already, was withdrawn or replaced by a newer one, or is older than 7 days. Ask for a new one."
    >
      <LinkButton to={paths.login} look="outline">
        Login
      </LinkButton>
    </AuthFrame>
  );
}
