// The one way to write a form: react-hook-form, the contract's rules, and the server's refusal at
// the field that it names.
import { type BaseSyntheticEvent, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  get,
  type Path,
  type Resolver,
  useForm,
  type UseFormReturn,
} from 'react-hook-form';
import { toast } from '../ui/alert.ts';
import { capital } from '../ui/locale.ts';
import { asTyped } from '../ui/money.ts';
import { ApiError, readable } from './send.ts';

interface Options<Values extends FieldValues> {
  defaultValues?: DefaultValues<Values>;
  /** Values that come from the server: the form follows when they change. */
  values?: Values;
  /** The contract's rules. Without them the browser checks `required`, `type` and the like. */
  resolver?: Resolver<Values>;
  send: (values: Values, form: UseFormReturn<Values>) => Promise<unknown>;
  /** In a dialog: what is done, and said, once it was sent. */
  onClose?: () => void;
  sent?: string;
  fieldOf?: (error: ApiError) => string | undefined;
  inWords?: (error: unknown) => string;
}

const rulesMissing = 'Part of this page did not arrive. Check your connection and try again.';

export type SendForm<Values extends FieldValues> = ReturnType<typeof useSendForm<Values>>;

export function useSendForm<Values extends FieldValues>({
  defaultValues,
  values,
  resolver,
  send,
  onClose,
  sent,
  fieldOf = ({ field }) => field,
  inWords = readable,
}: Options<Values>) {
  // The rules are a chunk of their own, which may not arrive.
  const withoutRules = useRef(false);
  const checked: Resolver<Values> = async (...filled) => {
    withoutRules.current = false;
    try {
      return await (resolver as Resolver<Values>)(...filled);
    } catch {
      withoutRules.current = true;
      return { values: filled[0], errors: {} };
    }
  };
  const form = useForm<Values>({
    ...(defaultValues && { defaultValues }),
    ...(values && { values }),
    ...(resolver && { resolver: checked }),
  });
  // Null until the form was sent for the first time.
  const [problem, setProblem] = useState<string | null>(null);
  // A second click can come before the button is drawn as busy.
  const sending = useRef(false);
  const { errors, isSubmitting } = form.formState;

  /** The server begins with its own name of the field; people read it below the label. */
  const atField = (error: unknown) => {
    const words = inWords(error);
    const name = error instanceof ApiError && error.field ? `${error.field} ` : '';
    if (!name || !words.startsWith(name)) return words;
    const rest = words.slice(name.length);
    return capital(rest);
  };
  const show = (error: unknown) => {
    const named = error instanceof ApiError ? fieldOf(error) : undefined;
    // A field of a list is named by its place: contacts.1.phone.
    const values = form.getValues();
    if (named && (named in values || get(values, named) !== undefined))
      form.setError(named as Path<Values>, { message: atField(error) }, { shouldFocus: true });
    else setProblem(inWords(error));
  };
  const deliver = async (filled: Values) => {
    if (sending.current) return;
    if (withoutRules.current) {
      setProblem(rulesMissing);
      return;
    }
    sending.current = true;
    setProblem('');
    try {
      await send(filled, form);
      onClose?.();
      if (sent) toast(sent);
    } catch (error) {
      show(error);
    } finally {
      sending.current = false;
    }
  };

  return {
    form,
    props: {
      noValidate: resolver !== undefined,
      onSubmit: (event: BaseSyntheticEvent) => void form.handleSubmit(deliver)(event),
    },
    field: (name: Path<Values>) => {
      const wrong: { message?: string } | undefined = get(errors, name);
      return { ...form.register(name), error: wrong?.message && asTyped(wrong.message) };
    },
    problem,
    /** Where another try helps. */
    retry: problem === rulesMissing ? () => void form.handleSubmit(deliver)() : undefined,
    busy: isSubmitting,
  };
}
