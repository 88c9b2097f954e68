// /dashboard/manageclasses/{id}: what an admin decides on, and the decision beneath.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import {
  type ClassDetail,
  endClass,
  getClass,
  type ManagedClass,
  type WholeManagedClass,
  refuseChange,
} from '../../contract/classes/classes.ts';
import { limits } from '../../contract/platform/limits.ts';
import { checkDates, type ClassMeeting } from '../../contract/classes/meetings.ts';
import { CallButton } from '../platform/api/CallButton.tsx';
import { query, useCall } from '../platform/api/query.ts';
import { ApproveDeny, type Decided, DenyReason } from './ApproveDeny.tsx';
import { ClassFacts } from './ClassFacts.tsx';
import { FeedbackDialog } from './FeedbackDialog.tsx';
import { OldAndNew, WhatChanged } from './WhatChanged.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { paths } from '../platform/paths.ts';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Email } from '../platform/ui/Email.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Note } from '../platform/ui/Note.tsx';
import { OnePage } from '../platform/ui/OnePage.tsx';
import { PageHeading } from '../platform/ui/PageHeading.tsx';
import { Picture } from '../platform/ui/Picture.tsx';
import { TextDialog } from '../platform/ui/TextDialog.tsx';
import { money } from '../platform/ui/money.ts';
import { onDemand, partOnDemand } from '../platform/ui/onDemand.tsx';
import { dayName } from '../platform/ui/dates.ts';
import { MeetingLine, Notes, type Check, notesOn, smallPlaces } from './dates/Notes.tsx';

const CancelClass = onDemand(() => import('./CancelClass.tsx').then((m) => m.CancelClass));
const HandOver = onDemand(() => import('./HandOver.tsx').then((m) => m.HandOver));
/** Below everything that is decided here. */
const ClassAnnouncements = partOnDemand(
  () => import('./ClassAnnouncements.tsx').then((m) => m.ClassAnnouncements),
  null,
);

export function ClassReview() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(query(getClass, { id }));
  return (
    <OnePage
      list={{ title: 'Manage Classes', to: paths.dashboard.manageClasses }}
      title="Review"
      missing={{ title: 'There is no such class', why: 'The link may have a typo.' }}
      error={error}
      onRetry={() => void refetch()}
    >
      {data && 'feedback' in data ? <Review item={data} /> : null}
    </OnePage>
  );
}

/** What visitors look for. A class can do without the others. */
const expected = ['description', 'ages', 'schedule', 'place'] as const;

function Review({ item }: { item: WholeManagedClass }) {
  const [open, setOpen] = useState<'feedback' | 'handOver' | 'refuse' | 'cancel' | null>(null);
  const close = () => setOpen(null);
  const [denied, setDenied] = useState<Decided | null>(null);
  const isCancelled = item.status === 'cancelled';
  const hasDates = item.firstDay !== undefined;
  const check = useQuery({ ...query(checkDates, { classId: item._id }), enabled: hasDates });
  const clashes = new Set(check.data?.clashes.map(({ day, starts }) => `${day} ${starts}`)).size;
  const missing = expected.filter((fact) => !item[fact]);
  return (
    <>
      <PageHeading
        title="Review"
        shown={item.name}
        actions={
          <>
            {item.status === 'approved' && !item.meetings && !item.ended && <Over item={item} />}
            <LinkButton look="plain" to={paths.dashboard.line(item._id)}>
              Line
            </LinkButton>
            {!isCancelled && (
              <>
                <LinkButton look="plain" to={paths.updateClass} state={{ item }}>
                  Update
                </LinkButton>
                <Button look="plain" onClick={() => setOpen('handOver')}>
                  Hand over
                </Button>
              </>
            )}
          </>
        }
      >
        <StatusBadge status={item.status} />{' '}
        {isCancelled
          ? 'Visitors no longer see it.'
          : item.status === 'approved'
            ? 'As visitors see it.'
            : 'As visitors will see it.'}
      </PageHeading>
      <div className="mb-5 flex flex-col gap-2">
        {item.cancelNote && <Note title="Why it was cancelled">{item.cancelNote}</Note>}
        <WhatChanged {...item} />
        <OldAndNew item={item} />
        {clashes > 0 && item.status !== 'approved' && !isCancelled && (
          <Note tone="bad">
            {clashes === 1 ? '1 date clashes' : `${clashes} dates clash`} with other classes.
            Approve is possible once they are moved.
          </Note>
        )}
        {item.feedback && <Note title="Your feedback">{item.feedback}</Note>}
      </div>
      <article className="rounded-box border-base-300 bg-base-100 overflow-hidden border lg:grid lg:grid-cols-2">
        <div>
          <Picture
            src={item.img}
            alt={`${item.sport}: ${item.name}`}
            width={640}
            height={480}
            loading="eager"
            className="aspect-video h-full w-full object-cover lg:aspect-[4/3]"
          />
        </div>
        <div className="flex flex-col gap-5 p-5 sm:p-7">
          <p className="flex flex-wrap items-baseline justify-between gap-x-6">
            <span className="text-primary text-sm font-semibold">{item.sport}</span>
            <span className="figures text-2xl font-bold">
              {money(item.fullCents ? item.fullCents / 100 : item.price)}
            </span>
          </p>
          <ClassFacts item={item} />
          <p>
            With <strong className="font-semibold">{item.instructor}</strong>
            <span className="muted block text-sm">
              <Email address={item.email} />
            </span>
          </p>
          {missing.length > 0 && (
            <p className="text-warning flex items-center gap-2 text-sm font-medium">
              <Icon name="info" className="size-4.5 shrink-0" />
              Not given: {missing.join(', ')}
            </p>
          )}
        </div>
        <About item={item} />
        <section className="border-base-300 border-t p-5 sm:p-7 lg:col-span-2">
          <h2 className="heading">Dates</h2>
          <PlannedDates item={item} check={check.data} />
        </section>
      </article>
      <div className="mt-5">
        <ClassAnnouncements classId={item._id} name={item.name} />
      </div>
      {/* Stays in sight while the admin reads. */}
      <section
        aria-label="Decision"
        className="bottom-bar bar mt-5 flex-wrap gap-2! lg:sticky lg:bottom-3 lg:z-10 lg:shadow-lg"
      >
        <ApproveDeny
          item={item}
          review={{ isBlocked: clashes > 0 || check.isLoading }}
          onDenied={setDenied}
        />
        {item.proposal && (
          <Button size="small" look="outline" onClick={() => setOpen('refuse')}>
            Refuse the change
          </Button>
        )}
        <Button size="small" look="outline" of={item.name} onClick={() => setOpen('feedback')}>
          Feedback
        </Button>
        {!isCancelled && !item.ended && (
          <Button
            size="small"
            look="plain"
            className="text-error"
            onClick={() => setOpen('cancel')}
          >
            Cancel class
          </Button>
        )}
      </section>
      {denied && <DenyReason item={denied} onClose={() => setDenied(null)} />}
      {open === 'feedback' && <FeedbackDialog row={item} onClose={close} />}
      {open === 'refuse' && <Refuse item={item} onClose={close} />}
      {open === 'cancel' && <CancelClass item={item} onClose={close} />}
      {open === 'handOver' && <HandOver row={item} onClose={close} />}
    </>
  );
}

function Refuse({ item, onClose }: { item: ManagedClass; onClose: () => void }) {
  const { _id: id, name, instructor, proposedAt } = item;
  const refuse = useCall(refuseChange);
  return (
    <TextDialog
      title={`Refuse the change of ${name}`}
      label="Reason"
      hint={`${instructor} gets this by mail. The class stays on sale as it is.`}
      maxLength={limits.text}
      submit="Refuse the change"
      sent="Change refused"
      send={(reason) => refuse.mutateAsync({ id, reason, proposedAt })}
      onClose={onClose}
    />
  );
}

const Over = ({ item: { _id: id, name } }: { item: ManagedClass }) => (
  <CallButton
    look="plain"
    size="small"
    call={endClass}
    input={{ id }}
    sure={{
      title: `Is ${name} over?`,
      text: 'No further seat is sold, and those enrolled are in it no longer.',
      yes: 'It is over',
      danger: true,
    }}
    said="Over"
  >
    Over
  </CallButton>
);

function About({ item }: { item: ClassDetail }) {
  return (
    <section className="border-base-300 border-t p-5 sm:p-7 lg:col-span-2">
      <h2 className="heading">About this class</h2>
      <p className={`mt-2 max-w-prose whitespace-pre-line ${item.description ? '' : 'muted'}`}>
        {item.description || 'No description.'}
      </p>
      {item.bring && (
        <>
          <h2 className="heading mt-5">What to bring</h2>
          <p className="mt-2 max-w-prose whitespace-pre-line">{item.bring}</p>
        </>
      )}
    </section>
  );
}

function PlannedDates({ item, check }: { item: ManagedClass; check: Check | undefined }) {
  const { meetings = [] } = item;
  const [now] = useState(() => new Date().toISOString());
  if (meetings.length === 0)
    return <p className="muted mt-2">No dates yet: visitors read “Dates will follow”.</p>;
  return (
    <>
      <p className="figures mt-1 font-medium">{item.schedule}</p>
      <Notes notes={smallPlaces(check, item.capacity)} className="mt-3" />
      <ol aria-label="Meetings" className="ruled mt-3 grid">
        {meetings.map((meeting) => (
          <Planned
            key={meeting._id}
            meeting={meeting}
            isOver={meeting.endsAt <= now}
            check={check}
          />
        ))}
      </ol>
    </>
  );
}

interface PlannedProps {
  meeting: ClassMeeting;
  isOver: boolean;
  check: Check | undefined;
}

function Planned({ meeting, isOver, check }: PlannedProps) {
  const { day, starts, ends, place, state, told } = meeting;
  const isCancelled = state === 'cancelled';
  const notes = isCancelled || isOver ? [] : notesOn(meeting, check);
  const isClash = notes.some(({ kind }) => kind === 'clash');
  return (
    <li
      className={`flex flex-col gap-1 px-4 py-2.5 text-sm ${isClash ? 'bg-error/10' : ''} ${isOver ? 'muted' : ''}`}
    >
      <MeetingLine
        day={dayName(day)}
        time={`${starts}–${ends}`}
        place={place}
        isCancelled={isCancelled}
      />
      <Notes notes={notes} linkTo={paths.dashboard.review} />
      {told && <p className="muted wrap-anywhere">Families were told: {told}</p>}
    </li>
  );
}
