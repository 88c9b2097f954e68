// The files of an uploaded picture for `srcset`. Its address names its largest width.
import { limits } from '../../../contract/platform/limits.ts';

const uploaded = /^(\/media\/[0-9a-f]{64}\/)(\d+)\.webp$/;
/** These pictures of the build exist as AVIF too. */
const built = /^\/media\/class\/[\w-]+\.webp$/;

export function sourcesOf(address: string, type: 'avif' | 'webp'): string | undefined {
  const [, base, largest] = uploaded.exec(address) ?? [];
  if (!base) return type === 'avif' && built.test(address) ? asAvif(address) : undefined;
  const widths = [...limits.picture.widths.filter((width) => width < Number(largest)), largest];
  return widths.map((width) => `${base}${width}.${type} ${width}w`).join(', ');
}

const asAvif = (address: string) => address.replace(/webp$/, 'avif');
