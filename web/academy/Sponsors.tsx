// The sponsors on the home page (specification, section 2): a grid of logos, one column on small
// screens and six on large.
import type { Answer } from '../../contract/platform/call.ts';
import { messages } from '../../contract/platform/messages.ts';
import type { readHome } from '../../contract/academy/site.ts';
import { sourcesOf } from '../platform/ui/sources.ts';

type Sponsor = Answer<typeof readHome>['sponsors'][number];

export function Sponsors({ sponsors }: { sponsors: readonly Sponsor[] }) {
  return (
    <section aria-labelledby="sponsors" className="bg-base-100 border-base-300/70 border-t">
      <div className="measure py-14 text-center sm:py-20">
        <h2 id="sponsors" className="text-2xl tracking-wide uppercase sm:text-3xl">
          {messages.sponsors}
        </h2>
        <p className="muted mt-2">{messages.sponsorsSub}</p>
        {/* Bright in both themes: the logos were drawn for paper. */}
        <ul className="rounded-box border-base-300/70 mt-8 grid grid-cols-1 overflow-hidden border bg-white py-2 dark:bg-[#e6eee9] sm:grid-cols-3 sm:py-4 lg:grid-cols-6">
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
