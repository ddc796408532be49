// The four routes of credentials (OCPI 2.2.1, 7.2). A registration reads the partner's versions with the token that it brought before it is answered, and
// leaves everything as it was where that fails.

import { type OcpiPartnerMessage, ocpiPartnerAddress } from '../../../actors/ocpi-partner/messages.js'
import {
  credentialsSchema,
  type ReceivedCredentials,
  receivedCredentialsSchema,
} from '../../../ocpi/schemas/credentials.js'
import { type OcpiPartner, ocpiPartnersTable } from '../../../records/ocpi-partner.js'
import { conflict, notFound, overloaded } from '../../../runtime/errors.js'
import type { Draft } from '../../pipeline/draft.js'
import { methodNotAllowed } from '../../pipeline/errors.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { noData } from '../../surfaces/ocpi-envelope.js'
import { noCommonVersion, noMatchingEndpoints, partnerUnusable } from '../../surfaces/ocpi-errors.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'
import { area } from './area.js'
import {
  calledWith,
  connectedTo,
  newCredentialsToken,
  ownCredentials,
  pullTokens,
  requireOwnParties,
  requireRoles,
  withNewToken,
} from './credentials.js'
import { type Discovered, discover } from './partner-calls.js'

const example = {
  token: '9e80a9c4-28be-11e9-b210-d663bd873d93',
  url: 'https://emsp.example.com/ocpi/versions',
  roles: [{ role: 'EMSP', party_id: 'EMP', country_code: 'NL', business_details: { name: 'Example Mobility' } }],
}

/** The partner as the commit finds it: held, so that of two handshakes at a time one begins again. */
function heldPartner(draft: Draft, { partner }: OcpiPrincipal): OcpiPartner {
  return draft.get(ocpiPartnersTable, [partner.partner_id]) ?? notThere()
}

function notThere(): never {
  throw notFound('the connection has ended')
}

const errors = [partnerUnusable, noCommonVersion, noMatchingEndpoints, methodNotAllowed, conflict, overloaded]

const discoveries = new WeakMap<ReceivedCredentials, Promise<Discovered>>()

/** Of one request, the partner is read once, however often the commit is decided anew. */
function discoveredFor(services: Services, partner: OcpiPartner, body: ReceivedCredentials): Promise<Discovered> {
  const { partner_id, token_encoding: encoding } = partner
  const access = { partner_id, token: { plain: body.token }, encoding }
  const discovered = discoveries.get(body) ?? discover(services, access, body.url)
  discoveries.set(body, discovered)
  return discovered
}

/** Reads what the partner offers, and gives it a new token. */
async function handshake(
  draft: Draft,
  services: Services,
  { principal, body }: { readonly principal: OcpiPrincipal; readonly body: ReceivedCredentials },
  changes: Partial<OcpiPartner>,
) {
  const partner = heldPartner(draft, principal)
  const roles = requireRoles(body)
  requireOwnParties(draft, partner, roles)
  const discovered = await discoveredFor(services, partner, body)
  const now = services.clock.now()
  const token = newCredentialsToken(services)
  draft.put(ocpiPartnersTable, {
    ...partner,
    ...connectedTo(services, partner.partner_id, body, discovered),
    roles,
    inbound_tokens: withNewToken({ inbound_tokens: calledWith(partner, principal.token) }, token, now),
    updated_at: formatTimestamp(now),
    ...changes,
  })
  // It is told what there is from now on.
  draft.tell({ to: ocpiPartnerAddress(partner.partner_id), message: { type: 'changed' } satisfies OcpiPartnerMessage })
  pullTokens(draft, partner.partner_id, services)
  return ownCredentials(principal.party, token, services.config)
}

const getCredentials = area.get('', {
  operationId: 'ocpiGetCredentials',
  summary: 'Get the credentials by which you call the service',
  answer: credentialsSchema,
  read: ({ principal: { party, token } }, { config }) => ownCredentials(party, token, config),
})

const register = area.post('', {
  operationId: 'ocpiRegister',
  summary: 'Register with your credentials',
  description:
    'Send it with the registration token (token A). Before it answers, the service reads your versions and the modules of 2.2.1 with the `token` of the body. The token of the answer is the one to call with from then on; the registration token is not valid any more. If you have registered already, the answer is HTTP 405.',
  body: receivedCredentialsSchema,
  answer: credentialsSchema,
  secret: true,
  errors,
  examples: { emsp: example },
  async change({ principal, body }, draft, services) {
    const isRegistration = principal.stage === 'registration'
    if (!isRegistration) throw methodNotAllowed('you have registered already: send new credentials with PUT')
    const registered_at = formatTimestamp(services.clock.now())
    return handshake(
      draft,
      services,
      { principal, body },
      { registered_at, registered_in: services.presence.incarnation },
    )
  },
})

const replaceCredentials = area.put('', {
  operationId: 'ocpiReplaceCredentials',
  summary: 'Replace your credentials, and get a new token',
  description:
    'The service reads your versions and modules again. The token of the answer takes the place of the one that you have called with, which remains valid for 60 seconds, and until you have used the new one. Before you have registered, the answer is HTTP 405.',
  body: receivedCredentialsSchema,
  answer: credentialsSchema,
  secret: true,
  errors,
  examples: { emsp: example },
  async change({ principal, body }, draft, services) {
    requireRegistered(principal)
    return handshake(draft, services, { principal, body }, {})
  },
})

const deleteCredentials = area.delete('', {
  operationId: 'ocpiDeleteCredentials',
  summary: 'End the connection',
  description: 'The tokens of both sides are invalid from then on. Before you have registered, the answer is HTTP 405.',
  answer: noData,
  errors: [methodNotAllowed],
  change({ principal }, draft, services) {
    requireRegistered(principal)
    const { connection: _, registration_token: __, registered_in: ___, ...partner } = heldPartner(draft, principal)
    const updated_at = formatTimestamp(services.clock.now())
    draft.put(ocpiPartnersTable, { ...partner, status: 'ended', inbound_tokens: [], updated_at })
    draft.tell({
      to: ocpiPartnerAddress(partner.partner_id),
      message: { type: 'changed' } satisfies OcpiPartnerMessage,
    })
    return null
  },
})

function requireRegistered({ stage }: OcpiPrincipal): void {
  if (stage === 'registration') throw methodNotAllowed('you have not registered yet: send your credentials with POST')
}

export const ocpiCredentialsRoutes = [getCredentials, register, replaceCredentials, deleteCredentials]
