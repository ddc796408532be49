// A simulated charge point and the central system that it is seen from.

import type { Test } from 'tap'
import type { ChargePoint } from '../../bench/charge-point/charge-point.js'
import { createSocketChargePoint, type SocketChargePointOptions } from '../../bench/client/socket-charge-point.js'
import { type CentralSystem, startCentralSystem } from './central-system.js'

export interface Setting {
  readonly central: CentralSystem
  readonly chargePoint: ChargePoint
}

export async function setting(
  t: Test,
  options: Partial<SocketChargePointOptions> = {},
  prepare: (central: CentralSystem) => void = () => undefined,
): Promise<Setting> {
  const central = await startCentralSystem()
  prepare(central)
  const chargePoint = createSocketChargePoint({
    id: 'CP-1',
    url: central.url,
    connectors: 2,
    reconnectMinimumMs: 20,
    reconnectMaximumMs: 50,
    rebootMs: 20,
    maintenanceStageMs: 20,
    ...options,
  })
  t.teardown(async () => {
    chargePoint.stop()
    await central.close()
  })
  chargePoint.start()
  return { central, chargePoint }
}

/** Booted, with the status of every connector told. */
export async function ready(t: Test, options: Partial<SocketChargePointOptions> = {}): Promise<Setting> {
  const both = await setting(t, options)
  await both.central.take('StatusNotification', (payload) => payload.connectorId === 2)
  return both
}

export const isCharging = (payload: Record<string, unknown>): boolean => payload.status === 'Charging'

/** A running transaction on connector 1, by RemoteStartTransaction; resolves with its id. */
export async function charging({ central, chargePoint }: Setting): Promise<number> {
  await central.command('RemoteStartTransaction', { connectorId: 1, idTag: 'TAG-1' })
  await central.take('StatusNotification', isCharging)
  return chargePoint.connectors.find(1)?.transaction?.id ?? -1
}
