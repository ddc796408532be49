// Addresses whose connections are refused again and again.

import { test } from 'tap'
import { limits } from '../../src/edge/limits.js'
import { createStrangers } from '../../src/edge/strangers.js'
import { createFakeClock } from '../support/fake-clock.js'

function make() {
  const clock = createFakeClock()
  const lines: unknown[] = []
  const lastAddresses = new Map([['CP-1', '198.51.100.7']])
  const { admit, refused } = createStrangers({
    clock,
    log: { warn: (...line: unknown[]) => void lines.push(line) },
    refusalsPerSecond: 2,
  })
  const strangers = {
    admit: (address: string, id = 'NOBODY') => admit(address, id, () => lastAddresses.get(id)),
    refused: (address: string, status: number, id = 'NOBODY') => refused(address, id, status),
  }
  return { clock, lines, strangers }
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

test('strangers - whoever has an IPv6 network of 48 bits to themselves is not as many parties as it has parts', (t) => {
  const { lines, strangers } = make()
  const part = (at: number): string => `2001:db8:7:${at.toString(16)}::1`
  let guesses = 0
  for (let at = 0; at < 100; at++)
    for (let one = 0; one < 60 && strangers.admit(part(at)).ok; one++, guesses++) strangers.refused(part(at), 404)
  t.equal(guesses, 60 * limits.networksOfWideNetwork)
  t.match(strangers.admit('2001:db8:7:ffff::1'), { ok: false, reason: 'too_many_refusals' })
  t.match(lines.at(-1), [{ remote_address: '2001:db8:7::/48' }])
  t.ok(strangers.admit('2001:db8:8::1').ok)
  t.end()
})

test('strangers - a charge point that was let in from an address before is looked at while the others there are not', (t) => {
  const { strangers } = make()
  for (let at = 0; at < 60; at++) strangers.refused('198.51.100.7', 404)
  t.notOk(strangers.admit('198.51.100.7').ok)
  t.ok(strangers.admit('198.51.100.7', 'CP-1').ok)
  // From elsewhere, it is whoever guesses its password.
  for (let at = 0; at < 60; at++) strangers.refused('198.51.100.8', 401)
  t.notOk(strangers.admit('198.51.100.8', 'CP-1').ok)
  for (let at = 0; at < 60; at++) strangers.refused('198.51.100.7', 401, 'CP-1')
  t.notOk(strangers.admit('198.51.100.7', 'CP-1').ok, 'its own refusals count')
  t.end()
})

test('strangers - an address that is refused unseen is named once an hour, in the log and in the list', (t) => {
  const { clock, lines, strangers } = make()
  const flood = (address: string) => {
    for (let at = 0; at < 60; at++) strangers.refused(address, 404)
    return [1, 2, 3].map(() => strangers.admit(address))
  }
  t.match(flood('198.51.100.7'), [{ isListed: true }, { isListed: false }, { isListed: false }])
  t.match(flood('198.51.100.8'), [{ isListed: true }, { isListed: false }])
  t.match(lines, [[{ remote_address: '198.51.100.7' }], [{ remote_address: '198.51.100.8' }]])
  clock.advance(3_600_000)
  t.match(flood('198.51.100.7'), [{ isListed: true }])
  t.match(lines[2], [{ remote_address: '198.51.100.7', leftOut: 2 }])
  for (let at = 0; at < 2 * limits.addressesNamedPerHour; at++) flood(`203.0.113.${at}`)
  t.equal(lines.length, limits.addressesNamedPerHour + 2, 'many addresses do not fill the log')
  flood('192.0.2.1')
  flood('192.0.2.1')
  clock.advance(60_000)
  flood('192.0.2.1')
  t.match(
    lines.at(-1),
    [{ remote_address: '192.0.2.1', leftOut: 6 }],
    'one that nobody could be told of is named as soon as may be',
  )
  t.end()
})
