// The surface of roaming partners: OCPI 2.2.1, whose envelope, status codes, pages and headers are unlike those of the API of operators.

import { withoutNulls } from '../../ocpi/validators.js'
import { type OcpiPartner, ocpiPartnersTable, speaksFor } from '../../records/ocpi-partner.js'
import { notFound, validationError } from '../../runtime/errors.js'
import { putRow, unchanged } from '../pipeline/changes.js'
import type { RequestHead } from '../pipeline/message.js'
import { defineSurface, type Requirement } from '../pipeline/surface.js'
import { ocpiEnvelope, ocpiPages } from './ocpi-envelope.js'
import { noteExchange } from './ocpi-exchanges.js'
import { partyIn, sentBy } from './ocpi-sender.js'
import { hashOf, type OcpiPrincipal, ocpiToken, registeredPartner } from './ocpi-token.js'

const guide = `## Roaming partners

E-mobility service providers and hubs call the operations under \`/ocpi\`, which follow OCPI 2.2.1. Send the credentials token with each request, as
\`Authorization: Token <the token in base64>\`. An organization creates the registration token (token A) of a partner with \`POST /api/v1/ocpi/partners\`.
The partner reads \`GET /ocpi/versions\` with it, and registers with \`POST /ocpi/cpo/2.2.1/credentials\`.

Every answer has the envelope of OCPI: \`data\`, \`status_code\`, \`status_message\` and \`timestamp\`. A field that is null is one that is left out, except in a PATCH. A request that is understood is answered with HTTP 200
or 201, also where its \`status_code\` says what is wrong with it: 2001 for a field or parameter, for example. Other HTTP statuses are 400 (the body is not
JSON), 401, 404, 405, 413, 415, 429 and 503. A hub names the party for which it calls in \`OCPI-from-country-code\` and \`OCPI-from-party-id\`: the other parties'
drivers, sessions and CDRs are unknown to that request. Lists take \`offset\` and \`limit\`; their answers have \`X-Total-Count\`, \`X-Limit\` and, except on the last page, \`Link\`.`

/** For what, and by whom: `OCPI-to-*` and `OCPI-from-*` of a request are those of its answer the other way round (OCPI 2.2.1, 4.1.5). */
const turned = [
  ['ocpi-to-party-id', 'OCPI-from-party-id'],
  ['ocpi-to-country-code', 'OCPI-from-country-code'],
  ['ocpi-from-party-id', 'OCPI-to-party-id'],
  ['ocpi-from-country-code', 'OCPI-to-country-code'],
] as const

const headerText = /^[\x21-\x7e]{1,128}$/
/** Modules that have nothing to do with parties (4.1.9). */
const configuration = /^\/ocpi\/(versions|cpo\/[^/]+\/(credentials|hubclientinfo))(\/|$)/

/** Ids come back as they are, and whoever has sent none is given one to name the exchange by. */
function answerHeaders({ headers, path }: RequestHead, ownId: string): Record<string, string> {
  const textOf = (name: string): string | undefined => {
    const value = headers[name]
    return value !== undefined && headerText.test(value) ? value : undefined
  }
  const requestId = textOf('x-request-id') ?? ownId
  const answered: Record<string, string> = {
    'X-Request-ID': requestId,
    'X-Correlation-ID': textOf('x-correlation-id') ?? requestId,
  }
  if (configuration.test(path)) return answered
  for (const [from, name] of turned) {
    const value = textOf(from)
    if (value !== undefined) answered[name] = value
  }
  return answered
}

export const ocpi = defineSurface<OcpiPrincipal>({
  root: '/ocpi/',
  guide,
  callers: {
    credential: ocpiToken,
    sentBy,
    nameOf: ({ partner }) => `ocpi_partner:${partner.partner_id}`,
    idOf: ({ partner }) => partner.partner_id,
    grants: () => false,
    audited: ({ partner, organization }) => ({
      organizationId: organization.organization_id,
      actor: { key_id: partner.partner_id, key_name: partner.name },
    }),
    answered: noteExchange,
    usedOf: ({ token }) => hashOf(token),
    noteUse: ({ partner, token, stage }) => (stage === 'partner' ? firstUse(partner, token) : undefined),
  },
  shedFrom: { list: 2, command: 3, never: Number.POSITIVE_INFINITY },
  // In a PATCH, null removes a field.
  readBody: (body, method) => (method === 'PATCH' ? body : withoutNulls(body)),
  envelope: ocpiEnvelope,
  pages: ocpiPages,
  headers: answerHeaders,
})

/** Who calls with the newest token has it: those before it, and the registration token, are needed no longer. */
function firstUse(partner: OcpiPartner, token: string) {
  const [newest, ...others] = partner.inbound_tokens
  if (newest === undefined || newest.used === true || newest.sha256 !== hashOf(token)) return undefined
  const { registration_token: _, registered_in: __, ...row } = partner
  const used = { ...row, version: partner.version + 1, inbound_tokens: [{ ...newest, used: true }, ...others] }
  return {
    change: putRow(ocpiPartnersTable, used),
    condition: unchanged(ocpiPartnersTable, [partner.partner_id], partner),
  }
}

const same = (one: string, other: string): boolean => one.toUpperCase() === other.toUpperCase()

const addressed: Requirement<OcpiPrincipal> = {
  error: notFound,
  message: 'OCPI-to-country-code and OCPI-to-party-id name a party that is not here',
  isMet({ party }, _view, _configuration, { request }) {
    const to = partyIn(request, 'to')
    return to === undefined || (same(to.party_id, party.party_id) && same(to.country_code, party.country_code))
  },
}

const sentByItself: Requirement<OcpiPrincipal> = {
  error: validationError,
  message: 'OCPI-from-country-code and OCPI-from-party-id name a party that is not among the roles of your credentials',
  isMet({ partner }, _view, _configuration, { request }) {
    const from = partyIn(request, 'from')
    return from === undefined || speaksFor(partner, from)
  },
}

/** Of every area of a functional module: who calls is a partner, and routing headers fit. */
export const fromPartner: readonly Requirement<OcpiPrincipal>[] = [registeredPartner, addressed, sentByItself]
