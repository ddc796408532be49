// A real browser for tests: the Chromium that is installed. Where there is none they are skipped, but in continuous integration.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import type { Teardowns } from './service.js'

const browserPath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path))

/** Options of a test that needs one. */
export const needsBrowser =
  browserPath === undefined && process.env.CI === undefined
    ? { skip: 'no Chromium is installed here: set CHROMIUM_PATH to one' }
    : {}

/** For a browser on cores that other tests use as well. */
const patienceMs = 120_000

const browserArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]

export async function launchBrowser(t: Teardowns): Promise<Browser> {
  if (browserPath === undefined) throw new Error('no Chromium is installed here')
  const browser = await chromium.launch({ executablePath: browserPath, args: browserArguments, timeout: patienceMs })
  t.teardown(() => browser.close())
  return browser
}
