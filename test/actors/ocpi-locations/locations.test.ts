// The actor of an organization's locations, over the store in memory and a clock that moves when told.

import { pino } from 'pino'
import { test } from 'tap'
import { placeWakeUp } from '../../../src/actors/messages/ocpi-locations.js'
import { createOcpiLocationsActor } from '../../../src/actors/ocpi-locations/ocpi-locations.js'
import { placeOf } from '../../../src/ocpi/location/read-place.js'
import { type ChargePoint, chargePointsTable } from '../../../src/records/charge-point.js'
import { tables } from '../../../src/records/index.js'
import { ocpiLocationObjectsTable, ocpiLocationsTable } from '../../../src/records/ocpi-location.js'
import { ocpiPartnersTable } from '../../../src/records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../../src/records/ocpi-party.js'
import { type Organization, organizationsTable } from '../../../src/records/organization.js'
import { type Site, sitesTable } from '../../../src/records/site.js'
import { createActorHost } from '../../../src/runtime/actor/actor-host.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { createWakeUpSweep, wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { type ReadView, unowned } from '../../../src/runtime/store/store.js'
import type { Table } from '../../../src/runtime/store/table.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { ownPartitions } from '../../support/own-partitions.js'
import { partnerRow, partyRow } from '../../support/roaming-rows.js'

const organizationId = 'org_1'
const at = '2026-01-01T00:00:00.000Z'

function chargePoint(id: string, change: Partial<ChargePoint> = {}): ChargePoint {
  return {
    charge_point_id: id,
    organization_id: organizationId,
    version: 1,
    name: id,
    latitude: 52.37,
    longitude: 4.9,
    address: 'Station Street 1, 1012 AB Amsterdam',
    connector_count: 1,
    max_power_kw: 22,
    created_at: at,
    updated_at: at,
    ...change,
  }
}

async function stage() {
  const clock = createFakeClock()
  const sent: string[] = []
  const store = openMemoryStore(tables)
  let looks = 0
  let lookMs = 0
  /** A look at a site reads its charge points, which may take longer than a turn has. */
  function view(): ReadView {
    const now = store.view()
    return {
      get: now.get,
      list: now.list,
      total: now.total,
      countBetween: now.countBetween,
      listBy(table, index, group, query) {
        if (index === 'bySite') {
          looks++
          clock.advance(lookMs)
        }
        return now.listBy(table, index, group, query)
      },
    }
  }
  const partitions = ownPartitions()
  const host = createActorHost({
    definitions: [createOcpiLocationsActor({ live: new Set() })] as unknown as readonly AnyActorDefinition[],
    store: { commit: store.commit, view },
    partitions,
    clock,
    random: () => 0.5,
    log: pino({ level: 'silent' }),
    passivateAfterMs: 3_600_000,
    ports: {
      send: ({ id }) => sent.push(id),
      reply() {},
      frame() {},
      close() {},
      done() {},
      runJob: () => Promise.reject(new Error('there are no jobs')),
      connectionOf: () => undefined,
    },
  })
  const sweep = createWakeUpSweep({ view: store.view, clock, partitions, owner: 0, host })
  async function put<Row>(table: Table<Row>, row: Row): Promise<void> {
    await store.commit(unowned([{ type: 'put', table: table.name, key: table.key(row), row: encodeRow(row) }]))
  }
  let changes = 0
  /** What is due is told, and done. */
  async function wake(): Promise<void> {
    clock.advance(2_000)
    sweep.sweep()
    for (let turn = 0; turn < 40; turn++) {
      host.runTimers()
      host.run()
      await new Promise((resolve) => setImmediate(resolve))
      clock.advance(1)
    }
  }
  async function announce(row: ChargePoint): Promise<void> {
    await put(chargePointsTable, row)
    const place = placeOf(row)
    await put(wakeUpsTable, placeWakeUp(organizationId, place, `${++changes}`, clock))
  }
  await put(ocpiPartiesTable, partyRow(organizationId))
  await put(organizationsTable, { organization_id: organizationId, country: 'NL', version: 1 } as Organization)
  return {
    clock,
    put,
    /** From now on a look at a site takes so long; returns how many there were. */
    takes(ms: number): number {
      lookMs = ms
      return looks
    },
    wake,
    wakeUps: () => store.view().list(wakeUpsTable, []),
    /** To whom messages were sent. */
    sent,
    /** Stores them, and returns when the actor has looked at them. */
    async change(...rows: readonly ChargePoint[]): Promise<void> {
      for (const row of rows) await announce(row)
      await wake()
    },
    times: () =>
      store
        .view()
        .list(ocpiLocationsTable, [organizationId])
        .map(({ updated_at }) => updated_at),
    location(id: string) {
      const row = store.view().get(ocpiLocationsTable, [organizationId, id])
      const object = store.view().get(ocpiLocationObjectsTable, [organizationId, id])?.object
      return { ...row, ...(object as { name?: string; last_updated: string }) }
    },
  }
}

test('locations - one that changes after the clock was set back is newer than all, so that partners read it', async (t) => {
  const { clock, change, location } = await stage()
  await change(chargePoint('CP-1'))
  clock.advance(3_600_000)
  await change(chargePoint('CP-2'))
  const newest = location('CP-2')
  clock.set(clock.now() - 2 * 3_600_000)
  await change(chargePoint('CP-1', { name: 'Changed' }))
  await change(chargePoint('CP-3'))
  t.equal(location('CP-1').name, 'Changed')
  for (const id of ['CP-1', 'CP-3']) {
    t.ok((location(id).updated_at ?? 0) > (newest.updated_at ?? Number.POSITIVE_INFINITY), `${id} is newer`)
    t.ok(location(id).last_updated > newest.last_updated, `${id} says so`)
  }
  t.ok((location('CP-3').created_at ?? 0) > (newest.created_at ?? 0), 'a new one stands behind those that were there')
})

test('locations - many that change while the clock is behind have a time each, so that partners can read on from any', async (t) => {
  const { clock, change, times } = await stage()
  await change(chargePoint('CP-0'))
  clock.set(clock.now() - 3_600_000)
  const count = 300
  await change(...Array.from({ length: count }, (_, index) => chargePoint(`CP-${1 + index}`)))
  t.equal(times().length, count + 1)
  t.equal(new Set(times()).size, count + 1)
  t.ok(Math.max(...times()) - Math.min(...times()) <= 2 * count, 'a ms apart')
})

test('locations - many that change at once are one word to each partner', async (t) => {
  const { change, put, sent } = await stage()
  const [one, other] = [
    partnerRow(organizationId, { partner_id: 'ptn_1' }),
    partnerRow(organizationId, { partner_id: 'ptn_2' }),
  ]
  for (const partner of [one, other]) await put(ocpiPartnersTable, partner)
  await change(...Array.from({ length: 50 }, (_, index) => chargePoint(`CP-${1 + index}`)))
  t.same([...new Set(sent)].sort(), ['ptn_1', 'ptn_2'])
  t.ok(sent.length <= 40, `${sent.length} messages`)
  const before = sent.length
  await put(ocpiPartnersTable, partnerRow(organizationId, { partner_id: 'ptn_3' }))
  await change(chargePoint('CP-100'))
  t.same(sent.slice(before).sort(), ['ptn_1', 'ptn_2', 'ptn_3'], 'also to one that has just come')
})

test('locations - a large site of which many charge points change at once is looked at once, and again for what changes later', async (t) => {
  const { change, put, takes, wake, wakeUps, location, clock } = await stage()
  const { charge_point_id: _, ...site } = { ...chargePoint('SITE-1'), site_id: 'SITE-1' }
  await put(sitesTable, site as unknown as Site)
  const before = takes(30)
  const at = (index: number, change: object = {}) => chargePoint(`CP-${index}`, { site_id: 'SITE-1', ...change })
  // One that is due later is not answered by a look now.
  await put(wakeUpsTable, placeWakeUp(organizationId, { kind: 'site', id: 'SITE-1' }, 'later', clock, 60_000))
  await change(...Array.from({ length: 30 }, (_, index) => at(index)))
  t.equal(takes(30), before + 1)
  t.match(wakeUps(), [{ reason: /later$/ }])
  await change(at(1, { connector_count: 2 }))
  t.equal(takes(30), before + 2)
  const { evses } = location('SITE-1') as unknown as { evses: readonly { uid: string }[] }
  t.equal(evses.length, 31)
  clock.advance(60_000)
  await wake()
  t.equal(takes(30), before + 3)
  t.same(wakeUps(), [])
})
