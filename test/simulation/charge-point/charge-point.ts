// A simulated charge point: boots, charges, keeps its transaction messages until they are answered and tells them again as
// real ones do, under a new message id. Its power, its sockets, its outlets; what is odd about it comes with its seed.

import type { Faults } from '../faults.js'
import type { Network } from '../network.js'
import type { SimulatedThread, SimulatedTime } from '../time.js'
import { createCalls } from './calls.js'
import { type Charge, createCharges } from './charges.js'
import { createChargePointClock } from './clock.js'
import { answerTo } from './odd-answers.js'
import { drawQuirks } from './quirks.js'

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
  readonly connected: boolean
  /** Nothing is left to tell, and the last socket is up and accepted. */
  readonly settled: boolean
  readonly charging: boolean
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
  readonly time: SimulatedTime
  readonly thread: SimulatedThread
  readonly faults: Faults
  readonly network: Network
  readonly observer: ChargeObserver
}

const isRemote = (action: string): boolean => action.startsWith('Remote')

export function createChargePoint(options: ChargePointOptions): SimulatedChargePoint {
  const { id, organizationNumber, connectors, busyShare, time, thread, faults, network, observer } = options
  const { random } = faults
  const quirks = drawQuirks(faults)
  const clock = createChargePointClock(time, quirks)
  /** Raised when power goes: whatever was planned before is not done. */
  let life = 0
  let heartbeatEveryMs = 400_000
  let powered = false
  let dead = false

  function later(milliseconds: number, run: () => void): void {
    const planned = life
    time.after(milliseconds, thread, () => {
      if (planned === life) run()
    })
  }

  const calls = createCalls({
    id,
    time,
    faults,
    network,
    quirks,
    clock,
    later,
    events: {
      opened() {
        for (let connector = 1; connector <= connectors; connector++)
          calls.tellStatus(connector, charges.statusOf(connector))
      },
      booted(intervalSeconds) {
        heartbeatEveryMs = intervalSeconds * 1_000
      },
      called: answer,
      refused: (action, code) => observer.refused(id, action, code),
    },
  })
  const charges = createCharges({
    id,
    organizationNumber,
    connectors,
    busyShare,
    time,
    faults,
    quirks,
    clock,
    calls,
    later,
    charged: observer.charged,
  })

  function answer(messageId: string, action: string, payload: Record<string, unknown>): void {
    const asked = charges.remote(action, payload)
    const { frames, lateMs, consents } = answerTo(messageId, action, faults, asked !== undefined || !isRemote(action))
    const speaking = calls.line
    if (consents) asked?.()
    for (const frame of frames) later(lateMs + random() * 300, () => calls.answer(speaking, frame))
    if (action === 'TriggerMessage') {
      calls.boot()
      later(100, calls.pump)
    }
  }

  function heartbeat(): void {
    calls.heartbeat()
    later(heartbeatEveryMs, heartbeat)
  }

  function powerUp(): void {
    powered = true
    clock.powerUp()
    calls.connect()
    charges.tellHeldBack()
    later(heartbeatEveryMs * random(), heartbeat)
    charges.powerUp()
  }

  function powerDown(): void {
    powered = false
    life++
    charges.powerDown()
    calls.drop()
  }

  function end(): void {
    powerDown()
    dead = true
    calls.discard()
    charges.abandon()
    observer.died(id)
  }

  return {
    id,
    get connected() {
      return calls.connected
    },
    get settled() {
      return calls.settled
    },
    get charging() {
      return charges.running
    },
    start() {
      if (!dead) powerUp()
    },
    windDown: charges.windDown,
    losePower() {
      if (!powered) return
      powerDown()
      later(1_000 + random() * 20_000, powerUp)
    },
    die() {
      if (!charges.running || random() < 0.5) return end()
      charges.leaveUntold()
      later(3_000, end)
    },
    connectTwice() {
      // The old socket is left alone: to the edge it lives on, to the charge point it is forgotten.
      if (!calls.connected) return
      calls.forget()
      calls.connect()
    },
  }
}
