// Sends the mail that confirms the address once more.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getAccount } from '../../../contract/account.ts';
import { readAgain } from '../../api/query.ts';
import { readable } from '../../api/send.ts';
import { sendConfirmation } from '../../session/account.ts';
import { toast } from '../../ui/alert.ts';
import { Button } from '../../ui/Button.tsx';
import { Problem } from '../../ui/Problem.tsx';

export function SendConfirmation() {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const send = async () => {
    setBusy(true);
    setProblem('');
    try {
      const { already } = await sendConfirmation();
      toast(already ? 'Your address is confirmed' : 'The mail is on its way');
      if (already) await readAgain(client, [getAccount]);
    } catch (error) {
      setProblem(readable(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Problem text={problem} />
      <Button look="outline" className="self-start" busy={busy} onClick={() => void send()}>
        Send the mail again
      </Button>
    </>
  );
}
