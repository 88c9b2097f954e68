// /forgotpassword: asks for a mail with a single-use link. The answer never tells whether the email
// is known.
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { useSettings } from '../api/query.ts';
import { AuthFrame, Problem, readable, typed } from '../features/auth/AuthFrame.tsx';
import { paths } from '../paths.ts';
import { requestReset } from '../session/account.ts';
import { Button, LinkButton } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { usePageTitle } from '../ui/head.tsx';

export function ForgotPassword() {
  usePageTitle('Forgot Password', { hidden: true });
  const { demo } = useSettings();
  const [sentTo, setSentTo] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = typed(event.currentTarget, 'email').trim();
    setBusy(true);
    setProblem('');
    try {
      await requestReset(email);
      setSentTo(email);
    } catch (error) {
      setProblem(readable(error));
    }
    setBusy(false);
  };

  if (sentTo) {
    return (
      <AuthFrame title="Look into your mailbox">
        <output className="block text-lg">
          If there is an account for <strong className="break-all">{sentTo}</strong>, a mail with a
          link is on its way. The link works once and for an hour.
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
      <form method="post" className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
        <Field
          label="Email"
          name="email"
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
