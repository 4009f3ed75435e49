import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

/** Names and places of browsers that speak Chrome's protocol. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  '/usr/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Says nothing to anybody outside, and runs as root in a container too. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/**
 * Finds a browser: `CHROME_PATH`, else Chromium or Chrome where they are usually installed.
 *
 * @returns its path, or undefined where there is none
 * @throws Error when CHROME_PATH names nothing
 */
export function findBrowser(env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  const named = env.CHROME_PATH;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROME_PATH names ${named}, which does not exist.`);
    return named;
  }
  const folders = [...(env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), ...PLACES];
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...candidates, ...PLACES.filter((place) => place.startsWith('/Applications'))].find((path) =>
    existsSync(path),
  );
}

/** A browser window with a profile of its own. */
export interface Window {
  readonly page: Page;
  close(): Promise<void>;
}

/** Opens a window without a screen. */
export async function openWindow(browser: string): Promise<Window> {
  const profile = mkdtempSync(join(tmpdir(), 'navin-browser-'));
  const remove = (): void => {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
  let context: BrowserContext;
  try {
    context = await chromium.launchPersistentContext(profile, {
      executablePath: browser,
      headless: true,
      args: FLAGS,
      viewport: { width: 1440, height: 900 },
      deviceScaleFactor: 1,
      colorScheme: 'light',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
  } catch (error) {
    remove();
    throw error;
  }
  const page = context.pages()[0] ?? (await context.newPage());
  return {
    page,
    close: async () => {
      await context.close();
      remove();
    },
  };
}
