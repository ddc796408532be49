// When requests are handled, and whose bucket pays for them, by a clock that a test moves.

import { test } from 'tap'
import { limits } from '../../src/api/http/limits.js'
import { createRequestRates, type Entered } from '../../src/api/http/request-rates.js'
import { createTurns, type Visitor } from '../../src/api/http/turns.js'
import { commonNetworkOf, networkOf, networksOf } from '../../src/edge/address-network.js'
import { limits as edgeLimits } from '../../src/edge/limits.js'
import { createFakeClock } from '../support/fake-clock.js'

function stage() {
  const clock = createFakeClock()
  const due: (() => void)[] = []
  const turns = createTurns(clock, (run) => due.push(run))
  const turn = (): void => {
    for (const run of due.splice(0)) run()
  }
  return { clock, turns, due, turn }
}

const known = (party: string): Visitor => ({ lane: 'known', party })
const of = (party: string, credential: string): Visitor => ({ lane: 'known', party, credential })
const stranger = (party: string): Visitor => ({ lane: 'stranger', party })

test('request turns - a turn handles requests for a slice of time, callers and strangers by turns, and each party in its own', (t) => {
  const { clock, turns, due, turn } = stage()
  const handled: string[] = []
  const wait = (visitor: Visitor, name: string) =>
    turns.wait(visitor, () => {
      handled.push(name)
      clock.advance(limits.requestSliceMs / 3)
    })
  for (let at = 1; at <= 4; at++) wait(stranger('192.0.2.1'), `flood ${at}`)
  wait(stranger('192.0.2.2'), 'other')
  for (let at = 1; at <= 2; at++) wait(known('org_a'), `a ${at}`)
  wait(known('org_b'), 'b 1')
  turn()
  t.same(handled, ['a 1'])
  turn()
  t.same(handled.slice(1), ['flood 1', 'b 1', 'other'])
  turn()
  t.same(handled.slice(4), ['a 2', 'flood 2', 'flood 3'])
  turn()
  t.same(handled.slice(7), ['flood 4'])
  t.equal(due.length, 0)
  t.end()
})

test('request turns - a credential with many requests makes no other of its organization wait for more than one of them', (t) => {
  const { turns, turn } = stage()
  const handled: string[] = []
  const wait = (credential: string, name: string) => turns.wait(of('org_a', credential), () => handled.push(name))
  for (let at = 0; at < limits.waitingRequestsPerCredential; at++) t.ok(wait('partner 1', `flood ${at}`))
  t.notOk(wait('partner 1', 'one more'), 'its room is full')
  for (const name of ['partner 2', 'key 1', 'key 2']) t.ok(wait(name, name), 'and that of the others is not')
  t.ok(wait('key 1', 'key 1 again'))
  while (handled.length < 9) turn()
  t.same(handled.slice(0, 9), [
    'flood 0',
    'partner 2',
    'key 1',
    'key 2',
    'flood 1',
    'key 1 again',
    'flood 2',
    'flood 3',
    'flood 4',
  ])
  t.end()
})

test('request turns - a few of a party are handled at once, and none while others wait', (t) => {
  const { turns, turn } = stage()
  const free = (party: string) => turns.isFree(known(party))
  for (let count = 0; count < limits.requestsPerTurn; count++) t.ok(free('org_a'))
  t.notOk(free('org_a'))
  t.ok(free('org_b'))
  turn()
  t.ok(free('org_a'))
  turns.wait(known('org_a'), () => {})
  t.notOk(free('org_b'))
  t.end()
})

test('request turns - each party has its share of those that wait, and strangers have a room of their own', (t) => {
  const { turns } = stage()
  const admitted = (visitor: Visitor, count: number): number => {
    let taken = 0
    for (let at = 0; at < count; at++) if (turns.wait(visitor, () => {})) taken++
    return taken
  }
  t.equal(admitted(known('org_a'), 6_000), limits.waitingRequestsPerOrganization)
  t.equal(admitted(stranger('192.0.2.1'), 6_000), limits.waitingStrangersPerAddress)
  t.ok(turns.wait(known('org_b'), () => {}))
  t.ok(turns.wait(stranger('192.0.2.2'), () => {}))
  for (let at = 0; at < limits.waitingStrangers; at++) turns.wait(stranger(`198.51.100.${at}`), () => {})
  t.notOk(
    turns.wait(stranger('192.0.2.3'), () => {}),
    'their room is full',
  )
  t.ok(turns.wait(known('org_c'), () => {}))
  for (let at = 0; at < limits.waitingRequests; at++) turns.wait(known(`org_${at}`), () => {})
  t.notOk(
    turns.wait(known('org_d'), () => {}),
    'so is that of all organizations',
  )
  t.end()
})

test('request rates - strangers pay more while the front has more work than it can do, and keys do not', (t) => {
  const clock = createFakeClock()
  let busy = true
  const rates = createRequestRates({
    ofAddress: { perSecond: 1, burst: 2 * limits.strangerCostUnderLoad },
    ofKey: { perSecond: 1, burst: 3 },
    clock,
    isBusy: () => busy,
  })
  const enter = (presented = '') => rates.enter('192.0.2.1', presented, '/docs').ok
  t.same([enter(), enter(), enter()], [true, true, false])
  rates.remember('secret', { id: 'api_key:1', party: 'org_a' }, { ...known('org_a'), cost: 0 })
  t.same([enter('secret'), enter('secret'), enter('secret'), enter('secret')], [true, true, true, false])
  const last = rates.enter('192.0.2.9', 'secret', '/docs')
  t.match(last, { ok: false, lane: 'known', party: 'org_a', credential: 'api_key:1', counted: 'key' })
  t.match(last, { retryAfterSeconds: 1 })
  t.same([enter('another'), enter('more'), enter('yet another')], [true, true, false])
  t.ok(rates.enter('192.0.2.2', 'another', '/docs').ok)
  busy = false
  clock.advance(1_000)
  t.ok(enter())
  rates.forget('secret')
  t.match(rates.enter('192.0.2.9', 'secret', '/docs'), { ok: true, lane: 'stranger' })
  t.end()
})

test('request rates - many valid keys behind one address are never strangers for long, whoever came before', (t) => {
  const clock = createFakeClock()
  const rates = createRequestRates({
    ofAddress: { perSecond: 50, burst: 300 },
    ofKey: { perSecond: 1, burst: 2 },
    clock,
    isBusy: () => false,
  })
  const ask = (key: string): Entered => {
    const entered = rates.enter('192.0.2.7', key, '/api/v1/id-tags')
    if (entered.ok) rates.remember(key, { id: `api_key:${key}`, party: 'org_a' }, entered)
    return entered
  }
  const counts = { strangers: 0, refused: 0 }
  for (let round = 0; round < 2; round++)
    for (let at = 0; at < 9_000; at++) {
      clock.advance(1)
      const { ok, lane } = ask(`key ${at}`)
      if (lane === 'stranger') counts.strangers++
      if (!ok) counts.refused++
    }
  t.same(counts, { strangers: 9_000, refused: 0 })
  t.ok(ask('new').ok)
  t.ok(ask('new').ok)
  t.notOk(ask('new').ok, 'its first request counts for the key')
  let guesses = 0
  while (guesses < 1_000 && rates.enter('192.0.2.7', 'guess', '/api/v1/id-tags').ok) guesses++
  t.equal(guesses, 300, 'what is not valid counts for the address, and nothing else does')
  t.end()
})

test('request rates - of more keys than can be known, the one that was used least recently is forgotten', (t) => {
  const plenty = { perSecond: 1_000_000, burst: 1_000_000 }
  const rates = createRequestRates({
    ofAddress: plenty,
    ofKey: plenty,
    clock: createFakeClock(),
    isBusy: () => false,
  })
  const remember = (key: string): void => rates.remember(key, { id: key, party: key }, { ...known(key), cost: 0 })
  for (let at = 1; at < limits.knownKeys; at++) remember(`key ${at - 1}`)
  for (const key of ['key 0', 'the last', 'one more']) remember(key)
  t.same(
    ['key 0', 'key 1', 'key 2'].map((key) => rates.enter('192.0.2.7', key, '/api/v1/id-tags').lane),
    ['known', 'stranger', 'known'],
  )
  t.end()
})

test('request rates - an IPv6 network of 48 bits has more room than one of its parts, and less than all of them', (t) => {
  const rates = createRequestRates({
    ofAddress: { perSecond: 1, burst: 10 },
    ofKey: { perSecond: 1, burst: 10 },
    clock: createFakeClock(),
    isBusy: () => false,
  })
  const enter = (address: string, presented = '') => rates.enter(address, presented, '/docs')
  const entered = (address: string, presented?: string) => {
    let count = 0
    while (count < 1_000 && enter(address, presented).ok) count++
    return count
  }
  const part = (at: number): string => `2001:db8:7:${at.toString(16)}::1`
  t.equal(entered(part(0)), 10)
  for (let at = 1; at < edgeLimits.networksOfWideNetwork; at++) t.equal(entered(part(at)), 10)
  t.match(enter(part(99)), { ok: false, counted: 'others', retryAfterSeconds: 1 })
  t.equal(entered('2001:db8:8::1'), 10, 'another network is another party')
  const valid = enter(part(99), 'secret')
  if (valid.ok) rates.remember('secret', { id: 'api_key:1', party: 'org_a' }, valid)
  let unchecked = 0
  for (let at = 100; at < 200; at++) unchecked += entered(part(at), 'guess')
  t.equal(unchecked, 10 * edgeLimits.networksOfWideNetwork, 'what was valid has given back what it took')
  t.end()
})

test('request rates - of an IPv6 address, the network counts', (t) => {
  t.equal(networkOf('192.0.2.1'), '192.0.2.1')
  t.equal(networkOf('2001:0db8:0000:0001:0000:0000:0000:0001'), '2001:db8:0:1::/64')
  t.equal(networkOf('2001:db8:0:1:ffff::7'), '2001:db8:0:1::/64')
  t.equal(networkOf('2001:db8::7'), '2001:db8:0:0::/64')
  t.equal(networkOf('::1'), '0:0:0:0::/64')
  t.equal(networkOf('64:ff9b::192.0.2.33'), '64:ff9b:0:0::/64')
  t.equal(networkOf('no address'), 'no address')
  t.equal(networksOf('2001:db8:0:1:ffff::7').wide, '2001:db8:0::/48')
  t.equal(networksOf('192.0.2.1').wide, undefined)
  t.equal(commonNetworkOf('192.0.2.1'), '192.0.0.0/16')
  t.equal(commonNetworkOf('2001:db8::7'), commonNetworkOf('2001:0db8:0:1:ffff::7'), 'however it is written')
  t.end()
})
