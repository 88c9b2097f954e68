// /dashboard/family/:id: all about one person: birth date, care facts, guardians, classes, calendar.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from 'react-router';
import {
  changeParticipant,
  listParticipants,
  type Participant,
  removeParticipant,
} from '../../../contract/people/family.ts';
import { query, useCall } from '../../platform/api/query.ts';
import { CareSection } from '../../people/care/CareSection.tsx';
import { listFeeds } from '../../../contract/classes/feeds.ts';
import { FeedItem } from '../../classes/calendar/FeedItem.tsx';
import { Attendance } from '../../rollcall/Attendance.tsx';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { Card } from '../../platform/ui/Card.tsx';
import { OnePage } from '../../platform/ui/OnePage.tsx';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { ErrorNote, NotYet, Skeleton } from '../../platform/ui/States.tsx';
import { Guardians } from './Guardians.tsx';
import { aboutOf } from './words.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { useSendForm } from '../../platform/api/form.ts';
import { ApiError, readable } from '../../platform/api/send.ts';
import { Field } from '../../platform/ui/Field.tsx';
import { ask, toast } from '../../platform/ui/alert.ts';
import { useUnsaved } from '../../platform/ui/unsaved.ts';
import { BirthDate } from './AddChild.tsx';
import { type Enrolment, listEnrolments } from '../../../contract/checkout/payments.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { WhenWhere } from '../../platform/ui/WhenWhere.tsx';
import { dayName } from '../../platform/ui/dates.ts';
import { useState } from 'react';

export function FamilyMember() {
  const { id } = useParams();
  const people = useQuery(query(listParticipants, {}));
  const person = people.data?.find(({ _id }) => _id === id);
  return (
    <OnePage
      list={{ title: 'Family', to: paths.dashboard.family }}
      title="Family"
      missing={{
        title: 'There is no such person',
        why: 'The child was removed, or you no longer look after it.',
      }}
      error={people.data && !person ? { code: 'NOT_FOUND', message: '' } : people.error}
      onRetry={() => void people.refetch()}
    >
      {person && (
        <>
          <PageHeading title={person.name}>{aboutOf(person)}</PageHeading>
          <Sections key={person._id} person={person} />
        </>
      )}
    </OnePage>
  );
}

function Sections({ person }: { person: Participant }) {
  const isShared = person.guardians.length > 1 || person.invited.length > 0;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        <Details person={person} />
        <CareSection participantId={person._id} name={person.self ? 'you' : person.name} />
      </div>
      <div className="grid min-w-0 gap-4">
        <Enrolments person={person} />
        <Card title="Attendance">
          <Attendance participantId={person._id} />
        </Card>
        <CalendarLink person={person} />
        {(!person.self || isShared) && <Guardians person={person} />}
        {person.mayRemove && !person.self && <RemoveChild person={person} />}
      </div>
    </div>
  );
}

function CalendarLink({ person: { _id, name } }: { person: Participant }) {
  const feeds = useQuery(query(listFeeds, {}));
  return (
    <Card title="Calendar link">
      <p className="muted">Your calendar app reads a link and stays up to date.</p>
      <NotYet of={feeds}>
        <Skeleton className="h-24" />
      </NotYet>
      {feeds.data && (
        <FeedItem
          participantId={_id}
          name={`Dates of ${name}`}
          feed={feeds.data.find(({ participantId }) => participantId === _id)}
        />
      )}
    </Card>
  );
}

export function Details({ person: { _id, self, name, born } }: { person: Participant }) {
  const change = useCall(changeParticipant);
  const { form, props, field, problem, busy } = useSendForm({
    values: { name, born: born ?? '' },
    send: async (typed) => {
      const input = {
        id: _id,
        ...(typed.name !== name && { name: typed.name }),
        ...(typed.born !== born && { born: typed.born }),
      };
      try {
        await change.mutateAsync(input);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'NO_LONGER_FITS')) throw error;
        const text = error.message;
        if (!(await ask({ title: 'Is the birth date right?', text, yes: 'Yes, save it' }))) return;
        await change.mutateAsync({ ...input, sure: true });
      }
      form.reset(typed);
      toast('Saved');
    },
  });
  const { isDirty } = form.formState;
  useUnsaved(isDirty);
  return (
    <Card title="Details">
      <form className="flex flex-col gap-4" {...props}>
        {self ? (
          <Field
            label="Name"
            readOnly
            value={name}
            className="bg-base-200"
            hint={
              <>
                Your name is changed in your{' '}
                <Link to={paths.dashboard.account} className="link">
                  account
                </Link>
                .
              </>
            }
          />
        ) : (
          <Field
            label="Name"
            required
            maxLength={limits.name}
            autoComplete="off"
            {...field('name')}
          />
        )}
        <BirthDate required {...field('born')} />
        <ErrorNote message={problem} />
        <Button type="submit" busy={busy} disabled={!isDirty} className="self-start">
          Save
        </Button>
      </form>
    </Card>
  );
}

function Enrolments({ person }: { person: Participant }) {
  const { user } = useSession();
  const enrolments = useQuery(
    query(listEnrolments, { email: user?.email ?? '', limit: limits.pageSize }),
  );
  const rows = enrolments.data?.items.filter((row) => row.participantId === person._id);
  return (
    <Card
      title="Classes"
      actions={
        <Link to={paths.classes} className="link link-primary text-sm">
          Find a class
        </Link>
      }
    >
      <NotYet of={enrolments}>
        <Skeleton className="h-20" />
      </NotYet>
      {rows?.length === 0 && (
        <p className="muted">{person.self ? 'You are' : `${person.name} is`} in no class yet.</p>
      )}
      {rows && rows.length > 0 && (
        <ul className="divide-base-300 -my-3 divide-y">
          {rows.map((row) => (
            <Row key={row.enrolmentId} row={row} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ row: { classId, name, schedule, place, next } }: { row: Enrolment }) {
  return (
    <li className="py-3">
      <Link to={paths.class(classId)} className="font-semibold underline-offset-4 hover:underline">
        {name}
      </Link>
      <WhenWhere schedule={schedule} place={place} />
      {next && (
        <p className="figures text-sm font-medium">
          Next: {dayName(next.day)}, {next.starts}
        </p>
      )}
    </li>
  );
}

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
    <Card title={`Remove ${name}`}>
      <p className="muted">
        Name, birth date, allergies and contacts are erased, for every guardian. Payments stay in
        your history.{' '}
        {enrolled && `${name} is enrolled in a class still to come and can be removed after it.`}
      </p>
      <ErrorNote message={problem} />
      <Button
        look="danger"
        className="self-start"
        busy={remove.isPending}
        disabled={enrolled}
        onClick={() => void act()}
      >
        Remove
      </Button>
    </Card>
  );
}
