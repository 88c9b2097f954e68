// /dashboard/account: name and photo, address, phone, password, two-step sign-in, where one is signed
// in, one's data, and leaving.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import {
  type Account as AccountInfo,
  deleteAccount,
  getAccount,
  setMails,
  updateAccount,
} from '../../contract/signin/account.ts';
import { exportAccount } from '../../contract/signin/export.ts';
import { attempt } from '../platform/api/attempt.ts';
import { query, readAgain, useCall } from '../platform/api/query.ts';
import { useSendForm } from '../platform/api/form.ts';
import { uploadAs, usePhoto } from '../platform/api/photo.ts';
import { ApiError, send } from '../platform/api/send.ts';
import { AuthForm, NewPassword, PasswordField } from './AuthFrame.tsx';
import { OwnAddress } from './OwnAddress.tsx';
import { Sessions } from './Sessions.tsx';
import { TwoStep } from './TwoStep.tsx';
import { ExportButton } from '../platform/lists/ExportButton.tsx';
import { PageHeading } from '../platform/ui/PageHeading.tsx';
import { paths } from '../platform/paths.ts';
import { forgetSession, saveProfile, setPassword } from '../people/session/account.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { useTeaches } from '../people/session/teaches.ts';
import { success, toast } from '../platform/ui/alert.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Card } from '../platform/ui/Card.tsx';
import { Field } from '../platform/ui/Field.tsx';
import { FormDialog } from '../platform/ui/FormDialog.tsx';
import { PhotoField } from '../platform/ui/PhotoField.tsx';
import { ErrorNote, Skeleton } from '../platform/ui/States.tsx';
import { Note } from '../platform/ui/Note.tsx';

export function Account() {
  const account = useQuery(query(getAccount, {}));
  const client = useQueryClient();
  // Also of the role: with two-step sign-in an admin's rights may begin.
  const again = () => void readAgain(client);
  return (
    <>
      <PageHeading title="Account">Profile, sign-in and privacy.</PageHeading>
      {account.error && !account.data && (
        <ErrorNote message={account.error.message} onRetry={again} />
      )}
      {account.isPending && <Skeleton className="h-96" />}
      {account.data && <Sections account={account.data} again={again} />}
    </>
  );
}

function Sections({ account, again }: { account: AccountInfo; again: () => void }) {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return (
    <>
      {account.adminWaits && (
        <Note tone="warn" announced="politely" className="mb-4">
          Your rights as an admin wait until two-step sign-in is on.
        </Note>
      )}
      <div className="@container">
        {' '}
        <div className="grid items-start gap-4 *:min-w-0 @min-[40rem]:grid-cols-2">
          <div className="flex flex-col gap-4">
            <Card title="Name and photo">
              <Profile />
            </Card>
            <Card title="Phone">
              <Contact {...account} />
            </Card>
            <Card title="Email" id="email">
              <OwnAddress {...account} />
            </Card>
            <Card title="Emails" id="emails">
              <Emails mails={account.mails} />
            </Card>
          </div>
          <div className="flex flex-col gap-4">
            <Card title="Password">
              {account.password ? (
                <Password changed={again} />
              ) : (
                <p className="muted">
                  You sign in with Google and have no password here. “Forgot password?” on the login
                  page gives you one.
                </p>
              )}
            </Card>
            <Card title="Two-step sign-in">
              {account.unconfirmed ? (
                <p className="muted">
                  Please confirm your address first, under Email. Then you can turn it on here.
                </p>
              ) : (
                <TwoStep {...account} changed={again} />
              )}
            </Card>
            <Card title="Where you are signed in">
              <Sessions sessions={account.sessions} />
            </Card>
            <Card title="Your data">
              <p className="muted">Everything that we hold about you, as one file.</p>
              <div>
                <ExportButton label="Export my data" file="my-data.json" fetch={everything} />
              </div>
            </Card>
            <Card title="Delete your account">
              <Leave account={account} />
            </Card>
          </div>
        </div>
      </div>{' '}
    </>
  );
}

const uploadPhoto = uploadAs('person');

function Profile() {
  const { user } = useSession();
  const form = useSendForm({
    values: { name: user?.name ?? '', image: user?.image ?? '' },
    send: async (typed) => {
      const [name, image] = [typed.name.trim(), typed.image.trim()];
      // A photo from Google, or none, may stay as it is.
      await saveProfile({ name, ...(image && image !== user?.image && { image }) });
      toast('Saved');
    },
  });
  return (
    <AuthForm form={form} submit="Save" of="part">
      <Field label="Name" {...form.field('name')} required maxLength={100} autoComplete="name" />
      <PhotoField
        label="Photo URL"
        shape="round"
        {...form.field('image')}
        {...usePhoto(form, 'image', uploadPhoto)}
        inputMode="url"
      />
    </AuthForm>
  );
}

function Contact({ phone, about }: Pick<AccountInfo, 'phone' | 'about'>) {
  const teaches = useTeaches();
  const update = useCall(updateAccount);
  const form = useSendForm({
    values: { phone: phone ?? '', about: about ?? '' },
    send: async (typed) => {
      await update.mutateAsync(typed);
      toast('Saved');
    },
  });
  return (
    <AuthForm form={form} submit="Save" of="part">
      <Field
        label="Phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        maxLength={40}
        hint="For emergencies. Only the academy sees it. You can leave it empty."
        {...form.field('phone')}
      />
      {teaches && (
        <Field
          label="About you"
          maxLength={200}
          hint="One line that visitors read next to your name."
          {...form.field('about')}
        />
      )}
    </AuthForm>
  );
}

function Password({ changed }: { changed: () => void }) {
  const form = useSendForm({
    defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
    send: async (passwords, { reset }) => {
      await setPassword(passwords);
      reset();
      changed();
      void success('Your password is changed.', 'Every other device was signed out.');
    },
    fieldOf: ({ field: named, code }) => (code === 'WRONG_PASSWORD' ? 'currentPassword' : named),
  });
  return (
    <AuthForm form={form} submit="Change password" of="part">
      <PasswordField label="Current password" {...form.field('currentPassword')} />
      <NewPassword label="New password" {...form.field('newPassword')} required />
      <PasswordField
        label="Confirm password"
        {...form.field('confirmPassword')}
        required
        autoComplete="new-password"
      />
    </AuthForm>
  );
}

const optional = [
  {
    kind: 'reminders',
    label: 'Reminders',
    hint: 'One mail the day before a class: when, where, what to bring.',
  },
  {
    kind: 'digests',
    label: 'Classes to review',
    hint: 'A list once an hour at most. Alarms are sent in any case.',
  },
] as const;

function Emails({ mails }: Pick<AccountInfo, 'mails'>) {
  const change = useCall(setMails);
  return (
    <>
      <p className="muted text-sm">
        Receipts, changes of your classes and notices about your account are always sent.
      </p>
      <ul className="divide-base-300 divide-y">
        {optional
          .filter(({ kind }) => mails[kind] !== undefined)
          .map(({ kind, label, hint }) => (
            <li key={kind} className="flex items-center justify-between gap-4 py-3">
              <label htmlFor={`mails-${kind}`} className="min-h-11 grow cursor-pointer">
                <span className="block font-semibold">{label}</span>
                <span className="muted block text-sm">{hint}</span>
              </label>
              <input
                type="checkbox"
                id={`mails-${kind}`}
                className="checkbox checkbox-primary shrink-0 rounded-md"
                checked={mails[kind] ?? false}
                disabled={change.isPending}
                onChange={({ target: { checked } }) =>
                  void attempt(
                    () => change.mutateAsync({ [kind]: checked }),
                    `${label}: ${checked ? 'on' : 'off'}`,
                  )
                }
              />
            </li>
          ))}
      </ul>
    </>
  );
}

const everything = async () =>
  new Blob([JSON.stringify(await send(exportAccount, {}), null, 2)], { type: 'application/json' });

function Leave({ account }: { account: AccountInfo }) {
  const [asked, setAsked] = useState(false);
  const [seats, setSeats] = useState(false);
  const [credit, setCredit] = useState(false);
  const leave = useCall(deleteAccount);
  const navigate = useNavigate();
  const { props, field, problem, busy } = useSendForm<{ password?: string; email?: string }>({
    send: async ({ password = '', email = '' }) => {
      const proof = account.password ? { password } : { email: email.trim() };
      try {
        const losing = {
          ...(seats && { giveBack: true as const }),
          ...(credit && { renounce: true as const }),
        };
        await leave.mutateAsync({ ...proof, ...losing });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'SEATS_AHEAD') setSeats(true);
        if (error instanceof ApiError && error.code === 'CREDIT_LEFT') setCredit(true);
        throw error;
      }
      await forgetSession();
      // Only then: the guard of this page sends a signed-out user to the login page.
      await navigate(paths.home, { replace: true });
      void success('Your account is deleted.', 'Thank you for having been here.');
    },
    fieldOf: ({ field: named, code }) => (code === 'WRONG_PASSWORD' ? 'password' : named),
  });
  return (
    <>
      <p className="muted">
        Your name, photo, address, cart and sign-ins are erased. We must keep payment records,
        without your name.
        {account.enrolments > 0 &&
          ` You are enrolled in ${account.enrolments} ${account.enrolments === 1 ? 'class' : 'classes'}: deleting your account does not refund you.`}
      </p>
      <Button look="outline" className="self-start" onClick={() => setAsked(true)}>
        Delete my account
      </Button>
      {asked && (
        <FormDialog
          title="Delete your account for good?"
          form={{ props, problem, busy }}
          submit={
            seats
              ? 'Give the seats back and delete'
              : credit
                ? 'Renounce the credit and delete'
                : 'Delete my account'
          }
          danger
          onClose={() => setAsked(false)}
        >
          <p>This cannot be undone.</p>
          {credit && (
            <Link to={paths.dashboard.credit} className="link w-fit">
              Have the credit paid out first
            </Link>
          )}
          {account.password ? (
            <PasswordField label="Your password" {...field('password')} />
          ) : (
            <Field label="Type your email to confirm" {...field('email')} type="email" required />
          )}
        </FormDialog>
      )}
    </>
  );
}
