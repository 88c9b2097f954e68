// /resetpassword?token=…: chooses a new password by the mailed link.
import { useEffect, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { useNavigate, useSearchParams } from 'react-router';
import { useSettings } from '../api/query.ts';
import { ApiError } from '../api/send.ts';
import { AuthFrame, NewPasswords, Problem, readable } from '../features/AuthFrame.tsx';
import { paths } from '../paths.ts';
import { resetPassword } from '../session/session.ts';
import { success } from '../ui/alert.ts';
import { Button, LinkButton } from '../ui/Button.tsx';
import { usePageTitle } from '../ui/head.tsx';

const rules = () => import('./formrules.ts');

export function ResetPassword() {
  usePageTitle('New Password', { hidden: true });
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const token = search.get('token');
  const [dead, setDead] = useState(token === null || search.has('error'));
  const [problem, setProblem] = useState('');
  const { strictPasswords } = useSettings();
  const resolver: Resolver<{ password: string; confirmPassword: string }> = async (...form) =>
    (await rules()).resetRules(strictPasswords)(...form);
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { password: '', confirmPassword: '' },
    resolver,
  });
  const { errors, isSubmitting } = formState;
  useEffect(() => void rules(), []);

  const submit = handleSubmit(async ({ password }) => {
    setProblem('');
    try {
      await resetPassword({ token: token ?? '', newPassword: password });
      void success('Your password is changed.', 'Please log in with the new one.');
      await navigate(paths.login, { replace: true });
    } catch (error) {
      if (error instanceof ApiError && (error.code === 'BAD_LINK' || error.field === 'token')) setDead(true);
      else if (error instanceof ApiError && (error.field !== undefined || /PASSWORD/.test(error.code)))
        setError('password', { message: readable(error) }, { shouldFocus: true });
      else setProblem(readable(error));
    }
  });

  if (dead) {
    return (
      <AuthFrame title="This link has expired" lead="A link works once and for an hour. You can ask for another.">
        <LinkButton to={paths.forgotPassword}>Send me a new link</LinkButton>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Choose a new password">
      <form method="post" noValidate className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
        <NewPasswords label="New Password" field={(name) => ({ error: errors[name]?.message, ...register(name) })} />
        <Problem text={problem} />
        <Button type="submit" size="large" busy={isSubmitting}>
          Change password
        </Button>
      </form>
    </AuthFrame>
  );
}
