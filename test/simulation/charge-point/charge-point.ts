// A simulated charge point: what every charge point has (../../../bench/charge-point) over a line of the simulated network, in
// simulated time. Its power, its outlets, how it answers; what is odd about it comes with its seed.

import type { Payload, ReceivedCall } from '../../../bench/charge-point/call-channel.js'
import { createClock } from '../../../bench/charge-point/clock.js'
import type { Timetable } from '../../../bench/charge-point/timetable.js'
import type { Connection, ConnectionEvents } from '../../../bench/charge-point/transport.js'
import { createUplink, type Habits } from '../../../bench/charge-point/uplink.js'
import type { Box } from '../boxes.js'
import type { Faults } from '../faults.js'
import type { Network } from '../network.js'
import type { SimulatedThread, SimulatedTime } from '../time.js'
import { createBoxAnswers } from './box-answers.js'
import { type Charge, createCharges } from './charges.js'
import { type Able, answerTo, consentTo, refusal } from './odd-answers.js'
import { drawQuirks } from './quirks.js'
import type { StallPhysics } from './stall-physics.js'

export interface ChargeObserver {
  /** A charge has begun, whoever will hear of it. */
  charged(charge: Charge): void
  /** An error that no well-formed message should get. */
  refused(chargePointId: string, action: string, code: string): void
  /** It is gone for good. */
  died(chargePointId: string): void
}

export interface SimulatedChargePoint {
  readonly id: string
  start(): void
  /** No new charges; the ones that run end soon. */
  windDown(): void
  losePower(): void
  /** Gone for good, sometimes just when a car has left. */
  die(): void
  connectTwice(): void
}

export interface ChargePointOptions {
  readonly id: string
  readonly organizationNumber: number
  readonly connectors: number
  /** Share of the outlets that charge; the others stay free for the whole run. */
  readonly busyShare: number
  /** Ends transactions that nobody has begun, without end. */
  readonly endsUnknown?: boolean
  /** One that an installer puts up: it charges when it is asked to, and for as long. */
  readonly box?: Box
  /** One of a site: its cars draw what its limits let them. */
  readonly physics?: StallPhysics
  readonly time: SimulatedTime
  readonly thread: SimulatedThread
  readonly faults: Faults
  readonly network: Network
  readonly observer: ChargeObserver
}

const answerWithinMs = 20_000
const startAttempts = 3
/** Of one that is slow: some of its answers come after they were waited for. */
const slowestMs = 35_000
/** Numbers above it are of no transaction that a service has begun. */
const unknownTransactions = 2_000_000_000
const isRemote = (action: string): boolean => action.startsWith('Remote')

export function createChargePoint(options: ChargePointOptions): SimulatedChargePoint {
  const { id, organizationNumber, connectors, busyShare, box, physics, time, thread, faults, network, observer } =
    options
  const { random } = faults
  const drawn = drawQuirks(faults)
  // What a box has taken is metered, and told to its end: the oracle knows by it what its test transaction was.
  const quirks = box === undefined ? drawn : { ...drawn, metersNothing: false, forgetsOnPowerLoss: false }
  const clock = createClock(quirks.clock, time)
  physics?.runsOn(clock)
  const toldStatuses = new Map<number, string>()
  /** Raised when power goes: whatever was planned before is not done. */
  let life = 0
  let connections = 0
  let heartbeatEveryMs = 0
  let powered = false
  let unknownEnds = 0
  let isEndingUnknown = false
  let dead = false
  const done = new Set<unknown>()

  function later(milliseconds: number, run: () => void): void {
    const planned = life
    time.after(milliseconds, thread, () => {
      if (planned === life) run()
    })
  }

  const timetable: Timetable = {
    now: time.monotonic,
    after(delayMs, task) {
      const entry: ReturnType<Timetable['after']> = { task }
      later(delayMs, () => {
        const due = entry.task
        entry.task = undefined
        due?.()
      })
      return entry
    },
    cancel(entry) {
      if (entry !== undefined) entry.task = undefined
    },
  }

  function connect(events: ConnectionEvents): Connection {
    let open = false
    const line = network.connect(id, {
      opened() {
        open = true
        events.opened()
      },
      received: events.text,
      closed() {
        open = false
        events.closed(1006, '')
      },
    })
    return {
      get open() {
        return open
      },
      send: (text) => line.send(text),
      close: () => line.close(),
      destroy: () => line.close(),
    }
  }

  const aWhile = (): number => 1_000 + random() * 5_000
  const habits: Habits = {
    callTimeoutMs: answerWithinMs,
    messageIds() {
      const connection = ++connections
      let number = 0
      return () => (quirks.countsMessages ? String(++number) : `${id}-${connection}-${++number}`)
    },
    bootsAgain: () => random() < 0.2,
    bootAgainAfterMs: aWhile,
    heartbeatAfterMs: (first) => heartbeatEveryMs * (first ? random() : 1),
    reconnectAfterMs: () => 500 + random() * 8_000,
    againAfterMs({ action }, failures) {
      const isGivenUp = quirks.givesUpStarts && action === 'StartTransaction' && failures >= startAttempts
      return isGivenUp ? undefined : aWhile()
    },
    maximumMessages: Number.POSITIVE_INFINITY,
  }
  const uplink = createUplink({
    connect,
    timetable,
    boot: () => ({ chargePointVendor: 'Sim', chargePointModel: 'S1' }),
    habits,
    events: {
      booted({ interval }) {
        clock.set()
        heartbeatEveryMs = Number(interval) * 1_000
        toldStatuses.clear()
      },
      online() {
        for (let connector = 1; connector <= connectors; connector++) tellStatus(connector)
        if (options.endsUnknown === true) endUnknown()
      },
      called: answer,
      failed({ action }, outcome) {
        if (outcome.type !== 'error' || outcome.code === 'SecurityError' || outcome.code === 'InternalError') return
        observer.refused(id, action, outcome.code)
      },
    },
  })
  const { outbox } = uplink
  const charges = createCharges({
    id,
    organizationNumber,
    connectors,
    busyShare,
    time,
    faults,
    quirks,
    onlyWhenAsked: box !== undefined,
    physics,
    clock,
    outbox,
    statusChanged: tellStatus,
    later,
    charged: observer.charged,
  })

  /** Where it is not what was told last. */
  function tellStatus(connectorId: number): void {
    const status = charges.statusOf(connectorId)
    if (!uplink.accepted || toldStatuses.get(connectorId) === status) return
    const payload = { connectorId, status, errorCode: 'NoError', timestamp: clock.timestamp() }
    outbox.ordinary({
      action: 'StatusNotification',
      payload: () => payload,
      settled: ({ type }) => void (type === 'result' && toldStatuses.set(connectorId, status)),
    })
  }

  function endUnknown(): void {
    if (isEndingUnknown) return
    isEndingUnknown = true
    const number = ++unknownEnds
    const payload = { transactionId: unknownTransactions + number, meterStop: number, timestamp: clock.timestamp() }
    outbox.transaction({
      action: 'StopTransaction',
      payload: () => payload,
      settled() {
        isEndingUnknown = false
        later(0, endUnknown)
      },
    })
  }

  const boxAnswers = box && createBoxAnswers({ box, faults, later, say, reboot: losePower })

  function say(message: string, connectorId = 1): void {
    if (message === 'Heartbeat') uplink.heartbeat()
    else if (message === 'MeterValues') charges.meter(connectorId)
    else if (message === 'StatusNotification') {
      toldStatuses.delete(connectorId)
      tellStatus(connectorId)
    }
  }

  function answer(call: ReceivedCall, reply: (frame: string) => void): void {
    const action = String(call.action)
    const payload = call.payload as Payload
    const able = boxAnswers?.to(action, payload) ?? physics?.answer(action, payload) ?? usually(action, payload)
    const { frames, lateMs, consents } = answerTo(String(call.id), able, faults)
    const slowMs = physics?.stall.manner === 'slow' ? random() * slowestMs : 0
    // A box that is told twice what to begin begins it once: a charge that it begins anew is nobody's.
    const isRepeated = box !== undefined && done.has(call.id)
    if (consents && !isRepeated) able.act?.()
    if (box !== undefined) done.add(call.id)
    for (const frame of frames) later(lateMs + slowMs + random() * 300, () => reply(frame))
    if (action === 'TriggerMessage' && box === undefined) later(100, uplink.boot)
  }

  function usually(action: string, payload: Payload): Able {
    const asked = charges.remote(action, payload)
    return asked === undefined && isRemote(action) ? refusal : consentTo(action, asked ?? (() => undefined))
  }

  function powerUp(): void {
    powered = true
    physics?.powerUp()
    clock.powerUp()
    uplink.connect()
    charges.tellHeldBack()
    charges.powerUp()
  }

  function powerDown(): void {
    powered = false
    life++
    charges.powerDown()
    physics?.powerDown()
    uplink.switchOff()
  }

  function losePower(): void {
    if (!powered) return
    powerDown()
    // A site has to get along without some of its charge points for minutes.
    const isLong = physics !== undefined && random() < 0.3
    later(isLong ? 100_000 + random() * 60_000 : 1_000 + random() * 20_000, powerUp)
  }

  function end(): void {
    powerDown()
    dead = true
    charges.abandon()
    observer.died(id)
  }

  return {
    id,
    start() {
      if (!dead) powerUp()
    },
    windDown: charges.windDown,
    losePower,
    die() {
      if (!charges.running || random() < 0.5) return end()
      charges.leaveUntold()
      later(3_000, end)
    },
    connectTwice() {
      // The old socket is left alone: to the edge it lives on, to the charge point it is forgotten.
      if (uplink.connected) uplink.connectAnew()
    },
  }
}
