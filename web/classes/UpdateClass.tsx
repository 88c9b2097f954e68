// /updateclass: changes the class that the navigation names. Opened without one it explains. The
// client does not guard it (specification, section 6). The form is shown only to those whom the server
// would obey: its 403 signs the others out.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useLocation } from 'react-router';
import {
  type ClassStatus,
  getClass,
  type WholeClass,
  type WholeManagedClass,
  refuseChange,
  updateClass,
} from '../../contract/classes/classes.ts';
import { messages } from '../../contract/platform/messages.ts';
import { CallButton } from '../platform/api/CallButton.tsx';
import { query, useCall } from '../platform/api/query.ts';
import { asSent, ClassFields, type ClassValues, factsIn, useClassForm } from './ClassFields.tsx';
import { OldAndNew } from './WhatChanged.tsx';
import { DatesEditor, TellFamilies } from './dates/DatesEditor.tsx';
import { useDates } from './dates/useDates.ts';
import { asTyped } from '../platform/ui/money.ts';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { isMeant, useImpact } from './useImpact.ts';
import { Tick } from '../platform/ui/Field.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { EmptyState, ErrorNote, ProgressBar } from '../platform/ui/States.tsx';
import { toast } from '../platform/ui/alert.ts';
import { usePageTitle } from '../platform/ui/head.tsx';
import { Note } from '../platform/ui/Note.tsx';

export function UpdateClass() {
  usePageTitle('Update Class');
  const id = carriedId(useLocation().state);
  return <Chosen key={id} id={id} />;
}

function Chosen({ id }: { id: string }) {
  const { role, roleLoading } = useSession();
  const mayChange = role === 'instructor' || role === 'admin';
  const isRead = mayChange && id !== '';
  const read = useQuery({ ...query(getClass, { id }), enabled: isRead, refetchOnMount: 'always' });
  // What is typed is compared with what was read first: it must not be older than this page.
  const isReading = isRead && !read.isFetchedAfterMount;
  const found = read.data && isManaged(read.data) ? read.data : null;
  if (roleLoading || isReading) return <ProgressBar />;
  return (
    <div className="measure py-10">
      <h1 className="mb-6 text-3xl">Update Class</h1>
      {found && mayChange ? (
        <UpdateForm first={found} list={listOf[role]} isAdmin={role === 'admin'} />
      ) : read.error && read.error.code !== 'NOT_FOUND' ? (
        <ErrorNote message={read.error.message} onRetry={() => void read.refetch()} />
      ) : (
        <NoClass chosen={id !== ''} list={mayChange ? listOf[role] : undefined} />
      )}
    </div>
  );
}

const isManaged = (item: WholeClass | WholeManagedClass): item is WholeManagedClass =>
  'feedback' in item;

interface List {
  name: string;
  to: string;
}

const listOf: Record<'instructor' | 'admin', List> = {
  instructor: { name: 'My Classes', to: paths.dashboard.myClasses },
  admin: { name: 'Manage Classes', to: paths.dashboard.manageClasses },
};

function NoClass({ chosen, list }: { chosen: boolean; list: List | undefined }) {
  return (
    <EmptyState
      title={chosen ? 'Only its instructor can change a class' : 'No class was chosen'}
      action={<LinkButton to={list?.to ?? paths.login}>{list?.name ?? 'Login'}</LinkButton>}
    >
      Open {list?.name ?? 'My Classes'} and press Update in the row of the class that you want to
      change.
    </EmptyState>
  );
}

/** The history keeps whatever was put into it: only the id is taken from there. */
function carriedId(state: unknown): string {
  const { item } = (state ?? {}) as { item?: { _id?: unknown } | null };
  return typeof item?._id === 'string' ? item._id : '';
}

/** With the change that waits for the office: the form goes on from there. */
const valuesOf = ({ proposal, ...item }: WholeManagedClass): ClassValues => {
  const { minAge = item.minAge ?? null, maxAge = item.maxAge ?? null } = proposal ?? {};
  return {
    ...factsIn({ ...item, ...proposal }),
    minAge,
    maxAge,
    price: asTyped(String(proposal?.price ?? (item.fullCents ? item.fullCents / 100 : item.price))),
    partPrice: item.partPrice ?? true,
    // All seats, the sold ones included: the number of free seats changes with each sale.
    seat: String(proposal?.seat ?? item.capacity),
  };
};

/** Saving a price cannot undo another user's new text. Words made from dates are not sent. */
function changesOf(values: ClassValues, item: WholeManagedClass, made: Partial<ClassValues>) {
  const before = asSent(valuesOf(item));
  const changed = Object.entries(asSent(values)).filter(
    ([field, value]) =>
      value !== before[field as keyof ClassValues] && !made[field as keyof ClassValues],
  );
  return Object.fromEntries(changed) as Partial<typeof before>;
}

const notes: Record<ClassStatus, string> = {
  pending: 'Sent to the office. Visitors see the class once it is approved.',
  approved: 'The class stays on sale as it is until the office has approved your change.',
  denied: 'An admin reviews your changes.',
  cancelled: 'The office has cancelled this class. Nothing of it changes any more.',
};

interface UpdateFormProps {
  first: WholeManagedClass;
  list: List;
  isAdmin: boolean;
}

function UpdateForm({ first, list, isAdmin }: UpdateFormProps) {
  // As it was read or saved last. What others change meanwhile is none of this form's changes.
  const [item, setItem] = useState(first);
  const update = useCall(updateClass);
  const client = useQueryClient();
  const readNow = async () => {
    const now = await client.fetchQuery({ ...query(getClass, { id: item._id }), staleTime: 0 });
    const read = isManaged(now) ? now : item;
    setItem(read);
    return read;
  };
  const note = useRef<HTMLDivElement>(null);
  const dates = useDates(item, { isAdmin });
  const form = useClassForm(valuesOf(item), async (values, { reset }) => {
    const changes = changesOf(values, item, dates.words);
    if (!(await isMeant(item._id, changes))) return;
    const stored = await dates.save();
    if (stored === 'kept') return;
    await update.mutateAsync({ id: item._id, ...changes });
    reset(valuesOf(await readNow()));
    toast(messages.classUpdated);
    note.current?.focus();
  });
  const afterWithdrawal = async () => {
    form.form.reset(valuesOf(await readNow()));
    note.current?.focus();
  };
  const typed = useWatch({ control: form.form.control });
  const seat = Number(typed.seat) || undefined;
  const { price, seat: seats } = changesOf({ ...valuesOf(item), ...typed }, item, dates.words);
  const impact = useImpact(item._id, { price, seat: seats });

  return (
    <>
      <form aria-label="Update Class" className="card-frame max-w-3xl" {...form.props}>
        {!isAdmin && (
          <div ref={note} tabIndex={-1} className="flex flex-col gap-3 outline-none">
            <Note tone="warn">
              {item.proposedAt
                ? 'On sale unchanged; your change waits for the office.'
                : notes[item.status]}
              {item.status === 'approved' && dates.booked && ' Dates change at once.'}
            </Note>
            {item.feedback && (
              <Note title="The office wrote about this class">
                <p className="whitespace-pre-line">{item.feedback}</p>
              </Note>
            )}
            <OldAndNew item={item} />
            {item.proposal && (
              <CallButton
                look="outline"
                className="self-start"
                call={refuseChange}
                input={{ id: item._id }}
                said="Withdrawn"
                onDone={afterWithdrawal}
              >
                Withdraw
              </CallButton>
            )}
          </div>
        )}
        <ClassFields form={form} fromDates={dates.words} impact={impact} />
        {isAdmin && (
          <Tick {...form.form.register('partPrice')}>
            Once it has begun, it costs what is left of it
          </Tick>
        )}
        <DatesEditor dates={dates} seat={seat} />
        {form.problem && <ErrorNote message={form.problem} />}
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <LinkButton look="plain" to={list.to}>
            Back to {list.name}
          </LinkButton>
          <Button type="submit" busy={form.busy}>
            Update Class
          </Button>
        </div>
      </form>
      <TellFamilies dates={dates} />
    </>
  );
}
