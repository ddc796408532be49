// Reads the tariffs of an organization for its partners.

import { type BillingRule, billingRulesTable } from '../../records/billing-rule.js'
import type { OcpiPartyId } from '../../records/ocpi-party.js'
import { defaultTimeZone, organizationsTable } from '../../records/organization.js'
import type { Tariff } from '../../records/tariff.js'
import { tariffRatesTable, tariffSchedulesTable } from '../../records/tariff-rates.js'
import type { ReadView } from '../../runtime/store/store.js'
import { type MadeTariff, makeTariff } from './make-tariff.js'

function activeRules(view: ReadView, organizationId: string): readonly BillingRule[] {
  return view.listBy(billingRulesTable, 'byActive', [organizationId, 1])
}

export function readTariff(view: ReadView, party: OcpiPartyId, tariff: Tariff): MadeTariff {
  return tariffReader(view, party, tariff.organization_id)(tariff)
}

/** For several tariffs of an organization: what they have in common is read once. */
export function tariffReader(
  view: ReadView,
  party: OcpiPartyId,
  organizationId: string,
): (tariff: Tariff) => MadeTariff {
  const rules = activeRules(view, organizationId)
  const timeZone = view.get(organizationsTable, [organizationId])?.time_zone ?? defaultTimeZone
  return (tariff) => {
    const key = [tariff.tariff_id]
    const [rates, schedule] = [view.get(tariffRatesTable, key), view.get(tariffSchedulesTable, key)]
    return makeTariff({ party, tariff, rates, schedule, rules, timeZone })
  }
}

/** A mark of each tariff: another one whenever partners may be offered another tariff. Cheaper than the tariff itself. */
export function tariffMarker(view: ReadView, organizationId: string): (tariff: Tariff) => string {
  const rules = activeRules(view, organizationId).map((rule) => `, ${rule.rule_id} ${rule.version}`)
  const ofAll = rules.join('')
  return ({ tariff_id, version }) => {
    const parts = [tariffRatesTable, tariffSchedulesTable].map((table) =>
      view.get(table as typeof tariffRatesTable, [tariff_id]),
    )
    return `${[version, ...parts.map((part) => part?.version ?? 0)].join(' ')}${ofAll}`
  }
}
