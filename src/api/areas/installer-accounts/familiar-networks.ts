// Where the owner of an account comes from: who fails to log in elsewhere does not hold them up.

import { familiarNetworksTable, type Installer } from '../../../records/installer.js'
import type { Change, ReadView } from '../../../runtime/store/store.js'
import { putRow, removeRow } from '../../pipeline/changes.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { limits } from './limits.js'

const dayMs = 24 * 3_600_000

export function isFamiliar(view: ReadView, account: Installer | undefined, network: string): boolean {
  return account !== undefined && view.get(familiarNetworksTable, [account.installer_id, network]) !== undefined
}

export function familiarFrom({ installer_id }: Installer, network: string, now: number): Change {
  return putRow(familiarNetworksTable, { installer_id, network, seen_at: formatTimestamp(now) })
}

/** What notes that somebody has logged in from there: once a day at most, and of an account the latest few. */
export function noteNetwork(view: ReadView, account: Installer, network: string, now: number): readonly Change[] {
  const known = view.list(familiarNetworksTable, [account.installer_id])
  const same = known.find((row) => row.network === network)
  if (same !== undefined && Date.parse(same.seen_at) > now - dayMs) return []
  const others = known.filter((row) => row !== same).sort((one, other) => (one.seen_at < other.seen_at ? 1 : -1))
  const forgotten = others.slice(limits.familiarNetworks - 1)
  return [
    familiarFrom(account, network, now),
    ...forgotten.map((row) => removeRow(familiarNetworksTable, familiarNetworksTable.key(row))),
  ]
}
