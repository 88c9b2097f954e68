// /classes/{id}: everything a parent needs to know about one class; an address to share.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { Link, useParams } from 'react-router';
import { type WholeClass, getClass, listClasses } from '../../../contract/classes/classes.ts';
import { useLiveSeats } from '../live.ts';
import { query, useSettings } from '../../platform/api/query.ts';
import { reading, type Reads } from '../../platform/api/reads.ts';
import { ClassFacts, glanceAt } from '../ClassFacts.tsx';
import { Fits } from '../Fits.tsx';
import { Offer } from '../Offer.tsx';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../people/session/SessionProvider.tsx';
import { LinkButton } from '../../platform/ui/Button.tsx';
import { inWords } from '../../platform/lists/total.ts';
import { Email } from '../../platform/ui/Email.tsx';
import { usePageTitle } from '../../platform/ui/head.tsx';
import { Icon, type IconName } from '../../platform/ui/Icon.tsx';
import { partInWords, shortMoney } from '../../platform/ui/money.ts';
import { Note as Message } from '../../platform/ui/Note.tsx';
import { Avatar, Picture } from '../../platform/ui/Picture.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../../platform/ui/States.tsx';
import { Compare } from './Compare.tsx';
import { Full } from './Full.tsx';
import { Meetings } from './Meetings.tsx';
import { Section } from './Section.tsx';
import { Share } from './Share.tsx';
import { readSimilar, Similar } from './Similar.tsx';

export const reads: Reads = ({ params }) => [
  reading(getClass, { id: params['id'] ?? '' }, (item) => [readOthers(item), readSimilar(item)]),
];

export function OneClass() {
  useLiveSeats();
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery({ ...query(getClass, { id }), staleTime: 15_000 });
  // The server has handed over that there is nothing, or the browser was told so.
  const nothing: unknown = data;
  if (nothing === null || error?.code === 'NOT_FOUND' || error?.code === 'INVALID_INPUT')
    return <Missing id={id} />;
  if (data) return <Details item={data} />;
  return (
    <div className="measure py-4 lg:py-8">
      {error ? <ErrorNote message={error.message} onRetry={() => void refetch()} /> : <Waiting />}
    </div>
  );
}

/** Hidden from others, it is shown to who has a seat in it: the server's page knew nobody. */
function Missing({ id }: { id: string }) {
  const { state } = useSession();
  const own = useQuery({
    ...query(getClass, { id }),
    queryKey: [getClass.id, { id }, 'own'],
    enabled: state === 'in',
  });
  if (own.data) return <Details item={own.data} />;
  if (!own.isLoading) return <NotOffered />;
  return (
    <div className="measure py-4 lg:py-8">
      <Waiting />
    </div>
  );
}

function NotOffered() {
  usePageTitle('Not Found', { hidden: true });
  return (
    <div className="measure py-20">
      <EmptyState
        drawing="no-results"
        heading="h1"
        title="This class is not offered"
        action={<LinkButton to={paths.classes}>See all classes</LinkButton>}
      >
        The academy may be checking a change. A seat that you have paid for stays yours. The class
        may also have been taken out of the programme, or the link has a typo.
      </EmptyState>
    </div>
  );
}

const columns =
  'grid grid-cols-[minmax(0,1fr)] items-start gap-x-14 lg:grid-cols-[minmax(0,1fr)_22rem]';

function Waiting() {
  usePageTitle('Class');
  return (
    <div aria-busy="true">
      <p className="sr-only">Loading</p>
      <Skeleton className="mt-2 mb-5 h-6 w-40" />
      <div className={columns}>
        <div className="flex flex-col gap-6">
          <Skeleton className="aspect-video" />
          <Skeleton className="h-9 w-2/3" />
          <Skeleton className="h-28" />
          <Skeleton className="h-40" />
        </div>
        <Skeleton className="hidden h-56 lg:block" />
      </div>
    </div>
  );
}

function Details({ item }: { item: WholeClass }) {
  const settings = useSettings();
  const { left, of, fullCents } = item;
  const isOffered = item.status === 'approved' && !item.ended;
  const canSelect = item.seat > 0 && isOffered;
  usePageTitle(item.name, {
    description: `${item.name} with ${item.instructor}: ${[item.ages && `ages ${item.ages}`, item.schedule, shortMoney(item.price)].filter(Boolean).join(', ')}.`,
    canonical: paths.class(item._id),
    image: item.img,
    data: courseData(item, settings),
  });
  return (
    <div className="measure pt-4 pb-12 lg:pt-8 lg:pb-16">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 lg:mb-5">
        <Breadcrumb sport={item.sport} />
        <Share name={item.name} />
      </div>
      <div className={columns}>
        <div className="flex flex-col gap-8 lg:gap-10">
          <div className="flex flex-col gap-5 lg:gap-6">
            <Picture
              src={item.img}
              alt={`${item.sport}: ${item.name}`}
              width={800}
              height={450}
              loading="eager"
              fetchPriority="high"
              sizes="(min-width: 64rem) 44rem, 100vw"
              className="rounded-box aspect-video w-full object-cover"
            />
            <div>
              <h1 className="text-2xl lg:text-3xl">{item.name}</h1>
              <p className="muted mt-1">
                Instructor: <span className="text-base-content font-medium">{item.instructor}</span>
              </p>
              <p className="figures mt-1 font-medium empty:hidden">{glanceAt(item)}</p>
            </div>
            {item.cancelNote && (
              <Message tone="bad" title="This class is cancelled">
                {item.cancelNote}
              </Message>
            )}
            <ClassFacts item={item} />
            <Suspense>
              <Coach item={item} />
            </Suspense>
            <Compare item={item} />
          </div>
          {item.description && (
            <Section title="About this class">
              <p className="max-w-prose whitespace-pre-line">{item.description}</p>
            </Section>
          )}
          <Suspense>
            <Meetings item={item} />
          </Suspense>
          <Bring words={item.bring} />
          <Section title="Good to know">
            <ul className="flex max-w-prose flex-col gap-3">
              {canSelect && (
                <Note icon="clock">We hold your seat for 15 minutes once you start paying.</Note>
              )}
              <Note icon="card">
                Do you want your money back? <AskUs /> If we refund, it goes back to the card you
                paid with.
              </Note>
            </ul>
          </Section>
          <Suspense>
            <Similar item={item} />
          </Suspense>
        </div>
        <aside aria-label="Booking" className="bottom-bar booking">
          {isOffered && (
            <p className="mb-2 text-sm empty:hidden">
              <Fits item={item} withAge />
            </p>
          )}
          {isOffered ? (
            <>
              <Offer item={item} onPage full={<Full item={item} />} />
              <p className="meta figures mt-2 empty:hidden">
                {fullCents && left && of && partInWords({ left, of, fullCents })}
              </p>
            </>
          ) : (
            <NotSold says={notSold(item)} />
          )}
          {isOffered && <SeatNews key={item._id} seat={item.seat} />}
          {canSelect && (
            <p className="muted mt-3 hidden text-center text-sm lg:block">
              Adding to your cart is free.
            </p>
          )}
        </aside>
      </div>
    </div>
  );
}

const notSold = ({ status, ended }: WholeClass) =>
  status === 'cancelled'
    ? 'This class is cancelled.'
    : ended
      ? 'This class has ended.'
      : 'No further seat is sold.';

function NotSold({ says }: { says: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 lg:flex-col lg:items-stretch">
      <p className="font-semibold">{says}</p>
      <LinkButton to={paths.classes} look="outline">
        See all classes
      </LinkButton>
    </div>
  );
}

/** A change of the seats in words, for those who do not see the number change. */
function SeatNews({ seat }: { seat: number }) {
  const [told, setTold] = useState({ seat, news: '' });
  const news =
    seat > 1 ? `${seat} seats are left.` : seat === 1 ? '1 seat is left.' : 'No seat is left.';
  if (told.seat !== seat) setTold({ seat, news });
  return (
    <p aria-live="polite" className="sr-only">
      {told.news}
    </p>
  );
}

function Breadcrumb({ sport }: { sport: string }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex items-center gap-1 text-sm">
        <li>
          <Link to={paths.classes} className="touch link-hover underline-offset-4">
            Classes
          </Link>
        </li>
        <li className="flex items-center gap-1">
          <Icon name="right" className="muted size-4" />
          <Link to={paths.classesIn(sport)} className="touch link-hover underline-offset-4">
            {sport}
          </Link>
        </li>
      </ol>
    </nav>
  );
}

function Note({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <Icon name={icon} className="muted mt-0.5 size-4.5 shrink-0" />
      <p>{children}</p>
    </li>
  );
}

/** One line or one part between commas each. */
function Bring({ words }: { words: string }) {
  const things = words
    .split(/[\n,;]/)
    .map((thing) => thing.replace(/^[-–•*\s]+/, '').trim())
    .filter(Boolean);
  if (things.length === 0) return null;
  return (
    <Section title="What to bring">
      <ul className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {things.map((thing) => (
          <li key={thing} className="flex gap-2.5">
            <Icon name="check" className="text-success mt-0.5 size-4.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere first-letter:uppercase">{thing}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function AskUs() {
  const { contact } = useSettings();
  if (!contact) return 'Ask the academy.';
  return (
    <>
      Ask us:{' '}
      <a href={`mailto:${contact}`} className="underline underline-offset-4 wrap-anywhere">
        {contact}
      </a>
      .
    </>
  );
}

/** Only their number is wanted. */
const offered = ({ instructorId }: WholeClass) =>
  ({ status: 'approved', instructor: instructorId, limit: 1 }) as const;

const readOthers = (item: WholeClass) => reading(listClasses, offered(item));

function Coach({ item }: { item: WholeClass }) {
  const { data } = useQuery({ ...query(listClasses, offered(item)), staleTime: 30_000 });
  const others = (data?.total ?? 0) - (item.status === 'approved' ? 1 : 0);
  return (
    <div className="flex items-center gap-4">
      <Avatar
        person={{ id: item.instructorId, name: item.instructor, image: item.instructorImg }}
        size={64}
        named={false}
      />
      <div className="min-w-0 text-sm">
        <h2 className="font-sans text-base">{item.instructor}</h2>
        <p>
          <span className="muted">Email </span>
          <a href={`mailto:${item.email}`} className="link-hover">
            <Email address={item.email} />
          </a>
        </p>
        {item.instructorAbout && <p className="wrap-anywhere">{item.instructorAbout}</p>}
        {others > 0 && (
          <Link
            to={paths.classesOf(item.instructorId)}
            className="touch figures text-primary font-medium underline underline-offset-4"
          >
            {others === 1 ? '1 other class' : `${inWords(others)} other classes`}
          </Link>
        )}
      </div>
    </div>
  );
}

/** For search engines, in the words of schema.org. */
const courseData = (
  item: WholeClass,
  { brand, publicUrl, currency }: { brand: string; publicUrl: string; currency: string },
) => ({
  '@context': 'https://schema.org',
  '@type': 'Course',
  name: item.name,
  description: item.description || `${item.sport} with ${item.instructor}`,
  url: `${publicUrl}${paths.class(item._id)}`,
  image: new URL(item.img, publicUrl || 'http://localhost').href,
  provider: { '@type': 'Organization', name: brand, url: `${publicUrl}/` },
  offers: {
    '@type': 'Offer',
    category: 'Paid',
    price: item.price.toFixed(2),
    priceCurrency: currency.toUpperCase(),
    availability:
      item.seat > 0 && !item.ended ? 'https://schema.org/InStock' : 'https://schema.org/SoldOut',
  },
  hasCourseInstance: {
    '@type': 'CourseInstance',
    courseMode: 'Onsite',
    instructor: { '@type': 'Person', name: item.instructor },
    ...(item.place && { location: item.place }),
    ...(item.firstDay && { startDate: item.firstDay, endDate: item.lastDay }),
  },
});
