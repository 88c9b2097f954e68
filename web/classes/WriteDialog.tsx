// Writes to the families of one class or, by an admin, of several or all.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { announce, countFamilies } from '../../contract/classes/announcements.ts';
import { limits } from '../../contract/platform/limits.ts';
import { useSendForm } from '../platform/api/form.ts';
import { query, useCall, useSettings } from '../platform/api/query.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Field, TextArea, Tick } from '../platform/ui/Field.tsx';
import { FormDialog } from '../platform/ui/FormDialog.tsx';
import { toast } from '../platform/ui/alert.ts';
import { inFamilies } from './AnnouncementList.tsx';
import { listClasses } from '../../contract/classes/classes.ts';

interface Choice {
  _id: string;
  name: string;
}

interface WriteDialogProps {
  /** One: it is written to. Several: the admin chooses among them, or all that have not ended. */
  classes: readonly Choice[];
  onClose: () => void;
}

export function WriteDialog({ classes, onClose }: WriteDialogProps) {
  const [only] = classes.length === 1 ? classes : [];
  // Null: all classes.
  const [chosen, setChosen] = useState<readonly string[] | null>(only ? [only._id] : null);
  const to = chosen === null ? {} : { classIds: [...chosen] };
  const write = useCall(announce);
  const { form, props, field, problem, busy } = useSendForm({
    defaultValues: { subject: '', words: '' },
    send: async ({ subject, words }) => {
      const { families } = await write.mutateAsync({ ...to, subject, words });
      onClose();
      toast(`Sent to ${inFamilies(families)}`);
    },
  });
  const reach = useQuery({ ...query(countFamilies, to), enabled: chosen?.length !== 0 });
  const families = chosen?.length === 0 ? 0 : reach.data?.families;
  return (
    <FormDialog
      title={only ? `Write to the families of ${only.name}` : 'Write to families'}
      form={{ props, problem: problem || reach.error?.message || null, busy }}
      submit="Send"
      disabled={!families}
      onClose={onClose}
    >
      {!only && <Choose classes={classes} chosen={chosen} choose={setChosen} />}
      <Field
        label="Subject"
        {...field('subject')}
        required
        data-focus-first
        maxLength={limits.announcement.subject}
      />
      <TextArea
        label="Text"
        hint={`Plain text, ${limits.text.toLocaleString('en')} characters at most.`}
        {...field('words')}
        required
        className="min-h-32"
        maxLength={limits.text}
      />
      <Preview control={form.control} className={only?.name ?? 'their class'} />
      <output className="text-sm font-medium">
        {families === undefined
          ? 'Counting the families …'
          : families === 0
            ? chosen?.length === 0
              ? 'Choose the classes whose families get it.'
              : 'No family would get it.'
            : `${inFamilies(families)} will get it. Answers go to your address.`}
      </output>
    </FormDialog>
  );
}

interface ChooseProps {
  classes: readonly Choice[];
  chosen: readonly string[] | null;
  choose: (ids: readonly string[] | null) => void;
}

function Choose({ classes, chosen, choose }: ChooseProps) {
  const flip = (id: string) =>
    choose(chosen?.includes(id) ? chosen.filter((one) => one !== id) : [...(chosen ?? []), id]);
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="text-sm font-semibold">Families of</legend>
      {[
        { words: 'all classes that have not ended', ids: null, isOn: chosen === null },
        { words: 'these classes', ids: [], isOn: chosen !== null },
      ].map(({ words, ids, isOn }) => (
        <label key={words} className="flex min-h-11 items-center gap-3">
          <input
            type="radio"
            name="to"
            className="accent-primary size-5 shrink-0"
            checked={isOn}
            onChange={() => choose(ids)}
          />
          {words}
        </label>
      ))}
      {chosen !== null && (
        <ul className="border-base-300 rounded-field max-h-48 overflow-y-auto border px-3">
          {classes.map(({ _id, name }) => (
            <li key={_id}>
              <Tick checked={chosen.includes(_id)} onChange={() => flip(_id)}>
                {name}
              </Tick>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

interface PreviewProps {
  control: Control<{ subject: string; words: string }>;
  className: string;
}

function Preview({ control, className }: PreviewProps) {
  const { user } = useSession();
  const { brand } = useSettings();
  const { subject = '', words = '' } = useWatch({ control });
  if (!subject && !words) return null;
  return (
    <section aria-label="As a mail" className="well max-h-64">
      <p className="muted text-xs">{brand}</p>
      <p className="mt-1 text-base font-bold wrap-anywhere">{subject}</p>
      <p className="mt-2">
        {user?.name} writes to the families of {className}:
      </p>
      <blockquote className="border-primary mt-2 border-l-4 pl-3 whitespace-pre-line wrap-anywhere">
        {words}
      </blockquote>
    </section>
  );
}

export function WriteToAll({ onClose }: { onClose: () => void }) {
  const found = useQuery(
    query(listClasses, { status: 'approved', sort: 'name', limit: limits.pageSize }),
  );
  const classes = found.data?.outQueryResult ?? [];
  // A single class would be the only choice: all is the same.
  return <WriteDialog classes={classes.length === 1 ? [] : classes} onClose={onClose} />;
}
