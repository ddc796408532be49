// The page of the fleet in a tab: how soon it paints, answers and scrolls, and when what happens is on the screen.

import type { ConsoleTab } from './console-tab.js'

export interface Opened {
  /** Ms from the request for the page. */
  readonly firstPaint: number
  /** Until all charge points are counted and rows of them are on the screen, ms. */
  readonly usable: number
}

export interface Scrolled {
  readonly framesPerSecond: number
  /** Processor time of script, style and layout, ms. */
  readonly workPerFrame: number
  /** 0 where none took longer than 50 ms. */
  readonly longestTask: number
}

/** A charge point that shows another state than before. */
export interface Seen {
  readonly id: string
  /** As styles have it: `available`. */
  readonly state: string
  /** When the frame was there, wall ms. */
  readonly at: number
}

const shows = (count: number): string => `() =>
  document.querySelector('.fleet-list .hits')?.textContent?.startsWith('${count.toLocaleString('en-GB')} of ') === true &&
  document.querySelector('.fleet-table .table-rows [role=row]') !== null`

/** Of `count` charge points; `query` begins with a question mark. */
export async function openFleet(tab: ConsoleTab, count: number, query = ''): Promise<Opened> {
  await tab.page.goto(`/console/fleet${query}`, { waitUntil: 'commit' })
  return opened(tab, count)
}

/** Again, with what the browser has kept. */
export async function reloadFleet(tab: ConsoleTab, count: number): Promise<Opened> {
  await tab.page.reload({ waitUntil: 'commit' })
  return opened(tab, count)
}

async function opened(tab: ConsoleTab, count: number): Promise<Opened> {
  const usable = await tab.evaluate<number>(`painted(${shows(count)})`)
  const firstPaint = `performance.getEntriesByName('first-contentful-paint')[0].startTime`
  return { firstPaint: await tab.evaluate<number>(firstPaint), usable }
}

/** Presses a state in the ribbon; ms until the frame that shows so many. */
export async function pressState(tab: ConsoleTab, name: string, count: number): Promise<number> {
  const button = tab.page.locator('.ribbon').getByRole('button', { name: new RegExp(`^${name} \\d`) })
  const { sinceLast } = await tab.answered('pointerdown', shows(count), () => button.click())
  return sinceLast
}

/** Enters a filter; ms until the frame with its charge points. `filter` must not show as many as the one before. */
export async function enterFilter(tab: ConsoleTab, filter: string): Promise<number> {
  const field = tab.page.getByRole('combobox', { name: 'Filter' })
  const before = await tab.evaluate<string>(`document.querySelector('.fleet-list .hits').textContent`)
  const isOther = `() => document.querySelector('.fleet-list .hits').textContent !== ${JSON.stringify(before)}`
  const { sinceLast } = await tab.answered('input', isOther, () => field.fill(filter))
  return sinceLast
}

/** From the first row on, so many pixels with each frame. */
export async function scrollFleet(tab: ConsoleTab, frames: number, pixels: number): Promise<Scrolled> {
  const before = await tab.work()
  await tab.longestTask()
  const seconds = await tab.evaluate<number>(scrolling(frames, pixels))
  const workPerFrame = ((await tab.work()) - before) / frames
  return { framesPerSecond: frames / seconds, workPerFrame, longestTask: await tab.longestTask() }
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

/** Notes each row that shows another state from now on; what it returns has them. */
export async function watchStates(tab: ConsoleTab): Promise<() => Promise<readonly Seen[]>> {
  await tab.evaluate(watching)
  return () => tab.evaluate<readonly Seen[]>('globalThis.seen')
}

/** At the end of the frame that shows it. */
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
