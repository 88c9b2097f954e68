// /: the banner, what is popular, what a parent asks before booking, and the sponsors
// (specification, section 2).
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { listClasses } from '../../contract/classes.ts';
import { listInstructors } from '../../contract/instructors.ts';
import { messages } from '../../contract/messages.ts';
import { query, useSettings } from '../api/query.ts';
import { reading, type Reads } from '../api/reads.ts';
import { ClassCard, ClassCardSkeleton } from '../features/classes/ClassCard.tsx';
import { InstructorCard, InstructorCardSkeleton } from '../features/classes/InstructorCard.tsx';
import { paths } from '../paths.ts';
import { LinkButton } from '../ui/Button.tsx';
import { Grid } from '../ui/Grid.tsx';
import { usePageTitle } from '../ui/head.tsx';
import { Slider } from '../ui/Slider.tsx';
import { EmptyState } from '../ui/States.tsx';
import { BeforeBooking } from './BeforeBooking.tsx';

const popularClasses = { status: 'approved', sort: 'popular', limit: 6 } as const;
const popularInstructors = { sort: 'popular', limit: 6 } as const;

export const reads: Reads = () => [
  reading(listClasses, popularClasses),
  reading(listInstructors, popularInstructors),
];

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

const sponsors = ['alpina', 'aqualis', 'kinetic', 'nordwind', 'peakline', 'velora'];

export function Home() {
  const { brand, publicUrl } = useSettings();
  usePageTitle('Home', {
    description: `Summer sports classes for children and teenagers at ${brand}: see every price and every free seat, select, and pay by card.`,
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
  return (
    <>
      <div className="measure flex flex-col gap-8 pt-8 sm:pt-12">
        <div className="flex flex-wrap items-end justify-between gap-x-12 gap-y-5">
          <h1 className="max-w-[42rem] text-[clamp(2.4rem,6.5vw,4.5rem)] leading-[1.02] font-bold">
            A summer they will want to <span className="text-primary">talk about.</span>
          </h1>
          <div className="flex max-w-sm flex-col items-start gap-5">
            <p className="muted text-lg">
              Tennis, swimming, soccer and more. See every price and every free seat before you sign
              up.
            </p>
            <LinkButton to={paths.classes} look="accent" size="large">
              See all classes
            </LinkButton>
          </div>
        </div>
        <Slider label="Our sports in pictures" slides={banner} />
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
              The summer programme is being prepared. Please come back soon.
            </EmptyState>
          }
        >
          {(item, index) => <ClassCard item={item} eager={index === 0} />}
        </Grid>
      </Section>

      <BeforeBooking />

      <Section
        title={messages.popularInstructors}
        sub={messages.popularInstructorsSub}
        more={[paths.instructors, 'All instructors']}
      >
        <Grid
          of={instructors}
          items={instructors.data?.items}
          keyOf={({ id }) => id}
          skeleton={<InstructorCardSkeleton />}
          empty={<EmptyState title="No instructors yet" />}
        >
          {(person) => <InstructorCard person={person} />}
        </Grid>
      </Section>

      <section aria-labelledby="sponsors" className="measure pt-8 pb-24 text-center">
        <h2 id="sponsors" className="text-2xl tracking-wide uppercase sm:text-3xl">
          {messages.sponsors}
        </h2>
        <p className="muted mt-2">{messages.sponsorsSub}</p>
        <ul className="mt-8 grid grid-cols-1 gap-4 lg:grid-cols-6">
          {sponsors.map((name) => (
            // White in both themes: the logos were drawn for paper.
            <li
              key={name}
              className="border-base-300/70 flex items-center justify-center rounded-2xl border bg-white p-4"
            >
              <img
                src={`/media/sponsor/${name}.svg`}
                alt={name[0]?.toUpperCase() + name.slice(1)}
                width={160}
                height={64}
                loading="lazy"
                className="h-14 w-40 object-contain"
              />
            </li>
          ))}
        </ul>
      </section>
    </>
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
    <section className="measure py-14 sm:py-20">
      <div className="mb-8 flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 className="text-3xl sm:text-5xl">{title}</h2>
          <p className="muted mt-2 text-lg">{sub}</p>
        </div>
        <Link to={to} className="link link-primary font-semibold underline-offset-4">
          {label} →
        </Link>
      </div>
      {children}
    </section>
  );
}
