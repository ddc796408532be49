// Tokens of partners that earlier versions have stored as they are: the start seals them, before anybody is called.

import { sealToken } from '../../../ocpi/call-token.js'
import { ocpiPartnersTable } from '../../../records/ocpi-partner.js'
import type { Sealer } from '../../../runtime/sealing.js'
import type { Change, ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import { limits } from './limits.js'

/** Some of them at a time; none are left where there are no changes. */
export function sealingChanges(view: ReadView, sealer: Pick<Sealer, 'seal'>): readonly Change[] {
  const rows = view.listBy(ocpiPartnersTable, 'readableToken', [], { limit: limits.ocpiTokensSealedAtOnce })
  return rows.flatMap((row) => {
    const { connection } = row
    if (connection?.token === undefined) return []
    const { token, ...rest } = connection
    const sealed_token = rest.sealed_token ?? sealToken(sealer, row.partner_id, token)
    return [putRow(ocpiPartnersTable, { ...row, version: row.version + 1, connection: { ...rest, sealed_token } })]
  })
}
