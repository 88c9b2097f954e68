// /join#secret: accepts an invitation as instructor or admin.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Answer } from '../../contract/platform/call.ts';
import { joinStaff, readStaffInvitation } from '../../contract/signin/join.ts';
import { staffInvitation } from '../people/session/invitation.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { signIn } from '../people/session/signIn.ts';
import { useSendForm } from '../platform/api/form.ts';
import { readAgain, useSettings } from '../platform/api/query.ts';
import { ApiError, readable, send } from '../platform/api/send.ts';
import { dashboardOf, paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { Field } from '../platform/ui/Field.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { ProgressBar } from '../platform/ui/States.tsx';
import { AuthForm, AuthFrame, FailedFrame, GoogleButton, NewPasswords } from './AuthFrame.tsx';
import { OtherAddress, Press, useMailedSecret } from './Mailed.tsx';

type Role = Answer<typeof readStaffInvitation>['role'];

export function Join() {
  usePageTitle('Join', { hidden: true });
  const secret = useMailedSecret(staffInvitation, paths.join);
  const { state, user, retryRole } = useSession();
  const { brand } = useSettings();
  const client = useQueryClient();
  const [done, setDone] = useState<Role | null>(null);
  const known = secret !== null && state !== 'loading';
  const open = useQuery({
    queryKey: ['staff invitation', secret, user?.id ?? null],
    queryFn: () => send(readStaffInvitation, { secret: secret ?? '' }),
    enabled: known && done === null,
    staleTime: Infinity,
    gcTime: 0,
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
  const { email, role, account } = open.data;
  const address = <strong className="wrap-anywhere">{email}</strong>;
  if (account === 'other')
    return <OtherAddress lead={<>It was sent to {address}.</>} submit="Log out and go on" />;
  const accept = async (form: { name?: string; password?: string }) => {
    const joined = await send(joinStaff, { secret, ...form });
    staffInvitation.forget();
    if (form.password !== undefined) await signIn({ email, password: form.password });
    await readAgain(client);
    setDone(joined.role);
  };
  return (
    <AuthFrame title={`Join ${brand}`} lead={`As ${words[role].as}. ${words[role].may}`}>
      {account === 'login' && (
        <>
          <p>
            There is an account with the address {address}. Log in with it, then you can accept.
          </p>
          <LinkButton to={paths.login} state={back} size="large">
            Login
          </LinkButton>
        </>
      )}
      {account === 'yours' && (
        <Press submit="Accept" act={() => accept({})}>
          <p>You are logged in as {address}. What you booked stays as it is.</p>
        </Press>
      )}
      {account === 'none' && <NewAccount email={email} accept={accept} />}
    </AuthFrame>
  );
}

/** The secret stays out of what is carried along: Google's pages would see it. */
const back = { from: { pathname: paths.join } };

const words = {
  instructor: { as: 'an instructor', may: 'You add classes of your own and see who comes.' },
  admin: { as: 'an admin', may: 'You approve classes and manage people and payments.' },
};

type Values = Record<'name' | 'password' | 'confirmPassword', string>;

const rules = () => import('./formrules.ts');

interface NewAccountProps {
  email: string;
  accept: (form: { name: string; password: string }) => Promise<void>;
}

function NewAccount({ email, accept }: NewAccountProps) {
  const { strictPasswords, google } = useSettings();
  const form = useSendForm<Values>({
    resolver: async (...typed) => (await rules()).joinRules(strictPasswords)(...typed),
    send: ({ name, password }) => accept({ name, password }),
  });
  useEffect(() => void rules().catch(() => undefined), []);
  return (
    <>
      <AuthForm form={form} submit="Join">
        <Field
          label="Email"
          readOnly
          value={email}
          autoComplete="username"
          className="bg-base-200"
        />
        <Field label="Name" autoComplete="name" maxLength={100} {...form.field('name')} />
        <NewPasswords
          label="Password"
          field={form.field}
          repeat={(password) => form.form.setValue('confirmPassword', password)}
        />
      </AuthForm>
      {google && <GoogleButton returnTo={paths.join} />}
    </>
  );
}

function Joined({ role }: { role: Role }) {
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

const BadLink = () => (
  <AuthFrame
    title="This invitation no longer works"
    lead="It was accepted already, was withdrawn or replaced by a newer one, or is older than 7 days. Ask for a new one."
  >
    <LinkButton to={paths.login} look="outline">
      Login
    </LinkButton>
  </AuthFrame>
);
