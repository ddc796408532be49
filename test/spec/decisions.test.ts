// The table of decisions names tests that exist: a row whose test was renamed or removed is found here.

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'

const folder = new URL('../../../test/spec/decisions/', import.meta.url)
const files = readdirSync(fileURLToPath(folder)).filter((name) => /^\d\d-.*\.md$/.test(name))

interface Row {
  readonly what: string
  /** Beginnings of names of tests, and where they are. */
  readonly tests: readonly { readonly title: string; readonly path: string }[]
}

function rowsOf(file: string): Row[] {
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n')
  return lines
    .filter((line) => line.startsWith('| ') && !line.startsWith('| What '))
    .map((line) => {
      const [, what = '', ...held] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
      const tests = [...held.join('|').matchAll(/\[((?:[^\]\\]|\\.)+)\]\(([^)]+)\)/g)]
      return { what, tests: tests.map(([, title = '', path = '']) => ({ title: title.replaceAll('\\', ''), path })) }
    })
}

for (const file of files)
  test(`decisions - each line of ${file} is held by a test that exists`, (t) => {
    const rows = rowsOf(file)
    t.ok(rows.length > 0)
    for (const { what, tests } of rows) {
      if (tests.length === 0) t.fail(`no test holds: ${what}`)
      for (const { title, path } of tests) {
        const text = readFileSync(new URL(path, folder), 'utf8')
          .replace(/test(?:OverKill)?\(\s+/g, 'test(')
          .replaceAll('testOverKill(', 'test(')
          .replaceAll("\\'", "'")
        const found = ["'", '"', '`'].some((quote) => text.includes(`test(${quote}${title}`))
        if (!found) t.fail(`${path} has no test whose name begins with: ${title}`)
      }
    }
    t.equal(new Set(rows.map(({ what }) => what)).size, rows.length, 'each thing once')
    t.end()
  })
