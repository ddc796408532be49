// A rollout of firmware under test: how it is made, and a charge point that takes its updates as it is told.

import { bootChargePoint } from './charge-point.js'
import { connectOcpp, type OcppClient } from './ocpp-client.js'
import type { Service } from './service.js'
import { until } from './until.js'

export const rolloutPath = '/api/v1/cpo/firmware/rollout'
export const firmwareUrl = 'https://firmware.example/2.0.bin'

/** Registers a charge point that runs version 1.0, and connects it. */
export async function updatable(service: Service, chargePointId: string): Promise<OcppClient> {
  const client = await bootChargePoint(service, chargePointId)
  await client.boot({ firmwareVersion: '1.0' })
  return client
}

/** One that was registered before: it connects, and boots with what it runs. */
export async function comesBack(service: Service, chargePointId: string, firmwareVersion: string): Promise<OcppClient> {
  const client = await connectOcpp(`${service.ocppUrl}/${chargePointId}`)
  await client.boot({ firmwareVersion })
  return client
}

export async function makeRollout(
  service: Service,
  chargePointIds: readonly string[],
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const body = { charge_point_ids: chargePointIds, firmware_url: firmwareUrl, strategy: 'all_at_once', ...fields }
  const answer = await service.request('POST', rolloutPath, body)
  if (answer.status !== 201) throw new Error(`no rollout was made: ${JSON.stringify(answer.body)}`)
  return answer.body.rollout_id
}

export function actOn(service: Service, rolloutId: string, act: string, body: object = {}) {
  return service.request('POST', `${rolloutPath}/${rolloutId}/${act}`, body)
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
export async function rolloutOf(service: Service, rolloutId: string): Promise<any> {
  return (await service.request('GET', `${rolloutPath}/${rolloutId}`)).body
}

/** Once it is as `isSo` says. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
export function rolloutOnce(service: Service, rolloutId: string, isSo: (rollout: any) => boolean): Promise<any> {
  return until(async () => {
    const rollout = await rolloutOf(service, rolloutId)
    return isSo(rollout) && rollout
  })
}

/** Takes the update that the service sends next: its action and payload. */
export async function takesUpdate(client: OcppClient, answer: unknown = {}): Promise<[string, unknown]> {
  const frame = await client.answerNext(answer)
  return [String(frame[2]), frame[3]]
}

export async function reports(client: OcppClient, ...statuses: string[]): Promise<void> {
  for (const status of statuses) await client.call('FirmwareStatusNotification', { status })
}
