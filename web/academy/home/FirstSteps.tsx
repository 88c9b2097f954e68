// What a new academy does first, until it is done or dismissed. The server knows what is done.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AnyCall, Answer, Input } from '../../../contract/platform/call.ts';
import { changeAcademy, readAcademy } from '../../../contract/academy/academy.ts';
import {
  changeSteps,
  readSteps,
  sendTestMail,
  type StepName,
  stepNames,
} from '../../../contract/academy/steps.ts';
import { query, useCall, useSettings } from '../../platform/api/query.ts';
import { readable } from '../../platform/api/send.ts';
import { paths } from '../../platform/paths.ts';
import { Button } from '../../platform/ui/Button.tsx';
import { CardSection } from '../../platform/ui/CardSection.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
import { failure, toast } from '../../platform/ui/alert.ts';
import * as icons from '../../platform/ui/dashboardicons.ts';

interface Step {
  title: string;
  how: ReactNode;
  to?: string;
  action?: ReactNode;
}

const at = paths.dashboard;

export function FirstSteps() {
  const steps = useQuery({ ...query(readSteps, {}), staleTime: 0 });
  const change = useCall(changeSteps);
  const { hidden = true, done = [], cards = 'keys' } = steps.data ?? {};
  const words = useWords(cards);
  if (hidden || done.length === stepNames.length) return null;
  return (
    <CardSection
      title="First steps"
      actions={
        <Button
          look="plain"
          size="small"
          busy={change.isPending}
          onClick={() => change.mutate({ hidden: true })}
        >
          Dismiss
        </Button>
      }
    >
      <p className="muted -mt-4 text-sm">
        {done.length} of {stepNames.length} done
      </p>
      <ol className="grid gap-4 sm:grid-cols-2">
        {stepNames.map((name) => (
          <Line key={name} done={done.includes(name)} {...words[name]} />
        ))}
      </ol>
    </CardSection>
  );
}

function Line({ done, title, how, to, action }: Step & { done: boolean }) {
  return (
    <li className="flex gap-3">
      <span className={done ? 'text-success' : 'muted'}>
        <Icon name={done ? icons.circleCheck : 'right'} className="mt-0.5 size-5" />
      </span>
      <div className="min-w-0">
        <p className="font-medium">
          {to ? (
            <Link to={to} className="link inline-block py-1">
              {title}
            </Link>
          ) : (
            title
          )}
          {done && <span className="sr-only"> (done)</span>}
        </p>
        {!done && <p className="muted text-sm">{how}</p>}
        {!done && action}
      </div>
    </li>
  );
}

const stripe = {
  keys: 'Set the three STRIPE_ keys and the webhook. Until then cards are charged in the sandbox: no real money moves.',
  answer: 'The keys are set, but Stripe does not answer this server. Nobody can pay until it does.',
  'other keys':
    'Stripe does not accept STRIPE_SECRET_KEY. Nobody can pay until the keys are right.',
  event: 'The keys are right. Point the webhook at this site: Stripe has not sent an event yet.',
} as const satisfies Record<NonNullable<Answer<typeof readSteps>['cards']>, string>;

function useWords(cards: keyof typeof stripe): Record<StepName, Step> {
  const { currency, timeZone } = useSettings();
  return {
    name: {
      title: 'Name and logo',
      how: 'What visitors see first.',
      to: `${at.academy}?section=name`,
    },
    contact: {
      title: 'Contact',
      how: 'An address for questions, and your city.',
      to: `${at.academy}?section=contact`,
    },
    money: {
      title: 'Currency and time zone',
      how: `Now ${currency.toUpperCase()} and ${timeZone.replaceAll('_', ' ')}. The currency cannot change after the first sale.`,
      to: `${at.academy}?section=money`,
      action: <KeepCurrency code={currency} />,
    },
    place: {
      title: 'First place',
      how: 'A court, a hall, a lane: where classes meet.',
      to: at.places,
    },
    instructor: {
      title: 'Invite an instructor',
      how: 'They get a mail with a link.',
      to: `${at.manageUsers}?invite=yes`,
    },
    class: {
      title: 'First class',
      how: 'An instructor adds it, or you do; visitors see it once it is approved.',
      to: at.manageClasses,
    },
    cards: { title: 'Connect Stripe', how: stripe[cards] },
    mail: {
      title: 'Send a test mail',
      how: 'To your own address, by your mail server.',
      action: (
        <Act call={sendTestMail} input={{}} said={({ to }) => `Sent to ${to}`}>
          Send a test mail
        </Act>
      ),
    },
    backup: {
      title: 'Make a backup',
      how: 'npm run backup. For a PostgreSQL of your own: its tools.',
      action: (
        <Act call={changeSteps} input={{ backup: true }}>
          We have a backup
        </Act>
      ),
    },
  };
}

function KeepCurrency({ code }: { code: string }) {
  const { data } = useQuery(query(readAcademy, {}));
  if (!data) return null;
  const { version, currency } = data;
  return (
    <Act call={changeAcademy} input={{ version, currency }}>
      Keep {code.toUpperCase()}
    </Act>
  );
}

interface ActProps<C extends AnyCall> {
  call: C;
  input: Input<C>;
  said?: (answer: Answer<C>) => string;
  children: ReactNode;
}

function Act<C extends AnyCall>({ call, input, said, children }: ActProps<C>) {
  const { mutateAsync, isPending } = useCall(call);
  const act = async () => {
    try {
      const answer = await mutateAsync(input);
      if (said) toast(said(answer));
    } catch (error) {
      void failure('Not done', readable(error));
    }
  };
  return (
    <Button
      look="outline"
      size="small"
      className="mt-2"
      busy={isPending}
      onClick={() => void act()}
    >
      {children}
    </Button>
  );
}
