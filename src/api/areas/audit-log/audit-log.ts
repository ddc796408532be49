// The organization's audit log: every change that was made with its keys or to what is its own, newest first. Nothing here can be
// changed.

import { Type } from 'typebox'
import { type AuditEntry, auditTable, timeOfEntry } from '../../../records/audit-entry.js'
import { readPageByFields, timeQuery, timesBetween } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area } from './area.js'

const entrySchema = named('AuditEntry', {
  id: Type.String(),
  occurred_at: timestamp(),
  key_id: nullable(
    Type.String({
      description:
        'null if the key belongs to another organization, like every other field that identifies the caller, and if no key was used.',
    }),
  ),
  key_name: nullable(Type.String({ description: 'The name of the key at that time.' })),
  user_id: nullable(Type.String({ description: 'The member to whom the key was bound.' })),
  installer_id: nullable(Type.String({ description: 'The installer who did it, with an access token.' })),
  action: Type.String({
    description:
      'The `operationId` in this reference, `recoverKey` for the command `ampshard recover-key`, or `removeUnclaimedChargePoint` where the service itself has removed one.',
  }),
  method: Type.String(),
  path: Type.String({ description: 'Secret parameters are redacted.' }),
  resources: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'Ids from the path and from the answer.',
  }),
  request_id: nullable(Type.String()),
  remote_address: nullable(
    Type.String({
      description:
        'The address of the client; behind a proxy that `--trusted-proxies` does not name, that of the proxy.',
    }),
  ),
  status: Type.Integer(),
  error: nullable(Type.String({ description: 'The error code of an attempt that did not succeed.' })),
  request_body: Type.Unknown({
    description: 'Without secrets, and without parts that are too large. null if there was no body.',
  }),
})

function entryView({ organization_id, id, at, ...entry }: AuditEntry) {
  const occurred_at = formatTimestamp(timeOfEntry({ at, id }))
  return {
    id,
    occurred_at,
    ...entry,
    key_id: entry.key_id ?? null,
    key_name: entry.key_name ?? null,
    user_id: entry.user_id ?? null,
    installer_id: entry.installer_id ?? null,
    request_id: entry.request_id ?? null,
    remote_address: entry.remote_address ?? null,
    error: entry.error ?? null,
    request_body: entry.request_body ?? null,
  }
}

const filter = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }))

const indexes = {
  key_id: 'byKey',
  user_id: 'byUser',
  action: 'byAction',
  charge_point_id: 'byChargePoint',
} as const

const listAuditEntries = area.list('', {
  operationId: 'listAuditEntries',
  summary: 'List the changes made with API keys, newest first',
  description:
    'The log contains every request that changed something and every command that was sent, whether or not it was accepted. It also contains ' +
    'what keys of other organizations changed in this one: its members, site owners, plan and integration requests. It does not contain reads, ' +
    'requests that were refused before anything happened, and repeats under an Idempotency-Key.',
  filters: {
    key_id: filter('Returns only what was done with this API key.'),
    user_id: filter('Returns only what was done with API keys that are bound to this member.'),
    action: filter('Returns only this action: the `operationId` of an operation.'),
    charge_point_id: filter('Returns only what was done to this charge point.'),
    ...timeQuery,
  },
  row: entrySchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const view = services.view()
    const organizationId = principal.organization.organization_id
    const begin = services.longReads.of(organizationId)
    const between = timesBetween(query)
    const options = { view, begin, table: auditTable, organizationId, indexes, wanted: query, query, between }
    const { rows, total } = await readPageByFields(options)
    return { rows: rows.map(entryView), total }
  },
})

export const auditLogRoutes = [listAuditEntries]
