// The side of the generator that plays charge points: connecting them, and the conversations they hold.

import { createAgenda } from './agenda.js'
import type { Measure } from './measure.js'
import {
  bootPayload,
  meterSeriesPayload,
  meterValuesPayload,
  roamingTag,
  startTransactionPayload,
  statusNotificationPayload,
  stopTransactionPayload,
} from './payloads.js'
import type { Conversation, RoamingPhase, TransactionPhase } from './protocol.js'
import { createStation, type Failure, type Station, stationUrl } from './station.js'

export interface RoamOptions {
  readonly what: RoamingPhase
  readonly ratePerSecond: number
  readonly from: number
  readonly count: number
  readonly connectors: number
  readonly partners: number
}

export interface ChargePoints {
  connect(options: {
    readonly url: string
    readonly prefix: string
    readonly from: number
    readonly count: number
    readonly inFlight: number
    readonly answersAfterMs?: number
  }): Promise<void>
  /** Resolves when the last connection is gone. */
  drop(): Promise<void>
  talk(conversation: Conversation, active: number): void
  /** Resolves when the last answer is in. */
  quiet(): Promise<void>
  transactions(phase: TransactionPhase, connectors: number, samples?: number): Promise<void>
  /** In turn, so many a second; resolves when the last answer is in. */
  statuses(ratePerSecond: number, seconds: number): Promise<void>
  /** In turn, so many a second; `ownMs` is how long the partner has taken for the last question of a charge point. */
  authorize(
    idTag: string,
    ratePerSecond: number,
    seconds: number,
    ownMs: (chargePointId: string) => number,
  ): Promise<void>
  /** `said`: about to be said at a connector of a charge point, from which its latency counts. */
  roam(
    options: RoamOptions,
    said: (module: 'sessions' | 'locations', chargePointId: string, connectorId: number) => void,
  ): Promise<void>
  /** Resolves when the last of them has its limit, or has waited too long. */
  cars(ratePerSecond: number, seconds: number, staySeconds: number): Promise<void>
}

/**
 * Used in turn. A bound socket gets a port of the lower half of the system's range, and looks at one after the other for a free
 * one: with few addresses most are taken, also by what earlier runs have left, and the search takes the kernel longer than all else.
 */
const sourceAddresses = Array.from({ length: 60 }, (_, at) => `127.0.0.${at + 1}`)
const handshakeTimeoutMs = 60_000
/** A car that has no limit after so long has failed. */
const limitPatienceMs = 10_000

/** What a charge point with nothing to do answers to a command, by action. */
const answers: Readonly<Record<string, string>> = {
  UnlockConnector: '{"status":"Unlocked"}',
  UpdateFirmware: '{}',
  GetDiagnostics: '{}',
  GetLocalListVersion: '{"listVersion":0}',
  GetConfiguration: '{"configurationKey":[]}',
}

const actions = { start: 'StartTransaction', meter: 'MeterValues', stop: 'StopTransaction' } as const

function payloadOf(station: Station, phase: TransactionPhase, connectorId: number, samples: number): string {
  if (phase === 'start') return startTransactionPayload(station, connectorId)
  if (phase === 'meter') return meterSeriesPayload(station, connectorId, samples)
  return stopTransactionPayload(station, connectorId)
}

const told = (failure: Failure): string => `${failure.kind} ${failure.detail}`.trim()

export function createChargePoints(measure: Measure): ChargePoints {
  const stations: Station[] = []
  let talking = false
  let outstanding = 0
  /** Every connector's next status differs from its last one, from request to request. */
  let statusesSaid = 0
  let silent: (() => void) | undefined
  let carsCome = 0
  /** Charge points that lose their connection on purpose, by number. */
  const dropped = new Map<number, () => void>()
  /** Told when a charge point has confirmed the limit of a transaction. */
  const awaitingLimit = new Map<Station, () => void>()

  function connectOne(url: string, prefix: string, number: number, answersAfterMs?: number): Promise<void> {
    const startedAt = performance.now()
    return new Promise((resolve) => {
      let settled = false
      const settle = (failure: string | undefined): void => {
        if (settled) {
          if (failure !== undefined) measure.failed(`lost: ${failure}`)
          return
        }
        settled = true
        if (failure === undefined) measure.succeeded((performance.now() - startedAt) * 1000)
        else measure.failed(failure)
        resolve()
      }
      const id = `${prefix}${number}`
      createStation({
        id,
        number,
        connection: {
          url: stationUrl(url, id),
          subprotocols: ['ocpp1.6'],
          localAddress: sourceAddresses[number % sourceAddresses.length] as string,
          handshakeTimeoutMs,
        },
        opened(station) {
          station.call('BootNotification', bootPayload(station), (_microseconds, failure) => {
            if (failure === undefined) stations.push(station)
            settle(failure && told(failure))
          })
        },
        closed(reason) {
          const gone = dropped.get(number)
          if (gone === undefined) settle(reason)
          else gone()
        },
        command: (action) => answers[action] ?? '{"status":"Accepted"}',
        ...(answersAfterMs !== undefined && { answersAfterMs }),
        answered(station, action, payload) {
          if (action === 'SetChargingProfile' && payload.connectorId === 1) awaitingLimit.get(station)?.()
        },
      }).connect()
    })
  }

  function say(station: Station, conversation: Conversation): void {
    const payload = conversation === 'heartbeat' ? '{}' : meterValuesPayload(station, 1)
    const action = conversation === 'heartbeat' ? 'Heartbeat' : 'MeterValues'
    station.call(action, payload, (microseconds, failure) => {
      if (failure === undefined) measure.succeeded(microseconds)
      else measure.failed(told(failure))
      if (talking && failure === undefined) say(station, conversation)
      else if (--outstanding === 0) silent?.()
    })
  }

  function transaction(station: Station, phase: TransactionPhase, connectorId: number, samples: number): Promise<void> {
    const starting = phase === 'start'
    return new Promise((resolve) => {
      station.call(actions[phase], payloadOf(station, phase, connectorId, samples), (microseconds, failure) => {
        if (failure === undefined) measure.succeeded(microseconds)
        else measure.failed(told(failure))
        if (starting && failure === undefined) {
          station.transactions[connectorId] = Number(station.answer().transactionId ?? 1)
        }
        resolve()
      })
    })
  }

  /** A call whose own latency is not what is measured. */
  function callOnly(station: Station, action: string, payload: string, connectorId: number): Promise<void> {
    return new Promise((resolve) => {
      station.call(action, payload, (_microseconds, failure) => {
        if (failure !== undefined) measure.failed(told(failure))
        else if (action === 'StartTransaction')
          station.transactions[connectorId] = Number(station.answer().transactionId)
        resolve()
      })
    })
  }

  function changeStatus(station: Station, round: number): Promise<void> {
    const payload = statusNotificationPayload(1, round % 2 === 0 ? 'Preparing' : 'Available')
    return new Promise((resolve) => {
      station.call('StatusNotification', payload, (microseconds, failure) => {
        if (failure === undefined) measure.succeeded(microseconds)
        else measure.failed(told(failure))
        resolve()
      })
    })
  }

  /** What the service adds to the time that the partner takes. */
  function authorize(station: Station, idTag: string, ownMs: (chargePointId: string) => number): Promise<void> {
    return new Promise((resolve) => {
      station.call('Authorize', JSON.stringify({ idTag }), (microseconds, failure) => {
        const { idTagInfo } = failure === undefined ? station.answer() : {}
        const isAccepted = (idTagInfo as { readonly status?: string } | undefined)?.status === 'Accepted'
        if (failure !== undefined) measure.failed(told(failure))
        else if (!isAccepted) measure.failed('a driver of a partner was not let in')
        else measure.succeeded(microseconds - ownMs(station.id) * 1_000)
        resolve()
      })
    })
  }

  /** So many a second; resolves when the last answer is in. A charge point has one CALL outstanding: what is due while it waits comes after. */
  async function inTurn(
    ratePerSecond: number,
    count: number,
    next: (asked: number) => { readonly station: Station; readonly say: () => Promise<void> },
  ): Promise<void> {
    const asked: Promise<void>[] = []
    const last = new Map<Station, Promise<void>>()
    await new Promise<void>((resolve) => {
      const agenda = createAgenda()
      agenda.add({
        dueAt: performance.now(),
        run() {
          const { station, say } = next(asked.length)
          const before = last.get(station)
          const said = before === undefined ? say() : before.then(say)
          last.set(station, said)
          asked.push(said)
          if (asked.length < count) return 1_000 / ratePerSecond
          resolve()
          return undefined
        },
      })
    })
    await Promise.all(asked)
  }

  /** Resolves when the car has its limit; it leaves by itself. */
  function car(station: Station, dueAt: number, staySeconds: number): Promise<void> {
    return new Promise((resolve) => {
      const settle = (failure: string | undefined): void => {
        awaitingLimit.delete(station)
        clearTimeout(patience)
        if (failure === undefined) measure.succeeded((performance.now() - dueAt) * 1000)
        else measure.failed(failure)
        resolve()
      }
      const patience = setTimeout(() => settle('a car got no limit'), limitPatienceMs)
      awaitingLimit.set(station, () => settle(undefined))
      station.call('StartTransaction', startTransactionPayload(station, 1), (_microseconds, failure) => {
        if (failure !== undefined) return settle(told(failure))
        station.transactions[1] = Number(station.answer().transactionId)
        setTimeout(() => leave(station), staySeconds * 1_000)
      })
    })
  }

  function leave(station: Station): void {
    station.call('StopTransaction', stopTransactionPayload(station, 1), (_microseconds, failure) => {
      if (failure !== undefined) measure.failed(told(failure))
    })
  }

  return {
    async connect({ url, prefix, from, count, inFlight, answersAfterMs }) {
      let next = from
      const worker = async (): Promise<void> => {
        while (next < from + count) await connectOne(url, prefix, next++, answersAfterMs)
      }
      await Promise.all(Array.from({ length: Math.min(inFlight, count) }, worker))
    },
    async drop() {
      const all = stations.splice(0)
      await Promise.all(
        all.map(
          (station) =>
            new Promise<void>((resolve) => {
              dropped.set(station.number, resolve)
              station.drop()
            }),
        ),
      )
      dropped.clear()
    },
    talk(conversation, active) {
      talking = true
      outstanding = Math.min(active, stations.length)
      for (const station of stations.slice(0, active)) say(station, conversation)
    },
    async quiet() {
      talking = false
      if (outstanding === 0) return
      await new Promise<void>((resolve) => {
        silent = resolve
      })
    },
    statuses: (ratePerSecond, seconds) =>
      inTurn(ratePerSecond, ratePerSecond * seconds, () => {
        const station = stations[statusesSaid % stations.length] as Station
        const round = Math.floor(statusesSaid++ / stations.length)
        return { station, say: () => changeStatus(station, round) }
      }),
    authorize: (idTag, ratePerSecond, seconds, ownMs) =>
      inTurn(ratePerSecond, ratePerSecond * seconds, (number) => {
        const station = stations[number % stations.length] as Station
        return { station, say: () => authorize(station, idTag, ownMs) }
      }),
    roam({ what, ratePerSecond, from, count, connectors, partners }, said) {
      const say = (station: Station, connectorId: number, number: number): Promise<void> => {
        said(what === 'status' ? 'locations' : 'sessions', station.id, connectorId)
        if (what === 'start') {
          const payload = startTransactionPayload(station, connectorId, roamingTag(number % partners))
          return callOnly(station, 'StartTransaction', payload, connectorId)
        }
        // Each reading is another price.
        station.registerWh += 977
        if (what === 'meter')
          return callOnly(station, 'MeterValues', meterValuesPayload(station, connectorId), connectorId)
        const round = Math.floor(number / (stations.length * connectors))
        const status = statusNotificationPayload(connectorId, round % 2 === 0 ? 'Preparing' : 'Available')
        return callOnly(station, 'StatusNotification', status, connectorId)
      }
      return inTurn(ratePerSecond, count, (asked) => {
        const number = from + asked
        const station = stations[number % stations.length] as Station
        const connectorId = 1 + (Math.floor(number / stations.length) % connectors)
        return { station, say: () => say(station, connectorId, number) }
      })
    },
    async cars(ratePerSecond, seconds, staySeconds) {
      const total = ratePerSecond * seconds
      const come: Promise<void>[] = []
      await new Promise<void>((resolve) => {
        const agenda = createAgenda()
        agenda.add({
          dueAt: performance.now(),
          run(intendedAt) {
            const station = stations[carsCome++ % stations.length] as Station
            if (station.busy()) measure.failed('a charge point is still busy with its last car')
            else come.push(car(station, intendedAt, staySeconds))
            if (come.length < total) return 1_000 / ratePerSecond
            resolve()
            return undefined
          },
        })
      })
      await Promise.all(come)
    },
    async transactions(phase, connectors, samples = 1) {
      await Promise.all(
        stations.map(async (station) => {
          for (let connectorId = 1; connectorId <= connectors; connectorId++) {
            await transaction(station, phase, connectorId, samples)
          }
        }),
      )
    },
  }
}
