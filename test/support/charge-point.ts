// What most tests of the whole do first, and what they look at: a charge point that has booted, its sessions, its status.

import { connectOcpp, type OcppClient } from './ocpp-client.js'
import type { Answer, Service } from './service.js'

/** Registers a charge point, connects it, and has its BootNotification answered. */
export async function bootChargePoint(
  service: Service,
  chargePointId: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<OcppClient> {
  await service.register(chargePointId, fields)
  const client = await connectOcpp(`${service.ocppUrl}/${chargePointId}`)
  await client.boot()
  return client
}

/** ISO 8601 in UTC, so many seconds before now; negative for the future. */
export function secondsAgo(seconds: number): string {
  return `${new Date(Date.now() - seconds * 1000).toISOString().slice(0, 19)}Z`
}

export function startRequest(fields: Readonly<Record<string, unknown>> = {}) {
  return { connectorId: 1, idTag: 'TAG-1', meterStart: 1000, timestamp: secondsAgo(3600), ...fields }
}

export function energyAt(timestamp: string, wattHours: number) {
  return { timestamp, sampledValue: [{ value: String(wattHours) }] }
}

/** Newest first. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
export async function sessionsOf(service: Service, chargePointId: string): Promise<any[]> {
  return (await service.request('GET', `/api/v1/sessions?charge_point_id=${chargePointId}`)).body.sessions
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
export async function sessionOf(service: Service, chargePointId: string, transactionId: number): Promise<any> {
  return (await sessionsOf(service, chargePointId)).find((session) => session.transaction_id === transactionId)
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
export async function chargePointOf(service: Service, chargePointId: string): Promise<any> {
  return (await service.request('GET', `/api/v1/chargepoints/${chargePointId}`)).body
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
export async function statusOf(service: Service, chargePointId: string): Promise<any> {
  const { body } = await service.request('GET', '/api/v1/ocpp16/charge_points/status?per_page=200')
  return body.charge_points.find((entry: { charge_point_id: string }) => entry.charge_point_id === chargePointId)
}

export function command(
  service: Service,
  chargePointId: string,
  name: string,
  parameters: Readonly<Record<string, unknown>> = {},
  timeoutSeconds = 10,
): Promise<Answer> {
  const body = { command: name, parameters, timeout_seconds: timeoutSeconds }
  return service.request('POST', `/api/v1/cpo/commands/${chargePointId}`, body)
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
export async function historyOf(service: Service, chargePointId: string): Promise<any[]> {
  return (await service.request('GET', `/api/v1/cpo/commands/${chargePointId}/history`)).body.commands
}
