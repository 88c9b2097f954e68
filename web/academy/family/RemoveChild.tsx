// Removes a child that the caller has added. The server refuses while a class is still to come.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Participant, removeParticipant } from '../../../contract/people/family.ts';
import { useCall } from '../../platform/api/query.ts';
import { readable } from '../../platform/api/send.ts';
import { Problem } from '../../platform/ui/Problem.tsx';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { CardSection } from '../../platform/ui/CardSection.tsx';
import { ask, toast } from '../../platform/ui/alert.ts';

export function RemoveChild({ person: { _id, name, enrolled } }: { person: Participant }) {
  const remove = useCall(removeParticipant);
  const [problem, setProblem] = useState('');
  const navigate = useNavigate();
  const act = async () => {
    setProblem('');
    const sure = await ask({
      title: `Remove ${name}?`,
      text: 'This cannot be undone.',
      yes: `Remove ${name}`,
      danger: true,
    });
    if (!sure) return;
    try {
      await remove.mutateAsync({ id: _id });
      toast(`${name} is removed`);
      await navigate(paths.dashboard.family, { replace: true });
    } catch (error) {
      setProblem(readable(error));
    }
  };
  return (
    <CardSection title={`Remove ${name}`}>
      <p className="muted">
        Name, birth date and care facts are erased, for every guardian. Payments stay in your
        history.{' '}
        {enrolled && `${name} is enrolled in a class still to come and can be removed after it.`}
      </p>
      <Problem text={problem} />
      <Button
        look="danger"
        className="self-start"
        busy={remove.isPending}
        disabled={enrolled}
        onClick={() => void act()}
      >
        Remove
      </Button>
    </CardSection>
  );
}
