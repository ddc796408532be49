// What each profile's charge points say, one step after the other, and how long they wait in between. A script does not
// know when its steps are sent, nor how fast a run is.

import type { Random } from '../client/random.js'
import {
  meterValuesPayload,
  type StopReason,
  startTransactionPayload,
  statusNotificationPayload,
  stopTransactionPayload,
} from '../generator/payloads.js'
import type { Station } from '../generator/station.js'
import type { Profile } from './protocol.js'

export interface Step {
  readonly action: string
  /** Made when it is sent; undefined when there is nothing to say by then. */
  payload(station: Station): string | undefined
  /** Looks into the answer; tells what is wrong with it. */
  answered?(station: Station): string | undefined
}

export interface Scheduled {
  readonly step: Step
  /** To the step after it, where no rate is wanted. */
  readonly pauseMs: number
}

export interface ScriptOptions {
  readonly profile: Profile
  readonly connectors: number
  readonly intervalMs: number
  readonly meterValuesPerSession: number
  readonly random: Random
  readonly idTag: string | undefined
  /** What BootNotification was answered with. */
  readonly heartbeatIntervalMs: () => number
}

/** Steps without end. */
export type Script = Generator<Scheduled, never>

/** Of the charge points of the mixed profile; the others are idle. */
const chargingShare = 0.3
/** A charge point at rest tells a status now and then, between heartbeats. */
const statusShare = 0.1
const betweenStepsMs = 1_000

export const heartbeat: Step = {
  action: 'Heartbeat',
  payload: () => '{}',
  answered: (station) =>
    typeof station.answer().currentTime === 'string' ? undefined : 'an answer without a currentTime',
}

export function statusNotification(connectorId: number, status: string): Step {
  return { action: 'StatusNotification', payload: () => statusNotificationPayload(connectorId, status) }
}

export function meterValues(connectorId: number): Step {
  return {
    action: 'MeterValues',
    payload: (station) =>
      station.transactions[connectorId] === undefined ? undefined : meterValuesPayload(station, connectorId),
  }
}

export function startTransaction(connectorId: number, idTag?: string): Step {
  return {
    action: 'StartTransaction',
    payload: (station) =>
      station.transactions[connectorId] === undefined
        ? startTransactionPayload(station, connectorId, idTag)
        : undefined,
    answered(station) {
      const { transactionId, idTagInfo } = station.answer()
      if (!Number.isInteger(transactionId)) return 'an answer without a transactionId'
      station.transactions[connectorId] = transactionId as number
      const status = (idTagInfo as { status?: unknown } | undefined)?.status
      return status === 'Accepted' || status === undefined ? undefined : `id tag ${String(status)}`
    },
  }
}

export function stopTransaction(connectorId: number, reason: StopReason = 'Local'): Step {
  return {
    action: 'StopTransaction',
    payload(station) {
      if (station.transactions[connectorId] === undefined) return undefined
      const payload = stopTransactionPayload(station, connectorId, reason)
      station.transactions[connectorId] = undefined
      return payload
    },
  }
}

function* heartbeats(intervalMs: () => number): Script {
  for (;;) yield { step: heartbeat, pauseMs: intervalMs() }
}

function* resting({ random, heartbeatIntervalMs, connectors }: ScriptOptions): Script {
  for (;;) {
    const status = random() < statusShare
    const step = status ? statusNotification(1 + Math.floor(random() * connectors), 'Available') : heartbeat
    yield { step, pauseMs: heartbeatIntervalMs() }
  }
}

/** A driver after another, on one connector after another. */
function* sessions({ connectors, intervalMs, meterValuesPerSession, random, idTag }: ScriptOptions): Script {
  const pauseMs = Math.min(betweenStepsMs, intervalMs)
  for (let session = 0; ; session++) {
    const connectorId = 1 + (session % connectors)
    yield { step: statusNotification(connectorId, 'Preparing'), pauseMs }
    yield { step: startTransaction(connectorId, idTag), pauseMs }
    yield { step: statusNotification(connectorId, 'Charging'), pauseMs: intervalMs }
    // Between half and one and a half of it, so that a fleet does not stop as one.
    const count = Math.max(1, Math.round(meterValuesPerSession * (0.5 + random())))
    for (let sample = 0; sample < count; sample++) yield { step: meterValues(connectorId), pauseMs: intervalMs }
    yield { step: stopTransaction(connectorId), pauseMs }
    yield { step: statusNotification(connectorId, 'Finishing'), pauseMs }
    yield { step: statusNotification(connectorId, 'Available'), pauseMs: intervalMs }
  }
}

export interface Role {
  readonly script: Script
  /** Where no rate is wanted, its first step comes at a random moment within this time. */
  readonly startsWithinMs: () => number
}

export function createRole(options: ScriptOptions): Role {
  const { profile, intervalMs, heartbeatIntervalMs, random } = options
  switch (profile) {
    case 'idle':
    case 'commands':
    case 'storm':
      return { script: heartbeats(heartbeatIntervalMs), startsWithinMs: heartbeatIntervalMs }
    case 'heartbeat':
      return { script: heartbeats(() => intervalMs), startsWithinMs: () => intervalMs }
    case 'charging':
      return { script: sessions(options), startsWithinMs: () => intervalMs }
    case 'mixed':
      return random() < chargingShare
        ? { script: sessions(options), startsWithinMs: () => intervalMs }
        : { script: resting(options), startsWithinMs: heartbeatIntervalMs }
  }
}
