// A form without rules of its own: the browser checks `required`, `type` and the like. A visitor who
// logs in need not wait for the library of the other forms (form.ts).
import { type FormEvent, useRef, useState } from 'react';
import { readable } from './send.ts';

/** `send` gets the values by the names of the fields. */
export function usePlainForm<Name extends string>(
  send: (values: Record<Name, string>) => Promise<unknown>,
  inWords = readable,
) {
  // Null until the form was sent for the first time.
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // A second click can come before the button is drawn as busy.
  const sending = useRef(false);

  async function deliver(form: HTMLFormElement) {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setProblem('');
    try {
      await send(Object.fromEntries(new FormData(form)) as Record<Name, string>);
    } catch (error) {
      setProblem(inWords(error));
    } finally {
      sending.current = false;
      setBusy(false);
    }
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void deliver(event.currentTarget);
  };
  return { onSubmit, problem, busy };
}
