// Where one is signed in, on the account page: any other session is ended alone, or all of them.
import { useState } from 'react';
import { type Account, endSession } from '../../contract/signin/account.ts';
import { browserOf } from '../../contract/signin/browser.ts';
import { revokeOtherSessions } from '../../contract/signin/signin.ts';
import { attempt } from '../platform/api/attempt.ts';
import { useCall } from '../platform/api/query.ts';
import { send } from '../platform/api/send.ts';
import { Button } from '../platform/ui/Button.tsx';
import { momentOf } from '../platform/ui/dates.ts';
import { keepFocus } from '../platform/ui/focus.ts';

type Session = Account['sessions'][number];

export function Sessions({
  sessions,
  changed,
}: {
  sessions: readonly Session[];
  changed: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const endOthers = async () => {
    setBusy(true);
    if (await attempt(() => send(revokeOtherSessions, {}), 'Signed out everywhere else')) changed();
    setBusy(false);
  };
  return (
    <>
      <ul className="divide-base-300 divide-y">
        {sessions.map((one) => (
          <Row key={one._id} session={one} />
        ))}
      </ul>
      <Button
        look="outline"
        className="self-start"
        busy={busy}
        disabled={sessions.length < 2}
        onClick={() => void endOthers()}
      >
        Sign out everywhere else
      </Button>
      <p className="muted text-sm">This and a new password also turn off your calendar links.</p>
    </>
  );
}

function Row({ session: { _id, current, browser, since, seen } }: { session: Session }) {
  const end = useCall(endSession);
  const name = browserOf(browser, 'A browser');
  return (
    <li className="flex items-center justify-between gap-3 py-2 first:pt-0">
      <span>
        <span className="font-semibold">{current ? 'This browser' : name}</span>
        <span className="muted block text-sm">
          <span className="whitespace-nowrap">since {momentOf(since)},</span>{' '}
          <span className="whitespace-nowrap">last seen {momentOf(seen)}</span>
        </span>
      </span>
      {!current && (
        <Button
          look="plain"
          size="small"
          className="shrink-0"
          of={name}
          busy={end.isPending}
          onClick={({ currentTarget }) =>
            void keepFocus(currentTarget, () =>
              attempt(() => end.mutateAsync({ id: _id }), `Signed out: ${name}`),
            )
          }
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
