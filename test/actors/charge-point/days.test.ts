// What is kept of a charge point by day says what held when each day began, also where the row of a day is made long afterwards.

import fc from 'fast-check'
import { test } from 'tap'
import { createDayReader, type Now, type Uptime } from '../../../src/api/areas/charge-point-state/bands.js'
import { type ChargePointDay, chargePointDaysTable, dayMs, dayOf } from '../../../src/records/charge-point-day.js'
import { chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { alone, isOnline } from '../../../src/records/presence.js'
import { lastSeenAt } from '../../../src/records/sign-of-life.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const hourMs = 3_600_000
const boot = { chargePointVendor: 'Vendor', chargePointModel: 'Model' }

function pass(actor: ActorOverStore, milliseconds: number): void {
  actor.clock.wall += milliseconds
  actor.clock.monotonic += milliseconds
}

const status = (actor: ActorOverStore, connection: number, name: string) =>
  actor.call(connection, 'StatusNotification', { connectorId: 1, errorCode: 'NoError', status: name })

const daysIn = (actor: ActorOverStore, from: number, to: number): readonly ChargePointDay[] =>
  actor.view().list(chargePointDaysTable, ['org_1', 'CP-1'], { from: [from], to: [to] })

function nowOf(actor: ActorOverStore, run: number): Now {
  const state = actor.view().get(chargePointStatesTable, ['CP-1'])
  if (state === undefined) throw new Error('it has no state')
  const connected = isOnline(state, alone(run).live)
  const gone = connected ? undefined : state.connected ? lastSeenAt(actor.view(), state) : state.disconnected_at
  return { at: actor.clock.wall, connected, ...(gone !== undefined && { goneSince: Date.parse(gone) }) }
}

function uptime(actor: ActorOverStore, from: number, to: number, run = 1): Uptime {
  const before = daysIn(actor, 0, dayOf(from)).slice(-1)
  const reader = createDayReader({ from, to }, nowOf(actor, run))
  for (const row of [...before, ...daysIn(actor, dayOf(from), dayOf(to - 1) + 1)]) reader.add(row)
  return reader.end()
}

test('days - a stop that comes late does not change when a charge point was offline', async (t) => {
  const actor = await actorOverStore('CP-1')
  const begin = actor.clock.wall
  pass(actor, 9 * hourMs)
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', boot)
  await status(actor, 1, 'Available')
  const timestamp = (at: number): string => new Date(begin + at).toISOString()
  const start = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: timestamp(9 * hourMs) }
  const { transactionId } = await actor.call(1, 'StartTransaction', start)
  pass(actor, 3 * hourMs)
  await actor.detach(1)
  // Back at eight of the third day, with what it has kept.
  pass(actor, dayMs + 20 * hourMs)
  await actor.attach(2, 2)
  await actor.call(2, 'BootNotification', boot)
  const stop = { transactionId, meterStop: 1_000, timestamp: timestamp(dayMs + 12 * hourMs) }
  await actor.call(2, 'StopTransaction', stop)
  pass(actor, 16 * hourMs)
  t.match(daysIn(actor, dayOf(begin) + 1, dayOf(begin) + 2), [{ connected: false, sessions: 1, energy_wh: 1_000 }])
  t.match(uptime(actor, begin + 2 * dayMs, begin + 3 * dayMs), { offlineMs: 8 * hourMs, upMs: 16 * hourMs })
  t.match(uptime(actor, begin + dayMs, begin + 3 * dayMs), { offlineMs: 32 * hourMs, upMs: 16 * hourMs })
})

test('days - one that was lost with the service is not connected at the beginning of later days', async (t) => {
  const actor = await actorOverStore('CP-1')
  const begin = actor.clock.wall
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', boot)
  await status(actor, 1, 'Available')
  actor.restart('service')
  pass(actor, 2 * dayMs + 8 * hourMs)
  await actor.attach(2, 2)
  await actor.call(2, 'BootNotification', boot)
  t.match(daysIn(actor, dayOf(begin) + 2, dayOf(begin) + 3), [{ connected: false }])
  pass(actor, dayMs)
  t.match(uptime(actor, begin + 2 * dayMs, begin + 3 * dayMs, 2), { offlineMs: 8 * hourMs })
})

test('days - whatever happens, the uptime of two days together is that of one and of the other', async (t) => {
  const step = fc.record({
    hours: fc.integer({ min: 1, max: 40 }),
    what: fc.constantFrom('attach', 'detach', 'available', 'faulted', 'start', 'stop', 'late stop', 'service ends'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const actor = await actorOverStore('CP-1')
      const begin = actor.clock.wall
      let run = 1
      let connection = 1
      let connected = true
      const transactions: { readonly id: unknown; readonly at: number }[] = []
      await actor.attach(1, 1)
      await actor.call(1, 'BootNotification', boot)
      await status(actor, 1, 'Available')
      for (const { hours, what } of steps) {
        pass(actor, hours * hourMs)
        if (connected && what !== 'attach') await actor.call(connection, 'Heartbeat', {})
        if (what === 'attach' && !connected) {
          connection++
          connected = true
          await actor.attach(connection, connection)
          await actor.call(connection, 'BootNotification', boot)
        } else if (what === 'detach' && connected) {
          connected = false
          await actor.detach(connection)
        } else if (what === 'service ends') {
          connected = false
          run++
          actor.restart('service')
        } else if (connected && what === 'available') await status(actor, connection, 'Available')
        else if (connected && what === 'faulted') await status(actor, connection, 'Faulted')
        else if (connected && what === 'start') {
          const at = actor.clock.wall
          const timestamp = new Date(at).toISOString()
          const start = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp }
          const { transactionId: id } = await actor.call(connection, 'StartTransaction', start)
          transactions.push({ id, at })
        } else if (connected && what.endsWith('stop')) {
          const { id, at = 0 } = transactions.pop() ?? {}
          if (id === undefined) continue
          const ended = what === 'stop' ? actor.clock.wall : at + (actor.clock.wall - at) / 2
          const timestamp = new Date(ended).toISOString()
          await actor.call(connection, 'StopTransaction', { transactionId: id, meterStop: 1, timestamp })
        }
      }
      pass(actor, dayMs)
      for (let from = begin; from + 2 * dayMs < actor.clock.wall; from += dayMs) {
        const one = uptime(actor, from, from + dayMs, run)
        const other = uptime(actor, from + dayMs, from + 2 * dayMs, run)
        const both = uptime(actor, from, from + 2 * dayMs, run)
        for (const name of ['offlineMs', 'connects', 'knownMs', 'upMs'] as const)
          if (one[name] + other[name] !== both[name])
            throw new Error(
              `${name} from day ${dayOf(from)}: ${one[name]} and ${other[name]} are ${both[name]} together`,
            )
      }
    }),
    { numRuns: 60 },
  )
  t.end()
})
