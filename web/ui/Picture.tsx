// Pictures whose address a user typed: no referrer, a fixed size so that nothing jumps, and a
// placeholder when they do not load.
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';

interface Props extends Omit<ComponentProps<'img'>, 'src' | 'alt' | 'width' | 'height'> {
  src: string | null | undefined;
  alt: string;
  width: number;
  height: number;
}

export function Picture({ src, alt, className = '', loading = 'lazy', ...rest }: Props) {
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
  return (
    <img
      {...rest}
      {...watched}
      src={src}
      alt={alt}
      loading={loading}
      decoding="async"
      referrerPolicy="no-referrer"
      className={className}
    />
  );
}

/** A round portrait; the initial when there is none. */
export function Avatar({
  src,
  name,
  size = 40,
}: {
  src: string | null | undefined;
  name: string;
  size?: 32 | 40 | 96;
}) {
  const { failed, ...watched } = useBroken(src);
  const sizes = { 32: 'size-8 text-sm', 40: 'size-10', 96: 'size-24 text-4xl' };
  if (!src || failed) {
    return (
      <span
        className={`bg-accent text-accent-content inline-flex shrink-0 items-center justify-center rounded-full font-bold ${sizes[size]}`}
      >
        <span aria-hidden="true">{(name.trim()[0] ?? '?').toUpperCase()}</span>
        <span className="sr-only">{name}</span>
      </span>
    );
  }
  return (
    <img
      {...watched}
      src={src}
      alt={name}
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      decoding="async"
      className={`bg-base-300 shrink-0 rounded-full object-cover ${sizes[size]}`}
    />
  );
}

/**
 * A picture of the server's HTML may have failed before React listened: then it is complete, and
 * empty.
 */
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
