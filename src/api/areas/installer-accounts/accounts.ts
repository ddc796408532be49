// Whose account an address has.

import { type Installer, installerAddressesTable, installersTable } from '../../../records/installer.js'
import type { ReadView } from '../../../runtime/store/store.js'

/** `address` as `addressOf` gives it. */
export function accountOf(view: ReadView, address: string): Installer | undefined {
  const found = view.get(installerAddressesTable, [address])
  return found && view.get(installersTable, [found.installer_id])
}
