// Rules for every page of the console: it is accessible, fits its window, violates no content policy, and sends requests to the
// service alone. A commit tests each page in one theme and width, by its seed; TEST_FULL=1 tests each in all of them.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { sample } from '../runner/sample.js'
import { needsBrowser } from '../support/browser.js'
import type { Answer, Service } from '../support/service.js'
import { comparable, textOf } from '../tenancy/requests.js'
import { absentOf, chosen, pathWith, stagedChargePoint } from './identifiers.js'
import { declaredPaths, desktop, follow, installationStage, type Opened, phone, resize, settled } from './stage.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/** One line for each violation of WCAG 2.2 AA or of best practice. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe)
  // The other result types are reported without details.
  const run = `axe.run({ resultTypes: ['violations'] })`
  const { violations } = await page.evaluate<{ readonly violations: readonly Violation[] }>(run)
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 5)
      .map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary?.split('\n')[1]?.trim()}`),
  )
}

/**
 * What cells of tables show less of than their first word, and what is higher than its row. A word may be longer than a line, such as an address: as much
 * as a line has of it suffices.
 */
const cutCells = `(() => {
  const enough = 100
  const lines = [...document.querySelectorAll('#page [role=gridcell]')].flatMap((cell) => {
    const inside = [...cell.querySelectorAll('.two-lines > *')]
    return inside.length > 0 ? inside : [cell]
  })
  const high = lines.filter((line) => {
    const [inside, row] = [line, line.closest('[role=row]')].map((element) => element.getBoundingClientRect())
    return inside.top < row.top - 1 || inside.bottom > row.bottom + 1
  })
  const cut = lines.filter((line) => !line.matches('.at-end')).map((line) => {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT, (node) =>
      node.data.trim() === '' || node.parentElement.closest('.only-read, svg') !== null ? NodeFilter.FILTER_SKIP : NodeFilter.FILTER_ACCEPT)
    const text = walker.nextNode()
    if (text === null) return ''
    const range = document.createRange()
    const begin = text.data.search(/\\S/)
    range.setStart(text, begin)
    range.setEnd(text, begin + text.data.slice(begin).match(/^\\S+/)[0].length)
    const word = range.getBoundingClientRect()
    const seen = Math.min(word.right, line.getBoundingClientRect().right, innerWidth) - word.left
    return seen + 1 >= Math.min(word.width, enough) ? '' : range.toString() + ': ' + Math.round(seen) + ' of ' + Math.round(word.width) + ' px'
  })
  return [...high.map((line) => line.textContent + ' is higher than its row'), ...cut.filter((one) => one !== '')]
})()`

/** With something that there is, the same each time. */
const links = new Map<string, Promise<string>>()
function linkTo(service: Service, path: string): Promise<string> {
  const link = links.get(path) ?? pathWith(service, path)
  links.set(path, link)
  return link
}

/** What stands in a link in the place of the parameter of a path. */
function idIn(path: string, link: string): string {
  const at = path.split('/').findIndex((segment) => segment.startsWith(':'))
  return decodeURIComponent(link.split('/')[at] ?? '')
}

/** One page for each of the two organizations shows all, one after the other, as somebody does who follows links. */
const opened = new Map<'own' | 'other', Promise<Opened>>()

/** What pages have asked of the API, streams included. */
const asked = new Set<string>()

async function show(whose: 'own' | 'other', path: string): Promise<Opened> {
  const stage = await installationStage()
  const context = whose === 'own' ? stage.context : await stage.other()
  const known = opened.get(whose)
  if (known === undefined) {
    // The pages of commands have a row.
    const command = { command: 'clear_cache', timeout_seconds: 1 }
    if (whose === 'own') await stage.service.request('POST', `/api/v1/cpo/commands/${stagedChargePoint}`, command)
    const first = stage.open(path, { context, onRequest: (url) => whose === 'own' && asked.add(url) })
    opened.set(whose, first)
    return first
  }
  const { page, complaints } = await known
  complaints.length = 0
  await follow(page, path)
  await settled(page)
  return { page, complaints }
}

const withParameters = declaredPaths().filter((path) => path.includes(':'))
/** Where what is shown depends on who asks for it, or how. */
const followed = ['/charge-points/:charge_point_id/messages?live=1', '/fleet?q=CONSOLE-0000']

const looks = [
  { theme: 'dark', width: 'desktop' },
  { theme: 'light', width: 'desktop' },
  { theme: 'dark', width: 'phone' },
  { theme: 'light', width: 'phone' },
] as const
const sizes = { desktop, phone }

async function useTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  if ((await page.locator('html').getAttribute('data-theme')) === theme) return
  // In a narrow window the menu has it; the address stays the same.
  await resize(page, desktop)
  await page.getByRole('button', { name: /^Switch to the/ }).click()
  await page.locator(`html[data-theme=${theme}]`).waitFor()
}

for (const path of [...declaredPaths(), ...followed])
  test(
    `every page - ${path} is accessible, fits its window, and asks no one but the service`,
    needsBrowser,
    async (t) => {
      const stage = await installationStage()
      const { page, complaints } = await show('own', await linkTo(stage.service, path))
      t.equal(await page.locator('[data-state=not-here], [role=alert]').count(), 0, 'it shows what it is about')
      for (const { theme, width } of sample(`looks of ${path}`, looks, { comment: (text) => t.comment(text) })) {
        await useTheme(page, theme)
        await resize(page, sizes[width])
        t.same(await violationsOf(page), [], `${theme}, ${width}`)
        // The page scrolls in itself: what is too wide for it does not make the document wider.
        const wide = await page.evaluate(`[document.documentElement, document.getElementById('page')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)`)
        t.same(wide, [0, 0], `nothing is wider than a ${width}`)
        t.same(
          await page.evaluate(cutCells),
          [],
          'no cell of a table shrinks below its first word, or is higher than its row',
        )
      }
      t.same(complaints, [])
    },
  )

/** What somebody of another organization sees there, `names` taken out. */
async function seenByOther(path: string, names: readonly string[]): Promise<string> {
  const { page, complaints } = await show('other', path)
  const text = (await page.locator('#page').textContent()) ?? ''
  if (complaints.length > 0) throw new Error(`${path}: ${complaints.join('; ')}`)
  return names.reduce((left, name) => left.replaceAll(name, ''), text)
}

for (const path of withParameters)
  test(
    `every page - ${path} of another organization is not here, as one that there is not`,
    needsBrowser,
    async (t) => {
      const stage = await installationStage()
      const link = await linkTo(stage.service, path)
      const id = idIn(path, link)
      const absent = path.replace(/:\w+/g, 'NONE-0001')
      const others = await seenByOther(link, [id])
      t.match(others, /Not here/)
      t.equal(others, await seenByOther(absent, ['NONE-0001']), 'nothing tells one from the other')
    },
  )

test(
  "every page - journey 12: a filter or a choice by another organization's id shows what an absent one shows",
  needsBrowser,
  async (t) => {
    const { service } = await installationStage()
    for (const [path, find] of Object.entries(chosen)) {
      const id = await find(service)
      const absent = absentOf(id)
      const link = (value: string): string => `${path}${encodeURIComponent(value)}`
      t.equal(await seenByOther(link(id), [id]), await seenByOther(link(absent), [absent]), path)
    }
  },
)

test(
  "every page - journey 12: no answer behind a page tells another organization's id from an absent one",
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const [cookie] = await (await stage.other()).cookies()
    const ofPage = {
      authorization: '',
      cookie: `${cookie?.name}=${cookie?.value}`,
      'sec-fetch-site': 'same-origin',
      'x-ampshard': 'console',
      'x-request-id': 'the-same-for-all',
    }
    async function askAsOther(path: string): Promise<Answer> {
      for (;;) {
        const answer = await stage.service.request('GET', path, undefined, ofPage)
        // A session has its quota.
        if (answer.status !== 429) return answer
        await delay(Number(answer.headers.get('retry-after')) * 1_000)
      }
    }
    const ids = await Promise.all(withParameters.map(async (path) => idIn(path, await linkTo(stage.service, path))))
    const counts = { withId: 0, without: 0, streams: 0 }
    for (const path of asked) {
      const named = [...new Set(ids)].filter((id) => path.includes(encodeURIComponent(id)))
      const foreign = await askAsOther(path)
      if (foreign.headers.get('content-type')?.startsWith('text/event-stream')) counts.streams++
      if (named.length === 0) {
        counts.without++
        const text = textOf(foreign)
        t.same(
          ids.filter((id) => text.includes(id)),
          [],
          `${path} shows nothing of the other organization`,
        )
        continue
      }
      counts.withId++
      const absents = named.map(absentOf)
      const other = named.reduce((left, id, at) => left.replaceAll(encodeURIComponent(id), absents[at] as string), path)
      t.same(comparable(foreign, named), comparable(await askAsOther(other), absents), path)
    }
    t.comment(
      `journey 12: ${withParameters.length} pages and ${Object.keys(chosen).length} links; ${counts.withId} requests with an id, ${counts.without} without, ${counts.streams} of them streams`,
    )
    t.ok(counts.withId > 20 && counts.streams >= 2)
  },
)

test(
  'every page - journey 13: with no network but the service, nothing was asked of anybody else',
  needsBrowser,
  async (t) => {
    const { left } = await installationStage()
    t.same(left, [])
    t.comment(
      `journey 13: ${declaredPaths().length} pages, ${asked.size} requests of the API, ${left.length} of anybody else`,
    )
  },
)

test('every page - where the service refuses, it says so with the code and the request', needsBrowser, async (t) => {
  const stage = await installationStage()
  const page = await stage.context.newPage()
  const error = { code: 'overloaded', message: 'Too much is going on.', request_id: 'req_refused', details: [] }
  await page.route(
    (url) => url.pathname.startsWith('/api/v1/') && url.pathname !== '/api/v1/console/me',
    (route) => route.fulfill({ status: 503, json: { error } }),
  )
  await page.goto('/console')
  for (const path of declaredPaths()) {
    await follow(page, path.replace(/:\w+/g, 'ANY-1'))
    const told = page.locator('#page [role=alert]')
    await told.first().waitFor()
    for (const text of await told.allTextContents())
      t.match(text, /Too much is going on\..*overloaded.*req_refused/, path)
  }
  await page.close()
})

test('every page - the page that signs people in can be used by everybody, dark and light', needsBrowser, async (t) => {
  const stage = await installationStage()
  for (const colorScheme of ['dark', 'light'] as const) {
    const context = await stage.fresh({ colorScheme })
    const { page, complaints } = await stage.open('/sessions', { context })
    t.same(await violationsOf(page), [], colorScheme)
    t.same(complaints, [])
    await context.close()
  }
})
