// How mails look by the settings of the academy: name, logo, colours, contact and address.
import { ownColours, paletteOf } from '../../contract/platform/contrast.ts';
import type { Academy } from '../platform/db/academy.ts';
import type { Look } from './html.ts';

type Seen = Pick<
  Academy,
  'name' | 'logo' | 'icon' | 'primary' | 'accent' | 'email' | 'street' | 'city' | 'country'
>;

export function mailLook(academy: Seen, publicUrl: string): Partial<Look> {
  const { name, email, street, city, country } = academy;
  const picture = academy.logo ?? academy.icon;
  const { light, dark } = paletteOf({
    primary: academy.primary ?? ownColours.primary,
    accent: academy.accent ?? ownColours.accent,
  });
  const address = [street, city, country].filter(Boolean).join(', ');
  return {
    brand: name,
    contact: email,
    ...(picture && { logo: shownByMailPrograms(new URL(picture, publicUrl).href) }),
    // The picture of our ball has our colours.
    ...(!picture && (academy.primary || academy.accent) && { logo: null }),
    button: {
      light: light.primary,
      onLight: light.primaryContent,
      dark: dark.primary,
      onDark: dark.primaryContent,
    },
    ...(address && { address }),
  };
}

/** Of our own pictures there is a WebP for each AVIF, which few mail programs know. */
const shownByMailPrograms = (address: string) => address.replace(/\.avif$/, '.webp');
