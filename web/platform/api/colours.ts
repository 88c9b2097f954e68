// The academy's colours as CSS variables for both themes. The server writes them into the document;
// an open page adopts them when they change.
import {
  type Colours,
  ownColours,
  paletteOf,
  type ThemeColours,
} from '../../../contract/platform/contrast.ts';

interface Chosen {
  primary?: string | undefined;
  accent?: string | undefined;
}

export const coloursOf = ({ primary, accent }: Chosen): Colours => ({
  primary: primary || ownColours.primary,
  accent: accent || ownColours.accent,
});

/** Empty when the academy has chosen none: the stylesheet has ours. */
export function colourCss(chosen: Chosen): string {
  if (!chosen.primary && !chosen.accent) return '';
  const { light, dark } = paletteOf(coloursOf(chosen));
  return `:root,[data-theme=light]{${declared(light)}}[data-theme=dark]{${declared(dark)}}`;
}

/** The variables of web/app/styles.css that depend on the two colours. */
export const variablesOf = (colours: ThemeColours): Record<string, string> => ({
  '--color-primary': colours.primary,
  '--color-primary-content': colours.primaryContent,
  '--color-accent': colours.accent,
  '--color-accent-content': colours.accentContent,
  '--color-band': colours.band,
  '--color-band-raised': colours.bandRaised,
  '--color-band-content': colours.bandContent,
  '--color-band-muted': colours.bandMuted,
  '--color-seam': colours.seam,
});

const declared = (colours: ThemeColours) =>
  Object.entries(variablesOf(colours))
    .map(([name, value]) => `${name}:${value}`)
    .join(';');

let adopted: CSSStyleSheet | null = null;

/** In the browser, after a change of the settings. A policy of hashes allows what a script makes. */
export function adoptColours(chosen: Chosen): void {
  const css = colourCss(chosen) || colourCss(ownColours);
  adopted ??= new CSSStyleSheet();
  adopted.replaceSync(css);
  document.adoptedStyleSheets = [adopted];
}
