// GET /settings: what a browser needs before sign-in.
import { settings as settingsCall } from '../../contract/platform/settings.ts';
import type { Services } from '../platform/services.ts';

type Needed = Pick<Services, 'on' | 'academy' | 'config' | 'cards'> & { demoAccounts: boolean };

export function settings({ on, academy, config, cards, demoAccounts }: Needed): void {
  const { publishableKey, sandbox } = cards;
  on(settingsCall, async () => {
    const { name, email, timeZone, currency, sports, pages, ...rest } = await academy.read();
    return {
      brand: name,
      publicUrl: config.publicUrl,
      google: config.google !== null,
      demo: !config.production,
      demoAccounts,
      strictPasswords: config.strictPasswords,
      cards: { publishableKey, sandbox },
      ...(email && { contact: email }),
      timeZone,
      currency,
      sports,
      pages,
      ...said(rest),
    };
  });
}

/** Without what is null. */
const said = <T extends object>(row: T) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as {
    [key in keyof T]?: NonNullable<T[key]>;
  };
