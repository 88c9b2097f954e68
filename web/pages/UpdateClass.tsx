// /updateclass: changes the class that the navigation names. Opened without one it explains. The
// client does not guard it (specification, section 6). The form is shown only to those whom the server
// would obey: its 403 signs the others out.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useLocation } from 'react-router';
import {
  type ClassDetail,
  getClass,
  listClasses,
  listInstructorClasses,
  type ManagedClass,
  updateClass,
} from '../../contract/classes.ts';
import { agesInWords } from '../../contract/ages.ts';
import { messages } from '../../contract/messages.ts';
import { query, useCall } from '../api/query.ts';
import { asSent, ClassFields, factsIn, useClassForm } from '../features/classes/ClassFields.tsx';
import type { ClassValues } from '../features/classes/ClassFields.tsx';
import { DatesEditor } from '../features/classes/dates/DatesEditor.tsx';
import { TellFamilies } from '../features/classes/dates/TellDialog.tsx';
import { useDates } from '../features/classes/dates/useDates.ts';
import { asTyped } from '../ui/money.ts';
import { paths } from '../paths.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { Button, LinkButton } from '../ui/Button.tsx';
import { EmptyState, ErrorNote, ProgressBar } from '../ui/States.tsx';
import { toast } from '../ui/alert.ts';
import { usePageTitle } from '../ui/head.tsx';

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

/** Of one's own classes, and to an admin. */
const isManaged = (item: ClassDetail | ManagedClass): item is ManagedClass => 'feedback' in item;

interface List {
  name: string;
  to: string;
}

/** Where each role finds the classes it may change. */
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

const valuesOf = (item: ManagedClass): ClassValues => ({
  ...factsIn(item),
  minAge: item.minAge ?? null,
  maxAge: item.maxAge ?? null,
  price: asTyped(String(item.price)),
  // All seats, the sold ones included: the number of free seats changes with each sale.
  seat: String(item.capacity),
});

/**
 * Only what was changed, so that saving a price cannot undo another user's new text; price and
 * seats always. Words that are made from the dates are not sent.
 */
function changesOf(values: ClassValues, item: ManagedClass, made: Partial<ClassValues>) {
  const before = valuesOf(item);
  const { price, seat, ...words } = asSent(values);
  const changed = Object.entries(words).filter(
    ([field, value]) =>
      value !== before[field as keyof ClassValues] && !made[field as keyof ClassValues],
  );
  return { price, seat, ...(Object.fromEntries(changed) as Partial<typeof words>) };
}

/** The class after these changes, as the server has it now. */
function changedBy(item: ManagedClass, changes: ReturnType<typeof changesOf>): ManagedClass {
  const { minAge = item.minAge ?? null, maxAge = item.maxAge ?? null, ...rest } = changes;
  const { minAge: _min, maxAge: _max, ...others } = item;
  const isNewRange = 'minAge' in changes || 'maxAge' in changes;
  return {
    ...others,
    ...(rest as Partial<ManagedClass>),
    ...(minAge !== null && { minAge }),
    ...(maxAge !== null && { maxAge }),
    ...(isNewRange && { ages: agesInWords({ minAge, maxAge }) }),
    capacity: changes.seat,
    seat: item.seat + changes.seat - item.capacity,
  };
}

interface UpdateFormProps {
  first: ManagedClass;
  list: List;
  isAdmin: boolean;
}

function UpdateForm({ first, list, isAdmin }: UpdateFormProps) {
  // As it was read or saved last. What others change meanwhile is none of this form's changes.
  const [item, setItem] = useState(first);
  const update = useCall(updateClass, {
    refreshes: [listInstructorClasses, listClasses, getClass],
  });
  const dates = useDates(item, { isAdmin });
  const form = useClassForm(valuesOf(item), async (values, { reset }) => {
    const stored = await dates.save();
    if (stored === 'kept') return;
    const changes = changesOf(values, item, dates.words);
    await update.mutateAsync({ id: item._id, ...changes });
    const now = stored !== 'same' && isManaged(stored) ? stored : item;
    const saved = changedBy(now, changes);
    setItem(saved);
    reset(valuesOf(saved));
    toast(messages.classUpdated);
  });
  const seat = Number(useWatch({ control: form.form.control, name: 'seat' })) || undefined;

  return (
    <>
      <form
        aria-label="Update Class"
        className="card max-w-3xl border border-base-300 bg-base-100"
        {...form.props}
      >
        <div className="card-body gap-4 p-5 sm:p-7">
          {!isAdmin && item.status === 'denied' && (
            <p className="alert alert-warning alert-soft text-sm">An admin reviews your changes.</p>
          )}
          {!isAdmin && item.status === 'approved' && (
            <p className="alert alert-warning alert-soft text-sm">
              {dates.booked ? 'Price, seats and dates change' : 'Price and seats change'} at once.
              Other changes are reviewed first; the class is off sale until it is approved.
            </p>
          )}
          <ClassFields form={form} fromDates={dates.words} />
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
        </div>
      </form>
      <TellFamilies dates={dates} />
    </>
  );
}
