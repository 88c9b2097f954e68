// The address of a picture: typed, or filled by uploading one. Its tools (PhotoTools.tsx) are
// loaded after the page; without them the address can be typed.
import { type ComponentProps, useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import { Field } from './Field.tsx';
import type { PhotoTools as Tools } from './PhotoTools.tsx';

type ToolsProps = Omit<ComponentProps<typeof Tools>, 'frame'>;

const shapes = {
  wide: 'rounded-field h-16 w-28',
  round: 'size-16 rounded-full',
  // Whole, and on white: most logos are made for paper.
  logo: 'rounded-field h-16 w-28 has-[img]:bg-white has-[img]:p-1.5 [&>img]:object-contain',
};

let known: typeof Tools | null = null;

/** `shape` is that of the preview. */
export function PhotoField({
  address,
  onPicture,
  upload,
  drawings = false,
  shape = 'wide',
  ...field
}: ComponentProps<typeof Field> & ToolsProps & { shape?: keyof typeof shapes }) {
  const [Loaded, setLoaded] = useState(() => known);
  useEffect(() => {
    let isShown = true;
    const load = async () => {
      ({ PhotoTools: known } = await import('./PhotoTools.tsx'));
      if (isShown) setLoaded(() => known);
    };
    load().catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, []);
  const frame = `bg-base-300 flex shrink-0 items-center justify-center overflow-hidden ${shapes[shape]}`;
  return (
    <div className="flex flex-col gap-2">
      <Field {...field} />
      <div className="flex items-start gap-3">
        {Loaded ? (
          <Loaded {...{ address, onPicture, upload, drawings, frame }} />
        ) : (
          // As large as what comes, so that nothing moves.
          <>
            <div className={frame} />
            <div className="flex flex-wrap gap-2">
              <Button look="outline" disabled>
                <span className="size-4.5" />
                Upload
              </Button>
              {drawings && (
                <Button look="outline" disabled>
                  Use a drawing
                </Button>
              )}
            </div>
          </>
        )}
      </div>
    </div>
  );
}
