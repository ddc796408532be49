// What a charge point of a simulated city has done since yesterday: transactions that it kept while it had no connection, and reports with
// their own times once it has one, as charge points do (OCPP 1.6, 3.7.1). Nothing is written past the protocol.

import type { ChargePoint } from '../charge-point/charge-point.js'
import { meterValue } from '../charge-point/meter-value.js'
import type { Random } from '../client/random.js'
import { newCar } from './cars.js'
import type { Model } from './models.js'

export interface PastSession {
  readonly connectorId: number
  readonly idTag: string
  readonly startedAt: number
  /** Of each reading: when, what the register showed, and what flowed then. */
  readonly readings: readonly { readonly at: number; readonly registerWh: number; readonly watts: number }[]
  readonly phases: number
  readonly endedAt: number
  readonly startWh: number
  readonly endWh: number
}

const hourMs = 3_600_000
const minuteMs = 60_000
/** The past ends a little before the present, so that nothing of it runs into what happens now. */
const restMs = 10 * minuteMs
/** Readings of one message: as many as a charge point sends at once. */
const readingsOfMessage = 20

/** How many come at an hour of the day, of those that come at the busiest: work, shopping, and the evening at home. */
const demand = [
  0.1, 0.06, 0.04, 0.04, 0.06, 0.15, 0.35, 0.6, 0.8, 0.75, 0.65, 0.6, 0.65, 0.6, 0.55, 0.6, 0.75, 0.95, 1, 0.9, 0.7,
  0.5, 0.35, 0.2,
] as const

export function hourOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone })
  return (at) => Number(format.format(at))
}

export interface HistoryOptions {
  readonly model: Model
  readonly connectorId: number
  readonly now: number
  readonly hours: number
  readonly hour: (at: number) => number
  readonly random: Random
  readonly newIdTag: () => string
  /** What the register showed at the beginning, Wh. */
  readonly firstWh: number
}

export function pastSessions(options: HistoryOptions): readonly PastSession[] {
  const { model, connectorId, now, hours, hour, random, newIdTag } = options
  const sessions: PastSession[] = []
  const stepMs = (model.isFast ? 5 : 15) * minuteMs
  let at = now - hours * hourMs + random() * 2 * hourMs
  let registerWh = options.firstWh
  while (at < now - hourMs) {
    if (random() > (demand[hour(at)] ?? 0)) {
      at += (0.3 + random()) * hourMs
      continue
    }
    const { vehicle } = newCar(model, random)
    const stayMs = model.isFast ? (15 + random() * 30) * minuteMs : (1 + random() * 5) * hourMs
    const endedAt = Math.min(at + stayMs, now - restMs)
    const readings: PastSession['readings'][number][] = []
    const startWh = registerWh
    for (let time = at + stepMs; time < endedAt; time += stepMs) {
      const watts = vehicle.drawWatts(Number.POSITIVE_INFINITY, registerWh - startWh)
      registerWh += Math.round((watts * stepMs) / hourMs)
      readings.push({ at: time, registerWh, watts })
    }
    if (readings.length > 0) {
      const { phases } = vehicle
      const idTag = newIdTag()
      sessions.push({ connectorId, idTag, startedAt: at, readings, phases, endedAt, startWh, endWh: registerWh })
    }
    at = endedAt + (0.2 + random() * 1.5) * hourMs
  }
  return sessions
}

const isoOf = (at: number): string => new Date(at).toISOString()

/** One after the other, as they were. False when the connection was lost meanwhile: the rest is not told. */
export async function reportPast(chargePoint: ChargePoint, sessions: readonly PastSession[]): Promise<boolean> {
  for (const session of sessions) {
    const { connectorId, idTag, readings, phases } = session
    const started = await chargePoint.call('StartTransaction', {
      connectorId,
      idTag,
      meterStart: session.startWh,
      timestamp: isoOf(session.startedAt),
    })
    if (started.type !== 'result') return false
    const transactionId = Number(started.payload.transactionId)
    for (let from = 0; from < readings.length; from += readingsOfMessage) {
      const meterValues = readings
        .slice(from, from + readingsOfMessage)
        .map(({ at, registerWh, watts }) => meterValue(registerWh, watts, phases, isoOf(at), 'Sample.Periodic'))
      const told = await chargePoint.call('MeterValues', { connectorId, transactionId, meterValue: meterValues })
      if (told.type === 'lost') return false
    }
    const stopped = await chargePoint.call('StopTransaction', {
      transactionId,
      idTag,
      meterStop: session.endWh,
      timestamp: isoOf(session.endedAt),
      reason: 'EVDisconnected',
    })
    if (stopped.type === 'lost') return false
  }
  return true
}
