// /signup: name, photo, email and two passwords, with every rule and message of section 5 at its
// field.
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { messages } from '../../contract/platform/messages.ts';
import { useSendForm } from '../platform/api/form.ts';
import { uploadAs, usePhoto } from '../platform/api/photo.ts';
import { useSettings } from '../platform/api/query.ts';
import {
  AuthForm,
  AuthFrame,
  GoogleButton,
  NewPasswords,
  useLeaveWhenSignedIn,
} from './AuthFrame.tsx';
import { EmailField } from '../platform/ui/EmailField.tsx';
import { originOf } from '../people/session/origin.ts';
import { paths } from '../platform/paths.ts';
import { signUp } from '../people/session/signIn.ts';
import { toast } from '../platform/ui/alert.ts';
import { Field } from '../platform/ui/Field.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { useHydrated } from '../platform/ui/hydrated.ts';
import { drawingOf } from '../platform/ui/Picture.tsx';
import { PhotoField } from '../platform/ui/PhotoField.tsx';

type Values = Record<'name' | 'image' | 'email' | 'password' | 'confirmPassword', string>;

const rules = () => import('./formrules.ts');
const uploadPhoto = uploadAs('signup');

export function Signup() {
  usePageTitle('Signup', { description: 'Sign up to book classes.' });
  const location = useLocation();
  const { strictPasswords } = useSettings();
  const ready = useHydrated();
  const origin = originOf(location.state);
  const leaving = useLeaveWhenSignedIn(origin);
  const form = useSendForm<Values>({
    // A photo is required: a drawing is one.
    defaultValues: { image: drawingOf('soccer') },
    resolver: async (...typed) => (await rules()).signUpRules(strictPasswords)(...typed),
    send: async (typed) => {
      await signUp(typed);
      toast(messages.userCreated);
    },
    // Only the server judges how strong a password is.
    fieldOf: ({ field: named, code }) =>
      code === 'SIGN_IN_INSTEAD'
        ? undefined
        : (named ?? (/password/i.test(code) ? 'password' : '')),
  });
  useEffect(() => {
    rules().catch(() => undefined);
    // In the place of the login it comes after the page has given the focus away.
    const content = document.getElementById('content');
    if (document.activeElement === content)
      content?.querySelector<HTMLElement>('[data-focus-first]')?.focus();
  }, []);

  return (
    <AuthFrame title="Sign Up" lead="One account for the whole family." tabs={paths.signup}>
      <AuthForm form={{ ...form, busy: form.busy || leaving }} submit="Sign Up" disabled={!ready}>
        <Field label="Name" autoComplete="name" data-focus-first {...form.field('name')} />
        <PhotoField
          label="Photo URL"
          type="url"
          inputMode="url"
          autoComplete="photo"
          placeholder="https://"
          hint="Link to a photo of you (https://…), an upload, or one of our drawings."
          shape="round"
          {...form.field('image')}
          {...usePhoto(form, 'image', uploadPhoto)}
          drawings
        />
        <EmailField
          label="Email"
          autoComplete="username"
          {...form.field('email')}
          take={(email) => form.form.setValue('email', email, { shouldValidate: true })}
        />
        <NewPasswords
          label="Password"
          field={form.field}
          repeat={(password) => form.form.setValue('confirmPassword', password)}
        />
      </AuthForm>
      <GoogleButton returnTo={origin} />
    </AuthFrame>
  );
}
