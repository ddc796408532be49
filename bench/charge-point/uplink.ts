// A charge point's side of the conversation with its central system: it connects, boots until it is accepted, sends heartbeats,
// says everything in its order, gives up on calls that are not answered, and comes back when the connection is lost
// (OCPP 1.6, 4.2 and 4.6). It knows nothing of connectors, and what it is asked is answered by its owner.

import {
  type CallChannel,
  type CallOutcome,
  createCallChannel,
  type Payload,
  type ReceivedCall,
} from './call-channel.js'
import { createOutbox, type Message, type Outbox, type OutboxOptions } from './outbox.js'
import type { Timetable, TimetableEntry } from './timetable.js'
import type { Connection, ConnectionEvents, Refusal } from './transport.js'

/** How a charge point behaves where OCPP leaves it open, or where the field does not follow OCPP. */
export interface Habits extends Pick<OutboxOptions, 'againAfterMs' | 'maximumMessages'> {
  readonly callTimeoutMs: number
  /** For each connection anew: what gives its message ids. */
  readonly messageIds: () => () => string
  /** Whether it boots with a new connection although it was accepted on the one before. */
  readonly bootsAgain: () => boolean
  /** After a BootNotification without a good answer, or one that names no interval. */
  readonly bootAgainAfterMs: () => number
  /** `first`: since it was accepted, or reconnected. None where it is not above 0. */
  readonly heartbeatAfterMs: (first: boolean) => number
  /** After so many connections in a row on which it was not accepted. */
  readonly reconnectAfterMs: (failures: number, refusal: Refusal | undefined) => number
}

export interface UplinkEvents {
  connected?(): void
  /** Not when it was left alone or switched off by its owner. */
  disconnected?(code: number, reason: string, refusal: Refusal | undefined): void
  /** Every text received. */
  received?(text: string): void
  booted?(answer: Payload): void
  /** The central system takes everything from here on, but for what is said in this call nothing has left yet. */
  online(): void
  /** A message of ours was refused or not answered. */
  failed?(message: Message, outcome: CallOutcome): void
  called(call: ReceivedCall, reply: (frame: string) => void): void
}

export interface UplinkOptions {
  readonly connect: (events: ConnectionEvents) => Connection
  readonly timetable: Timetable
  /** BootNotification's payload. */
  readonly boot: () => Payload
  readonly habits: Habits
  readonly events: UplinkEvents
}

export interface Uplink {
  readonly connected: boolean
  /** BootNotification has been accepted on this connection, or needed no repeating. */
  readonly accepted: boolean
  /** A call waits for its answer. */
  readonly busy: boolean
  readonly outbox: Outbox
  /** Connects after so long, and again whenever the connection is lost. */
  connect(afterMs?: number): void
  /** Closes the connection, and comes back as after any loss. */
  close(reason: string): void
  /** Says goodbye and stays away. */
  leave(reason: string): void
  /** Loses the connection as a network failure does, and comes back by itself. */
  drop(): void
  /** Is gone for a while, and boots then. */
  reboot(forMs: number): void
  /** The power is gone, and what is not worth keeping with it; it boots after the next `connect`. */
  switchOff(): void
  /** Forgets its connection without closing it, and opens another. */
  connectAnew(): void
  boot(): void
  heartbeat(): void
}

export function createUplink({ connect: open, timetable, boot: bootPayload, habits, events }: UplinkOptions): Uplink {
  let running = false
  let connection: Connection | undefined
  let nextMessageId = habits.messageIds()
  let registered = false
  let mustBoot = true
  let booting = false
  let failures = 0
  let reconnect: TimetableEntry | undefined
  let heartbeatTimer: TimetableEntry | undefined
  let bootTimer: TimetableEntry | undefined
  let watch: TimetableEntry | undefined

  const channel = createCallChannel({
    now: timetable.now,
    nextMessageId: () => nextMessageId(),
    called: events.called,
  })
  const watched: Pick<CallChannel, 'free' | 'call'> = {
    free: channel.free,
    call(action, payload, settle) {
      watch ??= timetable.after(habits.callTimeoutMs, expire)
      channel.call(action, payload, settle)
    },
  }
  const outbox = createOutbox(watched, timetable, {
    againAfterMs: habits.againAfterMs,
    maximumMessages: habits.maximumMessages,
    failed(message, outcome) {
      // A central system that has forgotten this charge point says so: booting mends that.
      if (outcome.type === 'error' && outcome.code === 'SecurityError' && message.action !== 'BootNotification') {
        registered = false
        mustBoot = true
        outbox.allow(false)
        boot()
      }
      events.failed?.(message, outcome)
    },
  })

  /** One watch for all calls: when it is early for the call of the moment it is set again. */
  function expire(): void {
    watch = undefined
    if (!channel.busy()) return
    const leftMs = channel.sentAt() + habits.callTimeoutMs - timetable.now()
    if (leftMs >= 1) watch = timetable.after(leftMs, expire)
    else channel.expire()
  }

  function boot(): void {
    timetable.cancel(bootTimer)
    if (booting) {
      // One that is on its way, or waits for a connection, is enough.
      outbox.pump()
      return
    }
    booting = true
    outbox.urgent({ action: 'BootNotification', payload: bootPayload, settled: bootSettled })
  }

  function bootSettled(outcome: CallOutcome): void {
    booting = false
    if (outcome.type === 'lost') return
    const { status, interval }: Payload = outcome.type === 'result' ? outcome.payload : {}
    if (outcome.type === 'result') {
      events.booted?.(outcome.payload)
      registered = status === 'Accepted'
      if (registered) {
        mustBoot = false
        online()
        return
      }
      outbox.allow(false)
    }
    bootTimer = timetable.after(Number(interval) > 0 ? Number(interval) * 1000 : habits.bootAgainAfterMs(), boot)
  }

  function online(): void {
    registered = true
    failures = 0
    events.online()
    outbox.allow(true)
    scheduleHeartbeat(true)
  }

  function heartbeat(say: (message: Message) => void): void {
    say({ action: 'Heartbeat', payload: () => ({}) })
  }

  function scheduleHeartbeat(first: boolean): void {
    timetable.cancel(heartbeatTimer)
    const afterMs = habits.heartbeatAfterMs(first)
    if (!(afterMs > 0)) return
    heartbeatTimer = timetable.after(afterMs, () => {
      if (!registered) return
      heartbeat(outbox.ordinary)
      scheduleHeartbeat(false)
    })
  }

  function connectAfter(delayMs: number): void {
    timetable.cancel(reconnect)
    reconnect = timetable.after(delayMs, connect)
  }

  function connect(): void {
    timetable.cancel(reconnect)
    reconnect = undefined
    if (!running || connection !== undefined) return
    const own = open({
      opened() {
        if (connection !== own) return
        nextMessageId = habits.messageIds()
        channel.attach(own.send)
        events.connected?.()
        if (mustBoot || habits.bootsAgain()) boot()
        else online()
      },
      text(text) {
        if (connection !== own) return
        events.received?.(text)
        channel.receive(text)
      },
      closed(code, reason, refusal) {
        if (connection !== own) return
        forget()
        lost(code, reason, refusal)
      },
    })
    connection = own
  }

  /** Whatever was tied to the connection goes with it. */
  function forget(): void {
    connection = undefined
    registered = false
    for (const timer of [heartbeatTimer, bootTimer, watch]) timetable.cancel(timer)
    watch = undefined
    channel.detach()
    outbox.disconnected()
    booting = false
  }

  function lost(code: number, reason: string, refusal: Refusal | undefined): void {
    events.disconnected?.(code, reason, refusal)
    if (running && reconnect?.task === undefined) connectAfter(habits.reconnectAfterMs(failures++, refusal))
  }

  return {
    get connected() {
      return connection?.open === true
    },
    get accepted() {
      return registered
    },
    get busy() {
      return channel.busy()
    },
    outbox,
    connect(afterMs) {
      running = true
      if (afterMs === undefined) connect()
      else connectAfter(afterMs)
    },
    close: (reason) => connection?.close(1000, reason),
    leave(reason) {
      running = false
      for (const timer of [reconnect, heartbeatTimer, bootTimer]) timetable.cancel(timer)
      connection?.close(1000, reason)
    },
    drop() {
      const own = connection
      if (own === undefined) return
      forget()
      own.destroy()
      lost(1006, 'dropped', undefined)
    },
    reboot(forMs) {
      mustBoot = true
      registered = false
      connectAfter(forMs)
      connection?.close(1000, 'reboot')
    },
    switchOff() {
      const own = connection
      running = false
      mustBoot = true
      timetable.cancel(reconnect)
      forget()
      own?.destroy()
    },
    connectAnew() {
      forget()
      connect()
    },
    boot,
    heartbeat: () => heartbeat(outbox.urgent),
  }
}
