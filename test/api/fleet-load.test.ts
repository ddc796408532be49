// What a large fleet costs its front: what is made once for many, what ends when nobody waits for it, and what is refused.

import fc from 'fast-check'
import { type Test, test } from 'tap'
import { createStreamRoom } from '../../src/api/areas/events/stream-room.js'
import { createFleetColumns } from '../../src/api/areas/fleet/fleet-columns.js'
import type { FleetRow } from '../../src/api/areas/fleet/fleet-row.js'
import { createFleets } from '../../src/api/areas/fleet/fleets.js'
import { limits } from '../../src/api/areas/fleet/limits.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import type { LongReads } from '../../src/api/pipeline/long-reads.js'
import { type Alert, alertsTable } from '../../src/records/alert.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { connectionAttemptsTable } from '../../src/records/connection-attempt.js'
import { alone } from '../../src/records/presence.js'
import { AmpshardError } from '../../src/runtime/errors.js'
import type { ReadView } from '../../src/runtime/store/store.js'
import { registeredRow } from '../support/registration.js'
import { until } from '../support/until.js'
import { createTestApi, type TestApi } from './fixture.js'

const here = (): boolean => false
const size = 3_000

/** Bounds that a test would take too long to reach. */
function withLimits(t: Test, bounds: Partial<Record<keyof typeof limits, number>>): void {
  const before = { ...limits }
  Object.assign(limits, bounds)
  t.teardown(() => void Object.assign(limits, before))
}

async function fillFleet(service: TestApi, organizationId: string, count: number, prefix = 'CP'): Promise<void> {
  const ids = Array.from({ length: count }, (_, at) => `${prefix}-${String(at).padStart(5, '0')}`)
  for (let at = 0; at < count; at += 500)
    await service.commit(
      ...ids
        .slice(at, at + 500)
        .map((id) => putRow(chargePointsTable, registeredRow(id, { organization_id: organizationId }))),
    )
}

/** Fleets of their own over the store of the service, of which it is known what they read. */
function watchedFleets(service: TestApi) {
  const seen = { rows: 0, underWay: 0, most: 0, begun: 0 }
  let failing: unknown
  const view = (): ReadView => {
    const real = service.store.view()
    const listBy: ReadView['listBy'] = (table, index, group, query) => {
      if (failing !== undefined && (table as unknown) === connectionAttemptsTable) throw failing
      const rows = real.listBy(table, index, group, query)
      if ((table as unknown) === chargePointsTable) seen.rows += rows.length
      return rows
    }
    return new Proxy(real, {
      get: (of, name) => {
        if (name === 'listBy') return listBy
        const value = of[name as keyof ReadView]
        return typeof value === 'function' ? value.bind(of) : value
      },
    })
  }
  const longReads: Pick<LongReads, 'of'> = {
    of: (organizationId, isGone) => async () => {
      const read = await service.longReads.of(organizationId, isGone)()
      seen.begun++
      seen.most = Math.max(seen.most, ++seen.underWay)
      let isOver = false
      return {
        ...read,
        end() {
          if (!isOver) seen.underWay--
          isOver = true
          read.end()
        },
      }
    },
  }
  const { clock } = service.services
  const fleets = createFleets({ view, live: alone(1).live, clock, longReads, room: createStreamRoom() })
  return {
    fleets,
    seen,
    fail(error: unknown) {
      failing = error
    },
  }
}

const shown = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString())

async function refusal(answer: Promise<unknown>): Promise<AmpshardError | undefined> {
  try {
    await answer
  } catch (error) {
    if (error instanceof AmpshardError) return error
    throw error
  }
  return undefined
}

test('fleet - who asks for a page while it is made is sent the next, with what they have changed', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  await fillFleet(service, organizationId, size)
  const { fleets, seen } = watchedFleets(service)
  await fleets.page(organizationId, { limit: 1 }, false, here)
  const begun = seen.begun
  const query = { limit: 50_000 }
  const first = fleets.page(organizationId, query, false, here)
  await until(() => seen.begun === begun + 1)
  await service.register('NEW')
  const later = Array.from({ length: 50 }, () => fleets.page(organizationId, query, false, here))
  const [one, ...others] = await Promise.all([first, ...later])
  t.equal(new Set(others).size, 1, 'fifty are sent the same bytes')
  t.not(one, others[0])
  t.ok(shown(others[0] as Uint8Array).columns.charge_point_id.includes('NEW'))
  t.equal(seen.begun, begun + 2, 'encoded twice in all')
})

test('fleet - pages are made one at a time, and more different ones than may wait are refused', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  await fillFleet(service, organizationId, size)
  const { fleets, seen } = watchedFleets(service)
  await fleets.page(organizationId, { limit: 1 }, false, here)
  const many = limits.pagesWaiting + 10
  const answers = Array.from({ length: many }, (_, at) =>
    fleets.page(organizationId, { limit: 2_000 + at }, false, here),
  )
  const refused = (await Promise.all(answers.map(refusal))).filter((error) => error !== undefined)
  t.ok(refused.length > 0 && refused.length <= 10, `${refused.length} of ${many}`)
  for (const { code, extras } of refused) t.same([code, extras.retryAfterSeconds], ['overloaded', 5])
  t.equal(seen.most, 1)
})

test('fleet - what was begun for a client that is gone ends, unless another waits for it too', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  await fillFleet(service, organizationId, size)
  const { fleets, seen } = watchedFleets(service)
  const reading = fleets.page(organizationId, { limit: 50_000 }, false, () => seen.rows > 0)
  t.equal((await refusal(reading))?.code, 'overloaded')
  t.ok(seen.rows < size, `the fleet was not read to its end: ${seen.rows} rows`)
  t.equal(fleets.statistics().fleets, 0)

  await fleets.page(organizationId, { limit: 1 }, false, here)
  const abandoned = (): number => service.longReads.statistics().abandoned
  const before = abandoned()
  /** Gone once the next read has begun. */
  const soonGone = (): (() => boolean) => {
    const { begun } = seen
    return () => seen.begun > begun
  }
  const alone = fleets.page(organizationId, { limit: 2_001 }, false, soonGone())
  t.equal((await refusal(alone))?.code, 'timeout')
  t.equal(abandoned(), before + 1)
  const together = [soonGone(), here].map((one) => fleets.page(organizationId, { limit: 2_002 }, false, one))
  t.equal(shown((await Promise.all(together))[1] as Uint8Array).columns.charge_point_id.length, 2_002)
  t.equal(abandoned(), before + 1)
  t.equal((await refusal(fleets.attention(organizationId, soonGone())))?.code, 'timeout')
  t.ok(await fleets.attention(organizationId, here), 'whoever asks next is answered')
})

test('fleet - nobody waits for longer than a bound, and who comes again finds what has gone on meanwhile', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  await fillFleet(service, organizationId, size)
  const { fleets, seen } = watchedFleets(service)
  const { fleetWaitMs } = limits
  withLimits(t, { fleetWaitMs: 1 })
  const refused = await refusal(fleets.page(organizationId, { limit: 1 }, false, here))
  t.same([refused?.code, refused?.extras.retryAfterSeconds], ['overloaded', 10])
  Object.assign(limits, { fleetWaitMs })
  await until(() => seen.rows === size)
  t.match(shown(await fleets.page(organizationId, { limit: 1 }, false, here)), { total: size })
  t.equal(seen.rows, size, 'it was read once')
})

test('fleet - one that there is no room to keep is read page by page, and its stream is refused', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  await fillFleet(service, service.operator.organizationId, 100, 'A')
  await fillFleet(service, other.organizationId, 100, 'B')
  const { fleets, seen } = watchedFleets(service)
  withLimits(t, { keptRows: 150 })
  const options = { callerId: 'somebody', cursor: undefined, watch: [], isAllowed: () => true }
  const reader = fleets.stream({ ...options, organizationId: service.operator.organizationId }).open(() => undefined)
  t.teardown(() => reader.close())
  await fleets.page(service.operator.organizationId, { limit: 1 }, false, here)
  const ids: string[] = []
  for (let after: string | null | undefined; after !== null; ) {
    seen.rows = 0
    const query = { limit: 30, ...(after !== undefined && { after }) }
    const page = shown(await fleets.page(other.organizationId, query, false, here))
    t.ok(seen.rows <= 31, `the page cost ${seen.rows} rows`)
    t.match(page, { total: 100, cursor: /^evt_/ })
    ids.push(...page.columns.charge_point_id)
    after = page.next
  }
  t.same(
    ids,
    Array.from({ length: 100 }, (_, at) => `B-${String(at).padStart(5, '0')}`),
  )
  seen.rows = 0
  await Promise.all(Array.from({ length: 20 }, () => fleets.page(other.organizationId, { limit: 30 }, false, here)))
  t.equal(seen.rows, 0, 'a page is good for a while')
  t.match(await fleets.attention(other.organizationId, here), { causes: [] })
  t.equal(fleets.statistics().fleets, 1)
  try {
    fleets.stream({ ...options, organizationId: other.organizationId })
    t.fail('it was let in')
  } catch (error) {
    t.match(error, { code: 'overloaded', extras: { retryAfterSeconds: 60 } })
  }
})

test('fleet - what needs attention is worked out again after it has failed', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  const { fleets, fail } = watchedFleets(service)
  fail(new Error('the disk is gone'))
  await t.rejects(fleets.attention(organizationId, here), /the disk is gone/)
  fail(undefined)
  t.match(await fleets.attention(organizationId, here), { causes: [] })
})

test('fleet - alerts that a former owner left open are not counted', async (t) => {
  const service = await createTestApi()
  const { organizationId } = service.operator
  await service.register('A')
  const alert = (id: string, owner: string): Alert => ({
    alert_id: `alert_${id}`,
    organization_id: owner,
    kind: 'charge_point_offline',
    subject: `A ${id}`,
    status: 'open',
    severity: 'warning',
    charge_point_id: 'A',
    message: 'It is offline.',
    triggered_at: new Date(service.now()).toISOString(),
  })
  await service.commit(
    putRow(alertsTable, alert('1', organizationId)),
    ...['2', '3'].map((id) => putRow(alertsTable, alert(id, 'org_former'))),
  )
  const { body } = await service.call('GET', '/api/v1/cpo/fleet/snapshot')
  t.same(body.columns.open_alerts, [1])
})

const rowOf = (id: string): FleetRow => ({
  charge_point_id: id,
  name: id,
  latitude: 0,
  longitude: 0,
  status: 'available',
  connectors: 'A',
  powerWatts: 0,
  maxPowerWatts: null,
  statusSince: null,
  lastSeenAt: null,
  site: undefined,
  address: undefined,
  model: undefined,
  firmware: undefined,
  errorCode: undefined,
  openAlerts: 0,
  flags: 0,
  network: undefined,
  isLimited: false,
})

test('fleet - charge points are read in the order of their ids, whichever have come and gone', async () => {
  const ids = fc.integer({ min: 0, max: 30 }).map((number) => `CP-${number}`)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), ids), { maxLength: 100 }), ids, (changes, after) => {
      const columns = createFleetColumns()
      const wanted = new Set<string>()
      for (const [isThere, id] of changes) {
        if (isThere) columns.put(rowOf(id))
        else columns.remove(id)
        if (isThere) wanted.add(id)
        else wanted.delete(id)
      }
      const sorted = [...wanted].sort()
      return (
        columns.idsAfter(undefined, 1_000).join() === sorted.join() &&
        columns.idsAfter(after, 3).join() ===
          sorted
            .filter((id) => id > after)
            .slice(0, 3)
            .join()
      )
    }),
  )
})
