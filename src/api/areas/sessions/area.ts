// The area of charging sessions, and of transaction messages that match none. Sessions are written by the actors of their charge points.

import { sessionsTable, unmatchedTransactionsTable } from '../../../records/session.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Sessions',
  about: 'Charging sessions: running, ended, and those that a charge point never ended.',
  path: '/api/v1/sessions',
  read: 'read:sessions',
  write: 'write:sessions',
})

export const sessions = defineOwned({ table: sessionsTable, id: 'session_id', called: 'session' })

export const unmatchedTransactions = defineOwned({
  table: unmatchedTransactionsTable,
  id: 'unmatched_id',
  called: 'unmatched transaction',
})
