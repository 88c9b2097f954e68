// The one button of a page, with a few words at its left: on a phone always in view at the bottom.
import type { ReactNode } from 'react';

export const Bar = ({ words, children }: { words: ReactNode; children: ReactNode }) => (
  <div className="bottom-bar bar">
    <div className="min-w-0 flex-1 basis-20">{words}</div>
    {children}
  </div>
);
