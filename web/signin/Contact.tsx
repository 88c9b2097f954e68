// The phone number of the account page, and the line about oneself.
import { type Account, updateAccount } from '../../contract/signin/account.ts';
import { useSendForm } from '../platform/api/form.ts';
import { useCall } from '../platform/api/query.ts';
import { Problem } from '../platform/ui/Problem.tsx';
import { useTeaches } from '../people/session/teaches.ts';
import { toast } from '../platform/ui/alert.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Field } from '../platform/ui/Field.tsx';

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
      <Button type="submit" look="outline" busy={busy} className="self-start">
        Save
      </Button>
    </form>
  );
}
