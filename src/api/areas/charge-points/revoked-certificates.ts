// What the records of certificates say of those that are revoked, in the commit of whatever takes them back. Lists of revoked certificates that
// were signed before are not of now.

import {
  type Certificate,
  certificatesGroup,
  certificatesTable,
  revocationsTable,
} from '../../../records/certificate.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { Draft } from '../../pipeline/draft.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'

/** Notes in their records that all certificates of a registration are revoked, as when it is removed. */
export function noteAllRevoked(draft: Draft, chargePoint: ChargePoint, now: number): void {
  const rows = draft.list(certificatesTable, { index: 'standing', group: certificatesGroup(chargePoint) })
  noteRevoked(draft, rows, now)
}

export function noteRevoked(draft: Draft, rows: readonly Certificate[], now: number): void {
  if (rows.length === 0) return
  const revoked_at = formatTimestamp(now)
  for (const row of rows) draft.put(certificatesTable, { ...row, revoked_at })
  draft.get(revocationsTable, ['revocations'])
  draft.put(revocationsTable, { id: 'revocations' })
}
