// The address on the account page. One that is confirmed changes when the link mailed to the new one
// is opened; one that is not is confirmed by its digits, or corrected at once.
import { useState } from 'react';
import type { Account } from '../../contract/signin/account.ts';
import { useSendForm } from '../platform/api/form.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { moveTo } from '../people/session/account.ts';
import { Field } from '../platform/ui/Field.tsx';
import { AuthForm, PasswordField } from './AuthFrame.tsx';
import { ConfirmInPlace } from '../people/confirm/ConfirmFirst.tsx';
import { EmailField } from '../platform/ui/EmailField.tsx';

export function OwnAddress({ password, unconfirmed }: Pick<Account, 'password' | 'unconfirmed'>) {
  const { user } = useSession();
  const now = user?.email ?? '';
  return (
    <>
      <Field label="Email" readOnly value={now} className="bg-base-200" />
      {unconfirmed && (
        <>
          <p className="text-warning font-medium">Not confirmed yet</p>
          {/* A new address has a mail of its own. */}
          <ConfirmInPlace key={now} onCorrect={null} />
          <h3 className="border-base-300 border-t pt-4 text-base">Wrong address? Correct it</h3>
        </>
      )}
      {password ? (
        <NewAddress unconfirmed={unconfirmed === true} />
      ) : (
        <p className="muted">
          To change it, first choose a password: “Forgot password?” on the login page gives you one.
        </p>
      )}
    </>
  );
}

function NewAddress({ unconfirmed }: { unconfirmed: boolean }) {
  const [said, setSaid] = useState('');
  const form = useSendForm({
    defaultValues: { email: '', password: '' },
    send: async (typed, { reset }) => {
      const email = typed.email.trim().toLowerCase();
      const now = await moveTo({ email, password: typed.password });
      reset();
      if (now === email) setSaid(`Corrected. We have mailed six digits to ${email}.`);
      // What becomes of an address that has an account is told to its owner only.
      else if (unconfirmed) setSaid(`We have written to ${email}. Please read the mail there.`);
      else setSaid(`We have mailed a link to ${email}. It works for an hour, in this browser.`);
    },
  });
  return (
    <AuthForm form={form} submit={unconfirmed ? 'Correct email' : 'Change email'} of="part">
      <EmailField
        label="New email"
        autoComplete="email"
        required
        hint={
          unconfirmed
            ? 'Your children, classes and payments stay.'
            : 'We mail a link there. Your address changes when you open it.'
        }
        {...form.field('email')}
        take={(email) => form.form.setValue('email', email)}
      />
      <PasswordField label="Your password" {...form.field('password')} />
      <output className="empty:hidden">{said}</output>
    </AuthForm>
  );
}
