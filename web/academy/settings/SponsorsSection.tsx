// The sponsors of the home page.
import { useFieldArray } from 'react-hook-form';
import { limits } from '../../../contract/platform/limits.ts';
import { Field } from '../../platform/ui/Field.tsx';
import { PictureField } from './PictureField.tsx';
import { Row, RowList } from './RowList.tsx';
import { SectionCard } from './SectionCard.tsx';
import { type SectionProps, useSection } from './useSection.ts';

export function SponsorsSection({ id, title, academy }: SectionProps) {
  const section = useSection({ academy, values: ({ sponsors }) => ({ sponsors }) });
  const { field, form } = section;
  const list = useFieldArray({ control: form.control, name: 'sponsors' });
  return (
    <SectionCard
      id={id}
      title={title}
      lead="Without any, the home page has no section for them."
      section={section}
    >
      <RowList
        one="sponsor"
        list={list}
        most={limits.academy.sponsors}
        onAdd={() => list.append({ name: '', picture: '', link: '' })}
      >
        {list.fields.map(({ id: key }, at) => (
          <Row key={key} one="sponsor" list={list} at={at}>
            <Field
              label="Name"
              {...field(`sponsors.${at}.name`)}
              maxLength={limits.academy.name}
              className="min-h-11"
            />
            <PictureField form={section} name={`sponsors.${at}.picture`} label="Picture" logo />
            <Field
              label="Link"
              {...field(`sponsors.${at}.link`)}
              inputMode="url"
              placeholder="https://"
            />
          </Row>
        ))}
      </RowList>
    </SectionCard>
  );
}
