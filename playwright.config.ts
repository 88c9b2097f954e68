// How the browser's tests run. The app they use is started by checks/e2e/setup.ts.

import { defineConfig } from '@playwright/test';
import { type Browser, findChromium } from './scripts/browser.ts';

// This file is read again by every worker; the browser is looked for once.
process.env['RALLY_BROWSER'] ??= JSON.stringify(await findChromium());
const { executablePath, args, env } = JSON.parse(process.env['RALLY_BROWSER']) as Browser;
const inherited = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]),
);

// Pictures from elsewhere (checks/e2e/fixtures.ts) fail at once: a name server that does not answer would
// delay every page with such a picture.
const unknownHosts = 'MAP *.example ~NOTFOUND';

// Tests of pages that are mostly used on a phone. The others are for the desktop.
const onPhone = '(axe|basket|checkout|family|finding)\\.spec\\.ts|@phone';

/**
 * Which tests run at which width, as patterns of "file title tags". `npm test` runs each test at
 * the width of its users, and no @proof. The proof `browser` runs the rest; its short form runs each
 * @proof but the @long ones at the width of its users, and each @journey at the other one. Without a
 * part, all run.
 */
const parts = {
  test: {
    phone: `^(?!.*(@once|@proof)).*(${onPhone})`,
    desktop: `^(?!.*@proof)(.*@once|(?!.*(${onPhone})))`,
  },
  short: {
    phone: `^(?!.*(@once|@long))((?=.*@proof).*(${onPhone})|(?!.*(${onPhone})).*@journey)`,
    desktop: `^(?!.*@long)(?=.*@proof)(.*@once|(?!.*(${onPhone})))|^(?=.*@journey).*(${onPhone})`,
  },
  proof: {
    phone: `^(?!.*@once)(.*@proof|(?!.*(${onPhone})))`,
    desktop: `@proof|^(?!.*@once).*(${onPhone})`,
  },
  all: { phone: '^(?!.*@once)', desktop: '' },
};
const part = parts[(process.env['BROWSER_PART'] ?? 'all') as keyof typeof parts];

export default defineConfig({
  testDir: 'checks/e2e',
  globalSetup: './checks/e2e/setup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // One more than the cores of a small machine: a journey often waits, for the server or for a frame.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // Far more than a quiet machine needs: a busy one has taken 15 s for one step.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // Far more than a slow machine needs: it ends only a run that hangs.
  globalTimeout: 40 * 60_000,
  reporter: 'list',
  use: {
    baseURL: process.env['RALLY_URL'],
    browserName: 'chromium',
    locale: 'en-US',
    // A test would wait for the end of a movement.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      args: [...args, `--host-resolver-rules=${unknownHosts}`],
      env: { ...inherited, ...env },
    },
    // Recording every step costs a third of the time: TRACE=1 when a failure is hunted.
    trace: process.env['TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'phone',
      grep: new RegExp(part.phone),
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    {
      name: 'desktop',
      grep: new RegExp(part.desktop),
      use: { viewport: { width: 1280, height: 800 } },
    },
  ],
});
