// `npm run screenshots`: the pictures of the console in screenshots, which README shows, taken of a simulated city at a service of its own. Takes two
// minutes and a Chromium (CHROMIUM_PATH, or an installed one).

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { simulationApi } from '../bench/client/api.js'
import { launchChromium } from '../bench/client/browser.js'

const folder = 'screenshots'
const viewport = { width: 1440, height: 900 }
const largestBytes = 200_000
/** From the start of the city until its network has failed, its faults are alerts, and curves have something on them. */
const livesMs = 100_000
/** For a page, on a machine that does other things as well. */
const patienceMs = 90_000
const port = Number(process.env.SCREENSHOTS_PORT ?? 18_999)
const url = `http://127.0.0.1:${port}`
const key = `ak_screenshots_${'0'.repeat(32)}`

interface Shot {
  readonly name: string
  readonly path: string
  readonly theme: 'dark' | 'light'
}

const work = mkdtempSync(join(tmpdir(), 'screenshots-'))
const children = [
  start([
    '--port',
    String(port),
    '--data',
    join(work, 'data'),
    '--log-level',
    'warn',
    '--organization-name',
    'Stadtwerke Musterstadt',
  ]),
]

function start(argv: readonly string[]) {
  const environment = { ...process.env, AMPSHARD_BOOTSTRAP_API_KEY: key, AMPSHARD_API_KEY: key }
  return spawn(process.execPath, ['dist/program/main.js', ...argv], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function untilReady(): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await pause(200)
  }
  throw new Error('the service does not start')
}

/** Things that have something to show: a session with a bill, a charge point that charges, one that does not get in. */
async function shots(): Promise<readonly Shot[]> {
  const api = simulationApi({ url, key, signal: new AbortController().signal })
  const sessions = (await api('GET', '/sessions?status=completed&limit=200')).body.sessions as readonly {
    readonly session_id: string
    readonly cost: number
  }[]
  const [dearest] = [...sessions].sort((one, other) => other.cost - one.cost)
  const running = (await api('GET', '/sessions?status=active&limit=50')).body.sessions as readonly {
    readonly charge_point_id: string
  }[]
  const refused = (await api('GET', '/cpo/refused-charge-points')).body.data as readonly {
    readonly charge_point_id: string
  }[]
  return [
    { name: 'fleet', path: '/fleet', theme: 'dark' },
    { name: 'fleet-light', path: '/fleet', theme: 'light' },
    { name: 'charge-point', path: `/charge-points/${running[0]?.charge_point_id}`, theme: 'dark' },
    { name: 'not-online', path: `/charge-points/${refused[0]?.charge_point_id}`, theme: 'dark' },
    { name: 'session', path: `/sessions/${dearest?.session_id}`, theme: 'light' },
    { name: 'health', path: '/health', theme: 'dark' },
  ]
}

async function signedIn(browser: Browser, theme: Shot['theme']): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme: theme, baseURL: url, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto('/console')
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForSelector('#page')
  return page
}

async function take(page: Page, { name, path }: Shot): Promise<void> {
  await page.goto(`/console${path}`)
  await page.waitForSelector('#page')
  await page.waitForSelector('[aria-busy=true]', { state: 'detached', timeout: patienceMs })
  // Streams and curves come a moment later.
  await pause(4_000)
  if ((await page.locator('[data-state=not-here]').count()) > 0) {
    console.log(`${path} is no page: no picture of it`)
    return
  }
  for (const quality of [90, 80, 70, 60]) {
    const picture = await page.screenshot({ type: 'jpeg', quality })
    if (picture.length > largestBytes && quality > 60) continue
    writeFileSync(join(folder, `${name}.jpg`), picture)
    console.log(`${name}.jpg, ${Math.round(picture.length / 1000)} KB`)
    return
  }
}

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await untilReady()
  children.push(
    start(['simulate', '--city', 'berlin', '--charge-points', '200', '--url', url, '--meter-interval', '10']),
  )
  await pause(livesMs)
  const browser = await launchChromium()
  for (const theme of ['dark', 'light'] as const) {
    const page = await signedIn(browser, theme)
    for (const shot of (await shots()).filter((one) => one.theme === theme)) await take(page, shot)
  }
  await browser.close()
}

try {
  await main()
} finally {
  for (const child of children) child.kill('SIGKILL')
  await pause(2_000)
  rmSync(work, { recursive: true, force: true })
}
