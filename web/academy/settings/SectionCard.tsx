// The frame of a section: its fields, a preview next to them on wide screens, what another admin
// changed meanwhile, and Save.
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { SendForm } from '../../platform/api/form.ts';
import { ErrorNote } from '../../platform/ui/States.tsx';
import { Button } from '../../platform/ui/Button.tsx';
import type { SectionProps } from './useSection.ts';
import { Note } from '../../platform/ui/Note.tsx';

interface SectionCardProps<Values extends FieldValues> {
  lead?: string;
  section: SendForm<Values> & Pick<SectionProps, 'id' | 'title'> & { meanwhile: readonly string[] };
  preview?: ReactNode;
  children: ReactNode;
}

/** What was changed can be saved without a way to the end of a long list. */
const savesAtHand =
  'border-base-300 bg-base-100 rounded-b-box sticky bottom-(--tabs,0px) z-10 -mx-4 -mb-4 border-t px-4 py-3 lg:-mx-6 lg:-mb-6 lg:px-6';

export function SectionCard<Values extends FieldValues>({
  lead,
  section,
  preview,
  children,
}: SectionCardProps<Values>) {
  const { id, title, props, problem, busy, meanwhile, form } = section;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="card-frame scroll-mt-20">
      <form {...props} className="@container flex flex-col gap-5">
        <div>
          <h2 id={`${id}-title`} className="heading">
            {title}
          </h2>
          {lead && <p className="muted mt-1 text-sm">{lead}</p>}
        </div>
        <div
          className={
            preview ? 'grid items-start gap-6 @min-[42rem]:grid-cols-[minmax(0,1fr)_20rem]' : ''
          }
        >
          <div className="flex min-w-0 flex-col gap-4">{children}</div>
          {preview && (
            <aside aria-label={`Preview: ${title}`} className="min-w-0 xl:sticky xl:top-20">
              {preview}
            </aside>
          )}
        </div>
        {meanwhile.length > 0 && (
          <Note tone="warn" announced="at once" title="Another admin has changed:">
            <ul className="list-disc pl-5 wrap-anywhere">
              {meanwhile.map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
            <p>What you typed is still here. Save again to keep it.</p>
          </Note>
        )}
        <ErrorNote message={meanwhile.length > 0 ? null : problem} />
        <div
          className={`flex flex-wrap items-center gap-3 ${form.formState.isDirty ? savesAtHand : ''}`}
        >
          <Button type="submit" busy={busy} disabled={!form.formState.isDirty}>
            Save
          </Button>
          {form.formState.isDirty && !busy && (
            <Button look="plain" onClick={() => form.reset()}>
              Discard changes
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}
