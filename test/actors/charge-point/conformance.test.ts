// Which rules of the protocol a charge point breaks is counted by rule, with few writes, for what it says it is.

import { test } from 'tap'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { type Conformance, conformanceTable } from '../../../src/records/conformance.js'
import { deviationsTable, kindOfDeviation, mostDeviations } from '../../../src/records/deviation.js'
import { groupKey } from '../../../src/records/model-group.js'
import { limits } from '../../../src/runtime/limits.js'
import { actorOverStore } from './actor-over-store.js'

async function booted() {
  const actor = await actorOverStore('CP-1')
  await actor.attach(1, 100)
  const boot = (firmwareVersion: string) =>
    actor.call(1, 'BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model', firmwareVersion })
  await boot('1.0')
  const stored = (): Conformance | undefined => actor.view().get(conformanceTable, ['CP-1'])
  const deviations = () => actor.view().list(deviationsTable, [])
  async function pass(milliseconds: number) {
    actor.clock.wall += milliseconds
    actor.clock.monotonic += milliseconds
    await actor.wake()
  }
  /** What was counted is noted within a minute, and written half a minute later. */
  async function written() {
    await pass(60_000)
    await pass(limits.notesWithinMs)
    return stored()
  }
  const total = (rule: string, firmware = '1.0') =>
    actor.view().total(conformanceTable, 'broken', ['org_1', 'Vendor', 'Model', firmware, rule])
  return { actor, boot, stored, deviations, pass, written, total }
}

test('conformance - broken rules are counted with the first frame that broke each, and written later', async (t) => {
  const { actor, stored, written, total } = await booted()
  for (let at = 0; at < 3; at++) await actor.call(1, 'Heartbeat', { extra: at })
  await actor.frame(1, [2, 'm', 'MakeCoffee', { cups: 1 }])
  await actor.frame(1, ['what', 'is', 'this'])
  await actor.call(1, 'StatusNotification', { connectorId: 5_000, errorCode: 'NoError', status: 'Available' })
  t.equal(stored(), undefined, 'nothing is written for it at once')
  const row = await written()
  t.match(row, {
    vendor: 'Vendor',
    model: 'Model',
    firmware_version: '1.0',
    rules: {
      'unknown-field': { count: 3, path: '/extra', frame: /"Heartbeat",\{"extra":0\}\]$/ },
      'unknown-action': { count: 1, frame: '[2,"m","MakeCoffee",{"cups":1}]' },
      'malformed-frame': { count: 1 },
      'implausible-connector': { count: 1, path: '/connectorId' },
    },
  })
  t.equal(Object.keys(row?.rules ?? {}).length, 4)
  t.equal(row?.messages, 6)
  t.equal(total('unknown-field'), 3)
})

test('deviations - each rule that is broken at a place of a message has a row, with an example', async (t) => {
  const { actor, written, deviations } = await booted()
  const sampledValue = [{ value: '1,5' }, { value: '2,5' }]
  const meterValue = [{ timestamp: '2026-01-02T00:00:00Z', sampledValue }]
  for (let at = 0; at < 2; at++) await actor.call(1, 'MeterValues', { connectorId: 1, meterValue })
  await actor.call(1, 'Authorize', { idTag: 47_110_815 })
  await actor.frame(1, [2, 'm-1', 'MakeCoffee', { cups: 1 }])
  await actor.frame(1, [2, 'm-2', 'StartTransaction', []])
  await actor.frame(1, [
    2,
    'm-3',
    'StatusNotification',
    { connectorId: 'first', errorCode: 'NoError', status: 'Available' },
  ])
  await written()
  const shown = deviations().map(({ rule, action, path, count }) => ({ rule, action, path, count }))
  t.same(shown, [
    { rule: 'decimal-format', action: 'MeterValues', path: '/meterValue/*/sampledValue/*/value', count: 4 },
    { rule: 'wrong-type', action: 'Authorize', path: '/idTag', count: 1 },
    { rule: 'unknown-action', action: 'MakeCoffee', path: '', count: 1 },
    { rule: 'refused-request', action: 'StartTransaction', path: '', count: 1 },
    { rule: 'refused-request', action: 'StatusNotification', path: '/connectorId', count: 1 },
  ])
  const [decimal, tag, coffee] = deviations()
  t.match(decimal?.example, { received: '1,5', message_id: String, frame: /MeterValues/ })
  t.equal(deviations().at(-1)?.example.received, 'first')
  t.equal(tag?.example.received, '(redacted)', 'who charges is not said')
  t.notMatch(JSON.stringify(deviations()), '47110815')
  t.match(coffee, {
    example: { message_id: 'm-1', frame: '[2,"m-1","MakeCoffee",{"cups":1}]' },
    firmware_version: '1.0',
  })
})

test('deviations - a charge point that breaks a rule in every message has it written once a minute', async (t) => {
  const { actor, pass, deviations } = await booted()
  const counts: (number | undefined)[] = []
  for (let seconds = 0; seconds < 300; seconds += 10) {
    await actor.call(1, 'Heartbeat', { extra: seconds })
    await pass(10_000)
    counts.push(deviations()[0]?.count)
  }
  const written = new Set(counts.filter((count) => count !== undefined))
  t.ok(written.size >= 4 && written.size <= 5, `was written ${written.size} times`)
  await pass(60_000)
  await pass(limits.notesWithinMs)
  t.equal(deviations()[0]?.count, 30, 'also what came last')
})

test('deviations - there is room for some of a charge point, and the others are in its sums', async (t) => {
  const { actor, written, deviations } = await booted()
  for (let at = 0; at < mostDeviations + 10; at++) await actor.call(1, 'Heartbeat', { [`field-${at}`]: 1 })
  await actor.frame(1, ['what', 'is', 'this'])
  const row = await written()
  t.equal(deviations().length, mostDeviations)
  t.equal(row?.rules['unknown-field']?.count, mostDeviations + 10)
  t.equal(row?.rules['malformed-frame']?.count, 1)
})

test('deviations - an example is as new as the log of messages can show it', async (t) => {
  const { actor, written, deviations } = await booted()
  await actor.call(1, 'Heartbeat', { extra: 1 })
  await actor.call(1, 'Heartbeat', { extra: 2 })
  await written()
  t.equal(deviations()[0]?.example.received, 1)
  actor.clock.wall += 3_600_000
  await actor.call(1, 'Heartbeat', { extra: 3 })
  await written()
  t.match(deviations()[0], { count: 3, example: { received: 3 } })
})

test('deviations - are summed up by model and by firmware', async (t) => {
  const { actor, boot, written, deviations } = await booted()
  const kind = kindOfDeviation({ rule: 'unknown-field', action: 'Heartbeat', path: '/extra' })
  const [vendor, model] = ['Vendor', 'Model']
  const sums = (firmware_version?: string) => {
    const group = groupKey('org_1', { vendor, model, ...(firmware_version !== undefined && { firmware_version }) })
    const view = actor.view()
    return [
      view.total(deviationsTable, 'ofKind', [...group, kind]),
      view.total(deviationsTable, 'occurrences', [...group, kind]),
      view.total(conformanceTable, 'ofGroup', group),
      view.total(conformanceTable, 'violations', group),
    ]
  }
  for (let at = 0; at < 3; at++) await actor.call(1, 'Heartbeat', { extra: at })
  await written()
  t.same(
    [sums(), sums('1.0')],
    [
      [1, 3, 1, 3],
      [1, 3, 1, 3],
    ],
  )
  await boot('2.0')
  await actor.call(1, 'Heartbeat', { extra: 1 })
  await written()
  t.same(
    [sums(), sums('1.0'), sums('2.0')],
    [
      [1, 1, 1, 1],
      [0, 0, 0, 0],
      [1, 1, 1, 1],
    ],
  )
  t.equal(deviations().length, 1)
})

test('deviations - a secret is in none of them', async (t) => {
  const { actor, written, deviations } = await booted()
  const secret = 'PLANTED-5EC8E7'
  const frames = [
    [2, 'a', 'Heartbeat', { password: secret }],
    [2, 'b', 'Heartbeat', { note: `ftp://user:${secret}@example.com/` }],
    [
      2,
      'c',
      'StatusNotification',
      { connectorId: 1, errorCode: 'NoError', status: 'Available', info: { pass: secret } },
    ],
    [2, 'd', 'MakeCoffee', { key: 'AuthorizationKey', value: secret }],
    [2, 'e', 'DataTransfer', { vendorId: 5, data: `AuthorizationKey=${secret}` }],
    ['x', { apiToken: secret }],
    [2, `apiToken=${secret}`, `AuthorizationKey=${secret}`, {}],
    [2, 'f', 'Heartbeat', { [`password=${secret}`]: 1 }],
  ]
  for (const frame of frames) await actor.frame(1, frame)
  await written()
  t.ok(deviations().length >= frames.length)
  t.match(JSON.stringify(deviations()), '(redacted)')
  t.notMatch(JSON.stringify(deviations()), secret)
})

test('conformance - counts go on after the end of the shard', async (t) => {
  const { actor, written, total, deviations } = await booted()
  await actor.call(1, 'Heartbeat', { extra: 1 })
  await written()
  actor.restart()
  await actor.attach(2, 200)
  await actor.call(2, 'Heartbeat', { extra: 1 })
  t.equal((await written())?.rules['unknown-field']?.count, 2)
  t.equal(total('unknown-field'), 2)
  t.match(deviations(), [{ path: '/extra', count: 2 }])
})

test('conformance - with another firmware it begins anew, also where that breaks nothing', async (t) => {
  const { actor, boot, stored, written, total, deviations } = await booted()
  await actor.call(1, 'Heartbeat', { extra: 1 })
  await written()
  await boot('1.0')
  t.ok(stored(), 'the same is counted on')
  t.equal(deviations().length, 1)
  await boot('2.0')
  t.equal(await written(), undefined)
  t.equal(deviations().length, 0)
  t.equal(total('unknown-field'), 0)
  await actor.call(1, 'Heartbeat', { extra: 1 })
  t.match(await written(), { firmware_version: '2.0', rules: { 'unknown-field': { count: 1 } } })
})

test('conformance - another organization does not inherit it, and a frame on the way does not bring it back', async (t) => {
  const { actor, written, deviations } = await booted()
  await actor.call(1, 'Heartbeat', { extra: 1 })
  await written()
  t.equal(deviations().length, 1)
  await actor.call(1, 'Heartbeat', { other: 1 })
  await actor.remove(chargePointsTable, ['CP-1'])
  await actor.ask({ type: 'registration-changed' })
  await actor.frame(1, [2, 'm', 'MakeCoffee', {}])
  t.equal(await written(), undefined)
  t.same(deviations(), [], 'neither what was written nor what was about to be')
})

test('conformance - however many rules are broken how often, there is one row of a bounded size', async (t) => {
  const { actor, written } = await booted()
  const fields = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`field-${at}`, 'x'.repeat(200)]))
  for (let at = 0; at < 100; at++) await actor.call(1, 'Authorize', { idTag: 5, ...fields, a: null })
  const row = await written()
  t.ok(JSON.stringify(row).length < 5_000)
  t.equal(actor.view().list(conformanceTable, []).length, 1)
})
