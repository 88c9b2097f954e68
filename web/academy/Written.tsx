// /pages/:name: a page that the academy wrote. Its HTML is made on the server from Markdown, of a
// safe subset (server/academy/site.ts).
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type PageName, pageNames, pageTitles } from '../../contract/platform/pages.ts';
import { readPage } from '../../contract/academy/site.ts';
import { query, useSettings } from '../platform/api/query.ts';
import { reading, type Reads } from '../platform/api/reads.ts';
import { paths } from '../platform/paths.ts';
import { LinkButton } from '../platform/ui/Button.tsx';
import { usePageTitle } from '../platform/ui/head.tsx';
import { EmptyState, NotYet, Skeleton } from '../platform/ui/States.tsx';

const isPage = (name: string | undefined): name is PageName =>
  pageNames.some((known) => known === name);

export const reads: Reads = ({ params }) => [
  reading(readPage, { name: (params['name'] ?? '') as PageName }),
];

export function Written() {
  const { name } = useParams();
  return isPage(name) ? <Text key={name} name={name} /> : <Missing />;
}

function Text({ name }: { name: PageName }) {
  const { brand } = useSettings();
  const page = useQuery({ ...query(readPage, { name }), staleTime: 30_000 });
  usePageTitle(pageTitles[name], { description: `${pageTitles[name]}: ${brand}.` });
  if (page.data === null || page.error?.status === 404) return <Missing />;
  return (
    <article className="measure py-10 sm:py-16">
      <h1 className="mb-8 text-3xl sm:text-5xl">{pageTitles[name]}</h1>
      <NotYet of={page}>
        <Skeleton className="h-96" />
      </NotYet>
      {page.data && (
        // oxlint-disable-next-line react/no-danger
        <div className="written" dangerouslySetInnerHTML={{ __html: page.data.html }} />
      )}
    </article>
  );
}

function Missing() {
  usePageTitle('Nothing here', { hidden: true });
  return (
    <div className="measure py-16">
      <EmptyState
        heading="h1"
        title="This page is not written yet"
        action={<LinkButton to={paths.home}>Go Home</LinkButton>}
      />
    </div>
  );
}
