// Which test files belong to the full suite, and which of them a change affects.

import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { isAffected, shareOf } from './selection.js'
import { builtTests, fullSuiteOf, fullSuites, isOf, nameOf } from './suites.js'

test('suites - every name of the list is that of test files', (t) => {
  for (const suite of fullSuites)
    for (const name of suite.files) {
      const one = { ...suite, files: [name] }
      t.ok(
        builtTests().some((file) => isOf(one, file)),
        name,
      )
    }
  t.end()
})

test('suites - the full suite has every file that skips tests in the gate', (t) => {
  const leavesOut = /from "[./]*(?:runner\/|\.\/)(?:sample|results)\.js"/
  for (const file of builtTests().filter((file) => leavesOut.test(readFileSync(file, 'utf8'))))
    if (!nameOf(file).startsWith('runner/')) t.ok(fullSuiteOf(file), file)
  t.end()
})

test('selection - a file is affected by the folders that it imports, and by the paths that its suite covers', (t) => {
  const file = 'dist/test/chaos/drain.test.js'
  const folders = new Map([[file, new Set(['test/chaos', 'src/codec'])]])
  t.ok(isAffected(file, ['src/codec/rows.ts'], folders), 'an imported folder')
  t.notOk(isAffected(file, ['src/codec/deeper/rows.ts', 'README.md'], folders), 'another folder')
  t.ok(isAffected(file, ['src/edge/identity.ts'], folders), 'a covered path')
  t.notOk(isAffected(file, [], folders))
  t.end()
})

test('selection - six shares are all files, each once', (t) => {
  const files = Array.from({ length: 20 }, (_, index) => `file ${index}`)
  const shares = [11, 12, 13, 14, 15, 16].map((number) => shareOf(files, number))
  t.same(shares.flat().sort(), [...files].sort())
  t.ok(shares.every((share) => share.length <= 4))
  t.end()
})
