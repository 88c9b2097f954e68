// One of our drawings instead of a photo, for a person without one (PhotoTools.tsx).
import { Modal } from './Modal.tsx';
import { balls, drawingOf } from './Picture.tsx';

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
  /** The address in the field. */
  chosen: string;
  choose: (address: string) => void;
  onClose: () => void;
}

export function Drawings({ chosen, choose, onClose }: DrawingsProps) {
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
