// The two colours of the academy, with the contrast of everything that is drawn in them.
import { useWatch } from 'react-hook-form';
import type { Academy } from '../../../contract/academy/academy.ts';
import { leastContrast, pairsOf, shownRatio } from '../../../contract/platform/contrast.ts';
import { Field } from '../../platform/ui/Field.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { capital } from '../../platform/ui/locale.ts';
import * as icons from '../../platform/ui/dashboardicons.ts';
import { coloursOf } from '../../platform/api/colours.ts';
import { SectionCard } from './SectionCard.tsx';
import { isColour, SitePreview } from './SitePreview.tsx';
import { only, type SectionProps, useSection } from './useSection.ts';

type Values = Pick<Academy, 'primary' | 'accent'>;

export function ColoursSection(props: SectionProps) {
  const section = useSection({ ...props, values: only('primary', 'accent') });
  const typed = useWatch({ control: section.form.control });
  return (
    <SectionCard
      lead="Two colours; the rest is made from them. In the dark theme the main colour is brightened."
      section={section}
      preview={<SitePreview academy={{ ...props.academy, ...typed }} />}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Colour form={section} name="primary" hint="Buttons and links." />
        <Colour form={section} name="accent" hint="The ball: what comes next." />
      </div>
      <Contrasts primary={typed.primary ?? ''} accent={typed.accent ?? ''} />
    </SectionCard>
  );
}

interface ColourProps {
  form: ReturnType<typeof useSection<Values>>;
  name: keyof Values;
  hint: string;
}

function Colour({ form, name, hint }: ColourProps) {
  const field = form.field(name);
  const value = useWatch({ control: form.form.control, name });
  const shown = coloursOf({ [name]: isColour(value) ? value : '' })[name];
  return (
    <Field
      {...field}
      placeholder={coloursOf({})[name]}
      maxLength={7}
      hint={`${hint} Empty: ours.`}
      className="figures min-h-11"
      end={
        <input
          type="color"
          aria-label={`Choose: ${field.label}`}
          value={shown.toLowerCase()}
          onChange={(event) => form.form.setValue(name, event.target.value, { shouldDirty: true })}
          className="size-9 cursor-pointer rounded max-sm:size-11"
        />
      }
    />
  );
}

function Contrasts({ primary, accent }: Values) {
  const wrong = [primary, accent].some((value) => value !== '' && !isColour(value));
  if (wrong) return <p className="muted text-sm">A colour looks like #0b5d4e.</p>;
  return (
    <table className="w-full text-left text-sm">
      <caption className="mb-1 text-left font-semibold">
        Contrast (at least {leastContrast} is needed)
      </caption>
      <thead className="muted">
        <tr>
          {['What', 'Theme', 'Contrast'].map((title) => (
            <th key={title} scope="col" className="py-1 font-medium last:text-right">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pairsOf(coloursOf({ primary, accent })).map(({ field, theme, what, ratio }) => (
          <tr key={`${field} ${theme} ${what}`} className="border-base-300 border-t">
            <td className="py-1.5">{capital(what)}</td>
            <td className="py-1.5">{theme}</td>
            <td
              className={`figures py-1.5 text-right font-semibold ${ratio < leastContrast ? 'text-error' : ''}`}
            >
              <span className="inline-flex items-center gap-1.5">
                <Icon
                  name={ratio < leastContrast ? icons.circleX : icons.circleCheck}
                  className="size-4"
                />
                {shownRatio(ratio)}
                <span className="sr-only">{ratio < leastContrast ? ' too low' : ' enough'}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
