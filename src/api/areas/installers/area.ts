// The area of installers as the operator of the installation sees them. No other organization has anything to do with their accounts.

import { Type } from 'typebox'
import { type Installer, installersTable } from '../../../records/installer.js'
import { notFound } from '../../../runtime/errors.js'
import { defineArea } from '../../pipeline/area.js'
import type { RowReader } from '../../pipeline/draft.js'
import { operator } from '../../surfaces/operator.js'
import { operatesInstallation } from '../organizations/operator.js'

export const area = defineArea(operator, {
  tag: 'Installers',
  about:
    'Accounts of field installers: review their identity, and remove them. Only for the organization that operates the installation.',
  path: '/api/v1/installers',
  read: 'read:organisations',
  write: 'write:organisations',
  requires: [operatesInstallation],
})

export const installerParams = { installer_id: Type.String({ maxLength: 64 }) }

/** Held where it is read through a draft. Throws `not_found`. */
export function installerBy(reader: RowReader, id: string): Installer {
  const row = reader.get(installersTable, [id])
  if (row !== undefined) return row
  throw notFound('there is no such installer')
}
