// Which places roaming partners see, and the details of a site or a charge point that they are told.

import { type TProperties, Type } from 'typebox'
import { isWanted } from '../../../ocpi/location/missing.js'
import { detailsOf, type Place, placeOf } from '../../../ocpi/location/read-place.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import { type OcpiPlace, ocpiPlaceKinds, ocpiPlacesTable } from '../../../records/ocpi-place.js'
import { sitesTable } from '../../../records/site.js'
import type { Draft } from '../../pipeline/draft.js'
import { showingOf } from '../../pipeline/record-routes.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { announcePlace } from '../charge-points/announce-place.js'
import { chargePoints } from '../charge-points/area.js'
import { sites } from '../sites/area.js'
import { area } from './area.js'
import {
  chargePointDetailsBody,
  chargePointDetailsFields,
  chargePointDetailsView,
  detailsFaults,
  siteDetailsBody,
  siteDetailsFields,
  siteDetailsView,
  storedDetails,
} from './details.js'
import { previewField, previewOf, standingFields, standingOf } from './standing.js'

const answerOf = <Fields extends TProperties>(name: string, fields: Fields) =>
  named(name, { ...standingFields, ...fields, ...previewField })

const siteDetails = answerOf('SiteRoamingDetails', siteDetailsFields)
const chargePointDetails = answerOf('ChargePointRoamingDetails', chargePointDetailsFields)

/** `place`: the location that it is, or is a part of. */
function answer(organizationId: string, place: Place, details: object, at: Parameters<typeof standingOf>[2]) {
  const standing = standingOf(organizationId, place, at)
  return { ...standing.shown, ...details, location: previewOf(organizationId, standing, at) }
}

type Body = Parameters<typeof detailsFaults>[0]

function store(draft: Draft, organizationId: string, { kind, id }: Place, body: Body, services: Services): OcpiPlace {
  const faults = detailsFaults(body)
  if (faults.length > 0) throw invalid(faults)
  draft.get(ocpiPlacesTable, [kind, id])
  return draft.put(ocpiPlacesTable, {
    kind,
    id,
    organization_id: organizationId,
    ...storedDetails(body),
    updated_at: formatTimestamp(services.clock.now()),
  })
}

const getSiteDetails = area.get('/sites/{site_id}/ocpi', {
  operationId: 'getSiteRoamingDetails',
  summary: 'Get what roaming partners are told of a site',
  description:
    'Also returns what is missing before the site can be published, and the location as partners see it, or would see it.',
  of: sites,
  answer: siteDetails,
  read({ row: { organization_id, site_id } }, services) {
    const [at, place] = [showingOf(services), { kind: 'site', id: site_id } as const]
    return answer(organization_id, place, siteDetailsView(detailsOf(at.view, organization_id, place)), at)
  },
})

const putSiteDetails = area.put('/sites/{site_id}/ocpi', {
  operationId: 'setSiteRoamingDetails',
  summary: 'Set what roaming partners are told of a site, and whether they see it',
  description:
    'Replaces all details: what you leave out is not said. The name, the address and the coordinates are those of the site. A site is seen with all of its ' +
    'charge points, except those whose own `publish` is false, once nothing is `missing`.',
  of: sites,
  body: siteDetailsBody,
  answer: siteDetails,
  examples: {
    carPark: {
      publish: true,
      city: 'Amsterdam',
      postal_code: '1012 AB',
      parking_type: 'PARKING_GARAGE',
      facilities: ['TRAIN_STATION'],
      opening_times: { twentyfourseven: true },
    },
  },
  change({ row: { organization_id, site_id }, body }, draft, services) {
    const place = { kind: 'site', id: site_id } as const
    const row = store(draft, organization_id, place, body, services)
    announcePlace(draft, organization_id, place, `details-${row.version}`, services)
    return answer(organization_id, place, siteDetailsView(row), { ...showingOf(services), changed: row })
  },
})

const getChargePointDetails = area.get('/chargepoints/{charge_point_id}/ocpi', {
  operationId: 'getChargePointRoamingDetails',
  summary: 'Get what roaming partners are told of a charge point',
  description:
    'A charge point that is in a site is a part of the location of the site; otherwise it is a location of its own. Also returns what is missing before that location ' +
    'can be published, and the location as partners see it, or would see it.',
  of: chargePoints,
  answer: chargePointDetails,
  read({ row }, services) {
    const { organization_id, charge_point_id } = row
    const at = showingOf(services)
    const details = detailsOf(at.view, organization_id, { kind: 'charge_point', id: charge_point_id })
    return answer(organization_id, placeOf(row), chargePointDetailsView(details), at)
  },
})

const putChargePointDetails = area.put('/chargepoints/{charge_point_id}/ocpi', {
  operationId: 'setChargePointRoamingDetails',
  summary: 'Set what roaming partners are told of a charge point, and whether they see it',
  description:
    'Replaces all details: what you leave out is not said, or has a default that follows from the charge point. Details of the place, such as the city, count for a charge point that is in no ' +
    'site.',
  of: chargePoints,
  body: chargePointDetailsBody,
  answer: chargePointDetails,
  examples: {
    street: { publish: true, city: 'Amsterdam', parking_type: 'ON_STREET' },
    cables: {
      publish: true,
      city: 'Amsterdam',
      connectors: [
        {
          connector_id: 1,
          standard: 'IEC_62196_T2_COMBO',
          format: 'CABLE',
          power_type: 'DC',
          max_voltage: 920,
          max_amperage: 400,
        },
        {
          connector_id: 2,
          standard: 'CHADEMO',
          format: 'CABLE',
          power_type: 'DC',
          max_voltage: 500,
          max_amperage: 125,
        },
      ],
    },
  },
  change({ row: chargePoint, body }, draft, services) {
    const { organization_id, charge_point_id } = chargePoint
    const row = store(draft, organization_id, { kind: 'charge_point', id: charge_point_id }, body, services)
    const place = placeOf(chargePoint)
    announcePlace(draft, organization_id, place, `details-${row.version}`, services)
    return answer(organization_id, place, chargePointDetailsView(row), { ...showingOf(services), changed: row })
  },
})

const listLocations = area.list('/ocpi/locations', {
  operationId: 'listRoamingLocations',
  summary: 'List your locations, and what is missing before roaming partners see them',
  description: 'First the sites, then the charge points that are in none, each in the order of their ids.',
  name: 'locations',
  row: named('RoamingLocation', {
    ...standingFields,
    kind: Type.Enum([...ocpiPlaceKinds]),
    site_id: nullable(Type.String()),
    charge_point_id: nullable(Type.String({ description: 'null for a site.' })),
    name: Type.String(),
    publish: Type.Boolean({ description: 'Whether roaming partners are to see it, once nothing is missing.' }),
    charge_point_count: Type.Integer({ minimum: 0, description: 'How many charge points partners see there.' }),
    last_updated: nullable(timestamp('When it last changed for partners. null if they have never seen it.')),
  }),
  perPage: 25,
  maximum: 100,
  read({ principal, query: { offset, limit } }, services) {
    const at = showingOf(services)
    const { view } = at
    const { organization_id } = principal.organization
    const group = [organization_id]
    const ofSites = view.total(sitesTable, 'byOrganization', group)
    const rest = limit - Math.max(0, Math.min(limit, ofSites - offset))
    const shownSites = view.listBy(sitesTable, 'byOrganization', group, { offset, limit })
    const others =
      rest === 0
        ? []
        : view.listBy(chargePointsTable, 'withoutSite', group, { offset: Math.max(0, offset - ofSites), limit: rest })
    const rows = [
      ...shownSites.map(({ site_id, name }) => ({ place: { kind: 'site', id: site_id } as const, name })),
      ...others.map(({ charge_point_id, name }) => ({
        place: { kind: 'charge_point', id: charge_point_id } as const,
        name,
      })),
    ].map(({ place, name }) => {
      const { facts, row, shown } = standingOf(organization_id, place, at)
      return {
        ...shown,
        kind: place.kind,
        site_id: place.kind === 'site' ? place.id : null,
        charge_point_id: place.kind === 'charge_point' ? place.id : null,
        name,
        publish: facts !== undefined && isWanted(facts),
        charge_point_count: facts?.chargePoints.length ?? 0,
        last_updated: row === undefined ? null : formatTimestamp(row.updated_at),
      }
    })
    return { rows, total: ofSites + view.total(chargePointsTable, 'withoutSite', group) }
  },
})

export const placeRoutes = [listLocations, getSiteDetails, putSiteDetails, getChargePointDetails, putChargePointDetails]
