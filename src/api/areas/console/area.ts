// The areas of the console: what leads to a session, and what somebody who is signed in sees of themselves.

import { consoleSessionsTable } from '../../../records/console-session.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwned } from '../../pipeline/owned.js'
import { consoleEntrance, fromOwnPage } from '../../surfaces/console-entrance.js'
import { operator } from '../../surfaces/operator.js'

const place = { tag: 'Console', path: '/api/v1/console' } as const

export const entrance = defineArea(consoleEntrance, {
  ...place,
  about:
    'Sign in to the console, and see who is signed in. Programs need none of it: they send an API key with each request.',
  requires: [fromOwnPage],
})

export const area = defineArea(operator, { ...place, read: 'read:organisations', write: 'write:organisations' })

export const sessions = defineOwned({
  table: consoleSessionsTable,
  id: 'console_session_id',
  idPrefix: 'cse',
  called: 'session of the console',
})
