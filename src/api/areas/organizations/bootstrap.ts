// The first start on an empty store: its organization, the installation's row, and a key with every scope; and a further such key for
// whoever has lost it.

import { apiKeysTable, scopes } from '../../../records/api-key.js'
import { auditTable, newAuditEntry } from '../../../records/audit-entry.js'
import {
  installationTable,
  type Organization,
  organizationsTable,
  unknownCountry,
} from '../../../records/organization.js'
import type { Change, Condition, ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import { makeKey, sha256Hex } from '../../pipeline/make-key.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'

/** Of the first key of every organization. */
export const bootstrapKeyName = 'Bootstrap key'

export interface Bootstrap {
  readonly changes: readonly Change[]
  /** That the store is still empty. */
  readonly conditions: readonly Condition[]
  readonly organizationId: string
  /** To be shown once; undefined where the operator gave the key. */
  readonly keyToShow: string | undefined
}

/** Undefined on a store that has been set up: a bootstrap key that it does not know replaces nothing. */
export function bootstrapChanges(
  view: ReadView,
  now: number,
  newId: (prefix: string) => string,
  randomBytes: (length: number) => Buffer,
  bootstrapKey?: string,
  named: { readonly name?: string | undefined; readonly country?: string | undefined } = {},
): Bootstrap | undefined {
  if (view.get(installationTable, ['installation']) !== undefined) return undefined
  const createdAt = formatTimestamp(now)
  const organization: Organization = {
    organization_id: newId('org'),
    version: 1,
    name: named.name ?? 'Default',
    country: named.country ?? unknownCountry,
    contact_email: 'operator@localhost',
    plan: 'enterprise',
    unknown_id_tags: 'accept',
    created_at: createdAt,
    updated_at: createdAt,
  }
  const organizationId = organization.organization_id
  const { row, key } = makeKey({
    organizationId,
    name: bootstrapKeyName,
    scopes,
    now,
    newId,
    randomBytes,
    key: bootstrapKey,
  })
  return {
    organizationId,
    keyToShow: bootstrapKey === undefined ? key : undefined,
    changes: [
      putRow(organizationsTable, organization),
      putRow(installationTable, {
        id: 'installation',
        default_organization_id: organizationId,
        created_at: createdAt,
      }),
      putRow(apiKeysTable, row),
    ],
    conditions: [{ table: installationTable.name, key: ['installation'], is: 'absent' }],
  }
}

/** Whether it is the text of a key that is stored. */
export function isKnownKey(view: ReadView, key: string): boolean {
  return view.listBy(apiKeysTable, 'bySecret', [sha256Hex(key)], { limit: 1 }).length > 0
}

export interface Recovery {
  readonly changes: readonly Change[]
  readonly organizationId: string
  readonly keyId: string
  /** To be shown once. */
  readonly key: string
}

/** A further key with every scope for the organization of the installation, with its entry in the audit log; undefined on an empty store. */
export function recoveryChanges(
  view: ReadView,
  now: number,
  newId: (prefix: string) => string,
  randomBytes: (length: number) => Buffer,
): Recovery | undefined {
  const organizationId = view.get(installationTable, ['installation'])?.default_organization_id
  if (organizationId === undefined) return undefined
  const { row, key } = makeKey({ organizationId, name: 'Recovery key', scopes, now, newId, randomBytes })
  const entry = {
    organization_id: organizationId,
    action: 'recoverKey',
    method: 'COMMAND',
    path: 'ampshard recover-key',
    resources: { key_id: row.key_id },
    status: 201,
  }
  return {
    organizationId,
    keyId: row.key_id,
    key,
    changes: [putRow(apiKeysTable, row), putRow(auditTable, newAuditEntry(entry, now))],
  }
}
