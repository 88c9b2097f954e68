// The sheet that puts people of the family on the list of a full class, and of others like it.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Answer } from '../../../contract/platform/call.ts';
import { classWaiting, joinList, listWaits } from '../../../contract/checkout/waits.ts';
import { listEnrolments } from '../../../contract/checkout/payments.ts';
import type { ClassDetail } from '../../../contract/classes/classes.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { query, useCall, useSettings } from '../../platform/api/query.ts';
import { readable } from '../../platform/api/send.ts';
import { paths } from '../../platform/paths.ts';
import { Button, LinkButton } from '../../platform/ui/Button.tsx';
import { todayIn } from '../../platform/ui/dates.ts';
import { Tick } from '../../platform/ui/Field.tsx';
import { Modal } from '../../platform/ui/Modal.tsx';
import { ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { type Choice, choicesOf } from '../choices.ts';
import { freeToWait, nth, oddsInWords } from '../listWords.ts';
import { participants } from '../participants.ts';

interface ListSheetProps {
  item: ClassDetail;
  /** Who is put back. */
  back: readonly string[];
  /** Of a change of class: the seat that is theirs until then. */
  instead: string | null;
  onClose: () => void;
}

export function ListSheet({ item, back, instead, onClose }: ListSheetProps) {
  const choices = useChoices(item);
  const others = useQuery(query(classWaiting, { id: item._id }));
  const [joined, setJoined] = useState<Joined | null>(null);
  return (
    <Modal title={joined ? 'On the list' : 'Who waits for a seat?'} shape="sheet" onClose={onClose}>
      <p className="muted -mt-3 wrap-anywhere">{item.name}</p>
      {joined ? (
        <Places at={item._id} joined={joined} onClose={onClose} />
      ) : choices && others.data ? (
        <Choose
          item={item}
          choices={choices}
          back={back}
          instead={instead}
          others={others.data.others}
          onJoined={setJoined}
        />
      ) : others.error ? (
        <ErrorNote message={others.error.message} onRetry={() => void others.refetch()} />
      ) : (
        <Skeleton className="h-28" />
      )}
    </Modal>
  );
}

function useChoices(item: ClassDetail): readonly Choice[] | undefined {
  const today = todayIn(useSettings().timeZone);
  const email = useSession().user?.email ?? '';
  const people = useQuery(participants).data;
  const enrolments = useQuery(query(listEnrolments, { email, limit: 100 })).data?.items;
  const waits = useQuery(query(listWaits, {})).data;
  if (!people || !enrolments || !waits) return undefined;
  const there = new Set(
    waits.flatMap((wait) =>
      wait.classes.some(({ classId, state }) => classId === item._id && state !== 'ended')
        ? wait.participants.map(({ participantId }) => participantId)
        : [],
    ),
  );
  // As for a seat that changes hands: nobody is on the list of a class for children by mistake.
  const replaces = { participantId: '' };
  const known = { people, item, cart: [], enrolments, meetings: [], today, replaces };
  return choicesOf(known).map((choice) =>
    there.has(choice.id) ? Object.assign(choice, { reason: 'On the list already' }) : choice,
  );
}

type Others = Answer<typeof classWaiting>['others'];

interface Joined {
  waits: Answer<typeof joinList>['waits'];
  names: readonly string[];
  together: boolean;
  classes: ReadonlyMap<string, string>;
}

interface ChooseProps extends Pick<ListSheetProps, 'item' | 'back' | 'instead'> {
  choices: readonly Choice[];
  others: Others;
  onJoined: (joined: Joined) => void;
}

function Choose({ item, choices, back, instead, others, onJoined }: ChooseProps) {
  const possible = choices.filter(({ reason }) => reason === null);
  const children = possible.filter(({ self }) => !self);
  const alone = children.length === 0 ? possible : children.length === 1 ? children : [];
  const [people, setPeople] = useState<ReadonlySet<string>>(
    () => new Set(back.length > 0 ? back : alone.map(({ id }) => id)),
  );
  const [classes, setClasses] = useState<ReadonlySet<string>>(new Set());
  const [together, setTogether] = useState(true);
  const join = useCall(joinList);
  const chosen = possible.filter(({ id }) => people.has(id));
  const names = chosen.map(({ name, self }) => (self ? 'you' : (name.split(' ')[0] ?? name)));
  const changes = instead !== null && chosen.length === 1 && chosen[0]?.id === back[0];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const classIds = [item._id, ...classes];
    join.mutate(
      {
        classIds,
        participantIds: chosen.map(({ id }) => id),
        together: together && chosen.length > 1,
        ...(changes && { instead }),
      },
      {
        onSuccess: ({ waits }) =>
          onJoined({
            waits,
            names,
            together: together && chosen.length > 1,
            classes: new Map([
              [item._id, item.name],
              ...others.map(({ classId, name }) => [classId, name] as const),
            ]),
          }),
      },
    );
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <ul className="border-base-300 divide-base-300 rounded-box divide-y border px-4 py-1">
        {choices.map(({ id, name, self, reason }) => (
          <li key={id}>
            <Tick
              checked={people.has(id) && reason === null}
              disabled={reason !== null}
              onChange={() => setPeople(toggled(people, id))}
            >
              <span className={reason === null ? 'font-semibold' : 'muted'}>
                {self ? `${name} (you)` : name}
              </span>
              {reason && <span className="muted text-sm"> · {reason}</span>}
            </Tick>
          </li>
        ))}
      </ul>
      {chosen.length > 1 && (
        <Tick checked={together} onChange={({ target }) => setTogether(target.checked)}>
          {new Intl.ListFormat('en').format(names)}: together or not at all
        </Tick>
      )}
      {others.length > 0 && (
        <fieldset>
          <legend className="font-semibold">Would another class do?</legend>
          {others.map(({ classId, name, schedule, waiting }) => (
            <Tick
              key={classId}
              checked={classes.has(classId)}
              onChange={() => setClasses(toggled(classes, classId))}
            >
              {name}
              <span className="meta block">
                {[schedule, waiting > 0 && `${waiting} waiting`].filter(Boolean).join(' · ')}
              </span>
            </Tick>
          ))}
        </fieldset>
      )}
      {join.error && <ErrorNote message={readable(join.error)} />}
      <p className="meta">
        {changes ? 'The seat that you have stays yours until then.' : freeToWait}
      </p>
      <Button type="submit" size="large" busy={join.isPending} disabled={chosen.length === 0}>
        {names.length === 0
          ? 'Put on the list'
          : `Put ${new Intl.ListFormat('en').format(names.map((name) => (name === 'you' ? 'me' : name)))} on the list`}
      </Button>
    </form>
  );
}

function toggled(all: ReadonlySet<string>, one: string): ReadonlySet<string> {
  const next = new Set(all);
  if (!next.delete(one)) next.add(one);
  return next;
}

interface PlacesProps {
  at: string;
  joined: Joined;
  onClose: () => void;
}

/** 'Mia is 3rd for Tuesday, 1st for Thursday.' */
function Places({ at, joined, onClose }: PlacesProps) {
  const { waits, names, together, classes } = joined;
  return (
    <>
      <ul className="flex flex-col gap-2">
        {waits.map((wait, n) => {
          const { id } = wait;
          // The class of the page first.
          const places = wait.places.toSorted(
            (a, b) => Number(b.classId === at) - Number(a.classId === at),
          );
          const who = together ? new Intl.ListFormat('en').format(names) : (names[n] ?? '');
          const are = who === 'you' || (together && names.length > 1) ? 'are' : 'is';
          const [first] = places;
          return (
            <li key={id}>
              <p className="font-semibold wrap-anywhere">
                {who === 'you' ? 'You' : who} {are}{' '}
                {places
                  .map(({ classId, place }) => `${nth(place)} for ${classes.get(classId)}`)
                  .join(', ')}
                .
              </p>
              {first && <p className="meta">{oddsInWords(first)}</p>}
            </li>
          );
        })}
      </ul>
      <p className="meta">{freeToWait}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onClose}>Done</Button>
        <LinkButton look="plain" to={paths.dashboard.waiting}>
          See all lists
        </LinkButton>
      </div>
    </>
  );
}
