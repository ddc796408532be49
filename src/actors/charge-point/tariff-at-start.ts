// The tariff under which a session begins: that of the charge point, cut to what holds at the start, and kept under
// its hash. No tariff, whatever its rows look like, keeps a session from starting.

import { selectRates } from '../../pricing/select-rates.js'
import { hashOf, snapshotOf } from '../../pricing/tariff-snapshot.js'
import type { TariffSnapshot } from '../../pricing/tariff-terms.js'
import { defaultTimeZone, organizationsTable } from '../../records/organization.js'
import { sellingTariff } from '../../records/selling-tariff.js'
import type { Session } from '../../records/session.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../records/tariff-rates.js'
import { tariffSnapshotsTable } from '../../records/tariff-snapshot.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { ReadView } from '../../runtime/store/store.js'
import { logRarely } from './rare-log.js'

/** Said of a session that began under a tariff which cannot be read: it has no cost. */
export const unusableTariffFlag = 'tariff_unusable'

export interface TariffAtStart {
  /** What the session keeps of it. */
  readonly kept: Pick<Session, 'tariff_id' | 'tariff_snapshot' | 'currency'>
  readonly snapshot?: TariffSnapshot
  /** The charge point has no tariff. */
  readonly isFree?: true
  readonly flags: readonly string[]
  readonly effects: readonly Effect[]
}

const noTariff: TariffAtStart = { kept: {}, flags: [], effects: [] }

/** `startedAt` in ms. A session of a charge point without a tariff has none, and no cost. */
export function tariffAtStart(organizationId: string, startedAt: number, context: Context): TariffAtStart {
  try {
    const view = context.read()
    const snapshot = snapshotFor(view, context.id, organizationId, startedAt)
    if (snapshot === undefined) return { ...noTariff, isFree: true }
    const hash = hashOf(snapshot)
    const isStored = view.get(tariffSnapshotsTable, [hash]) !== undefined
    return {
      kept: { tariff_id: snapshot.tariff_id, tariff_snapshot: hash, currency: snapshot.currency },
      snapshot,
      flags: [],
      effects: isStored ? [] : [effect.put(tariffSnapshotsTable, { hash, snapshot })],
    }
  } catch (error) {
    logRarely('error', 'a session starts without its tariff: it is unusable', { err: error }, context)
    return { ...noTariff, flags: [unusableTariffFlag] }
  }
}

function snapshotFor(
  view: ReadView,
  chargePointId: string,
  organizationId: string,
  startedAt: number,
): TariffSnapshot | undefined {
  const tariff = sellingTariff(view, organizationId, chargePointId)?.tariff
  if (tariff === undefined) return undefined
  const bands = view.get(tariffRatesTable, [tariff.tariff_id])?.bands ?? []
  const entries = view.get(tariffSchedulesTable, [tariff.tariff_id])?.entries ?? []
  const timeZone = view.get(organizationsTable, [organizationId])?.time_zone ?? defaultTimeZone
  return snapshotOf(tariff, selectRates(tariff, bands, entries, startedAt, timeZone), timeZone)
}
