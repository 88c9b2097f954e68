// Name and birth date of a person. The account's own name is changed in Account.
import { Link } from 'react-router';
import {
  changeParticipant,
  listParticipants,
  type Participant,
} from '../../../../contract/family.ts';
import { limits } from '../../../../contract/limits.ts';
import { useSendForm } from '../../../api/form.ts';
import { ApiError } from '../../../api/send.ts';
import { useCall, useSettings } from '../../../api/query.ts';
import { Problem } from '../../../ui/Problem.tsx';
import { todayIn } from '../../../ui/dates.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { CardSection } from '../../../ui/CardSection.tsx';
import { Field } from '../../../ui/Field.tsx';
import { ask, toast } from '../../../ui/alert.ts';
import { useUnsaved } from '../../../ui/unsaved.ts';
import { BirthDate } from './AddChild.tsx';

export function Details({ person: { _id, self, name, born } }: { person: Participant }) {
  const change = useCall(changeParticipant, { refreshes: [listParticipants] });
  const today = todayIn(useSettings().timeZone);
  const { form, props, field, problem, busy } = useSendForm({
    values: { name, born: born ?? '' },
    send: async (typed) => {
      const input = {
        id: _id,
        ...(typed.name !== name && { name: typed.name }),
        ...(typed.born !== born && { born: typed.born }),
      };
      try {
        await change.mutateAsync(input);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'NO_LONGER_FITS')) throw error;
        const text = error.message;
        if (!(await ask({ title: 'Is the birth date right?', text, yes: 'Yes, save it' }))) return;
        await change.mutateAsync({ ...input, sure: true });
      }
      form.reset(typed);
      toast('Saved');
    },
  });
  const { isDirty } = form.formState;
  useUnsaved(isDirty);
  return (
    <CardSection title="Details">
      <form className="flex flex-col gap-4" {...props}>
        {self ? (
          <Field
            label="Name"
            readOnly
            value={name}
            className="bg-base-200"
            hint={
              <>
                Your name is changed in your{' '}
                <Link to={paths.dashboard.account} className="link">
                  account
                </Link>
                .
              </>
            }
          />
        ) : (
          <Field
            label="Name"
            required
            maxLength={limits.name}
            autoComplete="off"
            {...field('name')}
          />
        )}
        <BirthDate today={today} required {...field('born')} />
        <Problem text={problem} />
        <Button type="submit" busy={busy} disabled={!isDirty} className="self-start">
          Save
        </Button>
      </form>
    </CardSection>
  );
}
