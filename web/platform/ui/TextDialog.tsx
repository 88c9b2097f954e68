// A dialog that asks for one text, such as a reason or feedback, and sends it.
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { TextArea } from './Field.tsx';
import { FormDialog } from './FormDialog.tsx';
import { toast } from './alert.ts';

interface TextDialogProps {
  title: string;
  children?: ReactNode;
  label: string;
  hint: string;
  initial?: string;
  maxLength: number;
  submit: string;
  cancel?: string;
  danger?: boolean;
  send: (text: string) => Promise<unknown>;
  sent?: string;
  onClose: () => void;
}

export function TextDialog(props: TextDialogProps) {
  const { title, children, label, hint, initial = '', maxLength } = props;
  const { submit, cancel, danger, onClose } = props;
  const [text, setText] = useState(initial);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // A second click can come before the button is drawn as busy.
  const sending = useRef(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setError(null);
    try {
      await props.send(text);
      onClose();
      if (props.sent) toast(props.sent);
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : 'This could not be sent.');
      setBusy(false);
      sending.current = false;
    }
  };

  return (
    <FormDialog
      {...{ title, submit, cancel, danger, onClose }}
      form={{ props: { onSubmit: (event) => void send(event) }, problem: error, busy }}
      disabled={text.trim() === ''}
    >
      {children}
      <TextArea
        label={label}
        hint={hint}
        required
        data-focus-first
        className="min-h-32"
        value={text}
        maxLength={maxLength}
        onChange={(event) => setText(event.target.value)}
      />
    </FormDialog>
  );
}
