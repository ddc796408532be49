// Charging sessions: their list, and single ones.

import { area, sessions } from './area.js'
import { readSessions, sessionFilters, sessionListDescription } from './session-lists.js'
import { liveSessionView, sessionSchema, sessionView } from './sessions.js'

const listSessions = area.list('', {
  operationId: 'listSessions',
  summary: 'List charging sessions, newest first',
  description: `${sessionListDescription} If you give several filters, a session must match all of them.`,
  filters: sessionFilters,
  name: 'sessions',
  row: sessionSchema,
  perPage: 20,
  maximum: 200,
  async read({ principal, query }, services) {
    const view = services.view()
    const { rows, total } = await readSessions(
      { view, longReads: services.longReads },
      principal.organization.organization_id,
      query,
    )
    const now = services.clock.now()
    return { rows: rows.map((row) => sessionView(view, row, now)), total }
  },
})

const getSession = area.get('/{session_id}', {
  operationId: 'getSession',
  summary: 'Get a charging session',
  of: sessions,
  answer: sessionSchema,
  read: ({ row }, services) => liveSessionView(services.view(), row, services.clock.now()),
})

export const sessionRoutes = [listSessions, getSession]
