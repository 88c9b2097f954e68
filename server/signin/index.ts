// The room of signing in: its calls under /api/auth, POST /jwt and GET /settings, which a browser needs
// before sign-in.
import { settings } from '../../contract/platform/settings.ts';
import { address } from './address.ts';
import { google } from './google.ts';
import { join } from './join.ts';
import { password } from './password.ts';
import { confirmation } from './confirm.ts';
import { secondFactor } from './secondfactor.ts';
import { forSignin } from './services.ts';
import { signIn, signUp } from './signin.ts';

export async function signin(
  services: Parameters<typeof forSignin>[0] & { demoAccounts: boolean },
): Promise<void> {
  const given = forSignin(services);
  signUp(given);
  signIn(given);
  confirmation(given);
  await password(given);
  address(given);
  join(given);
  secondFactor(given);
  google(given);
  const { academy, config, cards, demoAccounts } = services;
  services.on(settings, async () => {
    const { name, email, timeZone, currency, sports, pages, ...rest } = await academy.read();
    return {
      brand: name,
      publicUrl: config.publicUrl,
      google: config.google !== null,
      demo: !config.production,
      demoAccounts,
      strictPasswords: config.strictPasswords,
      cards: { publishableKey: cards.publishableKey, sandbox: cards.sandbox },
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
