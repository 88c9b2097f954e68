// Who else looks after a child, on the page of a user: an admin adds a guardian, ends the care of this
// one, and sees who may have typed the same child.
import { Fragment, useState } from 'react';
import { Link } from 'react-router';
import { addGuardian, removeGuardian } from '../../../contract/people/family.ts';
import type { UserPage } from '../../../contract/academy/userpage.ts';
import { CallButton } from '../../platform/api/CallButton.tsx';
import { useSendForm } from '../../platform/api/form.ts';
import { useCall } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Field } from '../../platform/ui/Field.tsx';
import { FormDialog } from '../../platform/ui/FormDialog.tsx';

type Child = UserPage['participants'][number];

export function Guardians({ child, user }: { child: Child; user: UserPage }) {
  const [adding, setAdding] = useState(false);
  const { _id: id, name, guardians, twins } = child;
  const ending = `End the care of ${user.name} for ${name}`;
  const isShared = guardians.length > 0;
  return (
    <div className="flex w-full flex-col gap-2 text-sm">
      {twins.length > 0 && (
        <p className="border-warning rounded-field border px-3 py-1">
          The same child? Same first name and birth date, looked after by <People of={twins} />
        </p>
      )}
      <p className="flex flex-wrap items-center gap-2">
        {isShared && (
          <CallButton
            size="small"
            look="plain"
            aria-label={ending}
            call={removeGuardian}
            input={{ id, who: user._id }}
            sure={{
              title: `${ending}?`,
              text: 'All guardians are told by mail. Seats and payments stay.',
              yes: 'End it',
              danger: true,
            }}
            said={`${user.name} no longer looks after ${name}`}
          >
            End this care
          </CallButton>
        )}
        <Button
          size="small"
          look="outline"
          aria-label={`Add a guardian of ${name}`}
          onClick={() => setAdding(true)}
        >
          Add a guardian
        </Button>
      </p>
      {isShared && (
        <p className="muted">
          Also: <People of={guardians} />
        </p>
      )}
      {adding && <AddGuardian child={child} onClose={() => setAdding(false)} />}
    </div>
  );
}

const People = ({ of }: { of: Child['guardians'] }) =>
  of.map(({ id, name }, place) => (
    <Fragment key={id}>
      {place > 0 && ', '}
      <Link to={paths.dashboard.user(id)} className="link wrap-anywhere">
        {name}
      </Link>
    </Fragment>
  ));

function AddGuardian({ child: { _id: id, name }, onClose }: { child: Child; onClose: () => void }) {
  const add = useCall(addGuardian);
  const form = useSendForm({
    defaultValues: { email: '' },
    send: ({ email }) => add.mutateAsync({ id, email: email.trim() }),
    onClose,
    sent: 'Guardian added',
  });
  return (
    <FormDialog title={`Add a guardian of ${name}`} form={form} submit="Add" onClose={onClose}>
      <p className="muted text-sm">
        The person needs an account with a confirmed address. All guardians are told by mail.
      </p>
      <Field
        label="Email"
        type="email"
        required
        autoComplete="off"
        data-focus-first
        {...form.field('email')}
      />
    </FormDialog>
  );
}
