// The area of installers' charge points. An installer sees those that it has registered, also once an organization has claimed them, and
// changes those that no organization has claimed.

import { type ChargePoint, chargePointsTable, type InstalledChargePoint } from '../../../records/charge-point.js'
import { defineArea } from '../../pipeline/area.js'
import { defineOwnedBy } from '../../pipeline/owned.js'
import { chargePointId } from '../../pipeline/schemas.js'
import { installer } from '../../surfaces/installer.js'
import type { InstallerPrincipal } from '../../surfaces/installer-token.js'

export const area = defineArea(installer, {
  tag: 'Installer charge points',
  about: 'Register the charge points that you install, see how far each is, commission them, and hand them over.',
  path: '/api/v1/installer/charge-points',
})

export const installerChargePoints = defineOwnedBy(
  {
    ownerOf: ({ installer }: InstallerPrincipal) => installer.installer_id,
    isOf: (found: ChargePoint, installerId): found is InstalledChargePoint =>
      found.installed?.installer_id === installerId,
  },
  {
    table: chargePointsTable,
    id: 'charge_point_id',
    called: 'charge point',
    schema: chargePointId(),
    extras: (chargePointId) => ({ chargePointId }),
  },
)
