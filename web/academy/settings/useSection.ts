// The form of one section of the settings. It sends only what was changed in it. After another admin's change it
// takes over their values where nothing was typed, says what changed, and can be saved again.
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { DefaultValues, FieldValues, Path, PathValue } from 'react-hook-form';
import {
  type Academy,
  type AcademyField,
  changeAcademy,
  readAcademy,
} from '../../../contract/academy/academy.ts';
import type { Answer, Input } from '../../../contract/platform/call.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { query, useCall } from '../../platform/api/query.ts';
import { ApiError } from '../../platform/api/send.ts';
import { toast } from '../../platform/ui/alert.ts';
import { useUnsaved } from '../../platform/ui/unsaved.ts';

export interface SectionProps {
  id: string;
  title: string;
  academy: Academy;
}

type Change = Omit<Input<typeof changeAcademy>, 'version'>;

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export const only =
  <Name extends keyof Academy>(...names: Name[]) =>
  (academy: Academy) =>
    Object.fromEntries(names.map((name) => [name, academy[name]])) as Pick<Academy, Name>;

interface Options<Values> extends SectionProps {
  values: (academy: Academy) => Values;
  /** Makes of what was typed what travels, when that differs. */
  asSent?: (typed: Partial<Values>) => Change;
}

export function useSection<Values extends FieldValues>({
  id,
  title,
  academy,
  values,
  asSent = (typed) => typed,
}: Options<Values>) {
  const client = useQueryClient();
  const change = useCall(changeAcademy);
  const base = useRef(values(academy));
  const version = useRef(academy.version);
  const [meanwhile, setMeanwhile] = useState<string[]>([]);
  const section = useSendForm<Values>({
    defaultValues: values(academy) as DefaultValues<Values>,
    send: async (typed, form) => {
      const changed = Object.fromEntries(
        Object.entries(typed).filter(([field, value]) => !same(value, base.current[field])),
      ) as Partial<Values>;
      // Another section may have been saved since this one was drawn.
      const known = client.getQueryData<Answer<typeof readAcademy>>([readAcademy.id, {}]);
      if (known && savedHere.has(known.version)) version.current = known.version;
      try {
        const { version: next } = await change.mutateAsync({
          version: version.current,
          ...asSent(changed),
        });
        savedHere.add(next);
        version.current = next;
        setMeanwhile([]);
        const now = client.getQueryData<Answer<typeof readAcademy>>([readAcademy.id, {}]);
        base.current = now ? values(now) : typed;
        form.reset(base.current);
        toast('Saved');
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'ACADEMY_CHANGED') throw error;
        await takeOver(error.changed ?? []);
        throw error;
      }
    },
    inWords: (error) => (error instanceof ApiError ? inSentences(error) : String(error)),
  });

  async function takeOver(changed: readonly string[]) {
    const now = await client.fetchQuery({ ...query(readAcademy, {}), staleTime: 0 });
    const next = values(now);
    for (const [field, value] of Object.entries(section.form.getValues()))
      if (same(value, base.current[field]))
        section.form.setValue(
          field as Path<Values>,
          next[field] as PathValue<Values, Path<Values>>,
        );
    base.current = next;
    version.current = now.version;
    setMeanwhile(
      changed.map((field) => {
        const words = fieldWords[field as AcademyField] ?? field;
        const value = now[field as keyof Academy];
        return typeof value === 'string' && value !== '' && value.length <= 80
          ? `${words}: ${value}`
          : words;
      }),
    );
  }

  useUnsaved(section.form.formState.isDirty && !section.busy);
  const field = (name: Path<Values>) => ({
    ...section.field(name),
    label: fieldWords[name as AcademyField],
  });
  return { ...section, field, id, title, meanwhile };
}

/** The versions that this tab has made: they are no change by others. */
const savedHere = new Set<number>();

/** The server's refusals begin with the name of the field. */
function inSentences({ message, field }: ApiError): string {
  const [name = ''] = (field ?? '').split('.');
  const words = fieldWords[name as AcademyField];
  return field && words && message.startsWith(field)
    ? `${words}${message.slice(field.length)}`
    : message;
}

const fieldWords: Record<AcademyField, string> = {
  name: 'Name',
  shortName: 'Short name',
  tagline: 'Tagline',
  logo: 'Logo',
  icon: 'Icon',
  primary: 'Main colour',
  accent: 'Second colour',
  email: 'Email',
  phone: 'Phone',
  street: 'Street',
  city: 'City',
  country: 'Country',
  mapLink: 'Map link',
  currency: 'Currency',
  timeZone: 'Time zone',
  locale: 'How amounts are written',
  sports: 'Sports',
  headline: 'Headline',
  welcome: 'Text',
  banners: 'Banners',
  sponsors: 'Sponsors',
  faq: 'Questions and answers',
  about: 'About us',
  jobs: 'Jobs',
  terms: 'Terms',
  privacy: 'Privacy',
};
