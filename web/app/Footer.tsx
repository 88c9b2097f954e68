// About us, Jobs and the city are plain text by specification, and links once the academy has written
// those pages.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type PageName, pageTitles } from '../../contract/platform/pages.ts';
import { useSettings, whereabouts } from '../platform/api/query.ts';
import { paths } from '../platform/paths.ts';
import { Logo } from '../platform/ui/Logo.tsx';

const links = [
  [paths.home, 'Home'],
  [paths.instructors, 'Instructors'],
  [paths.classes, 'Classes'],
  [paths.signup, 'Signup'],
] as const;

export function Footer() {
  const settings = useSettings();
  const { brand, contact, tagline, logo, pages, phone, street, mapLink } = settings;
  const where = whereabouts(settings);
  return (
    <footer className="bg-band text-band-content">
      <div className="measure grid grid-cols-2 gap-10 py-14 sm:grid-cols-[2fr_1fr_1fr]">
        <div className="col-span-2 flex flex-col gap-4 sm:col-span-1">
          <p className="flex items-center gap-3 text-lg font-bold">
            <Logo src={logo} /> {brand}
          </p>
          <p className="text-band-muted max-w-sm wrap-anywhere">
            {tagline ?? 'Classes taught by people who love their sport.'}
          </p>
        </div>
        <nav aria-label="Footer" className="flex flex-col items-start md:gap-3">
          {links.map(([to, label]) => (
            <Link key={to} className="touch link-hover" to={to}>
              {label}
            </Link>
          ))}
        </nav>
        <div className="text-band-muted flex flex-col md:gap-3 wrap-anywhere max-md:*:flex max-md:*:min-h-11 max-md:*:items-center">
          <p>
            <Written page="about" pages={pages} />
          </p>
          <p>{contact ? <Outside to={`mailto:${contact}`}>Contact</Outside> : 'Contact'}</p>
          <p>
            <Written page="jobs" pages={pages} />
          </p>
          {where && <p>{mapLink ? <Outside to={mapLink}>{where}</Outside> : where}</p>}
          {street && <p>{street}</p>}
          {phone && (
            <p>
              <Outside to={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</Outside>
            </p>
          )}
          {(['terms', 'privacy'] as const)
            .filter((page) => pages.includes(page))
            .map((page) => (
              <p key={page}>
                <Written page={page} pages={pages} />
              </p>
            ))}
        </div>
      </div>
    </footer>
  );
}

/** A link once the page is written; until then only its name. */
function Written({ page, pages }: { page: PageName; pages: readonly PageName[] }) {
  if (!pages.includes(page)) return pageTitles[page];
  return (
    <Link className="touch underline underline-offset-4" to={paths.page(page)}>
      {pageTitles[page]}
    </Link>
  );
}

const Outside = ({ to, children }: { to: string; children: ReactNode }) => (
  <a className="touch underline underline-offset-4" href={to} rel="noreferrer">
    {children}
  </a>
);
