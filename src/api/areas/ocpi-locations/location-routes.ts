// Locations, EVSEs and connectors (OCPI 2.2.1, 8.2.1), as the actor of the organization's locations has stored them.

import { type Static, Type } from 'typebox'
import { isSameId } from '../../../ocpi/ids.js'
import {
  connectorSchema,
  type Evse,
  evseSchema,
  type Location,
  locationSchema,
} from '../../../ocpi/schemas/location.js'
import { findLocationObject, ocpiLocationObjectsTable } from '../../../records/ocpi-location.js'
import { sees } from '../../../records/ocpi-partner.js'
import { notFound } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { parseTimestamp } from '../../pipeline/timestamp.js'
import { nextPage, ocpiPage } from '../../surfaces/ocpi-envelope.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'
import { area } from './area.js'
import { readLocationPage, readPlace } from './pages.js'

const dates = {
  date_from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only locations that have changed at this time or later.' }),
  ),
  date_to: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only locations that have last changed before.' }),
  ),
}

const linked = Type.Optional(
  Type.String({
    ...patternOf('^[0-9]{1,15}\\.[\\x20-\\x7e]{1,36}$', 'as it was in the link'),
    examples: ['1795427536373.CP-0001'],
    description: 'Is in the link to a next page, which then begins behind the last location of this one.',
  }),
)

const timeOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseTimestamp(text))

const listLocations = area.list('', {
  operationId: 'ocpiListLocations',
  summary: 'List locations',
  description:
    'The oldest first. A location that is no longer published is listed for 30 days more, with `publish` false and EVSEs with the status REMOVED.',
  filters: { ...dates, after: linked },
  row: locationSchema,
  ...ocpiPage,
  async read({ principal: { partner }, query }, services) {
    const view = services.view()
    const begin = services.longReads.of(partner.organization_id)
    const [from, to] = [timeOf(query.date_from), timeOf(query.date_to)]
    const place = query.after === undefined ? undefined : readPlace(query.after)
    const { rows, total, after } = await readLocationPage({ view, begin, partner, from, to, query, place })
    const objects = rows.map(({ organization_id, location_id }) =>
      view.get(ocpiLocationObjectsTable, [organization_id, location_id]),
    )
    const page = { rows: objects.filter((row) => row !== undefined).map(({ object }) => object), total }
    return { ...page, [nextPage]: after }
  },
})

const id = () => Type.String({ minLength: 1, maxLength: 36 })
const params = { location_id: id() }
const evseParams = { ...params, evse_uid: id() }
const connectorParams = { ...evseParams, connector_id: id() }

function seenLocation(view: ReadView, { partner }: OcpiPrincipal, { location_id }: { location_id: string }): Location {
  const row = findLocationObject(view, partner.organization_id, location_id)
  if (row === undefined || !sees(partner.location_ids, row.location_id)) throw notFound('there is no such location')
  return row.object as Location
}

function findEvse(view: ReadView, principal: OcpiPrincipal, given: { location_id: string; evse_uid: string }): Evse {
  const evse = seenLocation(view, principal, given).evses?.find(({ uid }) => isSameId(uid, given.evse_uid))
  if (evse === undefined) throw notFound('the location has no such EVSE')
  return evse
}

const getLocation = area.get('/{location_id}', {
  operationId: 'ocpiGetLocation',
  summary: 'Get a location',
  params,
  answer: locationSchema,
  read: ({ principal, params }, services): Static<typeof locationSchema> =>
    seenLocation(services.view(), principal, params),
})

const getEvse = area.get('/{location_id}/{evse_uid}', {
  operationId: 'ocpiGetEvse',
  summary: 'Get an EVSE of a location',
  params: evseParams,
  answer: evseSchema,
  read: ({ principal, params }, services): Evse => findEvse(services.view(), principal, params),
})

const getConnector = area.get('/{location_id}/{evse_uid}/{connector_id}', {
  operationId: 'ocpiGetConnector',
  summary: 'Get a connector of an EVSE',
  params: connectorParams,
  answer: connectorSchema,
  read({ principal, params }, services): Static<typeof connectorSchema> {
    const { connectors } = findEvse(services.view(), principal, params)
    const connector = connectors.find(({ id }) => isSameId(id, params.connector_id))
    if (connector === undefined) throw notFound('the EVSE has no such connector')
    return connector
  },
})

export const locationRoutes = [listLocations, getLocation, getEvse, getConnector]
