// /newaddress#token: gives the account the address that the link was mailed to. Opening the page
// changes nothing; its button does, in a session of the account that asked.
import { useState } from 'react';
import { useSendForm } from '../platform/api/form.ts';
import { AuthFrame, FailedFrame } from './AuthFrame.tsx';
import { Problem } from '../platform/ui/Problem.tsx';
import { paths } from '../platform/paths.ts';
import { newAddress } from '../people/session/invitation.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { confirmNewEmail } from '../people/session/staff.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { ProgressBar } from '../platform/ui/States.tsx';
import { useMailedSecret } from './mailedsecret.ts';

const back = { from: { pathname: paths.newAddress } };

export function NewAddress() {
  usePageTitle('New Address', { hidden: true });
  const token = useMailedSecret(newAddress, paths.newAddress);
  const { state, retryRole } = useSession();
  if (retryRole) return <FailedFrame title="Your new address" onRetry={retryRole} />;
  if (state === 'loading') return <ProgressBar />;
  if (token === null)
    return (
      <AuthFrame
        title="This link no longer works"
        lead="It works once, for an hour. Ask for another on your account page."
      >
        <LinkButton to={paths.dashboard.account}>Go to my account</LinkButton>
      </AuthFrame>
    );
  if (state === 'out')
    return (
      <AuthFrame
        title="Your new address"
        lead="Log in with the address that your account has now. Then you can confirm the new one."
      >
        <LinkButton to={paths.login} state={back} size="large">
          Login
        </LinkButton>
      </AuthFrame>
    );
  return <Confirm token={token} />;
}

function Confirm({ token }: { token: string }) {
  const { user } = useSession();
  const [changed, setChanged] = useState('');
  const { props, problem, busy } = useSendForm({
    send: async () => {
      const { email } = await confirmNewEmail(token);
      newAddress.forget();
      setChanged(email);
    },
  });
  if (changed)
    return (
      <AuthFrame title="Your address is changed.">
        <output className="block text-lg">
          From now on you log in with <strong className="wrap-anywhere">{changed}</strong>. Every
          other device was signed out.
        </output>
        {/* A new document: what was read with the old address is forgotten. */}
        <a href={paths.dashboard.account} className="btn btn-primary btn-lg font-medium">
          Go to my account
        </a>
      </AuthFrame>
    );
  return (
    <AuthFrame
      title="Your new address"
      lead="One press makes the address that this link was mailed to the one of your account."
    >
      <form className="flex flex-col gap-5" {...props}>
        <p>
          Your account has the address <strong className="wrap-anywhere">{user?.email}</strong> now.
        </p>
        <Problem text={problem} />
        <Button type="submit" size="large" busy={busy}>
          Use the new address
        </Button>
      </form>
    </AuthFrame>
  );
}
