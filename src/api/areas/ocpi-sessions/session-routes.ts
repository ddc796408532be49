// The list of sessions (OCPI 2.2.1, 9.2.1), and charging preferences, which no charge point of OCPP 1.6 takes.

import { Type } from 'typebox'
import { chargingPreferencesSchema, sessionSchema } from '../../../ocpi/schemas/session.js'
import { makeSession } from '../../../ocpi/session/make-session.js'
import { changeOfSession, readRoamingSession } from '../../../ocpi/session/read-session.js'
import type { Session } from '../../../records/session.js'
import { patternOf } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { nextPage, noData, ocpiPage } from '../../surfaces/ocpi-envelope.js'
import { preferencesNotSupported } from '../../surfaces/ocpi-errors.js'
import { ocpiPeriod, ocpiTimes } from '../../surfaces/ocpi-period.js'
import { area } from './area.js'
import { placePattern, readPlace, readSessionPage } from './pages.js'

function shown(view: ReadView, session: Session, now: number): object[] {
  const roaming = readRoamingSession(view, session, now)
  return roaming === undefined ? [] : [makeSession(roaming, changeOfSession(view, session, now))]
}

const linked = Type.Optional(
  Type.String({
    ...patternOf(placePattern, 'as it was in the link'),
    examples: ['1795427536373.ses_01JD5M3X8Q2V7K9T4N6P0R1S2W'],
    description: 'Is in the link to a next page, which then begins behind the last session of this one.',
  }),
)

const listSessions = area.list('', {
  operationId: 'ocpiListSessions',
  summary: 'List the sessions of your drivers',
  description:
    'The oldest come first. With `date_from` or `date_to`, those that changed last come last, and behind them those that are running: these change all the time.',
  filters: { ...ocpiPeriod(), after: linked },
  row: sessionSchema,
  ...ocpiPage,
  async read({ principal, query }, services) {
    const view = services.view()
    const now = services.clock.now()
    const { from, to } = ocpiTimes(query)
    const { rows, total, after } = await readSessionPage({
      view,
      begin: services.longReads.of(principal.partner.organization_id),
      caller: principal,
      from,
      // What is still to come does not end the list: a session that runs is changing now.
      to: to !== undefined && to > now ? undefined : to,
      query,
      place: query.after === undefined ? undefined : readPlace(query.after),
    })
    return { rows: rows.flatMap((session) => shown(view, session, now)), total, [nextPage]: after }
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
