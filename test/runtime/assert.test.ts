// Assertions: what they say when they fail, what they cost when they hold, and which bounds go together.

import { AssertionError } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { assert, isBroken } from '../../src/runtime/assert.js'
import { defineLimits } from '../../src/runtime/define-limits.js'

test('assertions - one that fails throws, and says what should have held and what was found', (t) => {
  t.doesNotThrow(() => assert(true, 'nothing is wrong'))
  t.throws(() => assert(false, 'as many leave as come', 3, 2), {
    name: 'AssertionError',
    message: 'broken: as many leave as come (found 3, 2)',
  })
  t.throws(() => assert(false, 'somebody is there'), { message: 'broken: somebody is there' })
  t.ok(isBroken(new AssertionError({ message: '' })))
  t.notOk(isBroken(new Error('the disk is full')))
  t.end()
})

test('assertions - what was found becomes text only when one fails', (t) => {
  let made = 0
  const found = { toString: () => `made ${++made} times` }
  for (let times = 0; times < 1_000; times++) assert(true, 'it holds', found, found)
  t.equal(made, 0)
  t.throws(() => assert(false, 'it does not hold', found), { message: /made 1 times/ })
  t.end()
})

test('limits - bounds that do not go together keep the program from being loaded, and say why', (t) => {
  const bounds = { waiting: 10, waitingPerAddress: 5 }
  const relations = ({ waiting, waitingPerAddress }: typeof bounds) =>
    [[waitingPerAddress <= waiting, 'one address must not take the room of all others']] as const
  t.same(defineLimits(bounds, relations), bounds)
  t.throws(() => defineLimits({ ...bounds, waitingPerAddress: 11 }, relations), { message: /one address must not/ })
  t.end()
})

test('limits - each bound has a name of its own, in the room that it belongs to, and is used there', (t) => {
  const folder = fileURLToPath(new URL('../../../src/', import.meta.url))
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const texts = new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
  const declared = [...texts].filter(([path]) => path.endsWith('/limits.ts'))
  const names = declared.flatMap(([, text]) =>
    [...text.matchAll(/^ {2,4}([a-zA-Z]+):/gm)].map(([, name]) => name as string),
  )
  t.ok(names.length > 100)
  t.same(new Set(names).size, names.length)
  const code = [...texts].filter(([path]) => !path.endsWith('/limits.ts')).map(([, text]) => text)
  const unused = names.filter((name) => !code.some((text) => new RegExp(`[lL]imits\\.${name}\\b`).test(text)))
  t.same(unused, [])
  t.end()
})
