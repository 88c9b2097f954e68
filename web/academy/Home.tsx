// /: the banner, what is popular, what a parent asks before booking, and the sponsors
// (specification, section 2).
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import { listClasses } from '../../contract/classes/classes.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { messages } from '../../contract/platform/messages.ts';
import { readHome } from '../../contract/academy/site.ts';
import { useLiveSeats } from '../classes/live.ts';
import { query, useSettings, whereabouts } from '../platform/api/query.ts';
import { reading, type Reads } from '../platform/api/reads.ts';
import { ClassSearch } from '../classes/ClassSearch.tsx';
import { inWords } from '../platform/lists/total.ts';
import { ClassCard, ClassCardSkeleton } from '../classes/ClassCard.tsx';
import { InstructorCard, InstructorCardSkeleton } from '../classes/InstructorCard.tsx';
import { paths } from '../platform/paths.ts';
import { useSession } from '../people/session/SessionProvider.tsx';
import { Grid } from '../platform/ui/Grid.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { Icon, type IconName } from '../platform/ui/Icon.tsx';
import { partOnDemand } from '../platform/ui/onDemand.tsx';
import { Slider } from '../platform/ui/Slider.tsx';
import { EmptyState } from '../platform/ui/States.tsx';
import { BeforeBooking } from '../classes/BeforeBooking.tsx';
import type { Answer } from '../../contract/platform/call.ts';
import { sourcesOf } from '../platform/ui/sources.ts';

const popularClasses = { status: 'approved', sort: 'popular', limit: 6 } as const;
const popularInstructors = { sort: 'popular', limit: 6 } as const;

export const reads: Reads = () => [
  reading(listClasses, popularClasses),
  reading(listInstructors, popularInstructors),
  reading(readHome, {}),
];

/** Ours, one for each place that the academy has not filled. */
const banner = [
  {
    base: '/media/banner/summer-kit',
    alt: 'Towel, cap, racket, balls, bottle, goggles and whistle on a green court',
  },
  {
    base: '/media/banner/pool',
    alt: 'A swim ring with a duck, a kickboard, goggles and a ball on the water',
  },
  {
    base: '/media/banner/court',
    alt: 'A racket on the net and a basket of tennis balls on a clay court',
  },
  {
    base: '/media/banner/team',
    alt: 'Soccer ball, basketball, volleyball and tennis ball on coloured podiums',
  },
];

export function Home() {
  useLiveSeats();
  const { brand, publicUrl } = useSettings();
  usePageTitle('Home', {
    description: `Sports classes at ${brand}: see every price and every free seat, select, and pay by card.`,
    data: {
      '@context': 'https://schema.org',
      '@type': 'SportsActivityLocation',
      name: brand,
      url: `${publicUrl}/`,
    },
  });
  const classes = useQuery({ ...query(listClasses, popularClasses), staleTime: 30_000 });
  const instructors = useQuery({
    ...query(listInstructors, popularInstructors),
    staleTime: 30_000,
  });
  const { data: written } = useQuery({ ...query(readHome, {}), staleTime: 30_000 });
  const slides = banner.map((ours, place) => {
    const { picture: base, alt } = written?.banners[place] ?? { picture: ours.base, alt: ours.alt };
    return { id: ours.base, base, alt };
  });
  return (
    <>
      <Coming />
      <div className="measure pt-4 sm:pt-8 lg:pt-6">
        <div className="relative isolate">
          {/* The same green on every picture, so that the headline stays readable on all of them. */}
          <div aria-hidden="true" className="headline-shade" />
          <div className="mb-4 flex flex-col gap-3 sm:mb-6 sm:gap-5 lg:pointer-events-none lg:absolute lg:inset-y-0 lg:left-0 lg:z-10 lg:mb-0 lg:h-[34rem] lg:w-1/2 lg:justify-center lg:pl-10 xl:pl-12 lg:text-[#fffdf8]">
            <h1 className="text-3xl sm:text-5xl xl:text-7xl">
              {written?.headline ?? (
                <>
                  Come and <span className="text-primary lg:text-accent">play.</span>
                </>
              )}
            </h1>
            {written?.welcome && (
              <p className="max-w-prose text-lg whitespace-pre-line wrap-anywhere">
                {written.welcome}
              </p>
            )}
            <Facts classes={classes.data?.total} instructors={instructors.data?.total} />
            <ClassSearch />
          </div>
          <Slider label="Our sports in pictures" slides={slides} />
        </div>
      </div>

      <Section
        title={messages.popularClasses}
        sub={messages.popularClassesSub}
        more={[paths.classes, 'All classes']}
      >
        <Grid
          of={classes}
          items={classes.data?.result}
          keyOf={({ _id }) => _id}
          skeleton={<ClassCardSkeleton />}
          empty={
            <EmptyState title="No classes yet">
              The programme is being prepared. Please come back soon.
            </EmptyState>
          }
        >
          {(item, index) => <ClassCard item={item} wide={index === 0} />}
        </Grid>
      </Section>

      <Later>
        <BeforeBooking questions={written?.faq ?? []} />
      </Later>

      <Section
        title={messages.popularInstructors}
        sub={messages.popularInstructorsSub}
        more={[paths.instructors, 'All instructors']}
      >
        <Grid
          low
          of={instructors}
          items={instructors.data?.items}
          keyOf={({ id }) => id}
          skeleton={<InstructorCardSkeleton />}
          empty={<EmptyState title="No instructors yet" />}
        >
          {(person) => <InstructorCard person={person} />}
        </Grid>
      </Section>

      {written && written.sponsors.length > 0 && <Sponsors sponsors={written.sponsors} />}
    </>
  );
}

const NextMeeting = partOnDemand(
  () => import('../classes/NextMeeting.tsx').then((m) => m.NextMeeting),
  null,
);

/** Its place is there before it is known who looks. */
function Coming() {
  const { state } = useSession();
  return (
    <div className="when-in bg-base-100 border-base-300 border-b">
      <div className="measure flex min-h-14 items-center">{state === 'in' && <NextMeeting />}</div>
    </div>
  );
}

/** What is known to be true: an academy that has just begun has no figures to show. */
function Facts({
  classes = 0,
  instructors = 0,
}: {
  classes: number | undefined;
  instructors: number | undefined;
}) {
  const where = whereabouts(useSettings());
  const facts: [IconName, string][] = where ? [['pin', where]] : [];
  if (instructors > 0)
    facts.unshift([
      'users',
      `${inWords(instructors)} ${instructors === 1 ? 'instructor' : 'instructors'}`,
    ]);
  if (classes > 0)
    facts.unshift(['ball', `${inWords(classes)} ${classes === 1 ? 'class' : 'classes'}`]);
  return (
    <ul className="figures flex flex-wrap gap-x-3 gap-y-1 text-sm sm:gap-x-5 sm:text-base lg:text-lg">
      {facts.map(([icon, words]) => (
        <li key={icon} className="flex items-center gap-2">
          <Icon name={icon} className="size-4.5 max-sm:hidden" /> {words}
        </li>
      ))}
    </ul>
  );
}

function Section({
  title,
  sub,
  more: [to, label],
  children,
}: {
  title: string;
  sub: string;
  more: readonly [string, string];
  children: ReactNode;
}) {
  return (
    <Later>
      <section className="measure py-8 sm:py-20">
        <div className="mb-4 flex sm:mb-8 flex-wrap items-end justify-between gap-4">
          <div>
            <h2 className="text-3xl sm:text-5xl">{title}</h2>
            <p className="muted mt-1 sm:mt-2 sm:text-lg">{sub}</p>
          </div>
          <Link to={to} className="link link-primary font-semibold underline-offset-4">
            {label} →
          </Link>
        </div>
        {children}
      </section>
    </Later>
  );
}

type Sponsor = Answer<typeof readHome>['sponsors'][number];

function Sponsors({ sponsors }: { sponsors: readonly Sponsor[] }) {
  return (
    <section aria-labelledby="sponsors" className="bg-base-100 border-base-300 border-t">
      <div className="measure py-14 text-center sm:py-20">
        <h2 id="sponsors" className="text-2xl tracking-wide uppercase sm:text-3xl">
          {messages.sponsors}
        </h2>
        <p className="muted mt-2">{messages.sponsorsSub}</p>
        {/* Bright in both themes: the logos were drawn for paper. */}
        <ul className="rounded-box border-base-300 mt-8 grid grid-cols-1 overflow-hidden border bg-white py-2 dark:bg-[#e6eee9] sm:grid-cols-3 sm:py-4 lg:grid-cols-6">
          {sponsors.map((sponsor) => (
            <li
              key={`${sponsor.name} ${sponsor.picture}`}
              className="flex items-center justify-center p-2 sm:p-4"
            >
              {sponsor.link ? (
                <a href={sponsor.link} rel="sponsored noreferrer">
                  <Sign {...sponsor} />
                </a>
              ) : (
                <Sign {...sponsor} />
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

const Sign = ({ name, picture }: Sponsor) => (
  <img
    src={picture}
    srcSet={sourcesOf(picture, 'webp')}
    sizes="160px"
    alt={name}
    width={160}
    height={64}
    loading="lazy"
    referrerPolicy="no-referrer"
    className="h-9 w-32 object-contain sm:h-14 sm:w-40"
  />
);

/**
 * The height is a guess until it was laid out once: 90 to 160 rem on a phone, 50 to 80 on wide screens.
 * Where it is too low, tools that look for contrast take the next part for the background.
 */
const whenNear =
  '[content-visibility:auto] [contain-intrinsic-block-size:auto_110rem] md:[contain-intrinsic-block-size:auto_60rem]';

const Later = ({ children }: { children: ReactNode }) => (
  <Suspense>
    <div className={whenNear}>{children}</div>
  </Suspense>
);
