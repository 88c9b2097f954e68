// A new password, typed twice, with the rules of the contract: for the pages that a mailed link
// opens.
// Not for: changing a password while signed in (dashboard/Account.tsx).
import { useEffect, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { useSettings } from '../api/query.ts';
import { ApiError } from '../api/send.ts';
import { NewPasswords, Problem, readable } from '../features/auth/AuthFrame.tsx';
import { Button } from '../ui/Button.tsx';

const rules = () => import('./formrules.ts');

export function NewPasswordForm({
  submit,
  save,
  onDead,
}: {
  submit: string;
  save: (password: string) => Promise<void>;
  /** The link stopped working while the form was open. */
  onDead: () => void;
}) {
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

  const send = handleSubmit(async ({ password }) => {
    setProblem('');
    try {
      await save(password);
    } catch (error) {
      if (error instanceof ApiError && (error.code === 'BAD_LINK' || error.field === 'token'))
        onDead();
      else if (
        error instanceof ApiError &&
        (error.field !== undefined || /PASSWORD/.test(error.code))
      )
        setError('password', { message: readable(error) }, { shouldFocus: true });
      else setProblem(readable(error));
    }
  });

  return (
    <form
      method="post"
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => void send(event)}
    >
      <NewPasswords
        label="New Password"
        field={(name) => ({ error: errors[name]?.message, ...register(name) })}
      />
      <Problem text={problem} />
      <Button type="submit" size="large" busy={isSubmitting}>
        {submit}
      </Button>
    </form>
  );
}
