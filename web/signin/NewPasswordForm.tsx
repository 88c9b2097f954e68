// A new password, typed twice, with the rules of the contract: for the pages that a mailed link
// opens.
import { useEffect } from 'react';
import { useSendForm } from '../platform/api/form.ts';
import { useSettings } from '../platform/api/query.ts';
import { ApiError } from '../platform/api/send.ts';
import { NewPasswords } from './AuthFrame.tsx';
import { Problem } from '../platform/ui/Problem.tsx';
import { Button } from '../platform/ui/Button.tsx';

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
  const { strictPasswords } = useSettings();
  const { props, field, problem, retry, busy } = useSendForm<{
    password: string;
    confirmPassword: string;
  }>({
    resolver: async (...form) => (await rules()).resetRules(strictPasswords)(...form),
    send: async ({ password }) => {
      try {
        await save(password);
      } catch (error) {
        const dead =
          error instanceof ApiError && (error.code === 'BAD_LINK' || error.field === 'token');
        if (!dead) throw error;
        onDead();
      }
    },
    fieldOf: ({ field: named, code }) =>
      named !== undefined || /PASSWORD/.test(code) ? 'password' : undefined,
  });
  useEffect(() => void rules().catch(() => undefined), []);

  return (
    <form method="post" className="flex flex-col gap-5" {...props}>
      <NewPasswords label="New Password" field={field} />
      <Problem text={problem} onRetry={retry} />
      <Button type="submit" size="large" busy={busy}>
        {submit}
      </Button>
    </form>
  );
}
