// What a charge point says, and how: over one socket at a time, one call after another, each again until it is answered. Messages
// of transactions outlive power losses; statuses and heartbeats do not. It knows nothing of charging.

import type { Faults } from '../faults.js'
import type { Line, Network } from '../network.js'
import type { SimulatedTime } from '../time.js'
import type { ChargePointClock } from './clock.js'
import type { Quirks } from './quirks.js'

type Payload = Record<string, unknown>

/** A message that is told until it is answered. */
export interface KeptMessage {
  readonly action: string
  readonly payload: () => Payload
  answered?(payload: Payload): void
  /** So many attempts were in vain: true when it is given up. */
  isGivenUp?(attempts: number): boolean
}

interface Message extends KeptMessage {
  readonly kept: boolean
  attempts: number
}

export interface Calls {
  readonly connected: boolean
  /** Nothing is left to tell, and the last socket is up and accepted. */
  readonly settled: boolean
  connect(): void
  /** The power is gone, and the socket with it. */
  drop(): void
  /** Its socket is left alone, and forgotten. */
  forget(): void
  /** What is left to tell will never be told. */
  discard(): void
  keep(message: KeptMessage): void
  boot(): void
  heartbeat(): void
  /** Where it is not what was told last. */
  tellStatus(connectorId: number, status: string): void
  answer(line: Line | undefined, frame: string): void
  readonly line: Line | undefined
  pump(): void
}

export interface CallOptions {
  readonly id: string
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly network: Network
  readonly quirks: Quirks
  readonly clock: ChargePointClock
  /** Not done when the power goes before. */
  readonly later: (milliseconds: number, run: () => void) => void
  readonly events: CallEvents
}

export interface CallEvents {
  /** A socket is open: what is there is to be told. */
  opened(): void
  booted(intervalSeconds: number): void
  /** The service calls. */
  called(messageId: string, action: string, payload: Payload): void
  /** An error that no well-formed message should get. */
  refused(action: string, code: string): void
}

const answerWithinMs = 20_000

export function createCalls({ id, time, faults, network, quirks, clock, later, events }: CallOptions): Calls {
  const { random } = faults
  const toldStatuses = new Map<number, string>()
  let queue: Message[] = []
  let urgent: Message[] = []
  let line: Line | undefined
  let open = false
  let accepted = false
  let outstanding: { readonly id: string; readonly message: Message } | undefined
  let messageNumber = 0

  function connect(): void {
    const mine = network.connect(id, {
      opened() {
        if (line !== mine) return
        open = true
        messageNumber = 0
        // A charge point that only lost its link does not boot again.
        if (!accepted || random() < 0.2) {
          accepted = false
          boot()
          toldStatuses.clear()
        }
        events.opened()
        pump()
      },
      received(text) {
        if (line === mine) receive(text)
      },
      closed() {
        if (line !== mine) return
        line = undefined
        open = false
        outstanding = undefined
        urgent = []
        later(500 + random() * 8_000, connect)
      },
    })
    line = mine
  }

  function tell(action: string, payload: Payload, answered?: KeptMessage['answered']): void {
    urgent.push({
      action,
      payload: () => payload,
      ...(answered !== undefined && { answered }),
      kept: false,
      attempts: 0,
    })
  }

  function boot(): void {
    tell('BootNotification', { chargePointVendor: 'Sim', chargePointModel: 'S1' }, ({ status, interval }) => {
      accepted = status === 'Accepted'
      clock.set()
      events.booted(interval as number)
    })
  }

  /** One call at a time (OCPP-J 1.6, 4.1.1); nothing but BootNotification before it was accepted (4.2). */
  function pump(): void {
    if (!open || line === undefined || outstanding !== undefined) return
    const booting = urgent.find((message) => message.action === 'BootNotification')
    const message = booting ?? (accepted ? (urgent[0] ?? queue[0]) : undefined)
    if (message === undefined) return
    message.attempts++
    const messageId = quirks.countsMessages ? String(++messageNumber) : `${id}-${time.steps}-${++messageNumber}`
    const sent = { id: messageId, message }
    outstanding = sent
    line.send(JSON.stringify([2, messageId, message.action, message.payload()]))
    later(answerWithinMs, () => {
      if (outstanding !== sent) return
      outstanding = undefined
      again(message)
    })
  }

  function done(message: Message): void {
    urgent = urgent.filter((one) => one !== message)
    queue = queue.filter((one) => one !== message)
  }

  /** What was not answered is told again after a while, if it is of a transaction; a boot at once. */
  function again(message: Message): void {
    const over = message.kept ? message.isGivenUp?.(message.attempts) === true : message.action !== 'BootNotification'
    if (over) done(message)
    later(1_000 + random() * 5_000, pump)
  }

  function receive(text: string): void {
    const frame = JSON.parse(text) as [number, string, ...unknown[]]
    if (frame[0] === 2) {
      events.called(frame[1], frame[2] as string, frame[3] as Payload)
      return
    }
    if (outstanding?.id !== frame[1]) return
    const { message } = outstanding
    outstanding = undefined
    if (frame[0] === 4) {
      refused(message, frame[2] as string)
      return
    }
    done(message)
    message.answered?.(frame[2] as Payload)
    pump()
  }

  function refused(message: Message, code: string): void {
    if (code === 'SecurityError') {
      accepted = false
      if (!urgent.some((one) => one.action === 'BootNotification')) boot()
    } else if (code !== 'InternalError') events.refused(message.action, code)
    again(message)
  }

  return {
    get connected() {
      return open
    },
    get settled() {
      return open && accepted && queue.length === 0 && urgent.length === 0 && outstanding === undefined
    },
    get line() {
      return line
    },
    connect,
    drop() {
      line?.close()
      line = undefined
      open = false
      accepted = false
      outstanding = undefined
      urgent = []
    },
    forget() {
      outstanding = undefined
      urgent = []
      open = false
    },
    discard() {
      queue = []
    },
    keep(message) {
      queue.push({ ...message, kept: true, attempts: 0 })
      pump()
    },
    boot,
    heartbeat() {
      if (!open || !accepted) return
      tell('Heartbeat', {})
      pump()
    },
    tellStatus(connectorId, status) {
      if (!open || toldStatuses.get(connectorId) === status) return
      const payload = { connectorId, status, errorCode: 'NoError', timestamp: clock.timestamp() }
      tell('StatusNotification', payload, () => void toldStatuses.set(connectorId, status))
      pump()
    },
    answer(to, frame) {
      if (line === to) line?.send(frame)
    },
    pump,
  }
}
