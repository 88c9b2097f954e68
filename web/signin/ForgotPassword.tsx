// /forgotpassword: asks for a mail with a single-use link. The answer never tells whether the email
// is known.
import { useState } from 'react';
import { Link } from 'react-router';
import { requestPasswordReset } from '../../contract/signin/signin.ts';
import { useSendForm } from '../platform/api/form.ts';
import { send } from '../platform/api/send.ts';
import { useSettings } from '../platform/api/query.ts';
import { AuthForm, AuthFrame } from './AuthFrame.tsx';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { Field } from '../platform/ui/Field.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';

export function ForgotPassword() {
  usePageTitle('Forgot Password', { hidden: true });
  const { demo } = useSettings();
  const [sentTo, setSentTo] = useState('');
  const form = useSendForm<{ email: string }>({
    send: async (typed) => {
      const email = typed.email.trim();
      await send(requestPasswordReset, { email });
      setSentTo(email);
    },
  });

  if (sentTo) {
    return (
      <AuthFrame title="Check your email">
        <output className="block text-lg">
          If there is an account for <strong className="wrap-anywhere">{sentTo}</strong>, a mail
          with a link is on its way. The link works once and for an hour.
        </output>
        {demo && (
          <p className="muted">
            No mail server is set up here:{' '}
            <a href="/dev/mail" className="link link-primary">
              see what would have been mailed
            </a>
            .
          </p>
        )}
        <LinkButton to={paths.login} look="outline">
          Back to Login
        </LinkButton>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Forgot password?"
      lead="Tell us your email and we send you a link to choose a new one."
      foot={
        <Link to={paths.login} className="link link-primary">
          Back to Login
        </Link>
      }
    >
      <AuthForm form={form} submit="Send the link">
        <Field
          label="Email"
          {...form.field('email')}
          type="email"
          required
          autoComplete="username"
          inputMode="email"
        />
      </AuthForm>
    </AuthFrame>
  );
}
