// The parts of the account page about how one is reached: the address, which changes once the new one
// is confirmed, the phone number and the line about oneself.
import { useState } from 'react';
import { type Account, updateAccount } from '../../../contract/account.ts';
import { useSendForm } from '../../api/form.ts';
import { useCall } from '../../api/query.ts';
import { PasswordField } from '../../features/auth/AuthFrame.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { useSession } from '../../session/SessionProvider.tsx';
import { useTeaches } from '../../session/teaches.ts';
import { changeEmail } from '../../session/staff.ts';
import { toast } from '../../ui/alert.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';

/** `password`: whether the account has one. */
export function ChangeEmail({ password }: { password: boolean }) {
  const { user } = useSession();
  const [mailed, setMailed] = useState('');
  const { props, field, problem, busy } = useSendForm({
    defaultValues: { email: '', password: '' },
    send: async (typed, { reset }) => {
      const email = typed.email.trim();
      await changeEmail({ email, password: typed.password });
      reset();
      setMailed(email);
    },
  });
  const present = (
    <Field label="Email" readOnly value={user?.email ?? ''} className="bg-base-200" />
  );
  if (!password)
    return (
      <>
        {present}
        <p className="muted">
          To change it, first choose a password: “Forgot password?” on the login page gives you one.
        </p>
      </>
    );
  return (
    <form method="post" className="flex flex-col gap-4" {...props}>
      {present}
      <Field
        label="New email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        hint="We mail a link there. Your address changes when you open it."
        {...field('email')}
      />
      <PasswordField label="Your password" {...field('password')} />
      <Problem text={problem} />
      <output className="empty:hidden">
        {mailed && `We have mailed a link to ${mailed}. It works for an hour, in this browser.`}
      </output>
      <Button type="submit" busy={busy} className="self-start">
        Change email
      </Button>
    </form>
  );
}

export function Contact({ account, changed }: { account: Account; changed: () => void }) {
  const teaches = useTeaches();
  const update = useCall(updateAccount);
  const { props, field, problem, busy } = useSendForm({
    values: { phone: account.phone ?? '', about: account.about ?? '' },
    send: async ({ phone, about }) => {
      await update.mutateAsync({ phone, about });
      changed();
      toast('Saved');
    },
  });
  return (
    <form className="flex flex-col gap-4" {...props}>
      <Field
        label="Phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={40}
        hint="For emergencies. Only the academy sees it. You can leave it empty."
        {...field('phone')}
      />
      {teaches && (
        <Field
          label="About you"
          maxLength={200}
          hint="One line that visitors read next to your name."
          {...field('about')}
        />
      )}
      <Problem text={problem} />
      <Button type="submit" busy={busy} className="self-start">
        Save
      </Button>
    </form>
  );
}
