// What parents ask, on the home page.
import { useFieldArray } from 'react-hook-form';
import { limits } from '../../../contract/platform/limits.ts';
import { Field, TextArea } from '../../platform/ui/Field.tsx';
import { Row, RowList } from './RowList.tsx';
import { SectionCard } from './SectionCard.tsx';
import { type SectionProps, useSection } from './useSection.ts';

export function QuestionsSection({ id, title, academy }: SectionProps) {
  const section = useSection({ academy, values: ({ faq }) => ({ faq }) });
  const { field, form } = section;
  const list = useFieldArray({ control: form.control, name: 'faq' });
  return (
    <SectionCard
      id={id}
      title={title}
      lead="Under “Before you book”. {contact} in an answer becomes your contact address."
      section={section}
    >
      <RowList
        one="question"
        list={list}
        most={limits.academy.questions}
        onAdd={() => list.append({ question: '', answer: '' })}
      >
        {list.fields.map(({ id: key }, at) => (
          <Row key={key} one="question" list={list} at={at}>
            <Field
              label="Question"
              {...field(`faq.${at}.question`)}
              maxLength={limits.academy.question}
              className="min-h-11"
            />
            <TextArea
              label="Answer"
              {...field(`faq.${at}.answer`)}
              rows={3}
              maxLength={limits.academy.answer}
            />
          </Row>
        ))}
      </RowList>
    </SectionCard>
  );
}
