// Which rules of the protocol a charge point breaks is counted by rule, with few writes, for what it says it is.

import { test } from 'tap'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { type Conformance, conformanceTable } from '../../../src/records/conformance.js'
import { limits } from '../../../src/runtime/limits.js'
import { actorOverStore } from './actor-over-store.js'

async function booted() {
  const actor = await actorOverStore('CP-1')
  await actor.attach(1, 100)
  const boot = (firmwareVersion: string) =>
    actor.call(1, 'BootNotification', { chargePointVendor: 'Vendor', chargePointModel: 'Model', firmwareVersion })
  await boot('1.0')
  const stored = (): Conformance | undefined => actor.view().get(conformanceTable, ['CP-1'])
  /** As a shard does half a minute later. */
  async function written() {
    actor.clock.wall += limits.notesWithinMs
    actor.clock.monotonic += limits.notesWithinMs
    await actor.wake()
    return stored()
  }
  const total = (rule: string, firmware = '1.0') =>
    actor.view().total(conformanceTable, 'broken', ['org_1', 'Vendor', 'Model', firmware, rule])
  return { actor, boot, stored, written, total }
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
  t.equal(total('unknown-field'), 3)
})

test('conformance - counts go on after the end of the shard', async (t) => {
  const { actor, written, total } = await booted()
  await actor.call(1, 'Heartbeat', { extra: 1 })
  await written()
  actor.restart()
  await actor.attach(2, 200)
  await actor.call(2, 'Heartbeat', { extra: 1 })
  t.equal((await written())?.rules['unknown-field']?.count, 2)
  t.equal(total('unknown-field'), 2)
})

test('conformance - with another firmware it begins anew, also where that breaks nothing', async (t) => {
  const { actor, boot, stored, written, total } = await booted()
  await actor.call(1, 'Heartbeat', { extra: 1 })
  await written()
  await boot('1.0')
  t.ok(stored(), 'the same is counted on')
  await boot('2.0')
  t.equal(await written(), undefined)
  t.equal(total('unknown-field'), 0)
  await actor.call(1, 'Heartbeat', { extra: 1 })
  t.match(await written(), { firmware_version: '2.0', rules: { 'unknown-field': { count: 1 } } })
})

test('conformance - another organization does not inherit it, and a frame on the way does not bring it back', async (t) => {
  const { actor, written } = await booted()
  await actor.call(1, 'Heartbeat', { extra: 1 })
  await written()
  await actor.remove(chargePointsTable, ['CP-1'])
  await actor.ask({ type: 'registration-changed' })
  await actor.frame(1, [2, 'm', 'MakeCoffee', {}])
  t.equal(await written(), undefined)
})

test('conformance - however many rules are broken how often, there is one row of a bounded size', async (t) => {
  const { actor, written } = await booted()
  const fields = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`field-${at}`, 'x'.repeat(200)]))
  for (let at = 0; at < 100; at++) await actor.call(1, 'Authorize', { idTag: 5, ...fields, a: null })
  const row = await written()
  t.ok(JSON.stringify(row).length < 5_000)
  t.equal(actor.view().list(conformanceTable, []).length, 1)
})
