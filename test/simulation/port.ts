// Links between simulated threads, with the part of a MessagePort's interface that the service uses. A link keeps its order and loses
// nothing while both ends live, as a real one does; what it carries takes its time. An end is handed over to another thread as a real
// one is transferred: what comes meanwhile waits in it.

import type { MessagePort } from 'node:worker_threads'
import type { Channel } from '../../src/process/assembly.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

export interface Traffic {
  readonly time: SimulatedTime
  /** How long the next message is on its way, ms. */
  delay(from: SimulatedThread, to: SimulatedThread): number
  /** What is sent in place of `message`; `later` sends more. The sender may die in it, and nothing is sent. */
  sending(message: unknown, from: SimulatedThread, to: SimulatedThread, later: Later): unknown
  /** Whether taking this message may settle promises. */
  settles(message: unknown): boolean
  /** The message is on its way; the sender may die in it. */
  sent(message: unknown, from: SimulatedThread): void
}

export type Later = (message: unknown, delayMs: number) => void

type Listener = (message: unknown) => void

/** The ends that are not closed, for finding those of a thread that has ended. */
export type OpenEnds = Set<SimulatedPort>

export function createChannel(traffic: Traffic, open: OpenEnds, owner: SimulatedThread): Channel {
  const near = new SimulatedPort(traffic, open, owner)
  const far = new SimulatedPort(traffic, open, owner)
  near.join(far)
  far.join(near)
  return { port1: near as unknown as MessagePort, port2: far as unknown as MessagePort }
}

export class SimulatedPort {
  owner: SimulatedThread
  readonly #traffic: Traffic
  readonly #open: OpenEnds
  #other: SimulatedPort | undefined
  #listener: Listener | undefined
  readonly #closed: (() => void)[] = []
  readonly #backlog: unknown[] = []
  #arrivesAt = 0

  constructor(traffic: Traffic, open: OpenEnds, owner: SimulatedThread) {
    this.#traffic = traffic
    this.#open = open
    this.owner = owner
    open.add(this)
  }

  join(other: SimulatedPort): void {
    this.#other = other
  }

  postMessage(message: unknown): void {
    if (!this.#open.has(this)) return
    const { time, delay, sending, sent } = this.#traffic
    const to = (this.#other as SimulatedPort).owner
    const going = sending(message, this.owner, to, (later, delayMs) => this.#carry(later, delayMs))
    // Later messages never overtake earlier ones.
    this.#arrivesAt = Math.max(this.#arrivesAt, time.monotonic() + delay(this.owner, to))
    this.#carry(going, this.#arrivesAt - time.monotonic())
    sent(message, this.owner)
  }

  on(event: 'message' | 'close', heard: Listener): void {
    if (event === 'close') return void this.#closed.push(heard as () => void)
    this.#listener = heard
    if (this.#backlog.length > 0)
      this.#traffic.time.settleAfter(0, this.owner, () => {
        for (const message of this.#backlog.splice(0)) heard(message)
      })
  }

  once(event: 'close', heard: () => void): void {
    this.on(event, heard)
  }

  /** What was sent before still arrives: the other end hears of the end behind it. */
  close(): void {
    if (!this.#open.delete(this)) return
    const other = this.#other as SimulatedPort
    const { time, delay } = this.#traffic
    const at = Math.max(this.#arrivesAt, time.monotonic() + delay(this.owner, other.owner))
    time.settleAfter(at - time.monotonic(), other.owner, () => {
      if (!this.#open.delete(other)) return
      for (const heard of other.#closed) heard()
    })
  }

  #carry(message: unknown, delayMs: number): void {
    const { time, settles } = this.#traffic
    const other = this.#other as SimulatedPort
    const arrive = (): void => other.#arrive(message)
    if (settles(message)) time.settleAfter(delayMs, other.owner, arrive)
    else time.after(delayMs, other.owner, arrive)
  }

  #arrive(message: unknown): void {
    if (!this.#open.has(this)) return
    const { time } = this.#traffic
    // It was handed over while the message was on its way.
    if (time.thread !== this.owner) time.settleAfter(0, this.owner, () => this.#arrive(message))
    else if (this.#listener === undefined || this.#backlog.length > 0) this.#backlog.push(message)
    else this.#listener(message)
  }
}

export function handTo(port: MessagePort, owner: SimulatedThread): void {
  ;(port as unknown as SimulatedPort).owner = owner
}

export function isPort(value: unknown): value is MessagePort {
  return value instanceof SimulatedPort
}
