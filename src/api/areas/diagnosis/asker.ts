// An organization that asks why a charge point does not come online.

import { installationTable } from '../../../records/organization.js'
import type { Services } from '../../pipeline/services.js'
import type { Asker } from './whose-attempt.js'

/** The operator of the installation has the attempts under unknown ids in its own list. */
export function askerOf(organizationId: string, remoteAddress: string, services: Services): Asker {
  const installation = services.view().get(installationTable, ['installation'])
  const seesAll = installation?.default_organization_id === organizationId
  return { owners: new Set([organizationId]), seesAll, isInstaller: false, remoteAddress }
}
