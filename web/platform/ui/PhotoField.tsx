// The address of a picture: typed, or filled by uploading one. With a preview, the progress of the
// upload, and what went wrong.
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { Field } from './Field.tsx';
import { Icon } from './Icon.tsx';
import { sourcesOf } from './sources.ts';
import { Modal } from './Modal.tsx';
import { balls, drawingOf } from './Picture.tsx';

/** Resolves to the address of the stored picture. `onShare`: how much has been sent, from 0 to 1. */
export type Upload = (
  file: File,
  watch: { signal: AbortSignal; onShare: (share: number) => void },
) => Promise<string>;

type State =
  | { is: 'idle' }
  /** `share` is 1 while the server works on it. */
  | { is: 'sending'; share: number }
  | { is: 'stored' }
  | { is: 'failed'; why: string; file: File };

const arrow = { path: 'M12 3v12M17 8l-5-5-5 5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4' };

const shapes = {
  wide: 'rounded-field h-16 w-28',
  round: 'size-16 rounded-full',
  // Whole, and on white: most logos are made for paper.
  logo: 'rounded-field h-16 w-28 has-[img]:bg-white has-[img]:p-1.5 [&>img]:object-contain',
};

interface PhotoFieldProps extends ComponentProps<typeof Field> {
  address: string;
  onPicture: (address: string) => void;
  upload: Upload;
  drawings?: boolean;
  /** Of the preview. */
  shape?: keyof typeof shapes;
}

export function PhotoField(props: PhotoFieldProps) {
  const { address, onPicture, upload, drawings, shape = 'wide', ...field } = props;
  const [choosing, setChoosing] = useState(false);
  const { state, start, end } = useSending(upload, onPicture);
  const choose = useChooser(start);
  const shown = useShown(address);
  return (
    <div className="flex flex-col gap-2">
      <Field {...field} />
      <div className="flex items-start gap-3">
        <div
          className={`bg-base-300 flex shrink-0 items-center justify-center overflow-hidden ${shapes[shape]}`}
        >
          {shown.src && !shown.isBroken ? (
            <img
              src={shown.src}
              srcSet={sourcesOf(shown.src, 'webp')}
              sizes="7rem"
              alt="What the address shows"
              referrerPolicy="no-referrer"
              onLoad={shown.onLoad}
              onError={shown.onError}
              className="size-full object-cover"
            />
          ) : (
            <Icon name="ball" className="muted size-7" stroke={1.5} />
          )}
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <div className="flex flex-wrap gap-2">
            <Button look="outline" busy={state.is === 'sending'} onClick={choose}>
              {state.is !== 'sending' && <Icon name={arrow} />}
              Upload
            </Button>
            {drawings && (
              <Button look="outline" onClick={() => setChoosing(true)}>
                Use a drawing
              </Button>
            )}
          </div>
          {state.is === 'sending' && (
            <div className="flex items-center gap-2 text-sm">
              <progress
                className="progress min-w-0 flex-1"
                aria-label="Sending the picture"
                {...(state.share < 1 && { value: state.share })}
              />
              <Button look="plain" onClick={end}>
                Cancel
              </Button>
            </div>
          )}
          {state.is === 'failed' && (
            <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <p className="text-error text-sm font-medium">{state.why}</p>
              <Button look="outline" onClick={() => start(state.file)}>
                Retry
              </Button>
            </div>
          )}
          <output className="text-sm font-medium empty:hidden">
            {state.is === 'stored' && shown.src === address && !shown.isBroken && 'Uploaded.'}
            {state.is !== 'failed' && shown.isBroken && (
              <span className="text-warning">This address shows no picture.</span>
            )}
          </output>
        </div>
      </div>
      {choosing && (
        <Drawings chosen={address} choose={onPicture} onClose={() => setChoosing(false)} />
      )}
    </div>
  );
}

function useSending(upload: Upload, onPicture: (address: string) => void) {
  const [state, setState] = useState<State>({ is: 'idle' });
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);

  const send = async (file: File, now: AbortController) => {
    const onShare = (share: number) => {
      if (!now.signal.aborted) setState({ is: 'sending', share });
    };
    onShare(0);
    try {
      const stored = await upload(file, { signal: now.signal, onShare });
      if (now.signal.aborted) return;
      onPicture(stored);
      setState({ is: 'stored' });
    } catch (error) {
      if (!now.signal.aborted) setState({ is: 'failed', why: wordsOf(error), file });
    }
  };
  return {
    state,
    start: (file: File) => {
      current.current?.abort();
      void send(file, (current.current = new AbortController()));
    },
    end: () => {
      current.current?.abort();
      setState({ is: 'idle' });
    },
  };
}

const wordsOf = (error: unknown) =>
  error instanceof Error && error.message ? error.message : 'That did not work.';

/** The browser's own choice of files. The input is in no document: it is no field of the form. */
function useChooser(onFile: (file: File) => void) {
  const input = useRef<HTMLInputElement>(null);
  return () => {
    const made = (input.current = document.createElement('input'));
    made.type = 'file';
    made.accept = 'image/*';
    made.addEventListener('change', () => {
      const file = made.files?.[0];
      if (file) onFile(file);
    });
    made.click();
  };
}

/** Half an address is no address: the picture is asked for once the typing has paused. */
function useShown(address: string) {
  const [src, setSrc] = useState('');
  const [broken, setBroken] = useState<string | null>(null);
  useEffect(() => {
    const typed = address.trim();
    const timer = setTimeout(() => setSrc(plausible.test(typed) ? typed : ''), 500);
    return () => clearTimeout(timer);
  }, [address]);
  return {
    src,
    isBroken: src !== '' && broken === src,
    onError: () => setBroken(src),
    onLoad: () => setBroken(null),
  };
}

const plausible = /^(https:\/\/[^/]+\.[^/]+\/|\/media\/)\S+$/i;

const names: Record<string, string> = {
  soccer: 'Soccer ball',
  basketball: 'Basketball',
  tennis: 'Tennis ball',
  volleyball: 'Volleyball',
  waterpolo: 'Water polo ball',
  futsal: 'Futsal ball',
  redball: 'Red ball',
  baseball: 'Baseball',
};

interface DrawingsProps {
  chosen: string;
  choose: (address: string) => void;
  onClose: () => void;
}

function Drawings({ chosen, choose, onClose }: DrawingsProps) {
  return (
    <Modal title="Choose a drawing" shape="sheet" onClose={onClose}>
      <ul className="grid grid-cols-4 gap-2 sm:gap-3">
        {balls.map((ball) => (
          <li key={ball}>
            <button
              type="button"
              aria-pressed={chosen === drawingOf(ball)}
              aria-label={names[ball]}
              className="aria-pressed:outline-primary rounded-box hover:bg-base-200 flex w-full items-center justify-center p-1.5 aria-pressed:outline-3"
              onClick={() => {
                choose(drawingOf(ball));
                onClose();
              }}
            >
              <img
                src={drawingOf(ball)}
                alt=""
                width={96}
                height={96}
                className="bg-base-300 aspect-square w-full max-w-24 rounded-full"
              />
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
