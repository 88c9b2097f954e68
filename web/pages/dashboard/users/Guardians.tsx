// Who else looks after a child, on the page of a user: an admin adds and removes guardians, and sees
// who may have typed the same child.
import { useState } from 'react';
import { Link } from 'react-router';
import { addGuardian, removeGuardian } from '../../../../contract/family.ts';
import type { UserPage } from '../../../../contract/staff.ts';
import { attempt } from '../../../api/attempt.ts';
import { useSendForm } from '../../../api/form.ts';
import { useCall } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { ask, toast } from '../../../ui/alert.ts';
import { refreshes } from './RoleButtons.tsx';

type Child = UserPage['participants'][number];
type Someone = Child['guardians'][number];

export function Guardians({ child, user }: { child: Child; user: UserPage }) {
  const [adding, setAdding] = useState(false);
  const remove = useCall(removeGuardian, { refreshes });
  const end = async ({ id, name }: Someone) => {
    const sure = await ask({
      title: `End the care of ${name} for ${child.name}?`,
      text: 'All guardians are told by mail. Seats and payments stay.',
      yes: 'End it',
      danger: true,
    });
    const said = `${name} no longer looks after ${child.name}`;
    if (sure) await attempt(() => remove.mutateAsync({ id: child._id, who: id }), said);
  };
  return (
    <div className="flex w-full flex-col gap-2 text-sm">
      {child.twins.map((twin) => (
        <p key={twin.id} className="border-warning rounded-field border px-3 py-1">
          The same child? <Person {...twin} /> looks after one with this first name and birth date.
        </p>
      ))}
      <p className="flex flex-wrap items-center gap-2">
        {child.guardians.length > 0 && (
          <Button
            size="small"
            look="plain"
            aria-label={`End the care of ${user.name} for ${child.name}`}
            onClick={() => void end({ id: user._id, name: user.name })}
          >
            End this care
          </Button>
        )}
        <Button
          size="small"
          look="outline"
          aria-label={`Add a guardian of ${child.name}`}
          onClick={() => setAdding(true)}
        >
          Add a guardian
        </Button>
      </p>
      {child.guardians.length > 0 && (
        <p className="muted">
          Also:{' '}
          {child.guardians.map((other, place) => (
            <span key={other.id}>
              {place > 0 && ', '}
              <Person {...other} />
            </span>
          ))}
        </p>
      )}
      {adding && <AddGuardian child={child} onClose={() => setAdding(false)} />}
    </div>
  );
}

const Person = ({ id, name }: Someone) => (
  <Link to={paths.dashboard.user(id)} className="link wrap-anywhere">
    {name}
  </Link>
);

function AddGuardian({ child, onClose }: { child: Child; onClose: () => void }) {
  const add = useCall(addGuardian, { refreshes });
  const { props, field, problem, busy } = useSendForm({
    defaultValues: { email: '' },
    send: async ({ email }) => {
      await add.mutateAsync({ id: child._id, email: email.trim() });
      onClose();
      toast('Guardian added');
    },
  });
  return (
    <FormDialog
      title={`Add a guardian of ${child.name}`}
      form={{ props, problem, busy }}
      submit="Add"
      onClose={onClose}
    >
      <p className="muted text-sm">
        The person needs an account with a confirmed address. All guardians are told by mail.
      </p>
      <Field
        label="Email"
        type="email"
        required
        autoComplete="off"
        data-focus-first
        {...field('email')}
      />
    </FormDialog>
  );
}
