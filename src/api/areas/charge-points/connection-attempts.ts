// Refused attempts to connect: why a charge point does not come online, and what to do about it.

import { Type } from 'typebox'
import { connectionAttemptsTable } from '../../../records/connection-attempt.js'
import { type List, readLongPage } from '../../pipeline/paging.js'
import { named, timestamp } from '../../pipeline/schemas.js'
import { area } from './area.js'

const attemptSchema = named('ConnectionAttempt', {
  attempt_id: Type.String(),
  charge_point_id: Type.String(),
  remote_address: Type.String(),
  reason: Type.String(),
  advice: Type.String(),
  http_status: Type.Integer(),
  attempted_at: timestamp(),
  times: Type.Integer({
    minimum: 1,
    description:
      'How many attempts this is: where more come than are stored one by one, those of the same id, address and reason are one, and this is the time of the last.',
  }),
})

const listConnectionAttempts = area.list('/cpo/connection-attempts', {
  operationId: 'listConnectionAttempts',
  summary: 'List the refused connection attempts of the last 24 hours, the newest first',
  filters: {
    // Any text: a misspelt id is what people look for here.
    charge_point_id: Type.Optional(
      Type.String({ maxLength: 200, description: 'Returns only attempts with this id in their path.' }),
    ),
  },
  row: attemptSchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const list: List =
      query.charge_point_id === undefined
        ? { index: 'byOrganization', group: [organization_id] }
        : { index: 'byChargePoint', group: [organization_id, query.charge_point_id] }
    const view = services.view()
    const begin = services.longReads.of(organization_id)
    const options = { view, begin, table: connectionAttemptsTable, list, query, newestFirst: true }
    const { rows, total } = await readLongPage(options)
    const data = rows.map(({ organization_id: _, times = 1, ...shown }) => ({ ...shown, times }))
    return { rows: data, total }
  },
})

export const connectionAttemptRoutes = [listConnectionAttempts]
