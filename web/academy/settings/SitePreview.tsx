// A small picture of the site in both themes, with what is typed in the form: navbar, a button, a
// link, a badge and the footer.
import type { Academy } from '../../../contract/academy/academy.ts';
import {
  colourProblem,
  leastContrast,
  paletteOf,
  type Theme,
} from '../../../contract/platform/contrast.ts';
import { Logo } from '../../platform/ui/Logo.tsx';
import { coloursOf, variablesOf } from '../../platform/api/colours.ts';

export const isColour = (value: string) => /^#[\da-f]{6}$/i.test(value);

type Shown = Partial<
  Pick<Academy, 'name' | 'shortName' | 'tagline' | 'logo' | 'primary' | 'accent' | 'headline'>
>;

export function SitePreview({ academy }: { academy: Shown }) {
  const { primary = '', accent = '' } = academy;
  const colours = coloursOf({
    primary: isColour(primary) ? primary.toLowerCase() : '',
    accent: isColour(accent) ? accent.toLowerCase() : '',
  });
  const palette = paletteOf(colours);
  return (
    <div className="flex flex-col gap-3">
      {(['light', 'dark'] as const).map((theme) => (
        <Site key={theme} theme={theme} academy={academy} variables={variablesOf(palette[theme])} />
      ))}
      {colourProblem(colours) && (
        <p className="text-error text-sm font-medium">
          These colours cannot be read: less than {leastContrast}.
        </p>
      )}
    </div>
  );
}

interface SiteProps {
  theme: Theme;
  academy: Shown;
  variables: Record<string, string>;
}

function Site({ theme, academy, variables }: SiteProps) {
  const { name, shortName, tagline, logo, headline } = academy;
  return (
    <div>
      <div
        data-theme={theme}
        style={variables}
        className="border-base-300 bg-base-200 text-base-content rounded-box overflow-hidden border text-sm"
        // Nothing in a picture is pressed.
        inert
      >
        <div className="bg-base-100 border-base-300 flex items-center gap-2 border-b px-3 py-2">
          <Logo src={isAddress(logo) ? logo : undefined} />
          <span className="line-clamp-2 font-bold wrap-anywhere">{shortName || name}</span>
        </div>
        <div className="flex flex-col gap-3 p-4">
          <p className="font-display text-2xl font-semibold wrap-anywhere">
            {headline || 'Come and play.'}
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <span className="bg-primary text-primary-content rounded-field px-3 py-2 text-sm font-medium">
              Select
            </span>
            <span className="link link-primary font-semibold">All classes →</span>
            <span className="bg-primary text-primary-content rounded-full px-2 text-xs leading-5 font-bold">
              3
            </span>
          </div>
        </div>
        <div className="bg-band text-band-content px-4 py-3">
          <p className="font-bold wrap-anywhere">{name}</p>
          <p className="text-band-muted text-xs wrap-anywhere">
            {tagline || 'Classes taught by people who love their sport.'}
          </p>
          <p className="mt-1 text-xs">Before you book</p>
        </div>
      </div>
      <p className="muted mt-1 text-xs">{theme === 'light' ? 'Light theme' : 'Dark theme'}</p>
    </div>
  );
}

const isAddress = (value: string | undefined) => /^(https:\/|\/media)\//.test(value ?? '');
