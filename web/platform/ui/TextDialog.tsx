// A dialog that asks for one text, such as a reason or feedback, and sends it.
import { type ReactNode, useState } from 'react';
import { usePlainForm } from '../api/plainform.ts';
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
  const { onSubmit, ...form } = usePlainForm(async () => {
    await props.send(text);
    onClose();
    if (props.sent) toast(props.sent);
  });

  return (
    <FormDialog
      {...{ title, submit, cancel, danger, onClose }}
      form={{ props: { onSubmit }, ...form }}
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
