// Name and birth date of a person. The account's own name is changed in Account.
import { Link } from 'react-router';
import { changeParticipant, type Participant } from '../../../contract/people/family.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { ApiError } from '../../platform/api/send.ts';
import { useCall } from '../../platform/api/query.ts';
import { Problem } from '../../platform/ui/Problem.tsx';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { CardSection } from '../../platform/ui/CardSection.tsx';
import { Field } from '../../platform/ui/Field.tsx';
import { ask, toast } from '../../platform/ui/alert.ts';
import { useUnsaved } from '../../platform/ui/unsaved.ts';
import { BirthDate } from './AddChild.tsx';

export function Details({ person: { _id, self, name, born } }: { person: Participant }) {
  const change = useCall(changeParticipant);
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
        <BirthDate required {...field('born')} />
        <Problem text={problem} />
        <Button type="submit" busy={busy} disabled={!isDirty} className="self-start">
          Save
        </Button>
      </form>
    </CardSection>
  );
}
