// /forgotpassword: asks for a mail with a single-use link. The answer never tells whether the email
// is known.
import { useState } from 'react';
import { Link } from 'react-router';
import { useSendForm } from '../platform/api/form.ts';
import { useSettings } from '../platform/api/query.ts';
import { AuthFrame } from './AuthFrame.tsx';
import { Problem } from '../platform/ui/Problem.tsx';
import { paths } from '../platform/paths.ts';
import { requestReset } from '../people/session/account.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Field } from '../platform/ui/Field.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';

export function ForgotPassword() {
  usePageTitle('Forgot Password', { hidden: true });
  const { demo } = useSettings();
  const [sentTo, setSentTo] = useState('');
  const { props, field, problem, busy } = useSendForm<{ email: string }>({
    send: async ({ email }) => {
      await requestReset(email.trim());
      setSentTo(email.trim());
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
      <form method="post" className="flex flex-col gap-5" {...props}>
        <Field
          label="Email"
          {...field('email')}
          type="email"
          required
          autoComplete="username"
          inputMode="email"
        />
        <Problem text={problem} />
        <Button type="submit" size="large" busy={busy}>
          Send the link
        </Button>
      </form>
    </AuthFrame>
  );
}
