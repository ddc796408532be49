// Roaming partners: invited, listed, changed and removed.

import { Type } from 'typebox'
import { partnerDeletedWakeUp } from '../../../actors/ocpi-partner/messages.js'
import { partnerChangedWakeUp } from '../../../actors/ocpi-tokens/messages.js'
import { ocpiPartnersTable } from '../../../records/ocpi-partner.js'
import { wakeUpsTable } from '../../../runtime/actor/wake-ups.js'
import { conflict } from '../../../runtime/errors.js'
import { putRow } from '../../pipeline/changes.js'
import { readRoutes } from '../../pipeline/record-routes.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { hashOf } from '../../surfaces/ocpi-token.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import { newCredentialsToken } from '../ocpi-credentials/credentials.js'
import { versionsUrl } from '../ocpi-versions/addresses.js'
import { area, partners } from './area.js'
import { endConnection } from './end-connection.js'
import { decidedOf, partnerBody, partnerSchema, partnerView, requireRoom, settleParty } from './partners.js'

const routes = readRoutes(area, partners, { path: '/partners', schema: partnerSchema, show: partnerView })

const invitation = Type.Object({
  ...partnerSchema.properties,
  token: Type.String({
    description:
      'The registration token (token A), for the partner. It is shown in this answer alone, and is valid until the partner has registered.',
  }),
  own_versions_url: Type.String({ description: 'The address of your versions, for the partner.' }),
})

const createPartner = area.post('/partners', {
  operationId: 'createRoamingPartner',
  requires: [recentSignIn],
  summary: 'Invite a roaming partner',
  description:
    'An organization that has not set its party yet gets one, with the country and the name of the organization. Hand the `token` and `own_versions_url` of the answer over to the partner, who registers with them. To register at a partner who has handed over a token and an address, call POST /api/v1/ocpi/partners/{partner_id}/register after this.',
  body: partnerBody,
  bodyOptional: true,
  answer: invitation,
  status: 201,
  secret: true,
  errors: [conflict],
  examples: { emsp: { name: 'Example Mobility' } },
  change({ principal: { organization }, body }, draft, services) {
    const { organization_id } = organization
    settleParty(draft, organization, services)
    requireRoom(draft, organization_id)
    const token = newCredentialsToken(services)
    const now = formatTimestamp(services.clock.now())
    const row = draft.put(ocpiPartnersTable, {
      partner_id: services.newId('ptn'),
      organization_id,
      status: 'invited',
      ...decidedOf(body),
      registration_token: hashOf(token),
      inbound_tokens: [],
      roles: [],
      created_at: now,
      updated_at: now,
    })
    return { ...partnerView(row), token, own_versions_url: versionsUrl(services.config) }
  },
})

const listPartners = routes.list({ operationId: 'listRoamingPartners', summary: 'List roaming partners' })

const getPartner = routes.get({ operationId: 'getRoamingPartner', summary: 'Get a roaming partner' })

const updatePartner = area.put('/partners/{partner_id}', {
  operationId: 'updateRoamingPartner',
  summary: 'Update a roaming partner',
  description:
    'Replaces the name and what the partner sees and may do; what you leave out has its default. The registration of the partner stays as it is.',
  of: partners,
  body: partnerBody,
  answer: partnerSchema,
  examples: { confined: { name: 'Example Mobility', location_ids: ['SITE-1'], commands: false } },
  change({ row, body }, draft, services) {
    const updated_at = formatTimestamp(services.clock.now())
    return partnerView(draft.put(ocpiPartnersTable, { ...row, ...decidedOf(body, row), updated_at }))
  },
})

const inviteAgain = area.post('/partners/{partner_id}/token', {
  operationId: 'inviteRoamingPartnerAgain',
  requires: [recentSignIn],
  summary: 'Create another registration token for a roaming partner',
  description:
    'The registration token before it is not valid any more. A partner that is registered needs none: it is refused with 409.',
  of: partners,
  answer: invitation,
  secret: true,
  change({ row }, draft, services) {
    if (row.status === 'registered')
      throw conflict('the partner is registered: end the connection first, or rotate the credentials')
    const token = newCredentialsToken(services)
    const updated_at = formatTimestamp(services.clock.now())
    const { registered_in: _, ...partner } = row
    const invited = draft.put(ocpiPartnersTable, {
      ...partner,
      status: 'invited',
      registration_token: hashOf(token),
      updated_at,
    })
    return { ...partnerView(invited), token, own_versions_url: versionsUrl(services.config) }
  },
})

const deletePartner = area.route({
  method: 'DELETE',
  path: '/partners/{partner_id}',
  operationId: 'deleteRoamingPartner',
  summary: 'Delete a roaming partner',
  description:
    'Ends the connection: the partner is told with DELETE of its credentials, and the tokens of both sides are invalid, whatever it answers. Its sessions and CDRs stay; charges that are running go on. What else was kept for it goes: the tokens of its drivers, what was to be sent to it, and the log of exchanges.',
  of: partners,
  responses: { 204: null },
  errors: [conflict],
  async handle({ row }, services) {
    await endConnection(services, row)
    const { partner_id } = row
    const { clock } = services
    return {
      status: 204,
      changes: [
        { type: 'remove', table: ocpiPartnersTable.name, key: [partner_id] },
        // The tokens of its drivers go, and what was to be sent to it.
        putRow(wakeUpsTable, partnerChangedWakeUp(partner_id, clock)),
        putRow(wakeUpsTable, partnerDeletedWakeUp(partner_id, clock)),
      ],
    }
  },
})

export const partnerRoutes = [createPartner, listPartners, getPartner, updatePartner, inviteAgain, deletePartner]
