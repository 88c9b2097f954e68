// Name, short name, tagline, logo and icon.
import { useWatch } from 'react-hook-form';
import { limits } from '../../../contract/platform/limits.ts';
import { Field } from '../../platform/ui/Field.tsx';
import { PictureField } from './PictureField.tsx';
import { SitePreview } from './SitePreview.tsx';
import { SectionCard } from './SectionCard.tsx';
import { type SectionProps, useSection } from './useSection.ts';

const { name: longest, shortName: short, tagline: line } = limits.academy;

export function NameSection({ id, title, academy }: SectionProps) {
  const section = useSection({
    academy,
    values: ({ name, shortName, tagline, logo, icon }) => ({
      name,
      shortName,
      tagline,
      logo,
      icon,
    }),
  });
  const { field, form } = section;
  const typed = useWatch({ control: form.control });
  return (
    <SectionCard
      id={id}
      title={title}
      section={section}
      preview={<SitePreview academy={{ ...academy, ...typed }} />}
    >
      <Field label="Name" {...field('name')} required maxLength={longest} />
      <Field
        label="Short name"
        {...field('shortName')}
        maxLength={short}
        hint="For the top of the page on phones. Without it the whole name is shown."
      />
      <Field
        label="Tagline"
        {...field('tagline')}
        maxLength={line}
        hint="One sentence, in the footer."
      />
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
