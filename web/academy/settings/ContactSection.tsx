// How families reach the academy.
import { Field } from '../../platform/ui/Field.tsx';
import { limits } from '../../../contract/platform/limits.ts';
import { SectionCard } from './SectionCard.tsx';
import { type SectionProps, useSection } from './useSection.ts';

const { line } = limits.academy;

export function ContactSection({ id, title, academy }: SectionProps) {
  const section = useSection({
    academy,
    values: ({ email, phone, street, city, country, mapLink }) => ({
      email,
      phone,
      street,
      city,
      country,
      mapLink,
    }),
  });
  const { field } = section;
  return (
    <SectionCard
      id={id}
      title={title}
      lead="In the footer, on receipts, in mails and in answers to questions."
      section={section}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Email" {...field('email')} type="email" maxLength={limits.email} />
        <Field label="Phone" {...field('phone')} type="tel" maxLength={30} />
        <Field label="Street" {...field('street')} maxLength={line} />
        <Field label="City" {...field('city')} maxLength={line} />
        <Field label="Country" {...field('country')} maxLength={line} />
        <Field
          label="Map link"
          {...field('mapLink')}
          inputMode="url"
          placeholder="https://"
          hint="The city in the footer leads there."
        />
      </div>
    </SectionCard>
  );
}
