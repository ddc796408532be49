// Reads the tariffs of an organization for its partners.

import { type BillingRule, billingRulesTable } from '../../records/billing-rule.js'
import type { OcpiPartyId } from '../../records/ocpi-party.js'
import { defaultTimeZone, organizationsTable } from '../../records/organization.js'
import type { Tariff } from '../../records/tariff.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../records/tariff-rates.js'
import type { ReadView } from '../../runtime/store/store.js'
import { bandAt, type MadeTariff, makeTariff } from './make-tariff.js'

function activeRules(view: ReadView, organizationId: string): readonly BillingRule[] {
  return view.listBy(billingRulesTable, 'byActive', [organizationId, 1])
}

/** Of the schedule of its tariffs. */
function timeZoneOf(view: ReadView, organizationId: string): string {
  return view.get(organizationsTable, [organizationId])?.time_zone ?? defaultTimeZone
}

/** `now`: wall ms. */
export function readTariff(view: ReadView, party: OcpiPartyId, tariff: Tariff, now: number): MadeTariff {
  return tariffReader(view, party, tariff.organization_id, now)(tariff)
}

/** For several tariffs of an organization: what they have in common is read once. */
export function tariffReader(
  view: ReadView,
  party: OcpiPartyId,
  organizationId: string,
  now: number,
): (tariff: Tariff) => MadeTariff {
  const rules = activeRules(view, organizationId)
  const timeZone = timeZoneOf(view, organizationId)
  return (tariff) => {
    const key = [tariff.tariff_id]
    const [rates, schedule] = [view.get(tariffRatesTable, key), view.get(tariffSchedulesTable, key)]
    return makeTariff({ party, tariff, rates, schedule, rules, timeZone }, now)
  }
}

/** A mark of each tariff: another one whenever partners may be offered another tariff. Cheaper than the tariff itself. */
export function tariffMarker(view: ReadView, organizationId: string, now: number): (tariff: Tariff) => string {
  const rules = activeRules(view, organizationId).map((rule) => `, ${rule.rule_id} ${rule.version}`)
  const ofAll = rules.join('')
  const timeZone = timeZoneOf(view, organizationId)
  return (tariff) => {
    const key = [tariff.tariff_id]
    const [rates, schedule] = [view.get(tariffRatesTable, key), view.get(tariffSchedulesTable, key)]
    const { band } = bandAt({ tariff, rates, schedule, timeZone }, now)
    const versions = [tariff.version, rates?.version ?? 0, schedule?.version ?? 0].join(' ')
    return `${versions}${band === null ? '' : ` ${band}`}${ofAll}`
  }
}
