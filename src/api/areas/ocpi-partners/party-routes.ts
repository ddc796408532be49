// The party of an organization: as whom it appears to roaming partners.

import { type Static, Type } from 'typebox'
import { ocpiPartnersTable } from '../../../records/ocpi-partner.js'
import { type OcpiParty, ocpiPartiesTable } from '../../../records/ocpi-party.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { filledLine, patternOf } from '../../../runtime/fault-words.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { announceEveryPlace } from '../charge-points/announce-place.js'
import { area } from './area.js'

const webAddress = (description: string) => Type.String({ format: 'uri', maxLength: 255, description })

const logo = Type.Object({
  url: webAddress('Where the picture is.'),
  category: Type.Enum(['CHARGER', 'ENTRANCE', 'LOCATION', 'NETWORK', 'OPERATOR', 'OTHER', 'OWNER']),
  type: Type.String({
    ...patternOf('^[A-Za-z0-9]{1,4}$', 'up to 4 letters and digits'),
    description: 'Such as svg, png or jpeg.',
  }),
})

const fields = {
  country_code: Type.String({
    ...patternOf('^[A-Za-z]{2}$', 'two letters'),
    description: 'The country code of the party id (ISO 3166-1 alpha-2).',
  }),
  party_id: Type.String({
    ...patternOf('^[A-Za-z0-9]{3}$', 'three letters or digits'),
    description:
      'The party id that the issuing office of the country has given to the operator (ISO 15118), such as AMP.',
  }),
}

const publishWords = 'Whether partners see a site or a charge point whose roaming details do not say whether they do.'

const body = Type.Object({
  country_code: fields.country_code,
  party_id: fields.party_id,
  business_details: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 100, ...filledLine, description: 'The name of the operator.' }),
      website: Type.Optional(nullable(webAddress('The website of the operator.'))),
      logo: Type.Optional(nullable(logo)),
    },
    { description: 'What partners show of the operator.' },
  ),
  publish_by_default: Type.Optional(Type.Boolean({ description: `${publishWords} true unless given.` })),
})

const partySchema = named('RoamingParty', {
  country_code: Type.String(),
  party_id: Type.String(),
  business_details: Type.Object({
    name: Type.String(),
    website: nullable(Type.String()),
    logo: nullable(logo),
  }),
  publish_by_default: Type.Boolean({ description: publishWords }),
  created_at: timestamp(),
  updated_at: timestamp(),
})

function partyView({ country_code, party_id, business_details: { name, website, logo }, ...row }: OcpiParty) {
  const shown = logo === undefined ? null : { url: logo.url, category: logo.category, type: logo.type }
  const { created_at, updated_at } = row
  const business_details = { name, website: website ?? null, logo: shown }
  const publish_by_default = row.publish_by_default ?? true
  return { country_code, party_id, business_details, publish_by_default, created_at, updated_at }
}

function detailsOf({ name, website, logo }: Static<typeof body>['business_details']) {
  return { name, ...(website && { website }), ...(logo && { logo }) }
}

const getParty = area.get('/party', {
  operationId: 'getRoamingParty',
  summary: 'Get the party as which your organization appears to roaming partners',
  answer: partySchema,
  errors: [notFound],
  read({ principal: { organization } }, services) {
    const party = services.view().get(ocpiPartiesTable, [organization.organization_id])
    if (party === undefined) throw notFound('the organization has no party yet: set it with PUT /api/v1/ocpi/party')
    return partyView(party)
  },
})

const putParty = area.put('/party', {
  operationId: 'setRoamingParty',
  summary: 'Set the party as which your organization appears to roaming partners',
  description:
    'The country code and the party id begin the ids of your EVSEs, and stand in every location, session and CDR that partners have. They cannot be changed while a partner is registered.',
  body,
  answer: partySchema,
  errors: [conflict],
  examples: {
    operator: {
      country_code: 'NL',
      party_id: 'AMP',
      business_details: { name: 'Ampshard Charging', website: 'https://charging.example.com' },
    },
  },
  change({ principal: { organization }, body: { business_details, publish_by_default, ...given } }, draft, services) {
    const { organization_id } = organization
    const country_code = given.country_code.toUpperCase()
    const party_id = given.party_id.toUpperCase()
    const before = draft.get(ocpiPartiesTable, [organization_id])
    const isNew = before?.country_code !== country_code || before.party_id !== party_id
    if (isNew) {
      const taken = conflict(`another organization of this installation is ${country_code}*${party_id} already`)
      draft.requireNone(ocpiPartiesTable, { index: 'byParty', group: [country_code, party_id] }, taken)
      const inUse = conflict('a partner is registered with the present party: delete its registration first')
      draft.requireNone(ocpiPartnersTable, { index: 'registered', group: [organization_id] }, inUse)
    }
    const now = formatTimestamp(services.clock.now())
    const row = draft.put(ocpiPartiesTable, {
      organization_id,
      country_code,
      party_id,
      business_details: detailsOf(business_details),
      publish_by_default,
      created_at: before?.created_at ?? now,
      updated_at: now,
    })
    announceEveryPlace(draft, organization_id, `party-${row.version}`, services)
    return partyView(row)
  },
})

export const partyRoutes = [getParty, putParty]
