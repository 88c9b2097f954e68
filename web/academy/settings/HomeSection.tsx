// The first screen of the home page: headline, text and the four banners.
import { useWatch } from 'react-hook-form';
import type { Academy, Banner } from '../../../contract/academy/academy.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { Field, TextArea } from '../../platform/ui/Field.tsx';
import { PictureField } from './PictureField.tsx';
import { SectionCard } from './SectionCard.tsx';
import { SitePreview } from './SitePreview.tsx';
import { type SectionProps, useSection } from './useSection.ts';

const { headline: longest, welcome, alt } = limits.academy;

interface Values {
  headline: string;
  welcome: string;
  banners: { picture: string; alt: string }[];
}

const valuesOf = ({ headline, welcome, banners }: Academy): Values => ({
  headline,
  welcome,
  banners: banners.map((banner) => banner ?? { picture: '', alt: '' }),
});

/** An empty place shows the picture that Rally brings. */
const orOurs = ({ picture, alt }: Values['banners'][number]): Banner =>
  picture.trim() === '' && alt.trim() === '' ? null : { picture, alt };

export function HomeSection({ id, title, academy }: SectionProps) {
  const section = useSection<Values>({
    academy,
    values: valuesOf,
    asSent: ({ banners, ...words }) => ({
      ...words,
      ...(banners && { banners: banners.map(orOurs) }),
    }),
  });
  const { field, form } = section;
  const headline = useWatch({ control: form.control, name: 'headline' });
  return (
    <SectionCard
      id={id}
      title={title}
      section={section}
      preview={<SitePreview academy={{ ...academy, headline }} />}
    >
      <Field
        label="Headline"
        {...field('headline')}
        maxLength={longest}
        placeholder="Classes they will want to talk about."
      />
      <TextArea label="Text" {...field('welcome')} rows={3} maxLength={welcome} />
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
            label="What it shows"
            {...field(`banners.${at}.alt`)}
            maxLength={alt}
            hint="Read to people who cannot see it."
          />
        </fieldset>
      ))}
    </SectionCard>
  );
}
