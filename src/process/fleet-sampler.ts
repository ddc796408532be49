// What the fleets of all organizations are doing, once a minute: from totals that the store keeps, so that a large fleet costs as much as a small
// one. Longer steps are made of the minutes that are stored, so that an end of the process loses none but the minutes in which it was not there.

import { chargePointsTable } from '../records/charge-point.js'
import { chargePointStatuses } from '../records/charge-point-state.js'
import {
  endedSteps,
  type FleetMetric,
  type FleetSample,
  fleetMetricNames,
  fleetSample,
  fleetSamplesTable,
  fleetSteps,
  stepStart,
} from '../records/fleet-sample.js'
import { organizationsTable } from '../records/organization.js'
import { type LiveNodes, onlineTotal, wattsTotal } from '../records/presence.js'
import { sessionsTable } from '../records/session.js'
import type { SessionFlag } from '../records/session-flags.js'
import { encodeRow } from '../runtime/codec.js'
import type { Singleton } from '../runtime/link/singletons.js'
import type { ReadView } from '../runtime/store/store.js'
import { after } from '../runtime/store/table.js'
import { limits } from './limits.js'

export interface FleetSamplerOptions {
  readonly view: () => ReadView
  readonly commit: Singleton['commit']
  readonly live: LiveNodes
  /** Wall ms. */
  readonly now: () => number
}

const [minutes, quarters, days] = fleetSteps
const minuteMs = minutes.seconds * 1000
/** Starts that were refused at the charge point, which it began all the same. */
const refusals: readonly SessionFlag[] = ['not_authorized', 'concurrent_transaction', 'reserved_for_another']

/** Samples the minute that has ended last, of every organization that has charge points; one that is stored stays. */
export async function sampleFleets({ view, commit, live, now }: FleetSamplerOptions): Promise<void> {
  const at = stepStart(minutes, now()) - minuteMs
  const limit = limits.organizationsPerStep
  for (let last: string | undefined; ; ) {
    const organizations = view().list(organizationsTable, [], {
      ...(last !== undefined && { from: after([last]) }),
      limit,
    })
    const rows = organizations.flatMap(({ organization_id }) => samplesOf(view(), organization_id, at, live))
    if (rows.length > 0)
      await commit(
        rows.map((row) => ({
          type: 'put',
          table: fleetSamplesTable.name,
          key: fleetSamplesTable.key(row),
          row: encodeRow(row),
        })),
      )
    last = organizations.at(-1)?.organization_id
    if (organizations.length < limit) return
    await new Promise(setImmediate)
  }
}

function samplesOf(view: ReadView, organizationId: string, at: number, live: LiveNodes): readonly FleetSample[] {
  const hasChargePoints = view.total(chargePointsTable, 'byOrganization', [organizationId]) > 0
  if (!hasChargePoints || view.get(fleetSamplesTable, [organizationId, minutes.seconds, at]) !== undefined) return []
  const sample = fleetSample(organizationId, minutes, at, valuesOf(view, organizationId, at, live))
  // Each of the longer steps is made when all that it consists of is stored: a minute after its end, or two.
  const ended = endedSteps(view, organizationId, [minutes, quarters], at)
  return [sample, ...(ended.length > 0 ? ended : endedSteps(view, organizationId, [quarters, days], at))]
}

function valuesOf(view: ReadView, organizationId: string, at: number, live: LiveNodes): readonly number[] {
  const online = chargePointStatuses.reduce(
    (sum, status) => (status === 'offline' ? sum : sum + onlineTotal(view, organizationId, status, live)),
    0,
  )
  const minute = { from: [at], to: [at + minuteMs] }
  const power = wattsTotal(view, organizationId, live)
  const values: Readonly<Record<FleetMetric, number>> = {
    power_watts: power,
    online,
    charging: onlineTotal(view, organizationId, 'charging', live),
    faulted: onlineTotal(view, organizationId, 'faulted', live),
    sessions: view.total(sessionsTable, 'startsByStatus', [organizationId, 'active']),
    started: view.countBetween(sessionsTable, 'startsInOrganization', [organizationId], minute),
    failed_starts: refusals.reduce(
      (sum, flag) => sum + view.countBetween(sessionsTable, 'startsByFlag', [organizationId, flag], minute),
      0,
    ),
    energy_wh: (power * minutes.seconds) / 3_600,
  }
  return fleetMetricNames.map((name) => values[name])
}
