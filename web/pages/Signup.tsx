// /signup: name, photo, email and two passwords, with every rule and message of section 5 at its
// field.
import { useEffect, useState } from 'react';
import { type Resolver, useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router';
import { messages } from '../../contract/messages.ts';
import { useSettings } from '../api/query.ts';
import { ApiError } from '../api/send.ts';
import {
  AuthFrame,
  GoogleButton,
  NewPasswords,
  Problem,
  readable,
  useLeaveWhenSignedIn,
} from '../features/auth/AuthFrame.tsx';
import { paths } from '../paths.ts';
import { originOf } from '../session/origin.ts';
import { signUp } from '../session/signIn.ts';
import { toast } from '../ui/alert.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { usePageTitle } from '../ui/head.tsx';
import { useHydrated } from '../ui/hydrated.ts';

const fields = ['name', 'image', 'email', 'password', 'confirmPassword'] as const;
type Field = (typeof fields)[number];

const rules = () => import('./formrules.ts');

export function Signup() {
  usePageTitle('Signup', { description: 'Sign up to book summer classes.' });
  const location = useLocation();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const { strictPasswords } = useSettings();
  const resolver: Resolver<Record<Field, string>> = async (...form) =>
    (await rules()).signUpRules(strictPasswords)(...form);
  const { register, handleSubmit, setError, formState } = useForm({ resolver });
  const { errors } = formState;
  const ready = useHydrated();
  useEffect(() => void rules(), []);
  const origin = originOf(location.state);
  const leaving = useLeaveWhenSignedIn(origin);

  const submit = handleSubmit(async (form) => {
    setBusy(true);
    setProblem('');
    try {
      await signUp(form);
      toast(messages.userCreated);
    } catch (error) {
      const field = fieldOf(error);
      if (field) setError(field, { message: readable(error) }, { shouldFocus: true });
      else setProblem(readable(error));
      setBusy(false);
    }
  });

  return (
    <AuthFrame
      title="Sign Up"
      lead="One account for the whole family."
      foot={
        <p>
          Already have an account?{' '}
          <Link to={paths.login} state={location.state} className="link link-primary font-semibold">
            Login
          </Link>
        </p>
      }
    >
      <form
        method="post"
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => void submit(event)}
      >
        <Field
          label="Name"
          autoComplete="name"
          error={errors.name?.message}
          {...register('name')}
        />
        <Field
          label="Photo URL"
          type="url"
          inputMode="url"
          autoComplete="photo"
          placeholder="https://"
          hint="An https:// address of a picture of you."
          error={errors.image?.message}
          {...register('image')}
        />
        <Field
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          error={errors.email?.message}
          {...register('email')}
        />
        <NewPasswords
          label="Password"
          field={(name) => ({ error: errors[name]?.message, ...register(name) })}
        />
        <Problem text={problem} />
        <Button type="submit" size="large" busy={busy || leaving} disabled={!ready}>
          Sign Up
        </Button>
      </form>
      <GoogleButton returnTo={origin} />
    </AuthFrame>
  );
}

/**
 * At which field the server's refusal belongs: the one it names, or the password, whose strength
 * only the server judges.
 */
function fieldOf(error: unknown): Field | undefined {
  if (
    !(error instanceof ApiError) ||
    error.status < 400 ||
    error.status >= 429 ||
    error.code === 'SIGN_IN_INSTEAD'
  )
    return undefined;
  return (
    fields.find((field) => field === error.field) ??
    (/password/i.test(error.code) ? 'password' : undefined)
  );
}
