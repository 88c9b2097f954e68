// /classes/{id}: everything a parent needs to know about one class; an address to share.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { type ClassDetail, getClass } from '../../contract/classes.ts';
import { query, useSettings } from '../api/query.ts';
import { reading, type Reads } from '../api/reads.ts';
import { Seats, SelectButton } from '../features/classes/ClassCard.tsx';
import { paths } from '../paths.ts';
import { toast } from '../ui/alert.ts';
import { Button, LinkButton } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { usePageTitle } from '../ui/head.tsx';
import { money } from '../ui/money.ts';
import { Picture } from '../ui/Picture.tsx';
import { EmptyState, ErrorNote, Skeleton } from '../ui/States.tsx';

export const reads: Reads = ({ params }) => [reading(getClass, { id: params['id'] ?? '' })];

export function OneClass() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery({ ...query(getClass, { id }), staleTime: 15_000 });
  // The server has handed over that there is nothing, or the browser was told so.
  const nothing: unknown = data;
  if (nothing === null || error?.code === 'NOT_FOUND' || error?.code === 'INVALID_INPUT')
    return <Missing />;
  if (data) return <Details item={data} />;
  return (
    <div className="measure py-12">
      {error ? <ErrorNote message={error.message} onRetry={() => void refetch()} /> : <Waiting />}
    </div>
  );
}

function Missing() {
  usePageTitle('Not Found', { hidden: true });
  return (
    <div className="measure py-20">
      <EmptyState
        drawing="no-results"
        heading="h1"
        title="This class is not offered"
        action={<LinkButton to={paths.classes}>See all classes</LinkButton>}
      >
        It may have been taken out of the programme, or the link has a typo.
      </EmptyState>
    </div>
  );
}

function Waiting() {
  usePageTitle('Class');
  return (
    <div className="grid gap-8 lg:grid-cols-[3fr_2fr]" aria-busy="true" aria-label="Loading">
      <Skeleton className="aspect-[4/3]" />
      <Skeleton className="h-96" />
    </div>
  );
}

function Details({ item }: { item: ClassDetail }) {
  const { brand, publicUrl } = useSettings();
  usePageTitle(item.name, {
    description: `${item.name} with ${item.instructor}: ${[item.ages && `ages ${item.ages}`, item.schedule, money(item.price)].filter(Boolean).join(', ')}.`,
    canonical: paths.class(item._id),
    image: item.img,
    data: courseData(item, brand, publicUrl),
  });
  return (
    <article className="measure py-8 sm:py-12">
      <nav aria-label="Breadcrumb" className="mb-6 text-sm">
        <Link to={paths.classes} className="link link-primary underline-offset-4">
          ← All classes
        </Link>
      </nav>
      <div className="grid items-start gap-8 lg:grid-cols-[3fr_2fr] lg:gap-14">
        <Picture
          src={item.img}
          alt={`${item.sport}: ${item.name}`}
          width={640}
          height={480}
          loading="eager"
          fetchPriority="high"
          className="rounded-box aspect-[4/3] w-full object-cover lg:col-start-1"
        />
        <div className="bg-base-100 border-base-300/70 rounded-box flex flex-col gap-6 border p-6 shadow-sm sm:p-8 lg:sticky lg:top-24 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <div>
            <p className="text-primary text-sm font-bold tracking-wide uppercase">{item.sport}</p>
            <h1 className="mt-1 text-2xl sm:text-3xl">{item.name}</h1>
          </div>
          <div className="figures border-base-300 flex items-end justify-between gap-4 border-y py-5">
            <p>
              <span className="muted block text-xs">Price</span>
              <span className="text-3xl font-bold">{money(item.price)}</span>
            </p>
            <Seats seat={item.seat} />
          </div>
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-3">
            <Fact name="Instructor">
              <Link
                to={paths.classesOf(item.instructorId)}
                className="link link-primary underline-offset-4"
              >
                {item.instructor}
              </Link>
            </Fact>
            <Fact name="Email">
              <a href={`mailto:${item.email}`} className="link-hover break-all">
                {item.email}
              </a>
            </Fact>
            {item.ages && <Fact name="Ages">{item.ages}</Fact>}
            {item.schedule && <Fact name="When">{item.schedule}</Fact>}
            {item.place && <Fact name="Where">{item.place}</Fact>}
            {item.enrolled > 0 && <Fact name="Enrolled">{item.enrolled}</Fact>}
          </dl>
          <SelectButton item={item} className="btn-lg w-full" />
          <p className="muted text-sm">
            Adding to your cart is free. We hold your seat for 15 minutes once you start paying.
          </p>
          <Share name={item.name} />
        </div>
        {item.description && (
          <section className="lg:col-start-1">
            <h2 className="text-2xl">About this class</h2>
            <p className="mt-3 max-w-prose text-lg leading-relaxed whitespace-pre-line">
              {item.description}
            </p>
          </section>
        )}
      </div>
    </article>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="muted">{name}</dt>
      <dd className="figures font-medium">{children}</dd>
    </>
  );
}

function Share({ name }: { name: string }) {
  const [address, setAddress] = useState('');
  const share = async () => {
    const page = { title: name, url: location.href };
    if (await shared(page)) return;
    try {
      await navigator.clipboard.writeText(page.url);
    } catch {
      // Refused, or not there at all: browsers have a clipboard on https pages only.
      setAddress(page.url);
      return;
    }
    toast('Link copied.');
  };
  return (
    <>
      <Button look="plain" size="small" className="-ml-3 self-start" onClick={() => void share()}>
        Share this class
      </Button>
      {address && <Field label="Copy this address" readOnly value={address} ref={selectAll} />}
    </>
  );
}

function selectAll(field: HTMLInputElement | null) {
  field?.focus();
  field?.select();
}

/** True when the browser's own sheet took it, or the user closed that sheet. */
async function shared(page: ShareData): Promise<boolean> {
  if (!('canShare' in navigator) || !navigator.canShare(page)) return false;
  try {
    await navigator.share(page);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

const courseData = (item: ClassDetail, brand: string, publicUrl: string) => ({
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
    priceCurrency: 'USD',
    availability: item.seat > 0 ? 'https://schema.org/InStock' : 'https://schema.org/SoldOut',
  },
  hasCourseInstance: {
    '@type': 'CourseInstance',
    courseMode: 'Onsite',
    instructor: { '@type': 'Person', name: item.instructor },
    ...(item.place && { location: item.place }),
  },
});
