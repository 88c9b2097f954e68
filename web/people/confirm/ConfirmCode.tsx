// The six digits that confirm an address, typed where they are needed: nothing ends by it.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { confirmEmail, sendConfirmation } from '../../../contract/signin/signin.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { readAgain } from '../../platform/api/query.ts';
import { readable, send } from '../../platform/api/send.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { toast } from '../../platform/ui/alert.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Field } from '../../platform/ui/Field.tsx';
import { ErrorNote } from '../../platform/ui/States.tsx';

interface ConfirmCodeProps {
  /** What was being done goes on. */
  onConfirmed?: () => void;
  /** The user goes to correct the address. Null: that is done beside it. */
  onCorrect?: (() => void) | null;
  /** Below another task of the page. */
  look?: 'primary' | 'outline';
  /** In a dialog of its own. */
  focused?: true;
}

export function ConfirmCode(props: ConfirmCodeProps) {
  const { onConfirmed, onCorrect, look = 'primary', focused } = props;
  const { user } = useSession();
  const client = useQueryClient();
  const [sent, setSent] = useState(false);
  const [unsent, setUnsent] = useState('');
  const [sending, setSending] = useState(false);
  const confirmed = async () => {
    toast('Your address is confirmed');
    onConfirmed?.();
    // The owner of the operator's address becomes the first admin by it.
    await readAgain(client);
  };
  const form = useSendForm({
    defaultValues: { code: '' },
    send: async ({ code }) => {
      await send(confirmEmail, { code: code.replaceAll(/\s/g, '') });
      await confirmed();
    },
  });
  const sendAgain = async () => {
    setSending(true);
    setUnsent('');
    try {
      if ((await send(sendConfirmation, {})).already) await confirmed();
      else setSent(true);
    } catch (error) {
      setUnsent(readable(error));
    }
    setSending(false);
  };
  return (
    <form method="post" className="flex flex-col gap-4" {...form.props}>
      <p className="max-w-prose">
        {sent ? 'A new mail with six digits is on its way to ' : 'We mailed six digits to '}
        <strong className="wrap-anywhere">{user?.email}</strong>.
      </p>
      <Field
        label="Code"
        {...form.field('code')}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        className="max-w-40 tracking-widest"
        data-focus-first={focused}
      />
      <ErrorNote message={form.problem || unsent || null} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look={look} busy={form.busy}>
          Confirm
        </Button>
        <Button look="plain" busy={sending} onClick={() => void sendAgain()}>
          Send a new mail
        </Button>
      </div>
      {onCorrect !== null && (
        <p className="text-sm">
          Wrong address?{' '}
          <Link to={`${paths.dashboard.account}#email`} className="link" onClick={onCorrect}>
            Correct it
          </Link>
        </p>
      )}
    </form>
  );
}
