// Which optional mails the account gets. Mails link here, to /dashboard/account#emails.
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { type Account, setMails } from '../../contract/signin/account.ts';
import { attempt } from '../platform/api/attempt.ts';
import { useCall } from '../platform/api/query.ts';

type Kind = keyof Account['mails'];

const words: Record<Kind, { label: string; hint: string }> = {
  reminders: {
    label: 'Reminders',
    hint: 'One mail the day before a class: when, where, what to bring.',
  },
  digests: {
    label: 'Classes to review',
    hint: 'A list once an hour at most. Alarms are sent in any case.',
  },
};

export function Emails({ mails }: { mails: Account['mails'] }) {
  const change = useCall(setMails);
  const { hash } = useLocation();
  // The sections arrive after the page: the browser has looked for the anchor before.
  useEffect(() => {
    if (hash === '#emails') document.getElementById('emails')?.scrollIntoView();
  }, [hash]);
  const set = (kind: Kind, wanted: boolean) =>
    attempt(
      () => change.mutateAsync({ [kind]: wanted }),
      `${words[kind].label}: ${wanted ? 'on' : 'off'}`,
    );
  const kinds = (['reminders', 'digests'] as const).filter((kind) => mails[kind] !== undefined);
  return (
    <>
      <p className="muted text-sm">
        Receipts, changes of your classes and notices about your account are always sent.
      </p>
      <ul className="divide-base-300 divide-y">
        {kinds.map((kind) => (
          <li key={kind} className="flex items-center justify-between gap-4 py-3">
            <label htmlFor={`mails-${kind}`} className="min-h-11 grow cursor-pointer">
              <span className="block font-semibold">{words[kind].label}</span>
              <span className="muted block text-sm">{words[kind].hint}</span>
            </label>
            <input
              type="checkbox"
              id={`mails-${kind}`}
              className="checkbox checkbox-primary shrink-0 rounded-md"
              checked={mails[kind] ?? false}
              disabled={change.isPending}
              onChange={(event) => void set(kind, event.target.checked)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
