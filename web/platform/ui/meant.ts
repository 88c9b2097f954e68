// "Did you mean gmail.com?": what an address with a slip in its domain was meant to be.
import { slips } from '../../../contract/platform/slips.ts';

const providers = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
  'icloud.com',
  'live.com',
  'gmx.net',
  'gmx.de',
  'web.de',
  'proton.me',
  'sapo.pt',
];
/** They look like slips and are none. */
const others = /^((e|y|rocket)?mail|protonmail|gmx)\.com$/;
/** Of a provider in another country: hotmail.no, yahoo.co.uk. */
const abroad = /^[^.]+\.((?!(co|cm|om)$)[a-z]{2}|co\.[a-z]{2})$/;
const nameOf = (domain: string) => domain.split('.', 1).join('');

export function meantBy(email: string): string | null {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at).trim().toLowerCase();
  if (at < 2 || others.test(domain) || providers.includes(domain)) return null;
  if (abroad.test(domain) && providers.some((one) => nameOf(one) === nameOf(domain))) return null;
  const near = providers.find((one) => slips(domain, one) <= (nameOf(one).length < 5 ? 1 : 2));
  const meant = near ?? (domain.endsWith('.con') ? `${domain.slice(0, -1)}m` : null);
  return meant && email.slice(0, at) + meant;
}
