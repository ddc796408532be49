// The list of CDRs (OCPI 2.2.1, 10.2.1). Partners get them by POST as well; the list is for whoever has missed one.

import { Type } from 'typebox'
import { cdrSchema } from '../../../ocpi/schemas/cdr.js'
import { ocpiCdrsTable } from '../../../records/ocpi-cdr.js'
import { keyOfParty } from '../../../records/ocpi-party.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { readBehind, readLongPage } from '../../pipeline/paging.js'
import { nextPage, ocpiPage } from '../../surfaces/ocpi-envelope.js'
import { ocpiBetween, ocpiPeriod } from '../../surfaces/ocpi-period.js'
import { area } from './area.js'

/** Where a CDR stands in the order of the list, behind its time. */
type CdrPlace = readonly [at: number, sessionId: string, number: number]

const linked = Type.Optional(
  Type.String({
    ...patternOf('^[0-9]{1,16}\\.[A-Za-z0-9_-]{1,64}\\.[0-9]{1,6}$', 'as it was in the link'),
    examples: ['1795427536373.ses_01JD5M3X8Q2V7K9T4N6P0R1S2W.0'],
    description: 'Is in the link to a next page, which then begins behind the last CDR of this one.',
  }),
)

function readPlace(text: string): CdrPlace {
  const [at = '', sessionId = '', number = ''] = text.split('.')
  return [Number(at), sessionId, Number(number)]
}

const listCdrs = area.list('', {
  operationId: 'ocpiListCdrs',
  summary: 'List the charge detail records of your drivers',
  description:
    'The oldest come first. `date_from` and `date_to` bound the end of the session. A charge point that was offline reports a session late: its CDR is then posted late, with an end that lies back.',
  filters: { ...ocpiPeriod('the end of the session'), after: linked },
  row: cdrSchema,
  ...ocpiPage,
  async read({ principal: { partner, sender }, query: { after: link, offset, limit, ...period } }, services) {
    const { partner_id } = partner
    const between = ocpiBetween(period)
    const order = between === undefined ? 'byCreation' : 'byEnd'
    const list =
      sender === undefined
        ? { index: order, group: [partner_id] }
        : { index: `${order}OfParty`, group: [partner_id, keyOfParty(sender)] }
    const place = link === undefined ? undefined : readPlace(link)
    const begin = services.longReads.of(partner.organization_id)
    const base = { view: services.view(), begin, table: ocpiCdrsTable, list, between }
    // One more is read, which says whether there is a next page.
    const { rows, total } =
      place === undefined
        ? await readLongPage({ ...base, query: { offset, limit: limit + 1 } })
        : await readBehind(base, [place[0], partner_id, place[1], place[2]], limit + 1)
    const last = rows[limit - 1]
    const next = rows.length > limit ? last : undefined
    const at = between === undefined ? next?.created_at : next?.ended_at
    return {
      rows: rows.slice(0, limit).map(({ cdr }) => cdr),
      total,
      [nextPage]: next === undefined ? undefined : `${at}.${next.session_id}.${next.number}`,
    }
  },
})

export const ocpiCdrRoutes = [listCdrs]
