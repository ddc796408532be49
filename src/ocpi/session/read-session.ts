// Reads what a partner is told of a session from the store. It costs the session: a few of its meter values, its price, its tariff.

import { priceSession } from '../../pricing/price-session.js'
import type { TariffSnapshot } from '../../pricing/tariff-terms.js'
import { billingRulesTable } from '../../records/billing-rule.js'
import { factsOfSession, type SessionMaterial } from '../../records/facts-of-session.js'
import { type MeterValues, meterValuesTable } from '../../records/meter-values.js'
import { ocpiPartiesTable } from '../../records/ocpi-party.js'
import { identityOf } from '../../records/ocpi-token.js'
import { organizationsTable } from '../../records/organization.js'
import type { Session } from '../../records/session.js'
import { sessionCostsTable } from '../../records/session-cost.js'
import { tariffSnapshotsTable } from '../../records/tariff-snapshot.js'
import type { ReadView } from '../../runtime/store/store.js'
import { connectorIdOf, evseUidOf, locationIdOf } from '../ids.js'
import type { RoamingSession } from './account.js'
import type { ChargedSession } from './session-price.js'

/** Meter values that are read of a session from each end: those between change nothing but how its energy is spread over its periods. */
const meterValuesRead = 50
/** Of an organization that has not said in which it sells. */
export const usualCurrency = 'EUR'

/** Undefined for a session of nobody's driver, and where the organization is no party of roaming. `now`: wall ms. */
export function readRoamingSession(view: ReadView, session: Session, now: number): RoamingSession | undefined {
  const { roaming, organization_id, charge_point_id, connector_id, site_id } = session
  const party = view.get(ocpiPartiesTable, [organization_id])
  if (roaming === undefined || party === undefined) return undefined
  const material = materialOf(view, session, now)
  const snapshot = snapshotOf(view, session)
  const { auth_method, authorization_reference } = roaming
  return {
    session,
    material,
    snapshot,
    charged: snapshot === undefined ? undefined : chargedOf(view, session, material, snapshot),
    currency: view.get(organizationsTable, [organization_id])?.default_currency ?? usualCurrency,
    party,
    token: identityOf(roaming),
    authMethod: auth_method,
    authorizationReference: authorization_reference,
    locationId: locationIdOf(site_id ?? charge_point_id),
    evseUid: evseUidOf(charge_point_id, connector_id),
    connectorId: connectorIdOf(connector_id),
  }
}

/**
 * The end of a session may be on its way to the disk while the session is still read as running: the end is to be the later of the two.
 */
const onItsWayMs = 1_000

/** When a session was last another to partners, as far as is known, wall ms. One that runs may cost more with each moment. */
export function changeOfSession(view: ReadView, session: Session, now: number): number {
  return session.status === 'active' ? now - onItsWayMs : Math.min(now, lastWritten(view, session))
}

function lastWritten(view: ReadView, session: Session): number {
  const { session_id, started_at, ended_at, cost_told_at, status, statuses } = session
  const priced = status === 'active' ? undefined : view.get(sessionCostsTable, [session_id])?.priced_at
  const [newest] = view.list(meterValuesTable, [session_id], { reverse: true, limit: 1 })
  const times = [started_at, ended_at, cost_told_at, priced].map((time) => Date.parse(time ?? ''))
  return Math.max(
    ...([...times, newest?.at, statuses?.at(-1)?.at, session.roaming?.changed_at].filter((time) =>
      Number.isFinite(time),
    ) as number[]),
  )
}

function materialOf(view: ReadView, session: Session, now: number): SessionMaterial {
  const meterValues = metered(view, session.session_id)
  if (session.status !== 'active') return { meterValues }
  return { meterValues, asOf: now, ...energySoFar(session, meterValues) }
}

function metered(view: ReadView, sessionId: string): readonly MeterValues[] {
  const first = view.list(meterValuesTable, [sessionId], { limit: meterValuesRead })
  if (first.length < meterValuesRead) return first
  const newest = view.list(meterValuesTable, [sessionId], { reverse: true, limit: meterValuesRead }).reverse()
  const last = first.at(-1)
  return [...first, ...newest.filter(({ at }) => at > (last?.at ?? 0))]
}

/** By the newest reading. What is odd about the register is kept with the session. */
function energySoFar({ register, meter_start }: Session, rows: readonly MeterValues[]): { readonly energyWh?: number } {
  const read = rows.map(({ energy_wh, inlet_wh }) => (register?.inlet === true ? inlet_wh : energy_wh))
  const newest = read.findLast((reading) => reading !== undefined)
  if (newest === undefined) return register === undefined ? {} : { energyWh: register.taken }
  if (register === undefined) return { energyWh: Math.max(0, newest - meter_start) }
  const segment = register.segments.at(-1)
  return { energyWh: Math.max(register.taken, segment === undefined ? 0 : newest - segment.base) }
}

function snapshotOf(view: ReadView, { tariff_snapshot }: Session): TariffSnapshot | undefined {
  return tariff_snapshot === undefined ? undefined : view.get(tariffSnapshotsTable, [tariff_snapshot])?.snapshot
}

/** An ended session was priced by the rules of its end; one that runs is priced by those of now. */
function chargedOf(
  view: ReadView,
  session: Session,
  material: SessionMaterial,
  snapshot: TariffSnapshot,
): ChargedSession | undefined {
  if (session.status !== 'active') return view.get(sessionCostsTable, [session.session_id])
  const rules = view.listBy(billingRulesTable, 'byActive', [session.organization_id, 1])
  try {
    return { priced: priceSession(factsOfSession(session, material), snapshot, rules), rules }
  } catch {
    return undefined
  }
}
