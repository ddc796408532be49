// The parties of a roaming partner that is a hub, as the hub has sent them.

import { Type } from 'typebox'
import { ocpiConnectionStatuses, ocpiHubPartiesTable } from '../../../records/ocpi-hub-party.js'
import { ocpiRoles } from '../../../records/ocpi-partner.js'
import { readPage } from '../../pipeline/paging.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area, partners } from './area.js'

const hubPartySchema = named('HubParty', {
  country_code: Type.String(),
  party_id: Type.String(),
  role: Type.Enum([...ocpiRoles]),
  status: Type.Enum([...ocpiConnectionStatuses], {
    description:
      'As the hub has sent it. While it is not `CONNECTED`, nothing is sent to the party: what has changed of the sessions of its drivers is sent once it is, and CDRs are kept until then.',
  }),
  last_updated: Type.String({ format: 'date-time', description: 'When this has changed at the hub.' }),
  received_at: timestamp('When the hub has sent it last.'),
})

const listHubParties = area.list('/partners/{partner_id}/parties', {
  operationId: 'listHubParties',
  summary: 'List the parties of a hub',
  description:
    'What a roaming partner with the role HUB has sent of the parties that it connects, with the module `hubclientinfo` of OCPI 2.2.1, in the order of their codes. Empty for any other partner. A party that the hub has not sent counts as connected.',
  of: partners,
  row: hubPartySchema,
  perPage: 25,
  maximum: 100,
  read({ row: { partner_id }, query }, services) {
    const list = { index: 'byPartner', group: [partner_id] }
    const { rows, total } = readPage({ view: services.view(), table: ocpiHubPartiesTable, list, query })
    return {
      rows: rows.map(({ country_code, party_id, role, status, last_updated, heard_at }) => ({
        country_code,
        party_id,
        role,
        status,
        last_updated,
        received_at: formatTimestamp(heard_at),
      })),
      total,
    }
  },
})

export const hubPartyRoutes = [listHubParties]
