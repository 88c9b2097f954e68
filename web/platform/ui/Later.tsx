// A part of a page below its first screen. The browser lays it out when it comes near, and React takes
// it over after what is seen first.
import { type ReactNode, Suspense } from 'react';

/**
 * The height is a guess until it was laid out once: 90 to 160 rem on a phone, 50 to 80 on wide screens.
 * Where it is too low, tools that look for contrast take the next part for the background.
 */
const whenNear =
  '[content-visibility:auto] [contain-intrinsic-block-size:auto_110rem] md:[contain-intrinsic-block-size:auto_60rem]';

export const Later = ({ children }: { children: ReactNode }) => (
  <Suspense>
    <div className={whenNear}>{children}</div>
  </Suspense>
);
