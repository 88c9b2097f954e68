// /newaddress#token: gives the account the address that the link was mailed to, in a session of the
// account that asked.
import { useState } from 'react';
import { confirmNewEmail } from '../../contract/signin/join.ts';
import { newAddress } from '../people/session/invitation.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { send } from '../platform/api/send.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { ProgressBar } from '../platform/ui/States.tsx';
import { AuthFrame, FailedFrame } from './AuthFrame.tsx';
import { Press, useMailedSecret } from './Mailed.tsx';

const title = 'Your new address';
const back = { from: { pathname: paths.newAddress } };

export function NewAddress() {
  usePageTitle('New Address', { hidden: true });
  const token = useMailedSecret(newAddress, paths.newAddress);
  const { state, user, retryRole } = useSession();
  const [changed, setChanged] = useState('');
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
  if (retryRole) return <FailedFrame title={title} onRetry={retryRole} />;
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
        title={title}
        lead="Log in with the address that your account has now. Then you can confirm the new one."
      >
        <LinkButton to={paths.login} state={back} size="large">
          Login
        </LinkButton>
      </AuthFrame>
    );
  const confirm = async () => {
    const { email } = await send(confirmNewEmail, { token });
    newAddress.forget();
    setChanged(email);
  };
  return (
    <AuthFrame
      title={title}
      lead="One press makes the address that this link was mailed to the one of your account."
    >
      <Press submit="Use the new address" act={confirm}>
        <p>
          Your account has the address <strong className="wrap-anywhere">{user?.email}</strong> now.
        </p>
      </Press>
    </AuthFrame>
  );
}
