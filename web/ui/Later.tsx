// A part of a page below its first screen. The browser lays it out when it comes near, and React takes
// it over after what is seen first.
import { type ReactNode, Suspense } from 'react';

/** The height is a guess until it was laid out once. */
const whenNear = '[content-visibility:auto] [contain-intrinsic-block-size:auto_60rem]';

export const Later = ({ children }: { children: ReactNode }) => (
  <Suspense>
    <div className={whenNear}>{children}</div>
  </Suspense>
);
