// A real browser for tests. Where none is installed they are skipped, but in continuous integration.

import type { Browser } from 'playwright-core'
import { browserPath, launchChromium } from '../../bench/client/browser.js'
import type { Teardowns } from './service.js'

/** Options of a test that needs one. */
export const needsBrowser =
  browserPath === undefined && process.env.CI === undefined
    ? { skip: 'no Chromium is installed here: set CHROMIUM_PATH to one' }
    : {}

export async function launchBrowser(t: Teardowns): Promise<Browser> {
  const browser = await launchChromium()
  t.teardown(() => browser.close())
  return browser
}
