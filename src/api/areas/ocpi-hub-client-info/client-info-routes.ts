// Parties of a hub, as the hub pushes them (OCPI 2.2.1, 15.3.1). They cannot be deleted: one that is gone is SUSPENDED.

import { Type } from 'typebox'
import { partyReachedWakeUp } from '../../../actors/ocpi-partner/messages.js'
import { readDateTime } from '../../../ocpi/date-time.js'
import { isSameParty } from '../../../ocpi/headers.js'
import { type ClientInfo, clientInfoSchema } from '../../../ocpi/schemas/hub-client-info.js'
import {
  type OcpiConnectionStatus,
  type OcpiHubParty,
  ocpiHubPartiesTable,
  ocpiHubPartyKey,
} from '../../../records/ocpi-hub-party.js'
import type { OcpiCredentialsRole } from '../../../records/ocpi-partner.js'
import { wakeUpsTable } from '../../../runtime/actor/wake-ups.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { putRow } from '../../pipeline/changes.js'
import { openDraft } from '../../pipeline/draft.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { noData } from '../../surfaces/ocpi-envelope.js'
import { area } from './area.js'
import { limits } from './limits.js'

const params = {
  country_code: Type.String({ minLength: 2, maxLength: 2 }),
  party_id: Type.String({ minLength: 1, maxLength: 3 }),
}

function clientInfoOf({ country_code, party_id, role, status, last_updated }: OcpiHubParty): ClientInfo {
  return { country_code, party_id, role, status, last_updated }
}

const getClientInfo = area.get('/{country_code}/{party_id}', {
  operationId: 'ocpiGetClientInfo',
  summary: 'Get what you have sent of one of your parties',
  params,
  answer: clientInfoSchema,
  read({ principal: { partner }, params }, services) {
    const row = services.view().get(ocpiHubPartiesTable, ocpiHubPartyKey(partner.partner_id, params))
    if (row === undefined) throw notFound('you have not sent anything of this party')
    return clientInfoOf(row)
  },
})

const putClientInfo = area.route({
  method: 'PUT',
  path: '/{country_code}/{party_id}',
  operationId: 'ocpiPutClientInfo',
  summary: 'Send whether one of your parties can be reached',
  description:
    'HTTP 201 for a party that was not known, and 200 for one that was. While the status is not CONNECTED, nothing is sent to the party; what has changed meanwhile is sent once it is CONNECTED again. An object whose `last_updated` is older than that of the stored one changes nothing; the answer is 200 then, too.',
  params,
  body: clientInfoSchema,
  responses: { 200: noData, 201: noData },
  errors: [conflict],
  examples: {
    offline: {
      country_code: 'NL',
      party_id: 'EMP',
      role: 'EMSP',
      status: 'OFFLINE',
      last_updated: '2026-01-20T10:00:00Z',
    },
  },
  handle({ principal: { partner }, params, body }, services) {
    if (!isSameParty(params, body)) throw invalid([{ path: '/party_id', message: 'is not the party of the address' }])
    const { partner_id } = partner
    const now = services.clock.now()
    const draft = openDraft(services.view(), now)
    const before = draft.get(ocpiHubPartiesTable, ocpiHubPartyKey(partner_id, params))
    if (before === undefined) {
      const full = conflict(`a hub has at most ${limits.ocpiHubParties} parties`)
      draft.requireRoom(ocpiHubPartiesTable, { index: 'byPartner', group: [partner_id] }, limits.ocpiHubParties, full)
    }
    if (before === undefined || timeOf(body) >= timeOf(before)) {
      const row = draft.put(ocpiHubPartiesTable, {
        partner_id,
        country_code: body.country_code.toUpperCase(),
        party_id: body.party_id.toUpperCase(),
        role: body.role as OcpiCredentialsRole['role'],
        status: body.status as OcpiConnectionStatus,
        last_updated: body.last_updated,
        heard_at: now,
      })
      const isBack = before !== undefined && before.status !== 'CONNECTED' && row.status === 'CONNECTED'
      if (isBack) draft.add({ changes: [putRow(wakeUpsTable, partyReachedWakeUp(row, services.clock))] })
    }
    return { status: before === undefined ? 201 : 200, body: null, ...draft.close() }
  },
})

function timeOf({ last_updated }: Pick<ClientInfo, 'last_updated'>): number {
  return readDateTime(last_updated) ?? 0
}

export const hubClientInfoRoutes = [getClientInfo, putClientInfo]
