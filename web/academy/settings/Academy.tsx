// /dashboard/academy: everything an academy decides about itself, in sections that are saved one by
// one. What another admin changed meanwhile is shown before it can be overwritten.
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { readAcademy } from '../../../contract/academy/academy.ts';
import { query } from '../../platform/api/query.ts';
import { PageHeading } from '../../platform/ui/PageHeading.tsx';
import { NotYet, Skeleton } from '../../platform/ui/States.tsx';
import { ColoursSection } from './ColoursSection.tsx';
import { LeavingSection } from './LeavingSection.tsx';
import { MoneySection } from './MoneySection.tsx';
import {
  ContactSection,
  HomeSection,
  NameSection,
  PagesSection,
  QuestionsSection,
  SponsorsSection,
  SportsSection,
} from './sections.tsx';

const sections = [
  ['name', 'Name and logo', NameSection],
  ['colours', 'Colours', ColoursSection],
  ['contact', 'Contact', ContactSection],
  ['money', 'Currency and time', MoneySection],
  ['leaving', 'Leaving a class', LeavingSection],
  ['sports', 'Sports', SportsSection],
  ['home', 'Home page', HomeSection],
  ['sponsors', 'Sponsors', SponsorsSection],
  ['faq', 'Questions and answers', QuestionsSection],
  ['pages', 'Pages', PagesSection],
] as const;

/** On a phone the row of sections is wider than the screen. */
const showChip = (chip: HTMLElement | null) =>
  chip?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

export function Academy() {
  const academy = useQuery({ ...query(readAcademy, {}), staleTime: 0 });
  const [params] = useSearchParams();
  const [first] = sections;
  const shown = sections.find(([id]) => id === params.get('section'))?.[0] ?? first[0];
  return (
    <>
      <PageHeading title="Academy">
        Name, looks and words of your academy. Each part is saved on its own.
      </PageHeading>
      <NotYet of={academy}>
        <Skeleton className="h-96" />
      </NotYet>
      {academy.data && (
        <div className="@container">
          {' '}
          <div className="grid items-start gap-6 @min-[42rem]:grid-cols-[12rem_minmax(0,1fr)]">
            <nav aria-label="Sections" className="min-w-0 lg:sticky lg:top-20">
              <ul className="flex gap-1.5 overflow-x-auto pb-1 [scrollbar-width:none] lg:flex-col">
                {sections.map(([id, title]) => (
                  <li key={id} className="shrink-0">
                    <Link
                      ref={id === shown ? showChip : null}
                      to={`?section=${id}`}
                      replace
                      preventScrollReset
                      aria-current={id === shown || undefined}
                      className={`btn btn-sm max-lg:rounded-full lg:w-full lg:justify-start lg:text-sm ${id === shown ? 'btn-neutral' : 'btn-ghost max-lg:border-base-300'}`}
                    >
                      {title}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
            {/* All of them stay: what was typed in one is still there after a look at another. */}
            <div className="min-w-0">
              {sections.map(([id, title, Section]) => (
                <div key={id} hidden={id !== shown}>
                  <Section id={id} title={title} academy={academy.data} />
                </div>
              ))}
            </div>
          </div>
        </div>
      )}
    </>
  );
}
