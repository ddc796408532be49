// Idle and charging time against an account of its own, that goes through a session minute by minute and shares no code with the product.

import fc from 'fast-check'
import { test } from 'tap'
import { withStatus } from '../../src/actors/charge-point/session-statuses.js'
import { type ConnectorStatus, connectorStatuses } from '../../src/ocpp16/schemas/connector-status.js'
import { priceSession } from '../../src/pricing/price-session.js'
import type { SnapshotComponent } from '../../src/pricing/tariff-terms.js'
import { factsOfSession } from '../../src/records/facts-of-session.js'
import type { Session } from '../../src/records/session.js'
import { component, minute, snapshot, start } from './examples.js'

/** What the connector does, and for how many minutes. */
interface Stay {
  readonly status: ConnectorStatus
  readonly minutes: number
}

const stays = (most: number) =>
  fc.array(fc.record({ status: fc.constantFrom(...connectorStatuses), minutes: fc.integer({ min: 1, max: 90 }) }), {
    minLength: 1,
    maxLength: most,
  })

const running = { session_id: 'ses_1', started_at: new Date(start).toISOString(), flags: [] } as unknown as Session

function statusTold(session: Session, status: ConnectorStatus, at: number): Session {
  const timestamp = new Date(at).toISOString()
  const connector = { connector_id: 1, status, error_code: 'NoError', info: null, timestamp }
  return withStatus(session, connector, at) ?? session
}

/** The sessions after each stay, as they are kept. */
function lived(life: readonly Stay[]): readonly { readonly session: Session; readonly at: number }[] {
  let [session, at] = [running, start]
  return life.map(({ status, minutes }) => {
    session = statusTold(session, status, at)
    at += minutes * minute
    return { session, at }
  })
}

/** Minutes that are idle: the vehicle pauses, or has finished, and has charged before. */
function idleMinutes(life: readonly Stay[]): number {
  let [idle, charged, pausing] = [0, false, false]
  for (const { status, minutes } of life)
    for (let passed = 0; passed < minutes; passed++) {
      if (status === 'Charging') [charged, pausing] = [true, false]
      if (status === 'SuspendedEVSE') pausing = false
      if (status === 'SuspendedEV' || status === 'Finishing') pausing = true
      if (pausing && charged) idle++
    }
  return idle
}

function priced(session: Session, at: number, components: readonly SnapshotComponent[]) {
  return priceSession(factsOfSession(session, { asOf: at, energyWh: 0 }), snapshot(components), [])
}

const quantities = ({ lines }: ReturnType<typeof priced>) =>
  Object.fromEntries(lines.map(({ type, quantity }) => [type, Math.round(quantity * 60)]))

/** Charging first, so that what a session without any status is taken for plays no part. */
const charged = (life: readonly Stay[]): readonly Stay[] => [{ status: 'Charging', minutes: 5 }, ...life]

test('idle time - it is the sum of all pauses after the first charge, the grace is free once, and time leaves it out', (t) => {
  fc.assert(
    fc.property(stays(12), fc.constantFrom(0, 10, 60), (list, grace) => {
      const life = charged(list)
      const { session, at } = lived(life).at(-1) as { session: Session; at: number }
      const idle = idleMinutes(life)
      const components = [component('time', 1, 1), component('idle', 1, 1, grace)]
      t.same(quantities(priced(session, at, components)), {
        time: (at - start) / minute - idle,
        idle: Math.max(0, idle - grace),
      })
      t.same(quantities(priced(session, at, [component('time', 1, 1)])), { time: (at - start) / minute })
    }),
    { numRuns: 200 },
  )
  t.end()
})

test('idle time - it never falls, whatever comes, nor does its cost', (t) => {
  fc.assert(
    fc.property(stays(30), (life) => {
      const totals = lived(life).map(({ session, at }) => priced(session, at, [component('idle', 6, 1, 30)]).total)
      return totals.every((total, index) => total >= (totals[index - 1] ?? 0))
    }),
    { numRuns: 200 },
  )
  t.end()
})

test('idle time - of more statuses than are kept the sum stays right, and the session stays small', (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...connectorStatuses), { minLength: 200, maxLength: 700 }), (list) => {
      const life = charged(list.map((status, index) => ({ status, minutes: 1 + (index % 7) })))
      const { session, at } = lived(life).at(-1) as { session: Session; at: number }
      t.ok((session.statuses?.length ?? 0) <= 200)
      t.equal(priced(session, at, []).trace.time.idle_seconds, idleMinutes(life) * 60)
    }),
    { numRuns: 20 },
  )
  t.end()
})

test('idle time - one second of charging after ten hours of blocking takes nothing back', (t) => {
  const blocked = [
    { status: 'Charging' as const, minutes: 60 },
    { status: 'SuspendedEV' as const, minutes: 600 },
  ]
  const idle = [component('idle', 6, 1, 30)]
  const before = lived(blocked).at(-1) as { session: Session; at: number }
  t.equal(priced(before.session, before.at, idle).total, 57)
  const after = statusTold(before.session, 'Charging', before.at)
  t.equal(priced(after, before.at, idle).total, 57)
  const again = statusTold(after, 'Finishing', before.at + 1_000)
  t.equal(priced(again, before.at + 1_000 + 10 * minute, idle).total, 58, 'the grace is free once')
  t.end()
})
