// The part of the account page that turns two-step sign-in on and off.
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { Answer } from '../../contract/platform/call.ts';
import type { Account } from '../../contract/signin/account.ts';
import { enableSecondStep, newBackupCodes } from '../../contract/signin/signin.ts';
import { type SendForm, useSendForm } from '../platform/api/form.ts';
import { send } from '../platform/api/send.ts';
import { AuthForm, PasswordField } from './AuthFrame.tsx';
import { useSession } from '../people/session/SessionProvider.tsx';
import { turnOffTwoFactor, turnOnTwoFactor } from '../people/session/account.ts';
import { Button } from '../platform/ui/Button.tsx';
import { Field } from '../platform/ui/Field.tsx';
import { Modal } from '../platform/ui/Modal.tsx';
import { QrCode } from '../platform/ui/QrCode.tsx';
import { toast } from '../platform/ui/alert.ts';

interface TwoStepProps extends Pick<Account, 'password' | 'twoFactor' | 'adminWaits'> {
  /** After every change: the account is read again. */
  changed: () => void;
}

type Open = 'nothing' | 'turn on' | 'turn off' | 'codes';

export function TwoStep({ twoFactor: on, password, adminWaits, changed }: TwoStepProps) {
  const { role } = useSession();
  const [open, setOpen] = useState<Open>('nothing');
  const close = () => setOpen('nothing');
  // An account made by Google has no password to confirm with.
  if (!password)
    return (
      <p className="muted">
        {adminWaits
          ? 'You sign in with Google. First choose a password here: “Forgot password?” on the login page gives you one. Then you can turn it on.'
          : 'Your sign-in goes through Google, which has a second step of its own.'}
      </p>
    );
  return (
    <>
      <p className="muted">
        {on
          ? 'On: signing in asks for your password and for a code from the app on your phone.'
          : 'A code from an app on your phone, each time you sign in. Then a stolen password alone opens nothing.'}
        {!on && role === 'instructor' && ' You see facts about children, so we recommend it.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {on ? (
          <>
            <Button look="outline" onClick={() => setOpen('codes')}>
              New backup codes
            </Button>
            <Button look="outline" onClick={() => setOpen('turn off')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button look={adminWaits ? 'primary' : 'outline'} onClick={() => setOpen('turn on')}>
            Turn on
          </Button>
        )}
      </div>
      {open === 'turn on' && <TurnOn close={close} changed={changed} />}
      {open === 'turn off' && <TurnOff close={close} changed={changed} />}
      {open === 'codes' && <NewCodes close={close} />}
    </>
  );
}

interface DialogProps {
  close: () => void;
  changed: () => void;
}

/**
 * Three sheets: the password, the code that proves that the app has the secret, the backup codes.
 */
function TurnOn({ close, changed }: DialogProps) {
  const [begun, setBegun] = useState<Answer<typeof enableSecondStep> | null>(null);
  const [on, setOn] = useState(false);
  const finish = () => {
    changed();
    close();
  };
  if (begun && on) {
    return (
      <Modal title="Keep your backup codes" onClose={finish}>
        <BackupCodes codes={begun.backupCodes} />
        <Button onClick={finish}>I have kept them</Button>
      </Modal>
    );
  }
  if (begun) {
    return (
      <Modal title="Scan this with your authenticator app" onClose={close}>
        <Asking
          submit="Turn on"
          work={async ({ code }) => {
            await turnOnTwoFactor({ code });
            setOn(true);
          }}
        >
          {(field) => (
            <>
              <div className="self-center">
                <QrCode text={begun.uri} label="QR code for your authenticator app" />
              </div>
              <p className="text-sm">
                Or type this key:{' '}
                <code className="font-mono break-all select-all">{begun.secret}</code>
              </p>
              <CodeField
                {...field('code')}
                label="Code"
                hint="The six digits that the app shows now."
              />
            </>
          )}
        </Asking>
      </Modal>
    );
  }
  return (
    <Modal title="Turn on two-step sign-in" onClose={close}>
      <Asking
        submit="Continue"
        work={async ({ password }) => setBegun(await send(enableSecondStep, { password }))}
      >
        {(field) => <PasswordField label="Your password" {...field('password')} />}
      </Asking>
    </Modal>
  );
}

function TurnOff({ close, changed }: DialogProps) {
  return (
    <Modal title="Turn off two-step sign-in" onClose={close}>
      <Asking
        submit="Turn off"
        work={async (typed) => {
          await turnOffTwoFactor(typed);
          changed();
          close();
          toast('Two-step sign-in is off');
        }}
      >
        {(field) => <PasswordAndCode field={field} />}
      </Asking>
    </Modal>
  );
}

function NewCodes({ close }: Pick<DialogProps, 'close'>) {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Modal title="New backup codes" onClose={close}>
      {codes ? (
        <>
          <BackupCodes codes={codes} />
          <Button onClick={close}>I have kept them</Button>
        </>
      ) : (
        <Asking
          submit="Make new codes"
          work={async (typed) => setCodes((await send(newBackupCodes, typed)).backupCodes)}
        >
          {(field) => (
            <>
              <p className="muted text-sm">The old ones stop working.</p>
              <PasswordAndCode field={field} />
            </>
          )}
        </Asking>
      )}
    </Modal>
  );
}

function BackupCodes({ codes }: { codes: string[] }) {
  return (
    <>
      <p className="text-sm">
        Without your phone each of these lets you in once. They are shown only now: print them or
        put them where you keep your passwords.
      </p>
      <ul className="well codes" aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </>
  );
}

const CodeField = (props: ComponentProps<typeof Field>) => (
  <Field
    {...props}
    required
    maxLength={20}
    inputMode="text"
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
  />
);

type Values = Record<'password' | 'code', string>;

const PasswordAndCode = ({ field }: Pick<SendForm<Values>, 'field'>) => (
  <>
    <PasswordField label="Your password" {...field('password')} />
    <CodeField {...field('code')} label="Code or backup code" />
  </>
);

interface AskingProps {
  children: (field: SendForm<Values>['field']) => ReactNode;
  submit: string;
  work: (typed: Values) => Promise<void>;
}

function Asking({ children, submit, work }: AskingProps) {
  const form = useSendForm<Values>({ send: work, fieldOf: () => undefined });
  return (
    <AuthForm form={form} submit={submit} of="dialog">
      {children(form.field)}
    </AuthForm>
  );
}
