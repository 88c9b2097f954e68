// Whether the colours of an academy can be read.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  colourProblem,
  contrast,
  leastContrast,
  ownColours,
  paletteOf,
  pairsOf,
} from './contrast.ts';

it('is the contrast of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
  expect(contrast('#0b5d4e', '#0b5d4e')).toBe(1);
});

describe('the colours of an academy', () => {
  it('are ours when nothing is chosen, and can be read', () => {
    expect(colourProblem(ownColours)).toBeNull();
  });

  it.each([
    ['#ffd400', '#d7f24a', 'primary', /contrast of 1\.\d for links in the light theme/],
    ['#8a8a8a', '#d7f24a', 'primary', /contrast of 3\.\d for links in the light theme/],
    ['#0b5d4e', '#123456', 'accent', /words on the dark bands in the light theme/],
  ])('%s with %s are refused with the figure', (primary, accent, field, problem) => {
    expect(colourProblem({ primary, accent })).toEqual({
      field,
      problem: expect.stringMatching(problem),
    });
  });

  it('that pass can be read in every pair of both themes', () => {
    const hex = fc
      .integer({ min: 0, max: 0xff_ff_ff })
      .map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(hex, hex, (primary, accent) => {
        const colours = { primary, accent };
        const { light, dark } = paletteOf(colours);
        // What is computed can always be read; only what was chosen can fail.
        for (const theme of [light, dark]) {
          expect(contrast(theme.primary, theme.primaryContent)).toBeGreaterThanOrEqual(
            leastContrast,
          );
          expect(contrast(theme.accent, theme.accentContent)).toBeGreaterThanOrEqual(leastContrast);
          for (const band of [theme.band, theme.bandRaised])
            for (const words of [theme.bandContent, theme.bandMuted])
              expect(contrast(band, words)).toBeGreaterThanOrEqual(leastContrast);
        }
        const fails = pairsOf(colours).some(({ ratio }) => ratio < leastContrast);
        expect(colourProblem(colours) !== null).toBe(fails);
      }),
      { numRuns: 30 },
    );
  });
});
