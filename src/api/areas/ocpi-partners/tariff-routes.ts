// Which tariffs partners are offered, and why the others are not.

import { Type } from 'typebox'
import { tariffReader } from '../../../ocpi/tariff/read-tariff.js'
import { ocpiPartiesTable } from '../../../records/ocpi-party.js'
import { tariffsTable } from '../../../records/tariff.js'
import { readPage } from '../../pipeline/paging.js'
import { named, nullable } from '../../pipeline/schemas.js'
import { area } from './area.js'

const listOffered = area.list('/tariffs', {
  operationId: 'listRoamingTariffs',
  summary: 'List your tariffs, and why roaming partners are not offered some of them',
  description:
    'A tariff is offered if the price that partners compute from it, by the rules of OCPI, is the price that you charge. Charges at another tariff are billed all the same: their CDRs say what they cost.',
  row: named('RoamingTariff', {
    tariff_id: Type.String(),
    name: Type.String(),
    offered: Type.Boolean({
      description: 'Whether partners are offered it, unless the partner is confined to others.',
    }),
    reason: nullable(Type.String({ description: 'Why it is not offered.' })),
  }),
  perPage: 25,
  maximum: 100,
  read({ principal: { organization }, query }, services) {
    const { organization_id } = organization
    const view = services.view()
    const unnamed = { country_code: 'NL', party_id: 'AMP' }
    const party = view.get(ocpiPartiesTable, [organization_id]) ?? unnamed
    const read = tariffReader(view, party, organization_id, services.clock.now())
    const list = { index: 'byOrganization', group: [organization_id] }
    const { rows, total } = readPage({ view, table: tariffsTable, list, query, newestFirst: true })
    const shown = rows.map((tariff) => {
      const made = read(tariff)
      const { tariff_id, name } = tariff
      return { tariff_id, name, offered: made.ok, reason: made.ok ? null : made.reason }
    })
    return { rows: shown, total }
  },
})

export const offeredTariffRoutes = [listOffered]
