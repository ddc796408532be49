// BootNotification: the charge point has started and asks to be taken (OCPP 1.6, 4.2).

import { chargePointChanged } from '../../events/charge-point.js'
import { emit } from '../../events/define-event.js'
import { type BootNotificationRequest, bootNotification as message, writeTimestamp } from '../../ocpp16/index.js'
import { type BootInformation, type ChargePointState, isOtherHardware } from '../../records/charge-point-state.js'
import { isSameModel, modelOf } from '../../records/conformance.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { endFaults } from './alerts.js'
import { configurationBooted } from './configuration.js'
import { forgetConformance } from './conformance.js'
import { updateShown } from './firmware-status-notification.js'
import { heartbeatInterval, jittered } from './heartbeat-interval.js'
import { defineHandler } from './request-handler.js'
import { tellRollout } from './rollout-news.js'
import { upgradeBooted } from './security-upgrade.js'
import { type State, saveRow } from './state.js'

export const bootNotification = defineHandler({
  message,
  needs: 'nothing',
  handle(state, request, context, receivedAt) {
    const status = state.registration?.registration ?? 'Accepted'
    const interval =
      status === 'Accepted' ? heartbeatInterval(state, context) : jittered(state.settings.bootRetrySeconds, context)
    const boot = bootInformation(request, receivedAt)
    const { boot: before } = state.row
    const isReplaced = isOtherHardware(before, boot)
    const { change, effects } = isReplaced ? forgetConnectors(state, context) : unchanged
    const updated = isReplaced ? [] : updateShown(state, boot.firmware_version, context)
    const saved = saveRow(state, { registration: status, boot, ...change }, context)
    const isOtherModel = !isSameModel(modelOf(before), modelOf(boot))
    const anew = isOtherModel ? forgetConformance(state, context) : []
    return {
      response: { status, currentTime: writeTimestamp(context.now()), interval },
      effects: [
        ...effects,
        ...anew,
        saved,
        ...publishedBoot(state, before, boot, context),
        ...updated,
        ...configurationBooted(state, { isOtherHardware: isReplaced, isOtherModel }, context),
        ...upgradeBooted(state, context),
        ...tellRollout(state.row.organization_id, {}, context),
      ],
    }
  },
})

/** What it says of itself for the first time is no change. */
function publishedBoot(
  { row: { organization_id } }: State,
  before: BootInformation | undefined,
  boot: BootInformation,
  context: Context,
): readonly Effect[] {
  if (before === undefined) return []
  const changed = (['vendor', 'model', 'firmware_version'] as const).filter((field) => before[field] !== boot[field])
  if (changed.length === 0) return []
  const about = { organizationId: organization_id, subject: context.id }
  return [emit(chargePointChanged, about, { charge_point_id: context.id, changed, changed_at: boot.booted_at })]
}

interface Forgotten {
  readonly change: Partial<ChargePointState>
  readonly effects: readonly Effect[]
}

const unchanged: Forgotten = { change: {}, effects: [] }

/** It may have fewer connectors, of which the others would stay as they were for ever; those that it has it tells of next (4.2). */
function forgetConnectors(state: State, context: Context): Forgotten {
  const { change, effects } = endFaults(state, context)
  const { named_connectors: _, ...row } = state.row
  state.row = row
  return { change: { ...change, connectors: [], assumed_charging: [] }, effects }
}

function bootInformation(request: BootNotificationRequest, receivedAt: number): BootInformation {
  // Some pad it with blanks, which the next version of theirs may not.
  const firmwareVersion = request.firmwareVersion?.trim()
  const serialNumber = request.chargePointSerialNumber ?? request.chargeBoxSerialNumber
  return {
    vendor: request.chargePointVendor,
    model: request.chargePointModel,
    ...(serialNumber !== undefined && { serial_number: serialNumber }),
    ...(firmwareVersion && { firmware_version: firmwareVersion }),
    ...(request.iccid !== undefined && { iccid: request.iccid }),
    ...(request.imsi !== undefined && { imsi: request.imsi }),
    ...(request.meterType !== undefined && { meter_type: request.meterType }),
    ...(request.meterSerialNumber !== undefined && { meter_serial_number: request.meterSerialNumber }),
    booted_at: new Date(receivedAt).toISOString(),
  }
}
