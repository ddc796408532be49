// Every route of the folder.

import { createRollout } from './create-rollout.js'
import { listFleetFirmware } from './fleet-firmware.js'
import { rolloutRoutes } from './rollout-routes.js'

export const firmwareRoutes = [listFleetFirmware, createRollout, ...rolloutRoutes]
