// The list of planted bugs matches the code: each bug can be planted, and its tests are part of the gate.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { isFullOnly } from '../runner/suites.js'
import { bugs } from './bugs.js'
import { plant } from './copy.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

test('planted bugs - there are 40 or more, each with its own name', (t) => {
  t.ok(bugs.length >= 40)
  t.equal(new Set(bugs.map(({ name }) => name)).size, bugs.length)
  t.end()
})

test('planted bugs - the text of each occurs exactly once in its file', (t) => {
  for (const bug of bugs) {
    const source = readFileSync(root + bug.file, 'utf8')
    t.not(plant(bug, source), source, bug.name)
  }
  t.end()
})

test('planted bugs - the tests of each exist and are part of the gate', (t) => {
  for (const { name, tests } of bugs) {
    t.ok(tests.length > 0, name)
    for (const one of tests) {
      t.ok(existsSync(`${root}test/${one}.test.ts`), `${name}: test/${one}.test.ts exists`)
      t.notOk(isFullOnly(`dist/test/${one}.test.js`), `${name}: ${one} is part of the gate`)
    }
  }
  t.end()
})

test('planted bugs - a page of the console is built with its bug', (t) => {
  for (const { name, file, isInProgram } of bugs) if (file.endsWith('.tsx')) t.ok(isInProgram, name)
  t.end()
})
