// Registration at a partner, and new tokens for both sides (OCPI 2.2.1, 7.1.1). The token that the partner will call with is on disk before the partner
// has it, and the one that it has had stays good until it has called with the new one: a handshake that is cut short leaves both sides able to call.

import { Type } from 'typebox'
import { type OcpiPartnerMessage, ocpiPartnerAddress } from '../../../actors/ocpi-partner/messages.js'
import { type CallToken, callTokenOf } from '../../../ocpi/call-token.js'
import { type OcpiConnection, type OcpiPartner, ocpiPartnersTable } from '../../../records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../../records/ocpi-party.js'
import { conflict, overloaded } from '../../../runtime/errors.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import type { Fields } from '../../pipeline/draft.js'
import { secret } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { noCommonVersion, noMatchingEndpoints, partnerUnusable } from '../../surfaces/ocpi-errors.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import {
  connectedTo,
  newCredentialsToken,
  ownCredentials,
  pullTokens,
  requireOwnParties,
  requireRoles,
  withNewToken,
} from '../ocpi-credentials/credentials.js'
import {
  type Discovered,
  discover,
  exchangeCredentials,
  type PartnerAccess,
} from '../ocpi-credentials/partner-calls.js'
import { area, partners } from './area.js'
import { credentialsUrl } from './end-connection.js'
import { partnerSchema, partnerView } from './partners.js'

const errors = [partnerUnusable, noCommonVersion, noMatchingEndpoints, conflict, overloaded]

type Handshake = {
  readonly method: 'POST' | 'PUT'
  /** The partner's versions, and the token that it has given for them. */
  readonly versionsUrl: string
  readonly token: CallToken
  /** Throws where there is no such handshake now. */
  require(partner: OcpiPartner): void
}

/** After a restore without the key, it is not: then the partner cannot be called with what is stored. */
function isReadable({ sealer }: Services, connection: OcpiConnection | undefined): boolean {
  const { sealed_token } = connection ?? {}
  return sealed_token === undefined || sealer.canOpen(sealed_token)
}

/** The partner with a change of it on disk. */
function store(
  services: Services,
  partnerId: string,
  decide: (partner: OcpiPartner) => Partial<Fields<OcpiPartner>>,
): Promise<OcpiPartner> {
  return commitDraft(
    {
      attempts: 5,
      decide(draft) {
        const partner = draft.get(ocpiPartnersTable, [partnerId])
        if (partner === undefined) throw conflict('the partner has been deleted')
        const changed = decide(partner)
        if (changed.roles !== undefined) {
          requireOwnParties(draft, partner, changed.roles)
          pullTokens(draft, partnerId, services)
        }
        return draft.put(ocpiPartnersTable, {
          ...partner,
          ...changed,
          updated_at: formatTimestamp(services.clock.now()),
        })
      },
      otherwise: () => conflict('others changed the partner at the same time; try again', { retryAfterSeconds: 1 }),
    },
    services,
  )
}

async function handshake(services: Services, partner: OcpiPartner, { method, versionsUrl, token, require }: Handshake) {
  const { partner_id } = partner
  const party = services.view().get(ocpiPartiesTable, [partner.organization_id])
  if (party === undefined) throw conflict('the organization has no party yet: set it with PUT /api/v1/ocpi/party')
  const access: PartnerAccess = { partner_id, token, encoding: partner.token_encoding }
  const discovered: Discovered = await discover(services, access, versionsUrl)
  const url = credentialsUrl({ connection: { versions_url: versionsUrl, endpoints: discovered.endpoints } })
  const own = newCredentialsToken(services)
  await store(services, partner_id, (now) => {
    require(now)
    return { inbound_tokens: withNewToken(now, own, services.clock.now()) }
  })
  const theirs = await exchangeCredentials(
    services,
    { ...access, encoding: discovered.encoding },
    { method, url: url as string, body: ownCredentials(party, own, services.config) },
  )
  const roles = requireRoles(theirs)
  const registered = await store(services, partner_id, ({ registered_at }) => ({
    ...connectedTo(services, partner_id, theirs, discovered),
    registration_token: undefined,
    roles,
    registered_at: registered_at ?? formatTimestamp(services.clock.now()),
  }))
  // It is told what there is from now on.
  services.tell(ocpiPartnerAddress(partner_id), { type: 'changed' } satisfies OcpiPartnerMessage)
  return registered
}

const registerAtPartner = area.route({
  method: 'POST',
  path: '/partners/{partner_id}/register',
  operationId: 'registerAtRoamingPartner',
  requires: [recentSignIn],
  summary: 'Register at a roaming partner',
  description:
    'For a partner who has handed over a registration token and the address of its versions: the service reads them, and sends its credentials there. A failure leaves everything as it was.',
  of: partners,
  body: Type.Object({
    versions_url: Type.String({
      format: 'uri',
      maxLength: 255,
      description: 'The address of the versions of the partner.',
    }),
    token: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The registration token of the partner.',
      ...secret,
    }),
  }),
  responses: { 200: partnerSchema },
  errors,
  examples: {
    emsp: { versions_url: 'https://emsp.example.com/ocpi/versions', token: 'c0ffee-4dec-11ec-81d3-0242ac130003' },
  },
  async handle({ row, body: { versions_url, token } }, services) {
    const require = ({ status, connection }: OcpiPartner): void => {
      if (status === 'registered' && isReadable(services, connection))
        throw conflict('the partner is registered already: rotate the credentials, or delete the partner first')
    }
    require(row)
    const partner = await handshake(services, row, {
      method: 'POST',
      versionsUrl: versions_url,
      token: { plain: token },
      require,
    })
    return { status: 200, body: partnerView(partner) }
  },
})

const rotateCredentials = area.route({
  method: 'POST',
  path: '/partners/{partner_id}/rotate-credentials',
  operationId: 'rotateRoamingCredentials',
  summary: 'Exchange new tokens with a roaming partner',
  description:
    'Sends the partner a new token with PUT of the credentials, and takes the one that it answers with; it also reads the modules of the partner again. The token before it remains valid for 60 seconds, and until the partner has used the new one.',
  of: partners,
  responses: { 200: partnerSchema },
  errors,
  async handle({ row }, services) {
    const require = ({ status, connection }: OcpiPartner): void => {
      if (status !== 'registered' || connection === undefined) throw conflict('the partner is not registered')
      if (!isReadable(services, connection))
        throw conflict(
          'the token of the partner cannot be read, because the key that it was sealed with is missing: let the partner send its credentials again, or end the connection there and register anew',
        )
    }
    require(row)
    const { connection = { versions_url: '', endpoints: [] } } = row
    const { versions_url: versionsUrl } = connection
    const token = callTokenOf(connection)
    const partner = await handshake(services, row, { method: 'PUT', versionsUrl, token, require })
    return { status: 200, body: partnerView(partner) }
  },
})

export const registrationRoutes = [registerAtPartner, rotateCredentials]
