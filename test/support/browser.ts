// A real browser for tests. Where none is installed they are skipped, but in continuous integration.

import type { Browser } from 'playwright-core'
import { launchChromium, missingBrowser } from '../../bench/client/browser.js'
import type { Teardowns } from './service.js'

/** Options of a test that needs one. */
export const needsBrowser = missingBrowser !== undefined && process.env.CI === undefined ? { skip: missingBrowser } : {}

export async function launchBrowser(t: Teardowns): Promise<Browser> {
  const browser = await launchChromium()
  t.teardown(() => browser.close())
  return browser
}
