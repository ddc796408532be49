// What somebody did to a charge point shortly before it was refused, or went away: from the audit log of its organization.

import { Type } from 'typebox'
import type { Check } from '../../../edge/refusal-reasons.js'
import { type AuditEntry, auditTable, timeOfEntry } from '../../../records/audit-entry.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { limits } from './limits.js'

export const probableCauseSchema = nullable(
  Type.Object(
    {
      audit_id: Type.String(),
      action: Type.String({ description: 'The `operationId` in this reference.' }),
      by: nullable(Type.String({ description: 'The name of the key, or else the id of the member or the installer.' })),
      at: timestamp(),
    },
    {
      description:
        'What was done to the charge point within the hour before its first refusal, or before it went away, and most likely led to it; null if nothing was.',
    },
  ),
)

const windowMs = 3_600_000

/** What leads to a refusal of this kind; anything else that was done is only likely where none of these was. */
const leadsTo: Readonly<Partial<Record<Check, readonly string[]>>> = {
  registered: ['deleteChargePoint', 'registerChargePoint'],
  certificate: [
    'revokeCertificate',
    'revokeCertificates',
    'generateCertificate',
    'updateChargePoint',
    'raiseChargePointSecurityProfile',
  ],
  password: [
    'createAuthorizationKey',
    'deleteAuthorizationKey',
    'raiseChargePointSecurityProfile',
    'changeChargePointConfiguration',
    'applyChargePointConfiguration',
  ],
}

/** What nobody loses a connection by. */
const harmless: ReadonlySet<string> = new Set([
  'linkCharger',
  'unlinkCharger',
  'assignChargePointTariff',
  'acknowledgeAlert',
])

interface Of {
  readonly organizationId: string
  readonly chargePointId: string
  /** Others at its place that are connected: what was done to them, too, has not led to it. */
  readonly unharmed?: readonly string[]
}

/** `before`: wall ms, of what it led to. */
export function probableCause(
  view: ReadView,
  { organizationId, chargePointId, unharmed = [] }: Of,
  before: number,
  check: Check | undefined,
) {
  const likely = check === undefined ? [] : (leadsTo[check] ?? [])
  const between = { from: [before - windowMs], to: [before + 1] }
  const newest = { ...between, reverse: true, limit: limits.auditEntries }
  const entriesOf = (id: string) =>
    view.listBy(auditTable, 'byChargePoint', [organizationId, id], newest).filter(({ status }) => status < 400)
  const entries = entriesOf(chargePointId).filter(({ action }) => !harmless.has(action))
  const others = entries.length === 0 ? [] : unharmed.flatMap(entriesOf)
  const doneToOthers = new Set(others.map(({ action }) => action))
  const [entry] = [
    ...entries.filter(({ action }) => likely.includes(action)),
    ...entries.filter(({ action }) => !doneToOthers.has(action)),
  ]
  return entry === undefined ? null : shown(entry)
}

function shown(entry: AuditEntry) {
  const { id, action, key_name, user_id, installer_id } = entry
  const by = key_name ?? user_id ?? installer_id ?? null
  return { audit_id: id, action, by, at: formatTimestamp(timeOfEntry(entry)) }
}
