// Addresses whose connections are refused again and again.

import { test } from 'tap'
import { createStrangers } from '../../src/edge/strangers.js'
import { createFakeClock } from '../support/fake-clock.js'

function make() {
  const clock = createFakeClock()
  return { clock, strangers: createStrangers(clock, 2) }
}

test('strangers - an address that is refused too often is not looked at for a while; the others are', (t) => {
  const { clock, strangers } = make()
  for (let at = 0; at < 60; at++) {
    t.ok(strangers.admit('198.51.100.7').ok)
    strangers.refused('198.51.100.7', at % 2 === 0 ? 404 : 401)
  }
  t.match(strangers.admit('198.51.100.7'), { ok: false, reason: 'too_many_refusals', retryAfterSeconds: 1 })
  t.ok(strangers.admit('198.51.100.8').ok)
  clock.advance(499)
  t.notOk(strangers.admit('198.51.100.7').ok)
  clock.advance(1)
  t.ok(strangers.admit('198.51.100.7').ok)
  t.end()
})

test('strangers - a site behind one address that comes back after an outage has guessed nothing', (t) => {
  const { strangers } = make()
  for (let at = 0; at < 10_000; at++) strangers.refused('198.51.100.7', 503)
  t.ok(strangers.admit('198.51.100.7').ok)
  t.end()
})

test('strangers - all addresses of one IPv6 network are one', (t) => {
  const { strangers } = make()
  for (let at = 0; at < 60; at++) strangers.refused(`2001:db8::${at.toString(16)}`, 404)
  t.notOk(strangers.admit('2001:db8::ffff').ok)
  t.ok(strangers.admit('2001:db8:0:1::1').ok)
  t.end()
})
