// /dashboard/addaclass, and /dashboard/manageclasses/new for an admin: a new class and its card.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { addClass, type ClassDetail, type Fact } from '../../contract/classes/classes.ts';
import { agesInWords } from '../../contract/people/ages.ts';
import type { Input } from '../../contract/platform/call.ts';
import { type Instructor, listInstructors } from '../../contract/classes/instructors.ts';
import { limits } from '../../contract/platform/limits.ts';
import { messages } from '../../contract/platform/messages.ts';
import { listInvitations, setTeaches } from '../../contract/people/staff.ts';
import { query, useCall, useSports } from '../platform/api/query.ts';
import { ClassCard } from './ClassCard.tsx';
import {
  asSent,
  ClassFields,
  emptyClass,
  factsIn,
  loadRules,
  useClassForm,
} from './ClassFields.tsx';
import { DatesEditor } from './dates/DatesEditor.tsx';
import { type Dates, useDates } from './dates/useDates.ts';
import { useSettled } from './dates/useSettled.ts';
import { PageHeading } from '../platform/ui/PageHeading.tsx';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Button, LinkButton } from '../platform/ui/Button.tsx';
import { Select } from '../platform/ui/Field.tsx';
import { EmptyState, ErrorNote } from '../platform/ui/States.tsx';
import { decimal } from '../platform/ui/money.ts';
import { toast } from '../platform/ui/alert.ts';

export function AddAClass() {
  const { user, role } = useSession();
  const navigate = useNavigate();
  const instructor = { instructor: user?.name ?? '', email: user?.email ?? '' };
  const isAdmin = role === 'admin';
  return (
    <>
      <PageHeading title="Add a Class">
        {isAdmin
          ? 'It is on sale once you have added it.'
          : 'An admin reviews every new class before visitors see it.'}
      </PageHeading>
      <NewClass
        instructor={instructor}
        sent={{ ...instructor, ...(isAdmin && { instructorId: user?.id }), status: 'pending' }}
        onAdded={(added) => void navigate(paths.dashboard.myClasses, { state: { added } })}
        list={['My classes', paths.dashboard.myClasses]}
      />
    </>
  );
}

/** /dashboard/manageclasses/new: an admin writes a class for an instructor. */
export function AddForInstructor() {
  const navigate = useNavigate();
  const [chosen, choose] = useState<Instructor | null>(null);
  const found = useQuery(query(listInstructors, { limit: limits.pageSize }));
  const instructors = found.data?.items ?? [];
  const names = instructors.map(({ id, name, email }) => [id, `${name} (${email})`] as const);
  return (
    <>
      <PageHeading title="Add a Class">It is on sale once you have added it.</PageHeading>
      {found.error && <ErrorNote message={found.error.message} />}
      {found.data?.total === 0 && <NobodyYet />}
      <div className="mb-4 max-w-md" hidden={instructors.length === 0}>
        <Select
          label="For which instructor?"
          value={chosen?.id ?? ''}
          onChange={({ target }) =>
            choose(instructors.find(({ id }) => id === target.value) ?? null)
          }
          options={[['', 'Please choose'], ...names]}
        />
      </div>
      {chosen && (
        <NewClass
          instructor={{ instructor: chosen.name, email: chosen.email }}
          sent={{ instructorId: chosen.id }}
          onAdded={(id) => void navigate(paths.dashboard.review(id))}
          list={['Manage Classes', paths.dashboard.manageClasses]}
        />
      )}
    </>
  );
}

function NobodyYet() {
  const invited = useQuery(query(listInvitations, {})).data?.items ?? [];
  const emails = invited.filter(({ role }) => role === 'instructor').map(({ email }) => email);
  const teach = useCall(setTeaches);
  return (
    <EmptyState
      title="No instructor has joined yet"
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <LinkButton to={`${paths.dashboard.manageUsers}?invite=yes`}>
            Invite an instructor
          </LinkButton>
          <Button
            look="outline"
            busy={teach.isPending}
            onClick={() => teach.mutate({ teaches: true })}
          >
            I teach, too
          </Button>
        </div>
      }
    >
      {emails.length > 0 && `Invited: ${emails.join(', ')}.`}
    </EmptyState>
  );
}

interface NewClassProps {
  instructor: { instructor: string; email: string };
  sent: Partial<Input<typeof addClass>>;
  onAdded: (id: string) => void;
  list: readonly [name: string, to: string];
}

function NewClass({ instructor, sent, onAdded, list }: NewClassProps) {
  // One key for one filled form: the server adds one class for it, however often it is sent.
  const key = useRef('');
  const add = useCall(addClass, { key: () => (key.current ||= crypto.randomUUID()) });
  const dates = useDates();
  const sports = useSports();
  const sport = sports.includes('Other') ? 'Other' : sports.at(-1);
  const form = useClassForm({ ...emptyClass, sport }, async (values) => {
    if (!dates.check()) return;
    try {
      const { insertedId } = await add.mutateAsync({
        ...asSent(values),
        ...dates.asSent(values),
        ...sent,
      });
      toast(messages.classAdded);
      onAdded(insertedId);
    } catch (error) {
      if (!dates.refuse(error)) throw error;
    }
  });
  const seat = Number(useWatch({ control: form.form.control, name: 'seat' })) || undefined;

  return (
    <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <form aria-label="Add a Class" className="card-frame" {...form.props}>
        <ClassFields form={form} adding={instructor} fromDates={dates.words} />
        <DatesEditor dates={dates} seat={seat} />
        {form.problem && <ErrorNote message={form.problem} />}
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <LinkButton look="plain" to={list[1]}>
            {list[0]}
          </LinkButton>
          <Button type="submit" busy={form.busy}>
            Add Class
          </Button>
        </div>
      </form>
      <Preview form={form} dates={dates} {...instructor} />
    </div>
  );
}

interface PreviewProps {
  form: ReturnType<typeof useClassForm>;
  dates: Dates;
  instructor: string;
  email: string;
}

function Preview({ form, dates, ...instructor }: PreviewProps) {
  const values = useWatch({ control: form.form.control });
  const { minAge = null, maxAge = null } = values;
  const img = usePicture(values.img ?? '');
  return (
    <section aria-labelledby="preview" className="sticky top-24 flex flex-col gap-3">
      <h2 id="preview" className="font-bold">
        As visitors will see it
      </h2>
      {/* Only to be looked at: its Select would have nothing to select. */}
      <div inert>
        <ClassCard
          item={{
            ...factsIn({ ...emptyClass, ...values } as Pick<ClassDetail, Fact>),
            _id: 'preview',
            instructorId: 'preview',
            name: values.name || 'The name of your class',
            img,
            ages: agesInWords({ minAge: minAge || null, maxAge: maxAge || null }),
            schedule: dates.words.schedule || (values.schedule ?? ''),
            place: dates.words.place || (values.place ?? ''),
            // Until they are typed, what the empty fields show.
            price: Number(decimal(values.price ?? '')) || 49,
            seat: Number(values.seat) || 20,
            status: 'approved',
            ...instructor,
          }}
        />
      </div>
    </section>
  );
}

/** Half an address is no address: the picture is asked for once the typing has paused. */
function usePicture(typed: string): string {
  const settled = useSettled(typed, 500);
  const [picture, setPicture] = useState('');
  useEffect(() => {
    const show = async () => {
      const rules = await loadRules();
      setPicture(rules?.isPictureAddress(settled) ? settled : '');
    };
    void show();
  }, [settled]);
  return picture;
}
