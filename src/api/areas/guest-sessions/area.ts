// The area of guest sessions. A guest's token is the identifier of the session: it is stored as a hash, and shown to nobody else.

import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { guestSessionsTable } from '../../../records/guest-session.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { secret } from '../../pipeline/schemas.js'
import { operator } from '../../surfaces/operator.js'

export const area = defineArea(operator, {
  tag: 'Guest sessions',
  about: 'Charging without an account: authorize a payment, charge, pay, get a receipt.',
  path: '/api/v1/sessions/guest',
  read: 'read:sessions',
  write: 'write:sessions',
})

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export const guestSessions = defineOwned({
  table: guestSessionsTable,
  id: 'session_token',
  called: 'guest session',
  schema: Type.String({ ...secret, maxLength: 64 }),
  index: 'byToken',
  keyOf: (_, token) => [tokenHash(token)],
})
