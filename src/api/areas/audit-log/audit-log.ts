// The organization's audit log: every change that was made with its keys or to what is its own, newest first. Nothing here can be
// changed.

import { Type } from 'typebox'
import { type AuditEntry, auditTable } from '../../../records/audit-entry.js'
import { timeOfId } from '../../../runtime/ids.js'
import { defineList } from '../../pipeline/list-route.js'
import { idsBetween, readPageByFields, timeQuery } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'

const entrySchema = named('AuditEntry', {
  id: Type.String(),
  occurred_at: timestamp(),
  key_id: nullable(
    Type.String({ description: 'null, as all that tells of a caller, for a key of another organization' }),
  ),
  key_name: nullable(Type.String({ description: 'as it was then' })),
  user_id: nullable(Type.String({ description: 'the member that the key was bound to' })),
  action: Type.String({ description: "the operation's id in this reference" }),
  method: Type.String(),
  path: Type.String({ description: 'parameters that are secrets are redacted' }),
  resources: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'ids from the path and from the answer',
  }),
  request_id: nullable(Type.String()),
  remote_address: nullable(Type.String({ description: "the peer's: behind a proxy, that of the proxy" })),
  status: Type.Integer(),
  error: nullable(Type.String({ description: 'the code of an attempt that did not succeed' })),
  request_body: Type.Unknown({
    description: 'without secrets, and without what is too large; null where there is none',
  }),
})

function entryView({ organization_id, id, ...entry }: AuditEntry) {
  const occurred_at = formatTimestamp(timeOfId(id))
  return {
    id,
    occurred_at,
    ...entry,
    key_id: entry.key_id ?? null,
    key_name: entry.key_name ?? null,
    user_id: entry.user_id ?? null,
    request_id: entry.request_id ?? null,
    remote_address: entry.remote_address ?? null,
    error: entry.error ?? null,
    request_body: entry.request_body ?? null,
  }
}

const indexes = { key_id: 'byKey', user_id: 'byUser', action: 'byAction' } as const

const listAuditEntries = defineList({
  surface: operator,
  path: '/api/v1/org/audit-log',
  operationId: 'listAuditEntries',
  summary: 'List the changes made with API keys, newest first',
  description:
    'Every request that changed something, and every command that was sent, whether or not it was accepted; also what keys of ' +
    'other organizations changed of this one: its members, site owners, plan and integration requests. Requests that were refused before anything happened, repeats under an Idempotency-Key, and reads are not in it.',
  tags: ['Audit log'],
  scopes: ['read:organisations'],
  filters: {
    key_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    action: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    ...timeQuery,
  },
  row: entrySchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const view = services.view()
    const { organization_id } = principal.organization
    const between = idsBetween('aud', query)
    const options = { view, table: auditTable, organizationId: organization_id, indexes, wanted: query, query, between }
    const { rows, total } = await readPageByFields(options)
    return { rows: rows.map(entryView), total }
  },
})

export const auditLogRoutes = [listAuditEntries]
