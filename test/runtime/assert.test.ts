// Assertions: what they say when they fail, what they cost when they hold, and which bounds go together.

import { AssertionError } from 'node:assert/strict'
import { test } from 'tap'
import { assert, isBroken } from '../../src/runtime/assert.js'
import { checkLimits } from '../../src/runtime/limit-relations.js'
import { limits } from '../../src/runtime/limits.js'

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
  t.doesNotThrow(() => checkLimits(limits))
  t.throws(() => checkLimits({ ...limits, webhookEventsPerRead: limits.webhookWindow + 1 }), {
    message: /limits\.webhookEventsPerRead <= limits\.webhookWindow: an endpoint reads on .* \(found 257, 256\)/,
  })
  t.throws(() => checkLimits({ ...limits, costMinorUnits: 2 ** 53 }), { message: /a total is exact/ })
  t.throws(() => checkLimits({ ...limits, sessionStatuses: 201 }), { message: /is even/ })
  t.end()
})
