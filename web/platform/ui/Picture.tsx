// Pictures whose address a user typed: no referrer, a fixed size so that nothing jumps, and a
// placeholder when they do not load.
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { preload } from 'react-dom';
import { Icon } from './Icon.tsx';
import { sourcesOf } from './sources.ts';

interface Props extends Omit<ComponentProps<'img'>, 'src' | 'alt' | 'width' | 'height'> {
  src: string | null | undefined;
  alt: string;
  width: number;
  height: number;
}

/** A card: a third of a wide screen, half of a tablet, all of a phone. */
const cardSizes = '(min-width: 64rem) 26rem, (min-width: 40rem) 50vw, 100vw';

export function Picture({ src, alt, className = '', loading = 'lazy', sizes, ...rest }: Props) {
  const { failed, ...watched } = useBroken(src);
  if (!src || failed) {
    return (
      <div
        role={alt ? 'img' : undefined}
        aria-label={alt || undefined}
        aria-hidden={alt ? undefined : true}
        className={`bg-base-300 flex items-center justify-center ${className}`}
      >
        <Icon name="ball" className="muted h-1/3 max-h-14" stroke={1.5} />
      </div>
    );
  }
  const avif = sourcesOf(src, 'avif');
  const webp = sourcesOf(src, 'webp');
  const shownAt = webp && (sizes ?? (rest.width > 400 ? cardSizes : `${rest.width}px`));
  // The browser learns of it in the head, before the stylesheet.
  if (avif && rest.fetchPriority === 'high')
    preload(avif, {
      as: 'image',
      type: 'image/avif',
      imageSrcSet: avif,
      ...(shownAt && { imageSizes: shownAt }),
      fetchPriority: 'high',
    });
  return (
    <picture className="contents">
      {avif && <source srcSet={avif} sizes={shownAt} type="image/avif" className="hidden" />}
      <img
        {...rest}
        {...watched}
        srcSet={webp}
        sizes={shownAt}
        src={src}
        alt={alt}
        loading={loading}
        decoding="async"
        referrerPolicy="no-referrer"
        className={className}
      />
    </picture>
  );
}

/** The small picture of a class beside its name. */
export const Thumb = ({ src, className }: { src: string; className: string }) => (
  <Picture
    src={src}
    alt=""
    width={96}
    height={72}
    className={`rounded-field shrink-0 object-cover ${className}`}
  />
);

export const balls = [
  'soccer',
  'basketball',
  'tennis',
  'volleyball',
  'waterpolo',
  'futsal',
  'redball',
  'baseball',
];

export const drawingOf = (ball: string) => `/media/avatar/${ball}.webp`;

const ballOf = (id: string) =>
  balls[
    Array.from(id).reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 9973, 7) % balls.length
  ] ?? 'tennis';

interface AvatarProps {
  person: { id: string; name: string; image: string | null | undefined };
  size?: 32 | 40 | 64 | 96;
  named?: boolean;
}

export function Avatar({ person, size = 40, named = true }: AvatarProps) {
  const { failed, ...watched } = useBroken(person.image);
  const sizes = { 32: 'size-8', 40: 'size-10', 64: 'size-16', 96: 'size-24' };
  const own = person.image && !failed ? person.image : null;
  const srcSet = own ? sourcesOf(own, 'webp') : undefined;
  return (
    <img
      {...(own && watched)}
      srcSet={srcSet}
      sizes={srcSet && `${size}px`}
      src={own ?? drawingOf(ballOf(person.id))}
      alt={named ? person.name : ''}
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      loading="lazy"
      decoding="async"
      className={`bg-base-300 shrink-0 rounded-full object-cover ${sizes[size]}`}
    />
  );
}

/** A picture may have failed before React listened: then it is complete, and empty. */
function useBroken(src: string | null | undefined) {
  const [broken, setBroken] = useState<string | null>(null);
  const ref = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const image = ref.current;
    if (image?.complete && image.naturalWidth === 0 && image.getAttribute('src'))
      setBroken(image.getAttribute('src'));
  }, []);
  return {
    ref,
    failed: src !== undefined && broken === src,
    onError: () => setBroken(src ?? null),
  };
}
