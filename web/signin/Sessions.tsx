// Where one is signed in, on the account page: any other session is ended alone, or all of them.
import { type Account, endSession } from '../../contract/signin/account.ts';
import { browserOf } from '../../contract/signin/browser.ts';
import { revokeOtherSessions } from '../../contract/signin/signin.ts';
import { CallButton } from '../platform/api/CallButton.tsx';
import { momentOf } from '../platform/ui/dates.ts';

type Session = Account['sessions'][number];

export function Sessions({ sessions }: { sessions: readonly Session[] }) {
  return (
    <>
      <ul className="divide-base-300 divide-y">
        {sessions.map((one) => (
          <Row key={one._id} session={one} />
        ))}
      </ul>
      <CallButton
        look="outline"
        className="self-start"
        disabled={sessions.length < 2}
        call={revokeOtherSessions}
        input={{}}
        said="Signed out everywhere else"
      >
        Sign out everywhere else
      </CallButton>
      <p className="muted text-sm">This and a new password also turn off your calendar links.</p>
    </>
  );
}

function Row({ session: { _id, current, browser, since, seen } }: { session: Session }) {
  const name = browserOf(browser, 'A browser');
  return (
    <li className="flex items-center justify-between gap-3 py-2 first:pt-0">
      <span>
        <span className="font-semibold">{current ? 'This browser' : name}</span>
        <span className="muted block text-sm">
          <span className="inline-block">since {momentOf(since)},</span>{' '}
          <span className="inline-block">last seen {momentOf(seen)}</span>
        </span>
      </span>
      {!current && (
        <CallButton
          look="plain"
          size="small"
          className="shrink-0"
          of={name}
          call={endSession}
          input={{ id: _id }}
          said={`Signed out: ${name}`}
        >
          Sign out
        </CallButton>
      )}
    </li>
  );
}
