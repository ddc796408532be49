// The list of tariffs (OCPI 2.2.1, 11.2.1): those that OCPI can express, and that the partner sees.

import { type Tariff, tariffSchema } from '../../../ocpi/schemas/tariff.js'
import { tariffReader } from '../../../ocpi/tariff/read-tariff.js'
import { tariffsTable } from '../../../records/tariff.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { pageOf } from '../../pipeline/paging.js'
import { parseTimestamp } from '../../pipeline/timestamp.js'
import { ocpiPage } from '../../surfaces/ocpi-envelope.js'
import { ocpiPeriod } from '../../surfaces/ocpi-period.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'
import { area } from './area.js'

/** The oldest first. An organization has a bounded number of tariffs, and each is a few rows. */
function offered(view: ReadView, { partner, party }: OcpiPrincipal): readonly Tariff[] {
  const { organization_id, tariff_ids } = partner
  const read = tariffReader(view, party, organization_id)
  return view.listBy(tariffsTable, 'byOrganization', [organization_id]).flatMap((tariff) => {
    if (tariff_ids !== undefined && !tariff_ids.includes(tariff.tariff_id)) return []
    const made = read(tariff)
    return made.ok ? [made.tariff] : []
  })
}

const listTariffs = area.list('', {
  operationId: 'ocpiListTariffs',
  summary: 'List tariffs',
  description: 'The oldest come first. A tariff that OCPI cannot express is not offered.',
  filters: ocpiPeriod(),
  row: tariffSchema,
  ...ocpiPage,
  read({ principal, query }, services) {
    const { date_from, date_to } = query
    const from = (date_from === undefined ? undefined : parseTimestamp(date_from)) ?? Number.NEGATIVE_INFINITY
    const to = (date_to === undefined ? undefined : parseTimestamp(date_to)) ?? Number.POSITIVE_INFINITY
    const all = offered(services.view(), principal).filter(({ last_updated }) => {
      const at = Date.parse(last_updated)
      return at >= from && at < to
    })
    return { rows: pageOf(all, query), total: all.length }
  },
})

export const ocpiTariffRoutes = [listTariffs]
