// The standing limits of a site, in amperes per phase, from what each of its charge points is counted with.

import { floorAmperes, nominalVolts } from '../../power/electricity.js'
import { type Load, loadOn, sumOf, times } from '../../power/load.js'
import { type StandingCandidate, standingHolders } from '../../power/standing-limits.js'
import type { SiteConfiguration } from '../../records/site-configuration.js'
import { fixedOf } from './counted.js'
import { chargerLines, fullAmperes } from './facts.js'
import type { Place } from './place.js'
import type { ChargerState } from './state.js'

/** By charge point. `capacity`: the least that the site may ever draw. */
export function standingAmperes(
  places: readonly Place[],
  { min_power_kw, priority_order }: Pick<SiteConfiguration, 'min_power_kw' | 'priority_order'>,
  capacity: Load,
): ReadonlyMap<string, number> {
  const own = new Map<ChargerState, Place[]>()
  for (const place of places) {
    const others = own.get(place.charger)
    if (others === undefined) own.set(place.charger, [place])
    else others.push(place)
  }
  const holders = standingHolders(
    [...own].map(([charger, its]) => candidateOf(charger, its, min_power_kw)),
    priority_order,
    capacity,
  )
  return new Map(
    [...own.keys()].map((charger) => {
      const id = charger.row.charge_point_id
      return [id, holders.has(id) ? amperesOf(charger, min_power_kw) : 0]
    }),
  )
}

function amperesOf({ facts }: ChargerState, minPowerKw: number): number {
  return Math.min(fullAmperes(facts), floorAmperes(minPowerKw, facts.phases))
}

function candidateOf(charger: ChargerState, own: readonly Place[], minPowerKw: number): StandingCandidate {
  const { row, facts } = charger
  return {
    id: row.charge_point_id,
    floor: times(standingLoad(charger, amperesOf(charger, minPowerKw)), facts.connectors),
    fixed: sumOf(own.map(({ connectorId, planned, isSharer }) => fixedOf(charger, connectorId, planned, isSharer))),
    isUnlimited: row.standing_form === 'none' || row.standing.amperes === undefined,
  }
}

/** At one connector. */
export function standingLoad({ facts }: ChargerState, amperes: number): Load {
  return loadOn(chargerLines(facts), amperes)
}

export function standingWatts({ facts }: ChargerState, amperes: number): number {
  return amperes * nominalVolts * facts.phases
}
