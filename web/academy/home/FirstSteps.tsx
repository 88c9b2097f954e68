// What a new academy does first, until it is done or dismissed. The server knows what is done.
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import type { AnyCall, Answer } from '../../../contract/platform/call.ts';
import { changeAcademy, readAcademy } from '../../../contract/academy/academy.ts';
import {
  changeSteps,
  readSteps,
  sendTestMail,
  type StepName,
  stepNames,
} from '../../../contract/academy/steps.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { CallButton } from '../../platform/api/CallButton.tsx';
import { query, useSettings } from '../../platform/api/query.ts';
import { paths } from '../../platform/paths.ts';
import { Card } from '../../platform/ui/Card.tsx';
import { Icon } from '../../platform/ui/Icon.tsx';
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
  const { hidden = true, done = [], cards = 'keys' } = steps.data ?? {};
  const words = useWords(cards);
  if (hidden || done.length === stepNames.length) return null;
  return (
    <Card
      title="First steps"
      actions={
        <CallButton
          look="plain"
          size="small"
          call={changeSteps}
          input={{ hidden: true }}
          said="Dismissed"
        >
          Dismiss
        </CallButton>
      }
    >
      <p className="meta -mt-3">
        {done.length} of {stepNames.length} done
      </p>
      <ol className="grid gap-4 sm:grid-cols-2">
        {stepNames.map((name) => (
          <Line key={name} done={done.includes(name)} {...words[name]} />
        ))}
      </ol>
    </Card>
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
  const { user } = useSession();
  return {
    name: {
      title: 'Name and logo',
      how: 'What visitors see first.',
      to: `${at.academy}?section=name`,
    },
    photos: {
      title: 'Photographs of your courts',
      how: 'Four of your own for the home page. With your courts and your people it is your academy.',
      to: `${at.academy}?section=home`,
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
        <Act call={sendTestMail} input={{}} said={`Sent to ${user?.email ?? 'you'}`}>
          Send a test mail
        </Act>
      ),
    },
    backup: {
      title: 'Make a backup',
      how: 'npm run backup. For a PostgreSQL of your own: its tools.',
      action: (
        <Act call={changeSteps} input={{ backup: true }} said="Noted">
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
    <Act call={changeAcademy} input={{ version, currency }} said="The currency stays">
      Keep {code.toUpperCase()}
    </Act>
  );
}

const Act = <C extends AnyCall>(props: ComponentProps<typeof CallButton<C>>) => (
  <CallButton look="outline" size="small" className="mt-2" refused="Not done" {...props} />
);
