// A dialog with a form: its fields, what is wrong with all of it, Cancel and the button that sends.
import type { ComponentProps, ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Modal } from './Modal.tsx';
import { ErrorNote } from './States.tsx';

interface FormDialogProps {
  title: string;
  form: { props: ComponentProps<'form'>; problem: string | null; busy: boolean };
  submit: string;
  cancel?: string | undefined;
  disabled?: boolean;
  danger?: boolean | undefined;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, form, submit, cancel = 'Cancel', disabled, danger, onClose, children } = props;
  return (
    <Modal title={title} onClose={onClose}>
      <form className="flex flex-col gap-4" {...form.props}>
        {children}
        {form.problem && <ErrorNote message={form.problem} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="plain" onClick={onClose}>
            {cancel}
          </Button>
          <Button
            type="submit"
            look={danger ? 'danger' : 'primary'}
            busy={form.busy}
            disabled={disabled}
          >
            {submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
