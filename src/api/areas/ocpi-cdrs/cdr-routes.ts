// The list of CDRs (OCPI 2.2.1, 10.2.1). Partners get them by POST as well; the list is for whoever has missed one.

import { cdrSchema } from '../../../ocpi/schemas/cdr.js'
import { ocpiCdrsTable } from '../../../records/ocpi-cdr.js'
import { readLongPage } from '../../pipeline/paging.js'
import { ocpiPage } from '../../surfaces/ocpi-envelope.js'
import { ocpiBetween, ocpiPeriod } from '../../surfaces/ocpi-period.js'
import { area } from './area.js'

const listCdrs = area.list('', {
  operationId: 'ocpiListCdrs',
  summary: 'List the charge detail records of your drivers',
  description:
    'The oldest come first. `date_from` and `date_to` bound the end of the session. A charge point that was offline reports a session late: its CDR is then posted late, with an end that lies back.',
  filters: ocpiPeriod('the end of the session'),
  row: cdrSchema,
  ...ocpiPage,
  async read({ principal: { partner }, query }, services) {
    const { rows, total } = await readLongPage({
      view: services.view(),
      begin: services.longReads.of(partner.organization_id),
      table: ocpiCdrsTable,
      list: { index: ocpiBetween(query) === undefined ? 'byCreation' : 'byEnd', group: [partner.partner_id] },
      between: ocpiBetween(query),
      query,
    })
    return { rows: rows.map(({ cdr }) => cdr), total }
  },
})

export const ocpiCdrRoutes = [listCdrs]
