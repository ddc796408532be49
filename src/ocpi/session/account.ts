// What sessions and CDRs say of a charge alike: when it charged and parked, what it took, what it cost and by which tariff.

import { type MeasuredSession, measureSession } from '../../pricing/session-facts.js'
import type { TariffSnapshot } from '../../pricing/tariff-terms.js'
import { factsOfSession, type SessionMaterial } from '../../records/facts-of-session.js'
import type { OcpiPartyId } from '../../records/ocpi-party.js'
import type { Session } from '../../records/session.js'
import type { SessionFlag } from '../../records/session-flags.js'
import type { CdrToken, ChargingPeriod } from '../schemas/charging-period.js'
import type { AuthMethod } from '../schemas/common.js'
import type { Tariff } from '../schemas/tariff.js'
import { makeSessionTariff } from '../tariff/make-tariff.js'
import { chargingPeriods, hoursOf, kwhOf } from './charging-periods.js'
import { type ChargedSession, priceOfSession, type SessionPrice } from './session-price.js'
import { lengthOfAll, stretchesOf } from './stretches.js'

/** A session of a partner's driver, with what is known of it apart from its row. */
export interface RoamingSession {
  readonly session: Session
  /** Its meter values, and how far it has come while it runs. */
  readonly material: SessionMaterial
  /** Absent for a session without a tariff. */
  readonly snapshot?: TariffSnapshot | undefined
  /** What it has cost, or costs so far; absent for a session without a tariff, and for one that could not be priced. */
  readonly charged?: ChargedSession | undefined
  /** ISO 4217: what a session without a tariff costs nothing in. */
  readonly currency: string
  readonly party: OcpiPartyId
  readonly token: CdrToken
  readonly authMethod: AuthMethod
  readonly authorizationReference?: string | undefined
  /** As partners know them. */
  readonly locationId: string
  readonly evseUid: string
  readonly connectorId: string
}

export interface Account {
  readonly measured: MeasuredSession
  readonly periods: [ChargingPeriod, ...ChargingPeriod[]]
  readonly kwh: number
  /** Of the whole session, and of what it was parked. */
  readonly hours: number
  readonly parkedHours: number
  /** Absent for a session that could not be priced. */
  readonly price?: SessionPrice
  /** Absent for a session without a tariff, and for one whose tariff OCPI cannot express; `notExpressible` is then why. */
  readonly tariff?: Tariff
  readonly notExpressible?: string
}

const nothing: SessionPrice = { total: { excl_vat: 0, incl_vat: 0 }, costs: {}, bounds: {} }

/** Of a tariff that bills idle time as time, and rounds both together. */
function sharedStepMs({ components }: TariffSnapshot): number | undefined {
  const time = components.find(({ type }) => type === 'time')
  if (time === undefined || time.price === 0 || components.some(({ type }) => type === 'idle')) return undefined
  return Math.max(1, Math.floor(time.step_size)) * 1_000
}

function isFree({ tariff_id, flags }: Session): boolean {
  return tariff_id === undefined && !flags.includes('tariff_unusable' satisfies SessionFlag)
}

export function accountOf({ session, material, snapshot, charged, party }: RoamingSession): Account {
  const facts = factsOfSession(session, material)
  const measured = measureSession(facts)
  const stepMs = snapshot === undefined ? undefined : sharedStepMs(snapshot)
  const stretches = stretchesOf(measured, facts.earlier?.until ?? measured.startedAt, stepMs)
  const parkedMs = lengthOfAll(stretches.filter(({ isParked }) => isParked))
  const periods = (tariffId?: string) => chargingPeriods(measured, facts.samples, stretches, tariffId)
  const account = {
    measured,
    kwh: kwhOf(measured),
    hours: hoursOf(measured.durationMs),
    parkedHours: hoursOf(parkedMs),
  }
  if (snapshot === undefined || charged === undefined)
    return { ...account, periods: periods(), ...(isFree(session) && { price: nothing }) }
  const price = priceOfSession(snapshot, measured, stretches, charged)
  const made = makeSessionTariff(party, snapshot, price.bounds, measured.startedAt)
  if (!made.ok) return { ...account, periods: periods(), price, notExpressible: made.reason }
  return { ...account, periods: periods(made.tariff.id), price, tariff: made.tariff }
}
