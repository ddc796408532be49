// Who sends what when: every charge point has its own steps at its own intended times, sends one CALL at a time as OCPP
// demands, and is measured from the intended time. What cannot be sent yet waits, and the wait is part of the latency.

import { delay } from '../../src/runtime/delay.js'
import type { Agenda } from '../generator/agenda.js'
import type { Station } from '../generator/station.js'
import type { Recorder } from './recorder.js'
import { heartbeat, type Role, type Step } from './scripts.js'

export interface Player {
  readonly station: Station
  readonly role: Role
  booted: boolean
  heartbeatIntervalMs: number
  /** Reactions of the charge point, ahead of its script. */
  readonly urgent: Planned[]
  readonly planned: Planned[]
}

interface Planned {
  readonly step: Step
  readonly intendedAt: number
}

export interface Traffic {
  /** Due, but not sent. */
  waiting(): number
  /** Says `steps` as soon as possible. */
  react(player: Player, ...steps: readonly Step[]): void
  /** The connection is gone, and with it what was only worth saying on it. */
  disconnected(player: Player): void
  /** Sends what waits, if the charge point can. */
  pump(player: Player): void
  start(): void
  /** No new messages; resolves when nothing waits, or after `limitMs`, when the rest is counted as failed. */
  stop(limitMs: number): Promise<void>
}

export interface TrafficOptions {
  readonly players: readonly Player[]
  readonly recorder: Recorder
  readonly agenda: Agenda
  readonly ratePerSecond: number | 'max' | undefined
  readonly timeoutMs: number
  readonly random: () => number
}

const sweepMs = 100
const drainCheckMs = 20

export function createTraffic(options: TrafficOptions): Traffic {
  const { players, recorder, agenda, ratePerSecond, timeoutMs, random } = options
  let waiting = 0
  let talking = false
  const closedLoop = ratePerSecond === 'max'

  function plan(player: Player, intendedAt: number): number {
    const { step, pauseMs } = player.role.script.next().value
    player.planned.push({ step, intendedAt })
    waiting++
    pump(player)
    return pauseMs
  }

  function send(player: Player, { step, intendedAt }: Planned): void {
    const { station } = player
    // A transaction that could not be started has no readings and no end: the charge point only says that it is there.
    const own = step.payload(station)
    const said = own === undefined ? heartbeat : step
    recorder.sent(said.action, intendedAt)
    station.call(said.action, own ?? '{}', (microseconds, failure) => {
      const wrong = failure === undefined ? said.answered?.(station) : undefined
      const problem = failure ?? (wrong === undefined ? undefined : { kind: wrong, detail: '' })
      recorder.settled(said.action, intendedAt, microseconds, problem)
      pump(player)
    })
  }

  function pump(player: Player): void {
    const { station } = player
    if (!player.booted || station.busy() || !station.open()) return
    const next = player.urgent.shift() ?? player.planned.shift()
    if (next !== undefined) {
      waiting--
      send(player, next)
    } else if (closedLoop && talking) plan(player, performance.now())
  }

  function giveUp(player: Player, queue: Planned[], dueBefore: number, kind: string): void {
    for (let first = queue[0]; first !== undefined && first.intendedAt < dueBefore; first = queue[0]) {
      queue.shift()
      waiting--
      recorder.settled(first.step.action, first.intendedAt, undefined, { kind, detail: player.station.id })
    }
  }

  const seconds = `${timeoutMs / 1000} s`
  const notSent = `not sent within ${seconds}`
  const noAnswer = `no answer within ${seconds}`
  const sweep = setInterval(() => {
    const before = performance.now() - timeoutMs
    for (const player of players) {
      player.station.expire(before, noAnswer)
      giveUp(player, player.urgent, before, notSent)
      giveUp(player, player.planned, before, notSent)
    }
  }, sweepMs)
  sweep.unref()

  return {
    waiting: () => waiting,
    react(player, ...steps) {
      for (const step of steps) player.urgent.push({ step, intendedAt: performance.now() })
      waiting += steps.length
      pump(player)
    },
    disconnected(player) {
      waiting -= player.urgent.length
      player.urgent.length = 0
    },
    pump,
    start() {
      talking = true
      if (closedLoop) {
        for (const player of players) pump(player)
        return
      }
      const now = performance.now()
      players.forEach((player, index) => {
        const periodMs = ratePerSecond === undefined ? undefined : (players.length / ratePerSecond) * 1000
        const first =
          periodMs === undefined ? random() * player.role.startsWithinMs() : (index * periodMs) / players.length
        agenda.add({
          dueAt: now + first,
          run(intendedAt) {
            const pauseMs = plan(player, intendedAt)
            return periodMs ?? pauseMs
          },
        })
      })
    },
    async stop(limitMs) {
      talking = false
      agenda.clear()
      const until = performance.now() + limitMs
      const busy = (): boolean => waiting > 0 || players.some(({ station }) => station.busy())
      while (busy() && performance.now() < until) {
        await delay(drainCheckMs)
      }
      for (const player of players) {
        player.station.expire(Number.POSITIVE_INFINITY, 'no answer before the end')
        giveUp(player, player.urgent, Number.POSITIVE_INFINITY, 'not sent before the end')
        giveUp(player, player.planned, Number.POSITIVE_INFINITY, 'not sent before the end')
      }
      clearInterval(sweep)
    },
  }
}
