// A banner of pictures on CSS scroll snap (specification, sections 2 and 9): arrows, dots, `1 of
// 4`, thumbnails; 350 ms; a swipe counts from 5 px; no autoplay. Without JavaScript it still
// scrolls. From 64rem on the controls are on the right and above `z-10`: the left 46 % of the
// pictures are calm, and the page may lay a headline over them.
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  type UIEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Icon } from './Icon.tsx';
import { sourcesOf } from './sources.ts';

export interface Slide {
  id: string;
  /** Without size and ending: `-960` and `-1920` (21 : 9) as AVIF and WebP, and `-thumb.webp`. With
   * an ending it is one picture for all of them. */
  base: string;
  alt: string;
}

const isOnePicture = (base: string) => /\.\w+$|^https:/.test(base);

/** On a phone the smaller one is sharp enough: 220 px high, of which the right part is seen. */
const sizes = '(min-width: 76rem) 72rem, (min-width: 40rem) 100vw, 20rem';
const transitionMs = 350;
const swipeTolerance = 5;

export function Slider({ label, slides }: { label: string; slides: readonly Slide[] }) {
  const track = useRef<HTMLDivElement>(null);
  const { shown, go, onScroll } = useSlides(track, slides.length);
  const swipe = useSwipe(track, go);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    go(shown + (event.key === 'ArrowLeft' ? -1 : 1));
  };
  return (
    <section aria-roledescription="carousel" aria-label={label} className="flex flex-col gap-3">
      <div className="relative">
        {/* Focusable, because what scrolls must scroll by keyboard too. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <section
          ref={track}
          onScroll={onScroll}
          onKeyDown={onKeyDown}
          {...swipe}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-label={`${label}: use the arrow keys`}
          className="rounded-box flex h-55 touch-pan-y snap-x snap-mandatory [scrollbar-width:none] overflow-x-auto select-none sm:aspect-[21/9] sm:h-auto lg:aspect-auto lg:h-[34rem]"
        >
          {slides[0] && !isOnePicture(slides[0].base) && <PreloadedSlide base={slides[0].base} />}
          {slides.map(({ id, base, alt }, index) => (
            <picture key={id} className="contents">
              {!isOnePicture(base) && <Sources base={base} />}
              <img
                src={isOnePicture(base) ? base : `${base}-960.webp`}
                srcSet={isOnePicture(base) ? sourcesOf(base, 'webp') : undefined}
                sizes={isOnePicture(base) ? sizes : undefined}
                alt={alt}
                width={1920}
                height={823}
                loading={index === 0 ? 'eager' : 'lazy'}
                fetchPriority={index === 0 ? 'high' : 'low'}
                draggable={false}
                referrerPolicy={isOnePicture(base) ? 'no-referrer' : undefined}
                className="bg-base-300 h-full w-full shrink-0 snap-start object-cover object-right"
              />
            </picture>
          ))}
        </section>
        <output className="figures absolute top-3 right-3 z-20 rounded-full bg-black/70 lg:top-4 lg:right-4 px-3 py-1 text-sm font-semibold text-white">
          {shown + 1} of {slides.length}
        </output>
        <Arrow
          label="Previous picture"
          className="left-3 lg:right-52 lg:left-auto"
          icon="left"
          onClick={() => go(shown - 1)}
        />
        <Arrow
          label="Next picture"
          className="right-3 lg:right-38"
          icon="right"
          onClick={() => go(shown + 1)}
        />
        <div className="absolute inset-x-0 bottom-2 z-20 mx-auto flex w-fit rounded-full bg-black/45 lg:right-4 lg:bottom-5.5 lg:mr-0">
          {slides.map(({ id }, index) => (
            <button
              key={id}
              type="button"
              aria-label={`Show picture ${index + 1}`}
              aria-current={index === shown}
              onClick={() => go(index)}
              className="group flex size-[44px] md:size-8 cursor-pointer items-center justify-center rounded-full focus-visible:outline-white focus-visible:-outline-offset-3"
            >
              <span className="size-3 rounded-full border-2 border-white group-aria-[current=true]:bg-white" />
            </button>
          ))}
        </div>
      </div>
      <div className="flex gap-3">
        {slides.map(({ id, base, alt }, index) => (
          <button
            key={id}
            type="button"
            aria-label={`Thumbnail ${index + 1}: ${alt}`}
            aria-current={index === shown}
            onClick={() => go(index)}
            className="aria-[current=true]:ring-primary ring-offset-base-200 w-24 cursor-pointer overflow-hidden rounded-xl opacity-80 ring-offset-2 transition-opacity hover:opacity-100 aria-[current=true]:opacity-100 aria-[current=true]:ring-3 sm:w-32"
          >
            <img
              src={isOnePicture(base) ? base : `${base}-thumb.webp`}
              srcSet={isOnePicture(base) ? sourcesOf(base, 'webp') : undefined}
              sizes={isOnePicture(base) ? '128px' : undefined}
              alt=""
              width={240}
              height={103}
              loading="lazy"
              referrerPolicy={isOnePicture(base) ? 'no-referrer' : undefined}
              className="block h-11 w-full object-cover sm:h-14"
            />
          </button>
        ))}
      </div>
    </section>
  );
}

function Sources({ base }: { base: string }) {
  return (
    <>
      {['avif', 'webp'].map((type) => (
        <source
          key={type}
          type={`image/${type}`}
          srcSet={`${base}-960.${type} 960w, ${base}-1920.${type} 1920w`}
          sizes={sizes}
        />
      ))}
    </>
  );
}

function Arrow({
  label,
  className,
  icon,
  onClick,
}: {
  label: string;
  className: string;
  icon: 'left' | 'right';
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className={`absolute top-1/2 z-20 flex size-11 -translate-y-1/2 cursor-pointer lg:top-auto lg:bottom-4 lg:translate-y-0 items-center justify-center rounded-full bg-black/60 text-white transition-colors hover:bg-black/85 focus-visible:ring-5 focus-visible:ring-black/60 focus-visible:outline-white ${className}`}
    >
      <Icon name={icon} className="size-6" stroke={2.5} />
    </button>
  );
}

/** Which picture is shown, and how to go to another; past the end it begins anew. */
function useSlides(track: RefObject<HTMLElement | null>, count: number) {
  const [shown, setShown] = useState(0);
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);
  const onScroll = ({ currentTarget: box }: UIEvent<HTMLElement>) =>
    setShown(Math.min(count - 1, Math.max(0, Math.round(box.scrollLeft / box.clientWidth))));
  const go = (to: number) => {
    const box = track.current;
    if (!box) return;
    stop.current();
    stop.current = glide(box, ((to + count) % count) * box.clientWidth);
  };
  return { shown, go, onScroll };
}

/** The browser's own smooth scrolling takes no time to take; snapping would fight each step. */
function glide(box: HTMLElement, target: number): () => void {
  const from = box.scrollLeft;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const began = performance.now();
  let frame = 0;
  const end = () => {
    cancelAnimationFrame(frame);
    box.style.scrollSnapType = '';
  };
  const step = (now: number) => {
    const part = still ? 1 : Math.min(1, (now - began) / transitionMs);
    box.scrollLeft = from + (target - from) * (1 - (1 - part) ** 3);
    if (part < 1) frame = requestAnimationFrame(step);
    else end();
  };
  box.style.scrollSnapType = 'none';
  frame = requestAnimationFrame(step);
  return end;
}

/** The picture follows; one that moved more than the tolerance gives way to its neighbour. */
function useSwipe(track: RefObject<HTMLElement | null>, go: (to: number) => void) {
  const start = useRef<{ x: number; left: number }>(null);
  const end = (event: PointerEvent) => {
    const [box, begun] = [track.current, start.current];
    start.current = null;
    if (!box || !begun) return;
    const by = event.clientX - begun.x;
    if (Math.abs(by) <= swipeTolerance || event.type === 'pointercancel')
      box.style.scrollSnapType = '';
    else go(Math.max(0, Math.round(begun.left / box.clientWidth) + (by < 0 ? 1 : -1)));
  };
  return {
    onPointerDown: ({ button, clientX, currentTarget }: PointerEvent) => {
      if (button === 0) start.current = { x: clientX, left: currentTarget.scrollLeft };
    },
    onPointerMove: ({ clientX, pointerId }: PointerEvent) => {
      const [box, begun] = [track.current, start.current];
      if (!box || !begun || Math.abs(clientX - begun.x) <= swipeTolerance) return;
      box.setPointerCapture(pointerId);
      box.style.scrollSnapType = 'none';
      box.scrollLeft = begun.left - (clientX - begun.x);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

/** The first picture is the largest thing of the page: the browser learns of it in the head. */
function PreloadedSlide({ base }: { base: string }) {
  return (
    <link
      rel="preload"
      as="image"
      type="image/avif"
      fetchPriority="high"
      href={`${base}-960.avif`}
      imageSrcSet={`${base}-960.avif 960w, ${base}-1920.avif 1920w`}
      imageSizes={sizes}
    />
  );
}
