// The sheet that asks who a class is for: one row for each person of the family. Every chosen person
// becomes an item of the cart. A seat that is somebody's already gets to one other person. Who has no
// children, and was never asked, says first whether it is for a child.
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState, useEffect } from 'react';
import { calendarDays, myCalendar } from '../../contract/classes/calendar.ts';
import { isForChildren, agesInWords } from '../../contract/people/ages.ts';
import { addToCart, getCart } from '../../contract/checkout/cart.ts';
import { getClass, listClasses, type ClassDetail } from '../../contract/classes/classes.ts';
import type { Clash } from '../../contract/platform/clash.ts';
import { studentFigures } from '../../contract/academy/figures.ts';
import { limits } from '../../contract/platform/limits.ts';
import { messages } from '../../contract/platform/messages.ts';
import { listEnrolments } from '../../contract/checkout/payments.ts';
import { query, readAgain, useSettings, useCall } from '../platform/api/query.ts';
import { ApiError, readable, send } from '../platform/api/send.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Button } from '../platform/ui/Button.tsx';
import { Icon } from '../platform/ui/Icon.tsx';
import { Modal } from '../platform/ui/Modal.tsx';
import { ErrorNote, Skeleton } from '../platform/ui/States.tsx';
import { toast } from '../platform/ui/alert.ts';
import { todayIn } from '../platform/ui/dates.ts';
import { clashInWords, ClashNote } from './ClashNote.tsx';
import { type Choice, choicesOf, rangesOf, ageOn, isInRange } from './choices.ts';
import { participants } from './participants.ts';
import { StillRight } from './StillRight.tsx';
import {
  addParticipant,
  changeParticipant,
  type Participant,
} from '../../contract/people/family.ts';
import { useSendForm } from '../platform/api/form.ts';
import { Field } from '../platform/ui/Field.tsx';

interface WhoSheetProps {
  classId: string;
  onClose: () => void;
  replaces?: Replaces;
}

export interface Replaces {
  name: string;
  participantId: string;
  give: (participantId: string) => Promise<{ clashes: Clash[] }>;
}

export function WhoSheet({ classId, onClose, replaces }: WhoSheetProps) {
  const { item, people, choices, error, retry } = useChoices(classId, replaces);
  const { add, busy, refusals } = useAdding(classId, replaces, onClose);
  const [wantsNew, setWantsNew] = useState(false);
  const own = people?.length === 1 ? people[0] : undefined;
  const isFirst = own?.born === null && isForChildren(item?.maxAge);
  const isNew = wantsNew || isFirst || choices?.every(({ reason }) => reason !== null);
  return (
    <Modal title="Who is it for?" shape="sheet" onClose={onClose}>
      {item && <p className="muted -mt-3 wrap-anywhere">{item.name}</p>}
      {choices && item ? (
        <>
          {!isFirst && (
            <Choosing
              seat={item.seat}
              choices={choices}
              replaces={replaces}
              onAddChild={replaces && !isNew ? () => setWantsNew(true) : undefined}
              {...{ add, busy, refusals, isNew }}
            />
          )}
          {isNew && (
            <NewPerson
              item={item}
              own={isFirst ? own : undefined}
              submit={replaces ? 'Change' : 'Add to the cart'}
              onAdded={(chosen) => {
                setWantsNew(false);
                return add([chosen]);
              }}
            />
          )}
        </>
      ) : error ? (
        <ErrorNote message={error.message} onRetry={retry} />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-2">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </div>
      )}
    </Modal>
  );
}

function useChoices(classId: string, replaces: Replaces | undefined) {
  const { user } = useSession();
  const { timeZone } = useSettings();
  const today = todayIn(timeZone);
  const email = user?.email ?? '';
  const item = useQuery(query(getClass, { id: classId }));
  const people = useQuery(participants);
  const cart = useQuery(query(getCart, {}));
  const enrolments = useQuery(query(listEnrolments, { email, limit: limits.pageSize }));
  const ranges = item.data ? rangesOf(item.data, today, calendarDays) : [];
  // Clashes are a warning: the rows are shown before they are known.
  const meetings = useQueries({ queries: ranges.map((range) => query(myCalendar, range)) });
  const reads = [item, people, cart, enrolments];
  return {
    item: item.data,
    people: people.data,
    choices:
      item.data && people.data && cart.data && enrolments.data
        ? choicesOf({
            people: people.data,
            item: item.data,
            cart: cart.data,
            enrolments: enrolments.data.items,
            meetings: meetings.flatMap(({ data = [] }) => data),
            today,
            replaces,
          })
        : undefined,
    error: reads.find((read) => read.error)?.error,
    retry: () => reads.forEach((read) => read.error && void read.refetch()),
  };
}

interface ChoosingProps extends ReturnType<typeof useAdding> {
  seat: number;
  choices: readonly Choice[];
  replaces: Replaces | undefined;
  onAddChild: (() => void) | undefined;
  isNew: boolean | undefined;
}

function Choosing(props: ChoosingProps) {
  const { seat, choices, replaces, onAddChild, isNew, add, busy, refusals } = props;
  const [ticked, setTicked] = useState(() => onlyChild(choices));
  const chosen = choices.filter(({ id, reason }) => ticked.has(id) && reason === null);
  const toggle = (id: string) =>
    setTicked(
      (before) =>
        new Set(
          replaces
            ? [id]
            : before.has(id)
              ? [...before].filter((one) => one !== id)
              : [...before, id],
        ),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen.length > 0) void add(chosen);
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <ul className="border-base-300 divide-base-300 rounded-box divide-y border">
        {choices.map((choice) => (
          <Row
            key={choice.id}
            choice={choice}
            isTicked={ticked.has(choice.id)}
            isOnly={replaces !== undefined}
            refusal={refusals.get(choice.id)}
            onToggle={() => toggle(choice.id)}
          />
        ))}
      </ul>
      {onAddChild && (
        <Button look="outline" onClick={onAddChild}>
          Add a child
        </Button>
      )}
      {seat > 0 && chosen.length > seat && (
        <p role="alert" className="text-warning text-sm font-medium">
          Only {seat === 1 ? '1 seat is' : `${seat} seats are`} left.
        </p>
      )}
      {!isNew && (
        // In reach of the thumb, however long the list is.
        <div className="bg-base-100 sticky bottom-0 z-20 -my-3 py-3">
          <Button
            type="submit"
            size="large"
            className="w-full"
            busy={busy}
            disabled={chosen.length === 0}
          >
            {replaces
              ? 'Change'
              : chosen.length > 1
                ? `Add ${chosen.length} to the cart`
                : 'Add to the cart'}
          </Button>
        </div>
      )}
    </form>
  );
}

/** One tap less for a family with one child. */
function onlyChild(choices: readonly Choice[]): ReadonlySet<string> {
  const possible = choices.filter(({ self, reason }) => !self && reason === null);
  return new Set(possible.length === 1 ? possible.map(({ id }) => id) : []);
}

interface RowProps {
  choice: Choice;
  isTicked: boolean;
  isOnly: boolean;
  refusal: string | undefined;
  onToggle: () => void;
}

function Row({ choice, isTicked, isOnly, refusal, onToggle }: RowProps) {
  const { id, name, self, age, reason, ages, clashes, careIsOld } = choice;
  const tick = `for-${id}`;
  const about = `${tick}-about`;
  const facts = [
    age !== null && (age === 1 ? '1 year' : `${age} years`),
    reason ?? (ages && `This class is for ${ages}`),
  ].filter(Boolean);
  const isPlain = facts.length + clashes.length === 0 && !refusal;
  return (
    <li
      className={`relative flex min-h-14 gap-3 px-4 py-3 ${isPlain ? 'items-center' : 'items-start'}`}
    >
      <input
        id={tick}
        type={isOnly ? 'radio' : 'checkbox'}
        name="who"
        className={`z-10 mt-0.5 shrink-0 ${isOnly ? 'accent-primary size-6' : 'checkbox checkbox-primary rounded-md'}`}
        checked={isTicked && reason === null}
        disabled={reason !== null}
        aria-describedby={about}
        onChange={onToggle}
      />
      <div className="min-w-0 flex-1">
        <label
          htmlFor={tick}
          className={`block font-semibold wrap-anywhere after:absolute after:inset-0 after:content-[''] ${reason === null ? 'cursor-pointer' : 'muted'}`}
        >
          {self ? `${name} (you)` : name}
        </label>
        <div id={about} className="text-sm">
          {facts.length > 0 && <p className="muted">{facts.join(' · ')}</p>}
          <ClashNote clashes={clashes} />
          {refusal && (
            <p role="alert" className="text-error font-medium">
              {refusal}
            </p>
          )}
        </div>
        {careIsOld && isTicked && reason === null && <StillRight id={id} name={name} />}
      </div>
      {reason && /already/.test(reason) && (
        <Icon name="check" className="text-success mt-1 size-4 shrink-0" />
      )}
    </li>
  );
}

type Person = Pick<Choice, 'id' | 'name' | 'self'> & { clashes?: readonly Clash[] };

/** Adds one after the other. Who could not be added stays in the sheet, with the reason. */
function useAdding(itemId: string, replaces: Replaces | undefined, onClose: () => void) {
  const client = useQueryClient();
  const { user } = useSession();
  const [busy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const adding = useRef(false);

  const add = async (chosen: readonly Person[]) => {
    if (adding.current) return;
    adding.current = true;
    setBusy(true);
    const refused = new Map<string, string>();
    const news: string[] = [];
    let added = 0;
    for (const { id, name, self, clashes: shown = [] } of chosen) {
      try {
        const { clashes = [] } = replaces
          ? await replaces.give(id)
          : await send(addToCart, {
              itemId,
              email: user?.email,
              ...(!self && { participantId: id }),
            });
        added += 1;
        // What the sheet has said already is not said again.
        if (clashes.length > 0 && shown.length === 0)
          news.push(`${name}: ${clashInWords(clashes)}`);
      } catch (error) {
        // A 401 has already led to the sign-in page.
        if (error instanceof ApiError && (error.status === 401 || error.status === 403))
          return onClose();
        refused.set(id, readable(error));
      }
    }
    adding.current = false;
    setBusy(false);
    setRefusals(refused);
    const whom = chosen[0]?.self ? 'you' : chosen[0]?.name;
    if (added > 0) toast(replaces ? `${replaces.name} is for ${whom} now.` : messages.addedToCart);
    for (const words of news) toast(words, 'info');
    if (refused.size === 0) onClose();
    const seats = refused.size > 0 ? [listClasses, getClass] : [];
    await readAgain(client, [getCart, studentFigures, listEnrolments, ...seats]);
  };
  return { add, busy, refusals };
}

interface NewPersonProps {
  item: ClassDetail;
  own: Participant | undefined;
  submit: string;
  onAdded: (chosen: { id: string; name: string; self: boolean }) => Promise<void>;
}

function NewPerson({ item, own, submit, onAdded }: NewPersonProps) {
  const today = todayIn(useSettings().timeZone);

  const add = useCall(addParticipant);
  const change = useCall(changeParticipant);
  const { form, props, field, problem, busy } = useSendForm({
    defaultValues: { kind: 'A child', name: '', born: '' },
    send: async ({ kind, name, born }, { setError }) => {
      const { minAge = null, maxAge = null, firstDay = today } = item;
      if (own && kind === 'Myself') {
        await change.mutateAsync({ id: own._id, born });
        return onAdded({ id: own._id, name: own.name, self: true });
      }
      // A child who does not fit would be added for nothing.
      if (!isInRange(ageOn(born, firstDay), { minAge, maxAge }))
        return setError('born', { message: `Only for ${agesInWords({ minAge, maxAge })}` });
      const { insertedId: id } = await add.mutateAsync({ name, born });
      return onAdded({ id, name: name.trim(), self: false });
    },
  });
  const self = own !== undefined && form.watch('kind') === 'Myself';
  // After the sheet has opened, which gives the focus to its first button.
  const { setFocus } = form;
  useEffect(() => setFocus('name'), [setFocus]);
  return (
    <form className="flex flex-col gap-4" {...props}>
      {own && (
        <fieldset className="flex gap-6">
          <legend className="sr-only">Who is it for?</legend>
          {['A child', 'Myself'].map((one) => (
            <label key={one} className="flex min-h-11 cursor-pointer items-center gap-2">
              <input
                type="radio"
                value={one}
                className="accent-primary size-6"
                {...form.register('kind')}
              />
              {one}
            </label>
          ))}
        </fieldset>
      )}
      {!self && (
        <Field
          label="First name"
          hint={`Does somebody else look after ${form.watch('name').trim() || 'this child'} here? Ask them to invite you.`}
          required
          maxLength={limits.name}
          autoComplete="off"
          {...field('name')}
        />
      )}
      <Field
        label={self ? 'Your birth date' : 'Birth date'}
        type="date"
        min="1900-01-02"
        max={today}
        className="min-h-11"
        required
        {...field('born')}
      />
      <ErrorNote message={problem} />
      <Button type="submit" size="large" busy={busy}>
        {submit}
      </Button>
    </form>
  );
}
