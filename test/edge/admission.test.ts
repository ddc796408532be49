// Admission: how many may connect, and how often one may.

import { test } from 'tap'
import { createAdmission } from '../../src/edge/admission.js'
import { createFakeClock } from '../support/fake-clock.js'

function make(options: { connectsPerSecond?: number; level?: () => number; random?: () => number } = {}) {
  const clock = createFakeClock()
  const owners = new Map<string, string>()
  const ownerOf = (id: string) => owners.get(id)
  const { admitChargePoint, ...others } = createAdmission({
    clock,
    random: options.random ?? (() => 0.5),
    connectsPerSecond: options.connectsPerSecond ?? 10,
    flapConnectsPerMinute: 3,
    flapWaitSeconds: 30,
    overloadLevel: options.level ?? (() => 0),
    ownerOf,
  })
  const admission = {
    ...others,
    admitChargePoint(id: string, organization_id = 'org_1') {
      owners.set(id, organization_id)
      return admitChargePoint({ charge_point_id: id, organization_id })
    },
  }
  const admitted = (times: number): number => {
    let taken = 0
    for (let at = 0; at < times; at++) if (admission.admit().ok) taken++
    return taken
  }
  return { clock, owners, admission, admitted }
}

test('admission - as many connections a second as are set, and no more saved up', (t) => {
  const { clock, admission, admitted } = make()
  t.equal(admitted(20), 10)
  t.match(admission.admit(), { ok: false, reason: 'too_many_connects', retryAfterSeconds: 4 })
  clock.advance(500)
  t.equal(admitted(20), 5)
  clock.advance(3_600_000)
  t.equal(admitted(20), 10)
  t.end()
})

test('admission - an overloaded service takes nobody, and costs nobody a place', (t) => {
  let level = 1
  const { admission, admitted } = make({ level: () => level })
  t.match(admission.admit(), { ok: false, reason: 'overloaded', retryAfterSeconds: 20 })
  t.equal(admitted(5), 0)
  level = 0
  t.equal(admitted(20), 10)
  t.end()
})

test('admission - those who are sent away are told different times', (t) => {
  const told = [0, 0.5, 0.999].map((random) => {
    const admission = make({ level: () => 1, random: () => random }).admission.admit()
    return admission.ok ? 0 : admission.retryAfterSeconds
  })
  t.same(told, [15, 20, 25])
  t.end()
})

test('admission - a charge point that flaps waits; the others do not', (t) => {
  const { clock, admission } = make()
  for (let at = 0; at < 3; at++) t.ok(admission.admitChargePoint('CP-1').ok)
  t.match(admission.admitChargePoint('CP-1'), { ok: false, reason: 'flapping', retryAfterSeconds: 30 })
  t.ok(admission.admitChargePoint('CP-2').ok)
  clock.advance(10_000)
  t.match(admission.admitChargePoint('CP-1'), { ok: false, retryAfterSeconds: 20 }, 'asking again does not lengthen it')
  clock.advance(20_000)
  t.ok(admission.admitChargePoint('CP-1').ok)
  t.end()
})

test('admission - connections that are far apart are no flapping', (t) => {
  const { clock, admission } = make()
  for (let at = 0; at < 20; at++) {
    t.ok(admission.admitChargePoint('CP-1').ok)
    clock.advance(25_000)
  }
  t.end()
})

test('admission - a wait outlasts the minute and the sweep, calm charge points are forgotten', (t) => {
  const { clock, admission } = make()
  for (let at = 0; at < 3; at++) admission.admitChargePoint('CP-1')
  clock.advance(45_000)
  t.notOk(admission.admitChargePoint('CP-1').ok, 'waits from second 45 to second 75')
  clock.advance(20_000)
  admission.sweep()
  t.notOk(admission.admitChargePoint('CP-1').ok)
  clock.advance(61_000)
  admission.sweep()
  for (let at = 0; at < 3; at++) t.ok(admission.admitChargePoint('CP-1').ok, 'it begins anew')
  t.end()
})

test('admission - a charge point that floods waits, and is refused before anything is counted', (t) => {
  const { clock, admission, admitted } = make()
  t.ok(admission.admitAgain('CP-1').ok)
  t.ok(admission.admitChargePoint('CP-1').ok)
  admission.makeWait('CP-1')
  for (let at = 0; at < 100; at++)
    t.match(admission.admitAgain('CP-1'), { ok: false, reason: 'flooding', retryAfterSeconds: 30 })
  t.match(admission.admitChargePoint('CP-1'), { ok: false, reason: 'flooding' }, 'by another spelling of its id')
  t.ok(admission.admitAgain('CP-2').ok)
  t.equal(admitted(10), 10)
  admission.sweep()
  clock.advance(29_999)
  t.notOk(admission.admitAgain('CP-1').ok)
  clock.advance(1)
  t.ok(admission.admitAgain('CP-1').ok)
  t.ok(admission.admitChargePoint('CP-1').ok)
  t.end()
})

test('admission - whoever has the id next neither waits for what its former owner did nor finds connections counted', (t) => {
  const { owners, admission } = make()
  for (let at = 0; at < 4; at++) admission.admitChargePoint('CP-1')
  t.notOk(admission.admitAgain('CP-1').ok)
  owners.set('CP-1', 'org_2')
  t.ok(admission.admitAgain('CP-1').ok)
  for (let at = 0; at < 3; at++) t.ok(admission.admitChargePoint('CP-1', 'org_2').ok)
  t.match(admission.admitChargePoint('CP-1', 'org_2'), { ok: false, reason: 'flapping' })
  t.notOk(admission.admitAgain('CP-1').ok, 'it waits for what it does itself')
  admission.admitChargePoint('CP-2')
  admission.makeWait('CP-2')
  owners.set('CP-2', 'org_2')
  t.ok(admission.admitAgain('CP-2').ok)
  t.end()
})
