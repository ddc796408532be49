// The page of the fleet in a real browser, as somebody has it before them: how soon it paints, answers and scrolls, and when what happens is on the
// screen. All times are those of the page's own clock, from the event of the browser to the end of the frame that shows it.

import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { launchChromium } from './browser.js'

/** What somebody who is signed in has: the cookie of their session. */
export type Visit = Awaited<ReturnType<BrowserContext['storageState']>>

export interface Opened {
  /** Ms from the request for the page. */
  readonly firstPaint: number
  /** Until all charge points are counted and rows of them are on the screen, ms. */
  readonly usable: number
}

export interface Scrolled {
  readonly framesPerSecond: number
  /** Script, style and layout of a frame, ms. */
  readonly workPerFrame: number
  /** The longest task, ms; 0 where none took longer than 50. */
  readonly longestTask: number
}

/** A charge point that was seen in another state, and when the frame was there, wall ms. */
export interface Seen {
  readonly id: string
  readonly state: string
  readonly at: number
}

export interface FleetTab {
  /** In a tab that has nothing of the page, or again in the one that is open. */
  open(count: number): Promise<Opened>
  reload(count: number): Promise<Opened>
  /** Another filter, by the address. */
  show(filter: string, count: number): Promise<void>
  /** Presses the state in the ribbon; ms until the frame that shows so many. */
  press(state: string, count: number): Promise<number>
  scroll(frames: number, pixels: number): Promise<Scrolled>
  /** From now on; what it returns ends it. */
  watchStates(): Promise<() => Promise<readonly Seen[]>>
  /** The longest task since it was last asked for, ms; 0 where none took longer than 50. */
  longestTask(): Promise<number>
  /** Of the process of the tab: memory that is its own (anonymous and swapped), MB. */
  privateMegabytes(): Promise<number>
  close(): Promise<void>
}

export interface FleetBrowser {
  /** `height` of the window, px. */
  tab(height?: number): Promise<FleetTab>
  end(): Promise<void>
}

const width = 1_440
const usualHeight = 900
const patienceMs = 120_000

/** In the page: resolves at the end of the first frame in which something holds. */
const helpers = `
  globalThis.painted = (holds) => new Promise((resolve) => {
    const look = () => holds() ? setTimeout(() => resolve(performance.now())) : requestAnimationFrame(look)
    requestAnimationFrame(look)
  })
  globalThis.shows = (count) =>
    document.querySelector('.fleet-list .hits')?.textContent?.startsWith(count + ' of ') === true &&
    document.querySelector('.fleet-table .table-rows [role=row]') !== null
  globalThis.tasks = []
  new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' })
`
const grouped = (count: number): string => JSON.stringify(count.toLocaleString('en-GB'))
const shows = (count: number): string => `() => shows(${grouped(count)})`
const evaluated = <Value>(page: Page, text: string): Promise<Value> => page.evaluate(text) as Promise<Value>

/** Signs in with the key, once: tabs are opened with the cookie. */
async function visit(browser: Browser, { url, key }: FleetService): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  // A page that asks for little.
  await page.goto('/console/api-keys')
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForSelector('#page', { timeout: patienceMs })
  const state = await context.storageState()
  await context.close()
  return state
}

export interface FleetService {
  readonly url: string
  readonly key: string
}

export async function startFleetBrowser(service: FleetService): Promise<FleetBrowser> {
  const browser = await launchChromium()
  const state = await visit(browser, service)
  return {
    tab: (height = usualHeight) => openTab(browser, service, state, height),
    end: () => browser.close(),
  }
}

async function openTab(browser: Browser, { url }: FleetService, state: Visit, height: number): Promise<FleetTab> {
  // Nothing is left of another tab: a context has a cache of its own.
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: 'dark',
    storageState: state,
  })
  context.setDefaultTimeout(patienceMs)
  await context.addInitScript(helpers)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')

  async function opened(count: number): Promise<Opened> {
    const usable = await evaluated<number>(page, `painted(${shows(count)})`)
    const paints = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`
    return { firstPaint: await evaluated<number>(page, paints), usable }
  }

  return {
    async open(count) {
      await page.goto('/console/fleet', { waitUntil: 'commit' })
      return opened(count)
    },
    async reload(count) {
      await page.reload({ waitUntil: 'commit' })
      return opened(count)
    },
    async show(filter, count) {
      await page.goto(`/console/fleet?q=${encodeURIComponent(filter)}`, { waitUntil: 'commit' })
      await evaluated(page, `painted(${shows(count)})`)
    },
    async press(name, count) {
      await evaluated(
        page,
        `void (globalThis.pressed = new Promise((resolve) => addEventListener('pointerdown', ({ timeStamp }) =>
          painted(${shows(count)}).then((at) => resolve(at - timeStamp)), { once: true, capture: true })))`,
      )
      await page
        .locator('.ribbon')
        .getByRole('button', { name: new RegExp(`^${name} \\d`) })
        .click()
      return evaluated(page, 'globalThis.pressed')
    },
    async scroll(frames, pixels) {
      const before = await workOf(session)
      await evaluated(page, 'void (globalThis.tasks.length = 0)')
      const seconds = await evaluated<number>(page, scrolling(frames, pixels))
      const after = await workOf(session)
      return {
        framesPerSecond: frames / seconds,
        workPerFrame: ((after - before) * 1_000) / frames,
        longestTask: await longestTask(),
      }
    },
    async watchStates() {
      await evaluated(page, watching)
      return () => evaluated<readonly Seen[]>(page, 'globalThis.seen')
    },
    longestTask,
    async privateMegabytes() {
      const system = await browser.newBrowserCDPSession()
      const { processInfo } = await system.send('SystemInfo.getProcessInfo')
      await system.detach()
      // A browser has a process ready for the next tab: it is smaller than any that has a page.
      const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => privateKiB(id))
      return Math.max(...sizes) / 1_024
    },
    close: () => context.close(),
  }

  function longestTask(): Promise<number> {
    return evaluated(page, 'Math.max(0, ...globalThis.tasks.splice(0))')
  }
}

/** Seconds of script, style and layout since the tab was opened. */
async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  const named = new Map(metrics.map(({ name, value }) => [name, value]))
  return ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'].reduce(
    (sum, name) => sum + (named.get(name) ?? Number.NaN),
    0,
  )
}

const scrolling = (frames: number, pixels: number): string => `new Promise((resolve) => {
  const rows = document.querySelector('.fleet-table .table-rows')
  rows.scrollTop = 0
  const began = performance.now()
  let done = 0
  const step = () => {
    rows.scrollTop += ${pixels}
    if (++done < ${frames}) requestAnimationFrame(step)
    else resolve((performance.now() - began) / 1_000)
  }
  requestAnimationFrame(step)
})`

/** Notes each row whose state is another than before, at the end of the frame that shows it. */
const watching = `(() => {
  const table = document.querySelector('.fleet-table')
  const known = new Map()
  globalThis.seen = []
  const look = (note) => {
    for (const row of table.querySelectorAll('.table-rows [role=row]')) {
      const id = row.querySelector('.mono')?.textContent
      const state = [...(row.querySelector('.state-label')?.classList ?? [])].find((name) => /^state-(?!label)/.test(name))
      if (id == null || state === undefined || known.get(id) === state) continue
      known.set(id, state)
      if (note) requestAnimationFrame(() => setTimeout(() =>
        globalThis.seen.push({ id, state: state.slice(6), at: performance.timeOrigin + performance.now() })))
    }
  }
  look(false)
  new MutationObserver(() => look(true)).observe(table, { subtree: true, childList: true, attributes: true, characterData: true })
})()`

/** What Chromium itself calls the footprint of a process. */
function privateKiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kibibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return kibibytes('RssAnon') + kibibytes('VmSwap')
}
