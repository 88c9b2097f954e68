// Who comes, for an account that has no such child yet: a new child, or the account's own birth date.
import { useEffect } from 'react';
import type { ClassDetail } from '../../contract/classes/classes.ts';
import { agesInWords } from '../../contract/people/ages.ts';
import {
  addParticipant,
  changeParticipant,
  type Participant,
} from '../../contract/people/family.ts';
import { limits } from '../../contract/platform/limits.ts';
import { useSendForm } from '../platform/api/form.ts';
import { useCall, useSettings } from '../platform/api/query.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Field } from '../platform/ui/Field.tsx';
import { Problem } from '../platform/ui/Problem.tsx';
import { todayIn } from '../platform/ui/dates.ts';
import { ageOn, isInRange } from './choices.ts';

interface NewPersonProps {
  item: ClassDetail;
  /** The account's own person, where it can be for them. */
  own: Participant | undefined;
  submit: string;
  onAdded: (chosen: { id: string; name: string; self: boolean }) => Promise<void>;
}

export function NewPerson({ item, own, submit, onAdded }: NewPersonProps) {
  const today = todayIn(useSettings().timeZone);

  const add = useCall(addParticipant);
  const change = useCall(changeParticipant);
  const { form, props, field, problem, busy } = useSendForm({
    defaultValues: { kind: 'A child', name: '', born: '' },
    send: async ({ kind, name, born }, { setError }) => {
      const { minAge = null, maxAge = null, firstDay = today } = item;
      if (own && kind === 'Myself') {
        await change.mutateAsync({ id: own._id, born });
        return onAdded({ id: own._id, name: own.name, self: true });
      }
      // A child who does not fit would be added for nothing.
      if (!isInRange(ageOn(born, firstDay), { minAge, maxAge }))
        return setError('born', { message: `Only for ${agesInWords({ minAge, maxAge })}` });
      const { insertedId: id } = await add.mutateAsync({ name, born });
      return onAdded({ id, name: name.trim(), self: false });
    },
  });
  const self = own !== undefined && form.watch('kind') === 'Myself';
  // After the sheet has opened, which gives the focus to its first button.
  const { setFocus } = form;
  useEffect(() => setFocus('name'), [setFocus]);
  return (
    <form className="flex flex-col gap-4" {...props}>
      {own && (
        <fieldset className="flex gap-6">
          <legend className="sr-only">Who is it for?</legend>
          {['A child', 'Myself'].map((one) => (
            <label key={one} className="flex min-h-11 cursor-pointer items-center gap-2">
              <input
                type="radio"
                value={one}
                className="accent-primary size-6"
                {...form.register('kind')}
              />
              {one}
            </label>
          ))}
        </fieldset>
      )}
      {!self && (
        <Field
          label="First name"
          hint={`Does somebody else look after ${form.watch('name').trim() || 'this child'} here? Ask them to invite you.`}
          required
          maxLength={limits.name}
          autoComplete="off"
          {...field('name')}
        />
      )}
      <Field
        label={self ? 'Your birth date' : 'Birth date'}
        type="date"
        min="1900-01-02"
        max={today}
        className="min-h-11"
        required
        {...field('born')}
      />
      <Problem text={problem} />
      <Button type="submit" size="large" busy={busy}>
        {submit}
      </Button>
    </form>
  );
}
