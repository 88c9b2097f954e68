// The colours of an academy in both themes, and whether they can be read. An admin chooses two
// colours; everything else is computed, the same in the browser and on the server.

/** WCAG 2.2 AA, for text of any size. */
export const leastContrast = 4.5;

/** The grounds on which text is set, without the academy's colours (web/app/styles.css). */
const grounds = {
  light: ['#fffdf8', '#f6f1e6'],
  dark: ['#0e1a17', '#0a1311', '#22352f'],
} as const;
export type Theme = keyof typeof grounds;

export interface Colours {
  primary: string;
  accent: string;
}

/** What stands when the academy has chosen nothing. */
export const ownColours: Colours = { primary: '#0b5d4e', accent: '#d7f24a' };

export interface ThemeColours {
  primary: string;
  primaryContent: string;
  accent: string;
  accentContent: string;
  /** The dark bands of the site and what is on them. They are the same in both themes. */
  band: string;
  bandRaised: string;
  bandContent: string;
  bandMuted: string;
  /** The line on our ball, which is shown where there is no logo. */
  seam: string;
}

export type Palette = Record<Theme, ThemeColours>;

/** One pair of colours that are set on each other. `field` is the setting that decides it. */
export interface Pair {
  field: keyof Colours;
  theme: Theme;
  what: string;
  ratio: number;
}

type Channels = readonly [red: number, green: number, blue: number];

const channelsOf = (hex: string): Channels => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

const hexOf = (channels: readonly number[]) =>
  `#${channels.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

/** `part` of 1 is the second colour. */
function mix(from: string, to: string, part: number): string {
  const end = channelsOf(to);
  return hexOf(channelsOf(from).map((value, at) => value + ((end[at] ?? 0) - value) * part));
}

function luminance(hex: string): number {
  const [red, green, blue] = channelsOf(hex).map((value) => {
    const part = value / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const worst = (colour: string, others: readonly string[]) =>
  Math.min(...others.map((other) => contrast(colour, other)));

/** White, or a colour that is nearly black: what can be read better. */
const contentOn = (colour: string) => {
  const tinted = mix(colour, '#000000', 0.85);
  const dark = contrast(colour, tinted) >= leastContrast ? tinted : '#000000';
  return contrast(colour, '#ffffff') >= contrast(colour, dark) ? '#ffffff' : dark;
};

/**
 * The colour, brightened until it can be read on every dark ground: first to its full strength, so
 * that it does not fade, then towards white. A grey that is only just readable looks like a button
 * that is off: black becomes nearly white.
 */
function brightened(colour: string): string {
  const channels = channelsOf(colour);
  const most = Math.max(...channels);
  const isGrey = most - Math.min(...channels) < 32;
  const full = isGrey ? colour : hexOf(channels.map((value) => (value / most) * 255));
  const least = isGrey ? 11 : leastContrast + 0.5;
  for (let step = 0; step < 40; step += 1) {
    const tried = step < 20 ? mix(colour, full, step / 20) : mix(full, '#ffffff', (step - 20) / 20);
    if (worst(tried, grounds.dark) >= least) return tried;
  }
  return '#ffffff';
}

/** The colour, darkened until white text on it has a contrast of 12. */
function darkened(colour: string, least: number): string {
  for (let step = 0; step < 20; step += 1) {
    const tried = mix(colour, '#000000', step / 20);
    if (contrast(tried, '#ffffff') >= least) return tried;
  }
  return '#000000';
}

/** Ours were chosen by eye (web/app/styles.css). */
const ownBands = {
  band: '#0a2a24',
  bandRaised: '#0a4a3d',
  bandContent: '#eaf2ec',
  bandMuted: '#c4d6cd',
};

function bandsOf(primary: string) {
  if (primary === ownColours.primary) return ownBands;
  const band = darkened(primary, 15);
  return {
    band,
    bandRaised: darkened(primary, 10),
    bandContent: mix('#ffffff', band, 0.06),
    bandMuted: mix('#ffffff', band, 0.22),
  };
}

export function paletteOf({ primary, accent }: Colours): Palette {
  const isOwn = primary === ownColours.primary;
  const shared = {
    accent,
    accentContent: accent === ownColours.accent ? '#16240a' : contentOn(accent),
    ...bandsOf(primary),
    seam: contrast(accent, primary) >= 3 ? primary : contentOn(accent),
  };
  const bright = isOwn ? '#5fd3b4' : brightened(primary);
  return {
    light: { primary, primaryContent: isOwn ? '#ffffff' : contentOn(primary), ...shared },
    dark: { primary: bright, primaryContent: isOwn ? '#04231c' : contentOn(bright), ...shared },
  };
}

export function pairsOf(colours: Colours): Pair[] {
  const palette = paletteOf(colours);
  return (['light', 'dark'] as const).flatMap((theme): Pair[] => {
    const { primary, primaryContent, accent, accentContent, band, bandRaised } = palette[theme];
    return [
      { field: 'primary', theme, what: 'links', ratio: worst(primary, grounds[theme]) },
      { field: 'primary', theme, what: 'buttons', ratio: contrast(primary, primaryContent) },
      { field: 'accent', theme, what: 'badges', ratio: contrast(accent, accentContent) },
      {
        field: 'accent',
        theme,
        what: 'words on the dark bands',
        ratio: worst(accent, [band, bandRaised]),
      },
    ];
  });
}

/** Rounded down: 4.49 is not shown as 4.5. */
export const shownRatio = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1);

/** Why these colours cannot be used, with the figure; null when they can. */
export function colourProblem(colours: Colours): { field: keyof Colours; problem: string } | null {
  const pair = pairsOf(colours).find(({ ratio }) => ratio < leastContrast);
  return pair
    ? {
        field: pair.field,
        problem: `has a contrast of ${shownRatio(pair.ratio)} for ${pair.what} in the ${pair.theme} theme; at least ${leastContrast} is needed`,
      }
    : null;
}
