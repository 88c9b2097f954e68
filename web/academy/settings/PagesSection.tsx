// The pages that the academy writes in Markdown, each saved on its own, with the preview that the
// server makes of them.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { previewPage } from '../../../contract/academy/academy.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { type PageName, pageNames, pageTitles } from '../../../contract/platform/pages.ts';
import { query } from '../../platform/api/query.ts';
import { useSettled } from '../../classes/dates/useSettled.ts';
import { TextArea } from '../../platform/ui/Field.tsx';
import { Tabs } from '../../platform/ui/Tabs.tsx';
import { SectionCard } from './SectionCard.tsx';
import { only, type SectionProps, useSection } from './useSection.ts';

export function PagesSection({ id, title, academy }: SectionProps) {
  const [shown, setShown] = useState<PageName>('about');
  return (
    <div className="flex flex-col">
      <Tabs
        label={title}
        value={shown}
        options={pageNames.map((name) => [name, pageTitles[name]] as const)}
        onChange={(name) => setShown(name as PageName)}
      />
      {pageNames.map((name) => (
        <div key={name} hidden={name !== shown}>
          <PageForm
            id={name === shown ? id : `${id}-${name}`}
            title={pageTitles[name]}
            academy={academy}
            name={name}
          />
        </div>
      ))}
    </div>
  );
}

function PageForm({ name, ...props }: SectionProps & { name: PageName }) {
  const section = useSection({ ...props, values: only(name) });
  const text = useWatch({ control: section.form.control, name }) ?? '';
  const settled = useSettled(text, 600);
  const preview = useQuery({
    ...query(previewPage, { text: settled }),
    enabled: settled.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <SectionCard
      lead={`At /pages/${name}, linked in the footer${name === 'terms' ? ' and next to Pay' : ''}. Empty: there is no such page.`}
      section={section}
    >
      <div className="grid items-start gap-6 xl:grid-cols-2">
        <TextArea
          {...section.field(name)}
          label="Text, in Markdown"
          rows={14}
          maxLength={limits.academy.page}
          hint="# heading · **bold** · - list · [words](https://…)"
          className="font-mono text-sm"
        />
        <div>
          <p className="mb-1.5 text-sm font-semibold">Preview</p>
          <div className="border-base-300 rounded-field max-h-96 overflow-y-auto border p-4">
            {text.trim() && preview.data ? (
              // oxlint-disable-next-line react/no-danger
              <div className="written" dangerouslySetInnerHTML={{ __html: preview.data.html }} />
            ) : (
              <p className="muted">Nothing written yet.</p>
            )}
          </div>
        </div>
      </div>
    </SectionCard>
  );
}
