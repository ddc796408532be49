// The console in a real browser, as somebody who is signed in has it before them. All times are those of the page's own clock, from the event of the
// browser to the end of the frame that shows the answer. What a page is asked for is in the files of its journeys.

import { existsSync, readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../client/browser.js'

export interface ConsoleService {
  readonly url: string
  readonly key: string
}

export interface ConsoleBrowser {
  /** One that has nothing of another tab: no page, no script, no picture. `height` of its window, px. */
  tab(height?: number): Promise<ConsoleTab>
  end(): Promise<void>
}

/** Ms until the end of the frame with the answer. */
export interface Answered {
  readonly sinceFirst: number
  readonly sinceLast: number
}

export interface ConsoleTab {
  readonly page: Page
  /** The value of an expression in the page. */
  evaluate<Value>(expression: string): Promise<Value>
  /** From the first and the last event of this kind until the end of the first frame in which something holds: an expression for a function. */
  answered(event: 'pointerdown' | 'keydown' | 'input', holds: string, act: () => Promise<void>): Promise<Answered>
  /** Processor time of script, style and layout since the tab was made, ms. */
  work(): Promise<number>
  /** The longest task since it was last asked for, ms; 0 where none took longer than 50. */
  longestTask(): Promise<number>
  /** Begins to look at the memory that is the tab's own; what it returns ends that, and has the most that there was, MB. */
  watchMemory(): Promise<() => number>
  close(): Promise<void>
}

const width = 1_440
const usualHeight = 900
const patienceMs = 60_000
const memoryEveryMs = 200

/** In the page: `painted` resolves at the end of the first frame in which something holds. */
const helpers = `
  globalThis.painted = (holds, what = holds) => new Promise((resolve, reject) => {
    const began = performance.now()
    const look = () => {
      if (holds()) setTimeout(() => resolve(performance.now()))
      else if (performance.now() - began > ${patienceMs}) reject(new Error('it did not show: ' + what))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  globalThis.answered = (event, holds) => new Promise((resolve, reject) => {
    let first
    let last
    const note = ({ timeStamp }) => {
      first ??= timeStamp
      last = timeStamp
    }
    addEventListener(event, note, { capture: true })
    painted(() => last !== undefined && holds(), holds).then((at) => {
      removeEventListener(event, note, { capture: true })
      resolve({ sinceFirst: at - first, sinceLast: at - last })
    }, reject)
  })
  globalThis.tasks = []
  new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' })
`

/** Signs in with the key, once: tabs are opened with the cookie. */
async function signedIn(browser: Browser, { url, key }: ConsoleService) {
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  // A page that asks for little.
  await page.goto('/console/api-keys')
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForSelector('#page')
  const state = await context.storageState()
  await context.close()
  return state
}

export async function startConsoleBrowser(service: ConsoleService): Promise<ConsoleBrowser> {
  const browser = await launchChromium()
  const storageState = await signedIn(browser, service).catch(async (error: unknown) => {
    await browser.close()
    throw error
  })
  return {
    async tab(height = usualHeight) {
      // A context has a cache of its own.
      const context = await browser.newContext({
        baseURL: service.url,
        viewport: { width, height },
        colorScheme: 'dark',
        storageState,
      })
      return openTab(browser, context)
    },
    end: () => browser.close(),
  }
}

async function openTab(browser: Browser, context: BrowserContext): Promise<ConsoleTab> {
  context.setDefaultTimeout(patienceMs)
  await context.addInitScript(helpers)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  // Of the processor: how long it took depends on who else is on the machine.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const evaluate = <Value>(expression: string): Promise<Value> => page.evaluate(expression) as Promise<Value>

  return {
    page,
    evaluate,
    async answered(event, holds, act) {
      await evaluate(`void (globalThis.answer = answered('${event}', ${holds}))`)
      await act()
      return evaluate<Answered>('globalThis.answer')
    },
    async work() {
      const { metrics } = await session.send('Performance.getMetrics')
      const named = new Map(metrics.map(({ name, value }) => [name, value * 1_000]))
      const parts = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration']
      return parts.reduce((sum, name) => sum + (named.get(name) ?? Number.NaN), 0)
    },
    longestTask: () => evaluate('Math.max(0, ...globalThis.tasks.splice(0))'),
    async watchMemory() {
      const pid = await largestRenderer(browser)
      let most = privateMegabytes(pid)
      const timer = setInterval(() => {
        most = Math.max(most, privateMegabytes(pid))
      }, memoryEveryMs)
      context.once('close', () => clearInterval(timer))
      return () => {
        clearInterval(timer)
        return Math.max(most, privateMegabytes(pid))
      }
    },
    close: () => context.close(),
  }
}

/** The process of the tab: a browser has one ready for the next tab, which is smaller than any that has a page. */
async function largestRenderer(browser: Browser): Promise<number> {
  const system = await browser.newBrowserCDPSession()
  const { processInfo } = await system.send('SystemInfo.getProcessInfo')
  await system.detach()
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  const [largest] = renderers.sort((one, other) => privateMegabytes(other) - privateMegabytes(one))
  if (largest === undefined) throw new Error('the browser has no process for its pages')
  return largest
}

/** What Chromium itself calls the footprint of a process: what is anonymous, swapped or not; 0 once it has ended. */
function privateMegabytes(pid: number): number {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 0
  const status = readFileSync(path, 'utf8')
  const kibibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return ((kibibytes('RssAnon') + kibibytes('VmSwap')) * 1_024) / 1e6
}
