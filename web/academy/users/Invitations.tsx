// Staff who were invited and have not accepted yet, above the users.
import { useQuery } from '@tanstack/react-query';
import {
  inviteStaff,
  listInvitations,
  type StaffInvitation,
  withdrawInvitation,
} from '../../../contract/people/staff.ts';
import { CallButton } from '../../platform/api/CallButton.tsx';
import { query } from '../../platform/api/query.ts';
import { Card } from '../../platform/ui/Card.tsx';
import { Email } from '../../platform/ui/Email.tsx';
import { dateOf } from '../../platform/ui/dates.ts';

export function Invitations() {
  const open = useQuery(query(listInvitations, {}));
  const items = open.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <div className="mb-6">
      <Card title="Open invitations">
        <ul className="divide-base-300 divide-y">
          {items.map((one) => (
            <Invited key={one._id} one={one} />
          ))}
        </ul>
      </Card>
    </div>
  );
}

const word = { instructor: 'Instructor', admin: 'Admin' } as const;

function Invited({ one }: { one: StaffInvitation }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="font-semibold">
          <Email address={one.email} />
        </p>
        <p className="muted text-sm">
          {word[one.role]} · {one.expired ? 'expired' : `until ${dateOf(one.expiresAt)}`}
          {one.by && ` · invited by ${one.by}`}
        </p>
      </div>
      <div className="flex gap-2">
        <CallButton
          look="outline"
          of={one.email}
          call={inviteStaff}
          input={{ email: one.email, role: one.role }}
          said="Sent again"
        >
          Send again
        </CallButton>
        <CallButton
          look="plain"
          of={one.email}
          call={withdrawInvitation}
          input={{ id: one._id }}
          sure={{
            title: 'Withdraw this invitation?',
            text: `The link that was mailed to ${one.email} stops working.`,
            yes: 'Withdraw',
          }}
          said="Withdrawn"
        >
          Withdraw
        </CallButton>
      </div>
    </li>
  );
}
