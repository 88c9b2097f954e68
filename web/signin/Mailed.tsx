// What the pages that a mailed link opens share: the link, and what is done with it. Opening such a page
// does nothing; its button does.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Answer } from '../../contract/platform/call.ts';
import { checkLink } from '../../contract/signin/signin.ts';
import type { KeptSecret } from '../people/session/invitation.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { signOut } from '../people/session/signIn.ts';
import { useSendForm } from '../platform/api/form.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { ApiError } from '../platform/api/send.ts';
import { AuthForm, AuthFrame, NewPasswords } from './AuthFrame.tsx';

/** Takes the secret out of the address, where others could read it, into the memory of this tab. */
export function useMailedSecret(kept: KeptSecret, path: string): string | null {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const arrived = hash.slice(1);
  const [secret, setSecret] = useState(() => arrived || kept.read());
  // Another link, opened in the same tab.
  if (arrived && arrived !== secret) setSecret(arrived);
  useEffect(() => {
    if (!arrived) return;
    kept.keep(arrived);
    void navigate(path, { replace: true });
  }, [arrived, kept, navigate, path]);
  return secret;
}

export type CheckedLink = Answer<typeof checkLink>;

/** Asked as soon as the page is open: a link that no longer works says so before any form. */
export function useMailedLink(kind: 'confirm' | 'reset', token: string) {
  const [isDead, setDead] = useState(false);
  const asked = { ...query(checkLink, { kind, token }), retry: false, staleTime: Infinity };
  const { data, error, isFetching, refetch } = useQuery({ ...asked, gcTime: 0 });
  return {
    link: data,
    isDead: isDead || data?.works === false || error?.field === 'token',
    error: isFetching ? null : error,
    die: () => setDead(true),
    again: () => void refetch(),
  };
}

/** A button, and what went wrong with it. */
export function Press(props: {
  submit: string;
  act: () => Promise<unknown>;
  children?: ReactNode;
}) {
  const form = useSendForm({ send: props.act });
  return (
    <AuthForm form={form} submit={props.submit}>
      {props.children}
    </AuthForm>
  );
}

/** Signing out keeps the invitation: the next account may be the right one. */
export function OtherAddress({ lead, submit }: { lead: ReactNode; submit: string }) {
  const { user } = useSession();
  return (
    <AuthFrame
      title="This invitation is for another address"
      lead={
        <>
          {lead} You are logged in as <strong className="wrap-anywhere">{user?.email}</strong>.
        </>
      }
    >
      <Press submit={submit} act={signOut} />
    </AuthFrame>
  );
}

const rules = () => import('./formrules.ts');

interface NewPasswordFormProps {
  submit: string;
  save: (password: string) => Promise<void>;
  /** The link stopped working while the form was open. */
  onDead: () => void;
}

export function NewPasswordForm({ submit, save, onDead }: NewPasswordFormProps) {
  const { strictPasswords } = useSettings();
  const form = useSendForm<{ password: string; confirmPassword: string }>({
    resolver: async (...typed) => (await rules()).resetRules(strictPasswords)(...typed),
    send: async ({ password }) => {
      try {
        await save(password);
      } catch (error) {
        const dead =
          error instanceof ApiError && (error.code === 'BAD_LINK' || error.field === 'token');
        if (!dead) throw error;
        onDead();
      }
    },
    fieldOf: ({ field: named, code }) =>
      named !== undefined || /PASSWORD/.test(code) ? 'password' : undefined,
  });
  useEffect(() => void rules().catch(() => undefined), []);
  return (
    <AuthForm form={form} submit={submit}>
      <NewPasswords
        label="New Password"
        field={form.field}
        repeat={(password) => form.form.setValue('confirmPassword', password)}
      />
    </AuthForm>
  );
}
