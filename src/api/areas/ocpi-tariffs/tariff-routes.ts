// The list of tariffs (OCPI 2.2.1, 11.2.1): those that OCPI can express, and that the partner sees.

import { Type } from 'typebox'
import { type Tariff, tariffSchema } from '../../../ocpi/schemas/tariff.js'
import { tariffReader } from '../../../ocpi/tariff/read-tariff.js'
import { sees } from '../../../records/ocpi-partner.js'
import { tariffsTable } from '../../../records/tariff.js'
import { patternOf } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { nextPage, ocpiPage } from '../../surfaces/ocpi-envelope.js'
import { ocpiPeriod, ocpiTimes } from '../../surfaces/ocpi-period.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'
import { area } from './area.js'

/** The oldest first. An organization has a bounded number of tariffs, and each is a few rows. */
function offered(view: ReadView, { partner, party }: OcpiPrincipal, now: number): readonly Tariff[] {
  const { organization_id, tariff_ids } = partner
  const read = tariffReader(view, party, organization_id, now)
  return view.listBy(tariffsTable, 'byOrganization', [organization_id]).flatMap((tariff) => {
    if (!sees(tariff_ids, tariff.tariff_id)) return []
    const made = read(tariff)
    return made.ok ? [made.tariff] : []
  })
}

const linked = Type.Optional(
  Type.String({
    ...patternOf('^[A-Za-z0-9_-]{1,36}$', 'as it was in the link'),
    examples: ['trf_01JD5M3X8Q2V7K9T4N6P0R1S2W'],
    description: 'Is in the link to a next page, which then begins behind the last tariff of this one.',
  }),
)

const listTariffs = area.list('', {
  operationId: 'ocpiListTariffs',
  summary: 'List tariffs',
  description:
    'The oldest come first. A tariff that OCPI cannot express is not offered. One whose prices follow a schedule has the prices of a session that starts now, and is another at each switch.',
  filters: { ...ocpiPeriod(), after: linked },
  row: tariffSchema,
  ...ocpiPage,
  read({ principal, query }, services) {
    const { after: link, offset, limit } = query
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = ocpiTimes(query)
    const all = offered(services.view(), principal, services.clock.now()).filter(({ last_updated }) => {
      const at = Date.parse(last_updated)
      return at >= from && at < to
    })
    // A tariff that is deleted meanwhile shifts no page.
    const begun = link === undefined ? all.slice(offset) : all.filter(({ id }) => id > link)
    const rows = begun.slice(0, limit)
    return { rows, total: all.length, [nextPage]: begun.length > limit ? rows.at(-1)?.id : undefined }
  },
})

export const ocpiTariffRoutes = [listTariffs]
