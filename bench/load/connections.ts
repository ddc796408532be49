// The connections of one process: a paced ramp, BootNotification, coming back with a jittered back-off, and storms, in
// which everybody is cut off at one instant and returns at once.

import { delay } from '../../src/runtime/delay.js'
import type { Timetable } from '../charge-point/timetable.js'
import type { Refusal } from '../charge-point/transport.js'
import type { Random } from '../client/random.js'
import type { Agenda } from '../generator/agenda.js'
import { createHistogram, pairsOf, record } from '../generator/histogram.js'
import { bootPayload } from '../generator/payloads.js'
import type { StormRound } from './protocol.js'
import type { Recorder } from './recorder.js'
import { statusNotification } from './scripts.js'
import type { Player, Traffic } from './traffic.js'

export interface Link {
  readonly player: Player
  /** The station's `opened` and `closed` lead here. */
  opened(): void
  closed(reason: string, code: number, refusal: Refusal | undefined): void
  /** Reboots: what is under way has a moment to finish, then it is gone for a while. */
  restart(): void
}

export interface Connections {
  readonly connected: number
  readonly booted: number
  add(player: Player): Link
  /** Connects everybody; resolves when each is booted or was refused for good. */
  ramp(perSecond: number): Promise<void>
  storm(limitMs: number): Promise<StormRound>
  /** Says goodbye to everybody. */
  leave(): Promise<void>
}

export interface ConnectionsOptions {
  readonly recorder: Recorder
  readonly traffic: () => Traffic
  readonly agenda: Agenda
  readonly timetable: Timetable
  readonly random: Random
  readonly connectors: number
  readonly timeoutMs: number
}

const backOff = { minimumMs: 1_000, maximumMs: 30_000 }
const bootRetryMs = 10_000
const restartMs = 1_000
/** A server that only ever says "later" does not hold up a run for longer. */
const deferralLimitMs = 60_000
const goodbyeMs = 1_500
const busyStatuses = new Set([429, 503])

/** One of few, whatever addresses, ports and ids the text names. */
export function connectFailureKind(reason: string, refusal: Refusal | undefined): string {
  if (refusal) return `connect: HTTP ${refusal.statusCode}`
  return `connect: ${/\bE[A-Z]{3,}\b/.exec(reason)?.[0] ?? reason.replaceAll(/[\d.:[\]]{3,}/g, '').slice(0, 80)}`
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { recorder, timetable, random, agenda } = options
  const links: { connect(): void; player: Player; cut(): void; close(): void }[] = []
  let connected = 0
  let booted = 0
  let unsettled = 0
  let rampDone: (() => void) | undefined
  let leaving = false
  let round: { readonly startedAt: number; readonly latency: ReturnType<typeof createHistogram> } | undefined
  let roundDone: (() => void) | undefined

  function add(player: Player): Link {
    const { station } = player
    let dueAt = 0
    let failures = 0
    let isOpen = false
    let settled = false
    /** The connection ends because we want it to: no error, and it comes back after this time. */
    let expectedBackMs: number | undefined

    function settle(): void {
      if (settled) return
      settled = true
      unsettled--
      if (unsettled === 0) rampDone?.()
    }

    function connect(): void {
      if (leaving) return
      dueAt = performance.now()
      recorder.attempt()
      station.connect()
    }

    function boot(): void {
      // A retry that was set on an earlier connection may find the charge point booted on a new one.
      if (player.booted || !station.open() || station.busy()) return
      const sentAt = performance.now()
      recorder.sent('BootNotification', sentAt)
      station.call('BootNotification', bootPayload(station), (microseconds, failure) => {
        const { status, interval } = failure === undefined ? station.answer() : {}
        const known = status === 'Accepted' || status === 'Pending' || status === 'Rejected'
        const wrong = failure ?? (known ? undefined : { kind: 'an answer without a status', detail: '' })
        recorder.settled('BootNotification', sentAt, microseconds, wrong)
        const seconds = typeof interval === 'number' && interval > 0 ? interval : undefined
        if (status === 'Accepted') accepted(seconds)
        else {
          if (wrong === undefined) recorder.error(`BootNotification: ${String(status)}`)
          settle()
          timetable.after(seconds === undefined ? bootRetryMs : seconds * 1000, boot)
        }
      })
    }

    function accepted(intervalSeconds: number | undefined): void {
      failures = 0
      player.booted = true
      booted++
      if (intervalSeconds !== undefined) player.heartbeatIntervalMs = intervalSeconds * 1000
      recorder.ready(performance.now() - dueAt)
      if (round !== undefined) {
        record(round.latency, (performance.now() - round.startedAt) * 1000)
        if (booted === links.length) roundDone?.()
      }
      settle()
      const ids = Array.from({ length: options.connectors + 1 }, (_, connectorId) => connectorId)
      options.traffic().react(player, ...ids.map((connectorId) => statusNotification(connectorId, 'Available')))
      station.transactions.forEach((transactionId, connectorId) => {
        if (transactionId !== undefined) options.traffic().react(player, statusNotification(connectorId, 'Charging'))
      })
    }

    function comeBack(afterMs: number): void {
      timetable.after(afterMs, connect)
    }

    function closed(reason: string, code: number, refusal: Refusal | undefined): void {
      const wasOpen = isOpen
      isOpen = false
      if (wasOpen) connected--
      if (player.booted) booted--
      player.booted = false
      options.traffic().disconnected(player)
      if (leaving) return
      if (expectedBackMs !== undefined) {
        const afterMs = expectedBackMs
        expectedBackMs = undefined
        if (afterMs === 0) connect()
        else comeBack(afterMs)
        return
      }
      const retryAfter = refusal?.retryAfterSeconds
      if (refusal && retryAfter !== undefined && busyStatuses.has(refusal.statusCode)) {
        recorder.deferred()
        comeBack(retryAfter * 1000 * (0.75 + 0.5 * random()))
        return
      }
      if (!wasOpen) recorder.error(connectFailureKind(reason, refusal))
      else recorder.error(code === 1006 ? 'connection lost' : `closed with ${code}${reason === '' ? '' : ` ${reason}`}`)
      settle()
      failures++
      const longest = Math.min(backOff.maximumMs, backOff.minimumMs * 2 ** (failures - 1))
      comeBack(longest * (0.5 + 0.5 * random()))
    }

    function cut(backAfterMs: number): void {
      // One that is on its way back anyway, or still shaking hands, is not cut off: it has nothing to lose.
      if (!isOpen) return
      expectedBackMs = backAfterMs
      station.drop()
    }

    unsettled++
    links.push({ connect, player, cut: () => cut(0), close: () => station.close() })
    return {
      player,
      opened() {
        isOpen = true
        connected++
        recorder.opened(performance.now() - dueAt)
        boot()
      },
      closed,
      restart: () => void timetable.after(restartMs, () => cut(restartMs)),
    }
  }

  return {
    get connected() {
      return connected
    },
    get booted() {
      return booted
    },
    add,
    ramp(perSecond) {
      let next = 0
      agenda.add({
        dueAt: performance.now(),
        run() {
          links[next++]?.connect()
          return next < links.length ? 1000 / perSecond : undefined
        },
      })
      const limitMs = (links.length / perSecond) * 1000 + options.timeoutMs + deferralLimitMs
      return new Promise((resolve) => {
        rampDone = resolve
        timetable.after(limitMs, resolve)
      })
    },
    async storm(limitMs) {
      const startedAt = performance.now()
      round = { startedAt, latency: createHistogram() }
      for (const link of links) link.cut()
      await new Promise<void>((resolve) => {
        roundDone = resolve
        timetable.after(limitMs, resolve)
      })
      const latency = pairsOf(round.latency)
      round = undefined
      roundDone = undefined
      return { seconds: (performance.now() - startedAt) / 1000, booted, missing: links.length - booted, latency }
    },
    async leave() {
      leaving = true
      for (const link of links) link.close()
      const until = performance.now() + goodbyeMs
      while (connected > 0 && performance.now() < until) await delay(10)
    },
  }
}
