// What is wrong with a charge point, as its organization asks.

import { rateLimited } from '../../../actors/command-router/errors.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { Services } from '../../pipeline/services.js'
import { area, chargePoints } from '../charge-points/area.js'
import { askerOf } from './asker.js'
import { connectionDiagnosisRoutes } from './connection-diagnosis.js'
import { type Asked, connectionStatus, connectionStatusOf } from './connection-status.js'
import { refusedRoutes } from './refused-charge-points.js'
import { connectionTest, testConnectionOf } from './test-connection.js'

function askedBy(chargePoint: ChargePoint, remoteAddress: string, services: Services): Asked {
  const { organization_id } = chargePoint
  return { chargePoint, asker: askerOf(organization_id, remoteAddress, services), reader: organization_id }
}

const getConnectionStatus = area.get('/chargepoints/{charge_point_id}/connection-status', {
  operationId: 'getConnectionStatus',
  summary: 'Show how a charge point is connected, or why it is not',
  description:
    'Says in plain words why a charge point does not come online, also before it has connected for the first time: lists the refused connections of ' +
    'the last 24 hours that could be of this charge point, each with its cause and what to do about it.',
  of: chargePoints,
  answer: connectionStatus,
  read: ({ row, remoteAddress }, services) => connectionStatusOf(askedBy(row, remoteAddress, services), services),
})

const testConnection = area.compute('/chargepoints/{charge_point_id}/test-connection', {
  operationId: 'testConnection',
  summary: 'Ping a charge point, and say what is wrong if it does not answer',
  description:
    'Sends a WebSocket ping and waits up to 5 seconds for the pong. A charge point that is offline, silent, or does not answer pings is not an error: ' +
    '`result` and `explanation` say what it is.',
  of: chargePoints,
  answer: connectionTest,
  errors: [rateLimited],
  read: ({ row, remoteAddress }, services) => testConnectionOf(askedBy(row, remoteAddress, services), services),
})

export const diagnosisRoutes = [getConnectionStatus, ...connectionDiagnosisRoutes, testConnection, ...refusedRoutes]
