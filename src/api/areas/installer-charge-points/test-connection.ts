// Whether a charge point answers now, for as long as it is the installer's matter.

import { rateLimited } from '../../../actors/command-router/errors.js'
import { connectionTest, testConnectionOf } from '../diagnosis/test-connection.js'
import { area, installerChargePoints } from './area.js'
import { askedByInstaller } from './connection-status.js'
import { chargePointClaimed } from './errors.js'

const testConnection = area.compute('/{charge_point_id}/test-connection', {
  operationId: 'testInstallerConnection',
  summary: 'Ping a charge point, and say what is wrong if it does not answer',
  description:
    'Sends a WebSocket ping and waits up to 5 seconds for the pong. A charge point that is offline, silent, or does not answer pings is not an error: ' +
    '`result` and `explanation` say what it is.',
  of: installerChargePoints,
  errors: [chargePointClaimed, rateLimited],
  answer: connectionTest,
  read: ({ row, remoteAddress }, services) => testConnectionOf(askedByInstaller(row, remoteAddress), services),
})

export const testConnectionRoutes = [testConnection]
