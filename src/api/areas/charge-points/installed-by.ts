// Who an installer is for the organization that takes over a charge point: by name, as it says itself. How to reach an installer is not told.

import { type Static, Type } from 'typebox'
import { installersTable } from '../../../records/installer.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { nullable } from '../../pipeline/schemas.js'

export const installedBy = nullable(
  Type.Object(
    { company: Type.String(), name: Type.String() },
    {
      description:
        'Who has installed the charge point, as the installer gives it; null if there is no such account any more.',
    },
  ),
)

export function installerNamed(view: ReadView, installerId: string): Static<typeof installedBy> {
  const account = view.get(installersTable, [installerId])
  return account === undefined ? null : { company: account.company, name: `${account.first_name} ${account.last_name}` }
}
