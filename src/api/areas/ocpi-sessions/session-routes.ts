// The list of sessions (OCPI 2.2.1, 9.2.1), and charging preferences, which no charge point of OCPP 1.6 takes.

import { Type } from 'typebox'
import { chargingPreferencesSchema, sessionSchema } from '../../../ocpi/schemas/session.js'
import { makeSession } from '../../../ocpi/session/make-session.js'
import { changeOfSession, readRoamingSession } from '../../../ocpi/session/read-session.js'
import { type Session, sessionsTable } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { readLongPage } from '../../pipeline/paging.js'
import { noData, ocpiPage } from '../../surfaces/ocpi-envelope.js'
import { preferencesNotSupported } from '../../surfaces/ocpi-errors.js'
import { ocpiBetween, ocpiPeriod } from '../../surfaces/ocpi-period.js'
import { area } from './area.js'

function shown(view: ReadView, session: Session, now: number): object[] {
  const roaming = readRoamingSession(view, session, now)
  return roaming === undefined ? [] : [makeSession(roaming, changeOfSession(view, session, now))]
}

const listSessions = area.list('', {
  operationId: 'ocpiListSessions',
  summary: 'List the sessions of your drivers',
  description:
    'The oldest come first. With `date_from` or `date_to`, those that changed last come last; a session that is running changes all the time.',
  filters: ocpiPeriod(),
  row: sessionSchema,
  ...ocpiPage,
  async read({ principal: { partner }, query }, services) {
    const view = services.view()
    const now = services.clock.now()
    const between = ocpiBetween(query)
    const { rows, total } = await readLongPage({
      view,
      begin: services.longReads.of(partner.organization_id),
      table: sessionsTable,
      list: { index: between === undefined ? 'ofPartner' : 'ofPartnerByChange', group: [partner.partner_id] },
      between,
      query,
    })
    return { rows: rows.flatMap((session) => shown(view, session, now)), total }
  },
})

/** No EVSE here is capable of them (2.2.1, 9.2.2): HTTP 404 with 2001. */
const setPreferences = area.route({
  method: 'PUT',
  path: '/{session_id}/charging_preferences',
  operationId: 'ocpiSetChargingPreferences',
  summary: 'Set the charging preferences of a driver',
  description: 'No charge point takes them: the answer is HTTP 404 with status code 2001.',
  params: { session_id: Type.String({ maxLength: 36 }) },
  body: chargingPreferencesSchema,
  responses: { 200: noData },
  errors: [preferencesNotSupported],
  handle() {
    throw preferencesNotSupported('the EVSE does not take charging preferences')
  },
})

export const ocpiSessionRoutes = [listSessions, setPreferences]
