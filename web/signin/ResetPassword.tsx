// /resetpassword?token=…: chooses a new password by the mailed link.
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { readable } from '../platform/api/send.ts';
import { AuthFrame, WhatStays } from './AuthFrame.tsx';
import { paths } from '../platform/paths.ts';
import { resetPassword } from '../people/session/account.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { ErrorNote, ProgressBar } from '../platform/ui/States.tsx';
import { useMailedLink } from './mailedlink.ts';
import { NewPasswordForm } from './NewPasswordForm.tsx';

export function ResetPassword() {
  usePageTitle('New Password', { hidden: true });
  const [search] = useSearchParams();
  const [done, setDone] = useState(false);
  const token = search.get('token') ?? '';
  const { state, die, again } = useMailedLink('reset', token);

  if (done) {
    return (
      <AuthFrame title="Your password is changed." lead="Please log in with the new one.">
        <WhatStays />
        <LinkButton to={paths.login} size="large">
          Log in
        </LinkButton>
      </AuthFrame>
    );
  }
  if (state === 'checking') return <ProgressBar label="Checking the link" />;
  if (state === 'dead') {
    return (
      <AuthFrame
        title="This link has expired"
        lead="A link works once and for an hour. You can ask for another."
      >
        <LinkButton to={paths.forgotPassword}>Send me a new link</LinkButton>
      </AuthFrame>
    );
  }
  if ('error' in state) {
    return (
      <AuthFrame title="Choose a new password">
        <ErrorNote message={readable(state.error)} onRetry={again} />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Choose a new password">
      <NewPasswordForm
        submit="Change password"
        onDead={die}
        save={async (newPassword) => {
          await resetPassword({ token, newPassword });
          setDone(true);
        }}
      />
    </AuthFrame>
  );
}
