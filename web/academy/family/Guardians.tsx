// Who looks after a child, and who is invited to: leaving, removing, withdrawing, inviting.
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Participant, removeGuardian } from '../../../contract/people/family.ts';
import { CallButton } from '../../platform/api/CallButton.tsx';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { Email } from '../../platform/ui/Email.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { ShareDialog } from './ShareDialog.tsx';

export function Guardians({ person }: { person: Participant }) {
  const { self, guardians, invited } = person;
  const [isSharing, setSharing] = useState(false);
  return (
    <Card
      title="Guardians"
      actions={
        !self && (
          <Button look="outline" size="small" className="min-h-11" onClick={() => setSharing(true)}>
            <Icon name="userPlus" /> Share
          </Button>
        )
      }
    >
      <ul className="divide-base-300 -my-2 divide-y">
        {guardians.map((guardian) => (
          <Row
            key={guardian.id}
            person={person}
            who={guardian.id}
            action={actionOn(person, guardian)}
          >
            {guardian.name} {guardian.you && <span className="muted text-sm">(you)</span>}
          </Row>
        ))}
        {invited.map((email) => (
          <Row
            key={email}
            person={person}
            who={email}
            action={{
              label: 'Withdraw',
              of: email,
              question: 'Withdraw the invitation?',
              text: 'The link that we mailed stops working.',
              done: 'The invitation is withdrawn',
            }}
          >
            <Email address={email} />
            <span className="muted block text-sm">Invited, not accepted yet</span>
          </Row>
        ))}
      </ul>
      {isSharing && <ShareDialog kids={[person]} onClose={() => setSharing(false)} />}
    </Card>
  );
}

interface Action {
  label: string;
  of: string;
  question: string;
  text: string;
  done: string;
  /** The page of the child is no longer for this person. */
  leaves?: true;
}

function actionOn(
  { name, mayRemove, guardians }: Participant,
  guardian: Participant['guardians'][number],
): Action | undefined {
  if (guardians.length === 1) return undefined;
  if (guardian.you)
    return {
      label: 'Leave',
      of: name,
      question: `Leave ${name}?`,
      text: `You no longer see the classes, allergies and contacts of ${name}. Another guardian can invite you again.`,
      done: `You no longer look after ${name}`,
      leaves: true,
    };
  if (!mayRemove) return undefined;
  return {
    label: 'Remove',
    of: guardian.name,
    question: `Remove ${guardian.name}?`,
    text: `They no longer see the classes, allergies and contacts of ${name}. We tell them by email.`,
    done: `${guardian.name} is removed`,
  };
}

interface RowProps {
  person: Participant;
  who: string;
  action: Action | undefined;
  children: ReactNode;
}

function Row({ person, who, action, children }: RowProps) {
  const navigate = useNavigate();
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 py-1.5">
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
      {action && (
        <CallButton
          look="plain"
          className="min-h-11"
          of={action.of}
          call={removeGuardian}
          input={{ id: person._id, who }}
          sure={{ title: action.question, text: action.text, yes: action.label, danger: true }}
          said={action.done}
          onDone={() => action.leaves && navigate(paths.dashboard.family, { replace: true })}
        >
          {action.label}
        </CallButton>
      )}
    </li>
  );
}
