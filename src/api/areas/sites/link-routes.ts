// Which charge points are in a site: linked and unlinked. The charge point's own record says it, so that it is in one site at most.

import { Type } from 'typebox'
import { chargePointsTable } from '../../../records/charge-point.js'
import { siteConfigurationsTable } from '../../../records/site-configuration.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { chargePointId, timestamp } from '../../pipeline/schemas.js'
import { announceSite } from '../charge-points/announce-site.js'
import { chargePoints } from '../charge-points/area.js'
import { changeChargePoint } from '../charge-points/change-charge-point.js'
import { area, sites } from './area.js'
import { alreadyLinked } from './errors.js'
import { limits } from './limits.js'
import { neverConnected, nobodyCanCharge, warningsSchema } from './power-warnings.js'
import { chargePointsOf } from './sites.js'

const params = { charge_point_id: chargePointId() }

const linkCharger = area.post('/{site_id}/chargers/{charge_point_id}/link', {
  operationId: 'linkCharger',
  summary: 'Link a charge point to a site',
  description:
    'From now on, the charge point takes part in the power management of the site, and its sessions are reported under the site. A session that ' +
    'runs keeps the site where it started. To move a charge point, unlink it from its site first. One that has never been connected takes part with all that it can draw; ' +
    '`warnings` says so.',
  of: sites,
  params,
  answer: Type.Object({
    site_id: Type.String(),
    charge_point_id: Type.String(),
    linked_at: timestamp(),
    warnings: warningsSchema,
  }),
  errors: [alreadyLinked],
  change({ row: site, principal, params }, draft, services) {
    const { site_id } = site
    const before = chargePoints.own(draft, principal, params.charge_point_id)
    const { charge_point_id } = before
    if (before.site_id !== undefined)
      throw alreadyLinked(
        before.site_id === site_id
          ? 'the charge point is linked to this site already'
          : `the charge point is linked to the site ${before.site_id}; unlink it there first`,
        { chargePointId: charge_point_id },
      )
    const tooMany = conflict(
      `a site has at most ${limits.chargePointsOfSite} charge points: unlink one before you link another`,
    )
    draft.requireRoom(chargePointsTable, chargePointsOf(site), limits.chargePointsOfSite, tooMany)
    const { updated_at } = changeChargePoint(draft, before, { site_id }, services)
    announceSite(draft, site_id)
    const stored = draft.view.get(siteConfigurationsTable, [site_id])
    const { index, group } = chargePointsOf(site)
    const others = draft.view
      .listBy(chargePointsTable, index, group)
      .filter((one) => one.charge_point_id !== charge_point_id)
    const warnings =
      stored === undefined
        ? []
        : [...neverConnected(before, draft.view), ...nobodyCanCharge(site, stored, [...others, before], draft.view)]
    return { site_id, charge_point_id, linked_at: updated_at, warnings }
  },
})

const unlinkCharger = area.delete('/{site_id}/chargers/{charge_point_id}', {
  operationId: 'unlinkCharger',
  summary: 'Unlink a charge point from a site',
  description: 'The charge point charges without the limits of the site from then on, also the sessions that run.',
  of: sites,
  params,
  answer: null,
  change({ row: { site_id }, principal, params }, draft, services) {
    const before = chargePoints.own(draft, principal, params.charge_point_id)
    if (before.site_id !== site_id)
      throw notFound('the charge point is not linked to this site', { chargePointId: before.charge_point_id })
    changeChargePoint(draft, before, { site_id: undefined }, services)
    announceSite(draft, site_id)
    return undefined
  },
})

export const linkRoutes = [linkCharger, unlinkCharger]
