// /resetpassword?token=…: chooses a new password by the mailed link.
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { resetPassword } from '../../contract/signin/signin.ts';
import { readable, send } from '../platform/api/send.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { ProgressBar } from '../platform/ui/States.tsx';
import { AuthFrame, FailedFrame, WhatStays } from './AuthFrame.tsx';
import { NewPasswordForm, useMailedLink } from './Mailed.tsx';

const title = 'Choose a new password';

export function ResetPassword() {
  usePageTitle('New Password', { hidden: true });
  const [search] = useSearchParams();
  const [done, setDone] = useState(false);
  const token = search.get('token') ?? '';
  const { link, isDead, error, die, again } = useMailedLink('reset', token);

  if (done)
    return (
      <AuthFrame title="Your password is changed." lead="Please log in with the new one.">
        <WhatStays />
        <LinkButton to={paths.login} size="large">
          Log in
        </LinkButton>
      </AuthFrame>
    );
  if (isDead)
    return (
      <AuthFrame
        title="This link has expired"
        lead="A link works once and for an hour. You can ask for another."
      >
        <LinkButton to={paths.forgotPassword}>Send me a new link</LinkButton>
      </AuthFrame>
    );
  if (error) return <FailedFrame title={title} message={readable(error)} onRetry={again} />;
  if (!link) return <ProgressBar label="Checking the link" />;
  const save = async (newPassword: string) => {
    await send(resetPassword, { token, newPassword });
    setDone(true);
  };
  return (
    <AuthFrame title={title}>
      <NewPasswordForm submit="Change password" onDead={die} save={save} />
    </AuthFrame>
  );
}
