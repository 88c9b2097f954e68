// The sections whose fields are texts, pictures and lists of both, sports and pages.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type FieldValues, type Path, useFieldArray, useWatch } from 'react-hook-form';
import { type Academy, type Banner, previewPage } from '../../../contract/academy/academy.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { type PageName, pageNames, pageTitles } from '../../../contract/platform/pages.ts';
import { sportIcons } from '../../../contract/platform/sporticons.ts';
import { useSettled } from '../../classes/dates/useSettled.ts';
import { SportIcon as SportsIcon } from '../../classes/SportIcon.tsx';
import { query } from '../../platform/api/query.ts';
import { Field, Select, TextArea } from '../../platform/ui/Field.tsx';
import { capital } from '../../platform/ui/locale.ts';
import { Tabs } from '../../platform/ui/Tabs.tsx';
import { AddRow, ListTools, RowList } from './RowList.tsx';
import { SectionCard } from './SectionCard.tsx';
import { SitePreview } from './SitePreview.tsx';
import { only, type SectionProps, useSection } from './useSection.ts';
import type { SendForm } from '../../platform/api/form.ts';
import { uploadAs, usePhoto } from '../../platform/api/photo.ts';
import { PhotoField } from '../../platform/ui/PhotoField.tsx';

const most = limits.academy;

export function NameSection(props: SectionProps) {
  const section = useSection({
    ...props,
    values: only('name', 'shortName', 'tagline', 'logo', 'icon'),
  });
  const { field, form } = section;
  const typed = useWatch({ control: form.control });
  return (
    <SectionCard
      section={section}
      preview={<SitePreview academy={{ ...props.academy, ...typed }} />}
    >
      <Field {...field('name')} required maxLength={most.name} />
      <Field
        {...field('shortName')}
        maxLength={most.shortName}
        hint="For the top of the page on phones. Without it the whole name is shown."
      />
      <Field {...field('tagline')} maxLength={most.tagline} hint="One sentence, in the footer." />
      <PictureField
        form={section}
        name="logo"
        logo
        label="Logo"
        hint="Shown in the navbar, on receipts and in mails. Without it: our ball."
      />
      <PictureField
        form={section}
        name="icon"
        logo
        label="Icon"
        hint="A square picture for the browser’s tab and the phone’s home screen."
      />
    </SectionCard>
  );
}

export function ContactSection(props: SectionProps) {
  const section = useSection({
    ...props,
    values: only('email', 'phone', 'street', 'city', 'country', 'mapLink'),
  });
  const { field } = section;
  return (
    <SectionCard
      lead="In the footer, on receipts, in mails and in answers to questions."
      section={section}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field {...field('email')} type="email" maxLength={limits.email} />
        <Field {...field('phone')} type="tel" maxLength={30} />
        <Field {...field('street')} maxLength={most.line} />
        <Field {...field('city')} maxLength={most.line} />
        <Field {...field('country')} maxLength={most.line} />
        <Field
          {...field('mapLink')}
          inputMode="url"
          placeholder="https://"
          hint="The city in the footer leads there."
        />
      </div>
    </SectionCard>
  );
}

interface HomeValues {
  headline: string;
  welcome: string;
  banners: { picture: string; alt: string }[];
}

const homeOf = ({ headline, welcome, banners }: Academy): HomeValues => ({
  headline,
  welcome,
  banners: banners.map((banner) => banner ?? { picture: '', alt: '' }),
});

/** An empty place shows the picture that Rally brings. */
const orOurs = ({ picture, alt }: HomeValues['banners'][number]): Banner =>
  picture.trim() === '' && alt.trim() === '' ? null : { picture, alt };

export function HomeSection(props: SectionProps) {
  const { academy } = props;
  const section = useSection<HomeValues>({
    ...props,
    values: homeOf,
    asSent: ({ banners, ...words }) => ({
      ...words,
      ...(banners && { banners: banners.map(orOurs) }),
    }),
  });
  const { field, form } = section;
  const headline = useWatch({ control: form.control, name: 'headline' });
  return (
    <SectionCard section={section} preview={<SitePreview academy={{ ...academy, headline }} />}>
      <Field {...field('headline')} maxLength={most.headline} placeholder="Come and play." />
      <TextArea {...field('welcome')} rows={3} maxLength={most.welcome} />
      {academy.banners.map((_, at) => (
        <fieldset
          // The four places stay where they are.
          key={`place ${at + 1}`}
          className="border-base-300 rounded-field flex flex-col gap-3 border p-4"
        >
          <legend className="px-1 text-sm font-semibold">Banner {at + 1}</legend>
          <PictureField
            form={section}
            name={`banners.${at}.picture`}
            label="Picture"
            hint="Wide, such as 1920 × 823. Its left half is behind the headline. Empty: ours."
          />
          <Field
            {...field(`banners.${at}.alt`)}
            label="What it shows"
            maxLength={most.alt}
            hint="Read to people who cannot see it."
          />
        </fieldset>
      ))}
    </SectionCard>
  );
}

export function SponsorsSection(props: SectionProps) {
  const section = useSection({ ...props, values: only('sponsors') });
  const { field, form } = section;
  const list = useFieldArray({ control: form.control, name: 'sponsors' });
  return (
    <SectionCard lead="Without any, the home page has no section for them." section={section}>
      <RowList
        one="sponsor"
        list={list}
        most={most.sponsors}
        onAdd={() => list.append({ name: '', picture: '', link: '' })}
      >
        {(at) => (
          <>
            <Field
              {...field(`sponsors.${at}.name`)}
              label="Name"
              maxLength={most.name}
              className="min-h-11"
            />
            <PictureField form={section} name={`sponsors.${at}.picture`} label="Picture" logo />
            <Field
              {...field(`sponsors.${at}.link`)}
              label="Link"
              inputMode="url"
              placeholder="https://"
            />
          </>
        )}
      </RowList>
    </SectionCard>
  );
}

export function QuestionsSection(props: SectionProps) {
  const section = useSection({ ...props, values: only('faq') });
  const { field, form } = section;
  const list = useFieldArray({ control: form.control, name: 'faq' });
  return (
    <SectionCard
      lead="Under “Before you book”. {contact} in an answer becomes your contact address."
      section={section}
    >
      <RowList
        one="question"
        list={list}
        most={most.questions}
        onAdd={() => list.append({ question: '', answer: '' })}
      >
        {(at) => (
          <>
            <Field
              {...field(`faq.${at}.question`)}
              label="Question"
              maxLength={most.question}
              className="min-h-11"
            />
            <TextArea
              {...field(`faq.${at}.answer`)}
              label="Answer"
              rows={3}
              maxLength={most.answer}
            />
          </>
        )}
      </RowList>
    </SectionCard>
  );
}

// One with classes can be renamed, not removed.
const sportsOf = ({ sports }: Academy) => ({
  // `was` is the name that is stored; empty for a new one.
  sports: sports.map((sport) => ({ ...sport, was: sport.name })),
});

const asRenamed = ({ name, icon, was }: ReturnType<typeof sportsOf>['sports'][number]) => ({
  name,
  icon,
  ...(was && was !== name && { was }),
});

export function SportsSection(props: SectionProps) {
  const section = useSection({
    ...props,
    values: sportsOf,
    asSent: ({ sports }) => ({
      ...(sports && { sports: sports.map(asRenamed) }),
    }),
  });
  const { field, form } = section;
  const list = useFieldArray({ control: form.control, name: 'sports' });
  const typed = useWatch({ control: form.control, name: 'sports' });
  return (
    <SectionCard
      lead="In the filters and in the form of a class, in this order. A new name reaches all classes."
      section={section}
    >
      <ol className="divide-base-300 flex flex-col divide-y">
        {list.fields.map((row, at) => (
          <li key={row.id} className="faq-row">
            <span className="bg-base-200 rounded-field flex size-11 shrink-0 items-center justify-center">
              <SportsIcon name={typed[at]?.icon ?? 'ball'} className="size-5" />
            </span>
            <div className="min-w-40 flex-1">
              <Field
                {...field(`sports.${at}.name`)}
                label="Sport"
                maxLength={most.sport}
                className="min-h-11"
              />
            </div>
            <div className="w-32">
              <Select {...field(`sports.${at}.icon`)} label="Icon" className="min-h-11">
                {sportIcons.map((icon) => (
                  <option key={icon} value={icon}>
                    {capital(icon)}
                  </option>
                ))}
              </Select>
            </div>
            <ListTools
              what={row.was || `sport ${at + 1}`}
              at={at}
              list={list}
              stays={row.used ? 'it has classes' : undefined}
            />
          </li>
        ))}
      </ol>
      <AddRow
        one="sport"
        list={list}
        most={most.sports}
        onAdd={() => list.append({ name: '', icon: 'ball', was: '', used: false })}
      />
    </SectionCard>
  );
}

/** The pages that the academy writes in Markdown, each saved on its own. */
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
          maxLength={most.page}
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

interface PictureFieldProps<Values extends FieldValues> {
  form: SendForm<Values>;
  name: Path<Values>;
  label: string;
  hint?: string;
  /** Shown whole, not cut to the frame. */
  logo?: boolean;
}

const upload = uploadAs('academy');

function PictureField<Values extends FieldValues>({
  form,
  name,
  label,
  hint,
  logo = false,
}: PictureFieldProps<Values>) {
  const photo = usePhoto(form, name, upload);
  return (
    <PhotoField
      label={label}
      {...form.field(name)}
      {...photo}
      // Pictures that Rally brings have several sizes under one name.
      address={
        /^\/media\/banner\/[\w-]+$/.test(photo.address)
          ? `${photo.address}-thumb.webp`
          : photo.address
      }
      shape={logo ? 'logo' : 'wide'}
      inputMode="url"
      hint={hint}
    />
  );
}
