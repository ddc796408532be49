// How much of the console a browser has to fetch: for a page, before the first one shows, and in all. Fonts and the data of the map are apart.

import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { consoleStage, settled } from './stage.js'

const kilobyte = 1_024

const { files } = JSON.parse(readFileSync('dist/assets/console/manifest.json', 'utf8')) as {
  readonly files: Readonly<Record<string, { readonly gzip?: number }>>
}

const isMapData = (name: string): boolean => /\/map-data/.test(name)

function gzipOf(ending: string, names: readonly string[] = Object.keys(files)): number {
  return names
    .filter((name) => name.endsWith(ending) && !isMapData(name))
    .reduce((sum, name) => sum + (files[name]?.gzip ?? 0), 0)
}

const folder = 'dist/assets/console/assets'
const textOf = (name: string): string => readFileSync(`dist/assets/console/${name}`, 'utf8')

/** What a script imports: at once, and only when it is asked for. */
function importsOf(name: string): { readonly statically: readonly string[]; readonly lazily: readonly string[] } {
  const text = textOf(name)
  const found = (pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, file]) => `assets/${file}`)
  return {
    statically: found(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g),
    lazily: found(/import\(\s*["'`]\.\/([\w.-]+\.js)["'`]/g),
  }
}

/** It, and what comes with it; with what it may ask for later, if `all`. */
function reachedFrom(name: string, all: boolean, reached: Set<string> = new Set()): Set<string> {
  if (reached.has(name)) return reached
  reached.add(name)
  const { statically, lazily } = importsOf(name)
  for (const next of all ? [...statically, ...lazily] : statically) reachedFrom(next, all, reached)
  return reached
}

/** `assets/money-CiILZVdF.js` is of `money`. */
const groupOf = (name: string): string => name.replace(/^assets\//, '').replace(/-[\w-]{8}\.(?:js|css)$/, '')

const begin = reachedFrom(
  readdirSync(folder)
    .map((name) => `assets/${name}`)
    .find((name) => groupOf(name) === 'base' && name.endsWith('.js')) as string,
  false,
)
const lazy = [...begin].flatMap((name) => importsOf(name).lazily).filter((name) => !begin.has(name))

test('budget - a page makes a browser fetch at most 120 KB of scripts and 14 KB of styles, with all that it may open', (t) => {
  t.ok(lazy.length > 3)
  for (const page of new Set(lazy)) {
    const scripts = [...new Set([...begin, ...reachedFrom(page, true, new Set(begin))])]
    const groups = new Set(scripts.map(groupOf))
    const styles = Object.keys(files).filter((name) => name.endsWith('.css') && groups.has(groupOf(name)))
    const [script, style] = [gzipOf('.js', scripts) / kilobyte, gzipOf('.css', styles) / kilobyte]
    t.ok(script > 10 && script <= 120, `${groupOf(page)}: ${script.toFixed(1)} KB of scripts`)
    t.ok(style > 1 && style <= 14, `${groupOf(page)}: ${style.toFixed(1)} KB of styles`)
  }
  t.end()
})

/** No browser fetches all of it: the bound is there so that somebody looks when it grows. */
test('budget - all scripts together have at most 200 KB as gzip, and all styles 14 KB', (t) => {
  const [script, style] = [gzipOf('.js') / kilobyte, gzipOf('.css') / kilobyte]
  t.comment(`scripts ${script.toFixed(1)} KB, styles ${style.toFixed(1)} KB`)
  t.ok(script > 10 && script <= 200, `${script.toFixed(1)} KB of scripts`)
  t.ok(style > 1 && style <= 14, `${style.toFixed(1)} KB of styles`)
  t.end()
})

test('budget - the first page needs at most 80 KB of scripts and styles', needsBrowser, async (t) => {
  const stage = await consoleStage()
  const page = await stage.context.newPage()
  const names: string[] = []
  page.on('request', (request) => names.push(new URL(request.url()).pathname.replace('/console/', '')))
  await page.goto('/console')
  await page.waitForSelector('#page h1')
  await settled(page)
  const fetched = (gzipOf('.js', names) + gzipOf('.css', names)) / kilobyte
  t.comment(`${fetched.toFixed(1)} KB`)
  t.ok(fetched > 10 && fetched <= 80, `${fetched.toFixed(1)} KB`)
  await page.close()
})
