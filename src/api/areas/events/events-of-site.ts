// Which events are of a site: those that name it, and those about charge points that are in it.

import type { OutboxRow } from '../../../runtime/actor/outbox.js'
import type { siteFinder } from '../charge-points/site-of.js'

/** What an event says of where it happened. */
export interface EventPlace {
  /** The site that it names, null where it names none; undefined where it says nothing of sites. */
  readonly site: unknown
  readonly chargePointId: string
}

export function placeOfEvent({ subject, data: { site_id, charge_point_id } }: OutboxRow): EventPlace {
  return { site: site_id, chargePointId: typeof charge_point_id === 'string' ? charge_point_id : subject }
}

/** Sessions keep the site where they started, and their events name it, also where it is none. */
export function isOfSite(
  { site, chargePointId }: EventPlace,
  siteId: string | undefined,
  siteOf: ReturnType<typeof siteFinder>,
): boolean {
  if (siteId === undefined) return true
  return (site === undefined ? siteOf(chargePointId) : site) === siteId
}
