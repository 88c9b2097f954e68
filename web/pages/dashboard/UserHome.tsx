// /dashboard/userhome: a welcome and a student's next steps: what waits in the cart, what is
// enrolled, what was paid.
import { useQuery } from '@tanstack/react-query';
import { studentFigures } from '../../../contract/figures.ts';
import type { StudentFigures } from '../../../contract/figures.ts';
import { query } from '../../api/query.ts';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { paths } from '../../paths.ts';
import { useSession } from '../../session/SessionProvider.tsx';
import { LinkButton } from '../../ui/Button.tsx';
import { ErrorNote, Skeleton } from '../../ui/States.tsx';
import { money } from '../../ui/money.ts';

export function UserHome() {
  const { user } = useSession();
  const figures = useQuery(query(studentFigures, {}));
  return (
    <>
      <PageHeading title="User Home" shown={`Welcome, ${user?.name ?? ''}`}>
        Your classes at a glance.
      </PageHeading>
      {figures.error && !figures.data && (
        <ErrorNote message={figures.error.message} onRetry={() => void figures.refetch()} />
      )}
      {figures.isPending && (
        <div className="grid gap-4 md:grid-cols-3" aria-busy="true">
          <Skeleton className="h-44" />
          <Skeleton className="h-44" />
          <Skeleton className="h-44" />
        </div>
      )}
      {figures.data && <Steps figures={figures.data} />}
    </>
  );
}

const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;

function Steps({ figures }: { figures: StudentFigures }) {
  const { cart, enrolled, paid, payments, refunded = 0 } = figures;
  const kept = payments - refunded;
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Step
        label="In your cart"
        value={many(cart, 'class', 'classes')}
        text={
          cart === 0
            ? 'Choose a class that you like; nothing is paid yet.'
            : 'A seat is yours once it is paid for.'
        }
        action={
          cart === 0 ? (
            <LinkButton to={paths.classes}>See all classes</LinkButton>
          ) : (
            <LinkButton to={paths.dashboard.myCart}>Go to my cart</LinkButton>
          )
        }
      />
      <Step
        label="Enrolled"
        value={many(enrolled, 'class', 'classes')}
        text={enrolled === 0 ? 'Classes you have paid for appear here.' : 'See dates and places.'}
        action={
          <LinkButton look="outline" to={paths.dashboard.myEnrolledClasses}>
            My enrolled classes
          </LinkButton>
        }
      />
      <Step
        label="Paid"
        value={money(paid)}
        text={
          payments === 0
            ? 'No payment so far.'
            : [
                kept > 0 && `${many(kept, 'payment', 'payments')}, each with a receipt.`,
                refunded > 0 && `${refunded} refunded.`,
              ]
                .filter(Boolean)
                .join(' ')
        }
        action={
          <LinkButton look="outline" to={paths.dashboard.paymentHistory}>
            Payment history
          </LinkButton>
        }
      />
    </div>
  );
}

function Step({
  label,
  value,
  text,
  action,
}: {
  label: string;
  value: string;
  text: string;
  action: React.ReactNode;
}) {
  return (
    <section className="card border border-base-300 bg-base-100">
      <div className="card-body gap-1 p-5">
        <h2 className="muted text-sm font-medium tracking-normal">{label}</h2>
        <p className="text-3xl font-bold tabular-nums">{value}</p>
        <p className="muted mb-4 text-sm">{text}</p>
        <div className="mt-auto">{action}</div>
      </div>
    </section>
  );
}
