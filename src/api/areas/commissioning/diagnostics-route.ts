// The diagnostics of an installer's charge point: read anew from the charge point where it can be asked.

import { commandRouterAddress, type ExecuteMessage } from '../../../actors/command-router/messages.js'
import { callOf, getConfiguration } from '../../../ocpp16/index.js'
import { type InstalledChargePoint, isOwnedBy } from '../../../records/charge-point.js'
import { type ReportedConfiguration, reportedConfigurationsTable } from '../../../records/configuration.js'
import { isOnline } from '../../../records/presence.js'
import { AmpshardError } from '../../../runtime/errors.js'
import { Interrupted } from '../../../runtime/link/asks.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { installerChargePoints } from '../installer-charge-points/area.js'
import { requireNotHandedOver } from '../installer-charge-points/change-installed.js'
import { chargePointClaimed } from '../installer-charge-points/errors.js'
import { area } from './area.js'
import { diagnosticsSchema, diagnosticsView, type Inside } from './diagnostics.js'

/** What was read so lately is not read again. */
const freshMs = 60_000
const timeoutMs = 15_000
/** For the way of the answer. */
const answerMs = 5_000

function insideOf(chargePoint: InstalledChargePoint, services: Services): Inside {
  const view = services.view()
  const state = stateOf(view, chargePoint)
  const stored = view.get(reportedConfigurationsTable, [chargePoint.charge_point_id])
  const reported = stored !== undefined && isOwnedBy(chargePoint, stored.organization_id) ? stored : undefined
  return { chargePoint, state, reported, isConnected: isOnline(state, services.presence.live) }
}

/** A key that makes it restart when it is read is among all of its keys; and all may be more than a frame may have. */
function mayBeRead(reported: ReportedConfiguration | undefined, now: number): boolean {
  if ((reported?.avoided ?? []).length > 0 || reported?.whole_too_big === true) return false
  return reported?.complete_at === undefined || Math.abs(now - Date.parse(reported.complete_at)) > freshMs
}

/** Has the charge point asked for all of its keys; what it answers is stored by its actor. Where it does not, what is known is shown. */
async function readAnew({ charge_point_id, organization_id, installed }: InstalledChargePoint, services: Services) {
  const call = callOf(getConfiguration, {})
  const message: ExecuteMessage = {
    type: 'execute',
    commandId: services.newId('cmd'),
    chargePointId: charge_point_id,
    command: call.action,
    parameters: call.payload,
    call,
    executedBy: `installer:${installed.installer_id}`,
    timeoutMs,
  }
  try {
    await services.ask(commandRouterAddress(organization_id), message, timeoutMs + answerMs)
  } catch (error) {
    if (!(error instanceof AmpshardError) && !(error instanceof Interrupted)) throw error
  }
}

const getDiagnostics = area.route({
  method: 'GET',
  path: '/{charge_point_id}/diagnostics',
  operationId: 'getCommissioningDiagnostics',
  summary: 'Show what a charge point says of its firmware, network, hardware and configuration',
  description:
    'Asks a charge point that is connected for all of its keys, at most once a minute, and waits up to 15 seconds. One that is offline, or does not answer, is not ' +
    'an error: the answer is what it has said before. What OCPP 1.6 does not tell is null. A charge point that is known to restart when a key is read, or whose ' +
    'answer was longer than a frame may be, is not asked.',
  of: installerChargePoints,
  responses: { 200: diagnosticsSchema },
  errors: [chargePointClaimed],
  sheddable: 'command',
  async handle({ row }, services) {
    requireNotHandedOver(row)
    const before = insideOf(row, services)
    const isReady = before.isConnected && before.state?.registration === 'Accepted'
    if (!isReady || !mayBeRead(before.reported, services.clock.now()))
      return { status: 200, body: diagnosticsView(before) }
    await readAnew(row, services)
    return { status: 200, body: diagnosticsView(insideOf(row, services)) }
  },
})

export const diagnosticsRoutes = [getDiagnostics]
