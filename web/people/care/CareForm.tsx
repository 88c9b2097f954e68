// The form of care facts: four short parts, saved together.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Resolver, useWatch } from 'react-hook-form';
import { type Care, type CareFacts, writeCare } from '../../../contract/people/care.ts';
import { careInWords, documentOf } from '../../../contract/people/carewords.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { attempt } from '../../platform/api/attempt.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { readAgain, useCall } from '../../platform/api/query.ts';
import { ApiError } from '../../platform/api/send.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { TextArea, Tick } from '../../platform/ui/Field.tsx';
import { ErrorNote } from '../../platform/ui/States.tsx';
import { Note } from '../../platform/ui/Note.tsx';
import { toast } from '../../platform/ui/alert.ts';
import { dateOf } from '../../platform/ui/dates.ts';
import { useUnsaved } from '../../platform/ui/unsaved.ts';
import { CarePeople, labelled } from './CarePeople.tsx';

interface CareFormProps {
  participantId: string;
  /** How the page calls them: "Mia", or "you". */
  name: string;
  facts: CareFacts;
}

const loadRules = () => import('./careRules.ts').catch(() => null);
const resolver: Resolver<Care> = async (values, ...rest) =>
  (await loadRules())?.careRules(values, ...rest) ?? { values, errors: {} };

export function CareForm({ participantId, name, facts }: CareFormProps) {
  useEffect(() => void loadRules(), []);
  const write = useCall(writeCare);
  /** The facts that the form was filled with. */
  const seen = useRef(facts);
  const [changed, setChanged] = useState(false);
  const client = useQueryClient();
  const save = (care: Care) =>
    write.mutateAsync({ id: participantId, ...care, seen: seen.current.confirmedAt });
  const form = useSendForm<Care>({
    defaultValues: documentOf(facts),
    resolver,
    send: async (care, { reset }) => {
      try {
        await save(care);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'CARE_CHANGED') throw error;
        await readAgain(client);
        return setChanged(true);
      }
      setChanged(false);
      reset(care);
      toast('Allergies and contacts saved');
    },
  });
  const { reset } = form.form;
  const { isDirty } = form.form.formState;
  useUnsaved(isDirty);
  const isTyped = useRef(false);
  useEffect(() => {
    isTyped.current = isDirty;
  }, [isDirty]);
  // Another guardian may have saved: a form in which nothing is typed shows it.
  useEffect(() => {
    if (isTyped.current) return;
    seen.current = facts;
    reset(documentOf(facts));
  }, [facts, reset]);
  const useTheirs = () => {
    seen.current = facts;
    reset(documentOf(facts));
    setChanged(false);
  };
  const mayGoAlone = useWatch({ control: form.form.control, name: 'mayGoAlone' });
  const area = (field: 'allergies' | 'health' | 'medicine' | 'note', label: string) => ({
    ...labelled(label, form.field(field)),
    maxLength: limits.care[field],
    rows: 2,
  });

  return (
    <form className="flex flex-col gap-4" {...form.props}>
      <CareNote
        facts={facts}
        busy={write.isPending}
        // What is on the screen and not saved yet is not what was confirmed.
        onConfirm={isDirty ? undefined : () => save(documentOf(facts))}
      />
      <Part title="Health" hint="Leave empty what does not apply.">
        <TextArea {...area('allergies', 'Allergies')} placeholder="Peanuts, bee stings" />
        <TextArea {...area('health', 'Health')} placeholder="Asthma, weak left ankle" />
        <TextArea
          {...area('medicine', 'Medicine')}
          placeholder="Inhaler in the blue bag, two puffs"
        />
        <TextArea
          {...area('note', 'What else should the instructor know?')}
          placeholder="Needs a quiet minute when it gets loud"
        />
      </Part>
      <Part title="Whom to call" hint="In an emergency, in this order.">
        <CarePeople form={form} list="contacts" one="contact" most={limits.care.contacts} />
      </Part>
      <Part title="Who may pick up" hint="People other than the guardians.">
        <CarePeople form={form} list="pickup" one="person" most={limits.care.pickup} />
      </Part>
      <Part title="After class">
        <Tick {...form.form.register('mayGoAlone')}>
          May leave alone
          <span className="muted block text-sm">
            {mayGoAlone
              ? 'The instructor lets them go when class ends.'
              : 'The instructor waits until they are picked up.'}
          </span>
        </Tick>
      </Part>
      {changed ? (
        <CareChanged
          theirs={facts}
          busy={form.busy}
          onTheirs={useTheirs}
          onMine={() => (seen.current = facts)}
        />
      ) : (
        <ErrorNote message={form.problem} onRetry={form.retry} />
      )}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <output className="muted text-sm">{isDirty ? 'Not saved yet' : ''}</output>
        <Button type="submit" busy={form.busy} className="max-sm:w-full">
          Save allergies and contacts
          <span className="sr-only"> of {name}</span>
        </Button>
      </div>
    </form>
  );
}

interface PartProps {
  title: string;
  hint?: string;
  children: ReactNode;
}

const Part = ({ title, hint, children }: PartProps) => (
  <fieldset className="card-frame min-w-0">
    <legend className="sr-only">{title}</legend>
    <div aria-hidden="true">
      <p className="font-semibold">{title}</p>
      {hint && <p className="muted text-sm">{hint}</p>}
    </div>
    {children}
  </fieldset>
);

interface CareNoteProps {
  facts: CareFacts;
  busy: boolean;
  /** Absent while the form has changes that are not saved. */
  onConfirm: (() => Promise<unknown>) | undefined;
}

/** What comes before anything else: to confirm the facts again, or to enter them again. */
function CareNote({ facts: { state, confirmedAt }, busy, onConfirm }: CareNoteProps) {
  if (state === 'unreadable')
    return (
      <Note tone="bad" announced="at once">
        The allergies and contacts cannot be read; please enter them again.
      </Note>
    );
  if (state !== 'old' || !confirmedAt) return null;
  const confirm = () =>
    attempt(
      async () => onConfirm?.(),
      'Thank you. Allergies and contacts confirmed',
      'Not confirmed',
    );
  return (
    <Note
      tone="warn"
      title="Still right?"
      action={
        <Button look="outline" busy={busy} disabled={!onConfirm} onClick={() => void confirm()}>
          Yes, still right
        </Button>
      }
    >
      <p className="meta">Last confirmed on {dateOf(confirmedAt, 'always')}.</p>
    </Note>
  );
}

interface CareChangedProps {
  theirs: CareFacts;
  busy: boolean;
  onTheirs: () => void;
  /** Before the form is sent. */
  onMine: () => void;
}

/** Another guardian saved while this form was being filled: which facts count is asked. */
function CareChanged({ theirs, busy, onTheirs, onMine }: CareChangedProps) {
  return (
    <Note
      tone="warn"
      announced="at once"
      title="Another guardian has just saved these facts"
      action={
        <>
          <Button look="outline" onClick={onTheirs}>
            Take theirs
          </Button>
          <Button type="submit" look="outline" busy={busy} onClick={onMine}>
            Save mine instead
          </Button>
        </>
      }
    >
      <p>Yours are not saved yet. Theirs are:</p>
      <ul>
        {careInWords(theirs).map((line) => (
          <li key={line} className="whitespace-pre-line wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
    </Note>
  );
}
