// The sign of the academy: its logo, or our ball with the seam of its flight.
import { sourcesOf } from './sources.ts';

export function Logo({ src }: { src?: string | undefined }) {
  if (src)
    return (
      <img
        src={src}
        srcSet={sourcesOf(src, 'webp')}
        sizes="36px"
        alt=""
        width={36}
        height={36}
        referrerPolicy="no-referrer"
        className="size-9 shrink-0 rounded-field object-contain"
      />
    );
  return <Ball className="size-9 shrink-0" />;
}

/** The only yellow thing on a screen, but for one word of the hero: what comes next (Line.tsx). */
export const Ball = ({ className }: { className: string }) => (
  <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
    <circle cx="16" cy="16" r="15" className="fill-ball" />
    <path
      d="M4.500 8.500c7 2.500 10.500 9.500 8 21.500M27.500 23.500c-7-2.500-10.500-9.500-8-21.500"
      fill="none"
      className="stroke-seam"
      strokeWidth="2.600"
      strokeLinecap="round"
    />
  </svg>
);
