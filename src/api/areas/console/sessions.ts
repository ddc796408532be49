// Who is signed in: one's own sessions, and to whoever may change the organization, all of it.

import { Type } from 'typebox'
import { scopes } from '../../../records/api-key.js'
import {
  type ConsoleSession,
  callerOf,
  consoleSessionsTable,
  endOfSession,
  isWithinLife,
  signInMethods,
} from '../../../records/console-session.js'
import { AmpshardError, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { forbidden } from '../../pipeline/errors.js'
import { readPage } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { actorName } from '../../surfaces/actor-name.js'
import { principalOfSession } from '../../surfaces/operator-credential.js'
import { grants, type Principal, principalId } from '../../surfaces/principal.js'
import { area, sessions } from './area.js'

const sessionSchema = named('ConsoleSession', {
  id: Type.String(),
  status: Type.Enum(['open', 'ended'], {
    description:
      '`ended` if it is over before its time: its member has left or has another role, or its key has been rotated or revoked.',
  }),
  is_own: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  method: Type.Enum([...signInMethods]),
  key_id: nullable(Type.String({ description: 'The key that it acts as.' })),
  user_id: nullable(Type.String({ description: 'The member for whom it acts, or to whom its key is bound.' })),
  name: Type.String({ description: 'The name of the member or of the key; the id where it has none any more.' }),
  remote_address: Type.String({ description: 'Where the sign-in came from.' }),
  agent: nullable(Type.String({ description: 'What the browser calls itself.' })),
  created_at: timestamp(),
  last_seen_at: timestamp('Exact to the minute.'),
  ends_at: timestamp('Unless requests keep it alive until its longest life is over.'),
})

/** Whoever may change the organization sees and ends the sessions of everybody in it. */
const seesAll = ({ scopes: granted }: Principal): boolean => grants(granted, 'write:organisations')

function isOpen(row: ConsoleSession, view: ReadView, now: number): boolean {
  if (!isWithinLife(row, now)) return false
  try {
    principalOfSession(row, view, now)
    return true
  } catch (error) {
    if (error instanceof AmpshardError) return false
    throw error
  }
}

function sessionView(row: ConsoleSession, { session }: Principal, view: ReadView, now: number) {
  return {
    id: row.console_session_id,
    status: isOpen(row, view, now) ? ('open' as const) : ('ended' as const),
    is_own: row.console_session_id === session?.console_session_id,
    method: row.method,
    key_id: row.key?.key_id ?? null,
    user_id: row.member?.user_id ?? null,
    name: actorName(view, row.organization_id, row.member?.user_id ?? row.key?.key_id ?? ''),
    remote_address: row.remote_address,
    agent: row.agent ?? null,
    created_at: formatTimestamp(row.made_at),
    last_seen_at: row.seen_at,
    ends_at: formatTimestamp(endOfSession(row)),
  }
}

const listSessions = area.list('/sessions', {
  operationId: 'listConsoleSessions',
  summary: 'List sessions of the console, newest first',
  description:
    'Your own sessions, or with `of=organization` those of everybody, which takes the scope `write:organisations`. A session stays in the list for ' +
    'seven days after its sign-in, unless somebody has ended it.',
  scopes,
  filters: {
    of: Type.Enum(['caller', 'organization'], {
      default: 'caller',
      description: 'Whose sessions: your own, or those of everybody.',
    }),
  },
  row: sessionSchema,
  perPage: 50,
  maximum: 200,
  errors: [forbidden],
  read({ principal, query }, { view, clock }) {
    const { organization_id } = principal.organization
    const isOfAll = query.of === 'organization'
    if (isOfAll && !seesAll(principal))
      throw forbidden('the sessions of others are for those with the scope write:organisations', {
        requiredScope: 'write:organisations',
      })
    const list = isOfAll
      ? { index: 'byOrganization', group: [organization_id] }
      : { index: 'byCaller', group: [organization_id, principalId(principal)] }
    const [read, now] = [view(), clock.now()]
    const { rows, total } = readPage({ view: read, table: consoleSessionsTable, list, query, newestFirst: true })
    return { rows: rows.map((row) => sessionView(row, principal, read, now)), total }
  },
})

const endSession = area.delete('/sessions/{console_session_id}', {
  operationId: 'endConsoleSession',
  summary: 'End a session of the console at once',
  description:
    'One of your own, or with the scope `write:organisations` that of anybody in the organization. Its open streams end within seconds.',
  scopes,
  params: sessions.params.properties,
  answer: null,
  change({ principal, params }, draft) {
    const row = sessions.own(draft.view, principal, params.console_session_id)
    if (callerOf(row) !== principalId(principal) && !seesAll(principal)) throw notFound(noSuchSession)
    draft.clear(consoleSessionsTable, [row.console_session_id])
    return undefined
  },
})

const noSuchSession = 'there is no such session of the console'

export const sessionRoutes = [listSessions, endSession]
