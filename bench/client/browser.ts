// The Chromium that is installed, as tests, the bench and the screenshots start it. It draws in software, and asks nobody on its own account. Without its
// windows (the package chromium-headless-shell) it is the same engine, and a page costs it a third of the processor time.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const browserPath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path))

/** Why none can be started, if none can. */
export const missingBrowser =
  browserPath === undefined ? 'no Chromium is installed here: set CHROMIUM_PATH to one' : undefined

/** For a browser on cores that others use as well. */
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

export function launchChromium(): Promise<Browser> {
  if (browserPath === undefined) throw new Error(missingBrowser)
  return chromium.launch({ executablePath: browserPath, args: browserArguments, timeout: patienceMs })
}
