// The forms that values of the configuration have: addresses and lists of proxies.
import { isIP } from 'node:net';

export function isUrl(value: string, protocols: string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

export function isOrigin(value: string): boolean {
  if (!isUrl(value, ['http:', 'https:'])) return false;
  const url = new URL(value);
  return url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
}

export function isLocal(value: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(value).hostname);
}

export function isProxyList(value: string): boolean {
  if (/^(\d{1,2}|none)$/.test(value)) return true;
  return value.split(',').every((part) => {
    const [address = '', bits, ...rest] = part.trim().split('/');
    if (['loopback', 'linklocal', 'uniquelocal'].includes(address)) return bits === undefined;
    const family = isIP(address);
    if (family === 0 || rest.length > 0) return false;
    return (
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    );
  });
}

export function proxies(value: string | undefined): false | string | number {
  if (value === undefined || value === '0' || value === 'none') return false;
  return /^\d+$/.test(value) ? Number(value) : value.replaceAll(' ', '');
}
