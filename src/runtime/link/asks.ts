// Questions to actors that wait for an answer, with their deadlines. One table per thread.

import type { Address, ReplyAddress } from '../actor/actor.js'
import { createTimers, type Timer } from '../actor/timers.js'
import type { Reply, Transport } from '../actor/transport.js'
import type { Clock } from '../clock.js'
import { AmpshardError, errorKind, overloaded, timeout } from '../errors.js'
import { limits } from '../limits.js'

interface Waiting {
  readonly resolve: (body: unknown) => void
  readonly reject: (error: AmpshardError) => void
  readonly timer: Timer<number>
  readonly to: Address
  readonly shard: number
}

/** The actor's memory of the question, or its shard, was lost before it answered: whether it was acted on is not known. */
export class Interrupted extends AmpshardError {
  constructor() {
    super(overloaded, 'the request was interrupted; try again')
  }
}

export interface Asks {
  /** Resolves with the actor's reply; rejects with `timeout`, `overloaded`, Interrupted, or what the actor's shard reported. */
  ask(to: Address, message: unknown, timeoutMs: number): Promise<unknown>
  settle(reply: Reply): void
  /** The shard has died: its asks will not be answered. */
  abandon(shard: number): void
  /** Who has not answered yet, the longest asked first. */
  asked(): Iterable<Address>
  readonly size: number
}

export interface AsksOptions {
  /** Index of the front whose asks these are. */
  readonly front: number
  readonly clock: Clock
  readonly transport: Pick<Transport, 'send'>
  readonly shardOf: (to: Address) => number
}

export function createAsks({ front, clock, transport, shardOf }: AsksOptions): Asks {
  const waiting = new Map<number, Waiting>()
  const timers = createTimers<number>(clock)
  let nextAsk = 1
  let alarm: NodeJS.Timeout | undefined
  let alarmAt = Number.POSITIVE_INFINITY

  function take(ask: number): Waiting | undefined {
    const found = waiting.get(ask)
    if (found === undefined) return undefined
    waiting.delete(ask)
    timers.cancel(found.timer)
    return found
  }

  function expire(): void {
    alarm = undefined
    alarmAt = Number.POSITIVE_INFINITY
    for (const ask of timers.due()) take(ask)?.reject(timeout('no answer came in time'))
    const next = timers.next()
    if (next !== undefined) setAlarm(next)
  }

  function setAlarm(at: number): void {
    if (at >= alarmAt) return
    clearTimeout(alarm)
    alarmAt = at
    alarm = setTimeout(expire, Math.max(0, Math.ceil(at - clock.monotonic())))
  }

  return {
    ask(to, message, timeoutMs) {
      if (waiting.size >= limits.asks) return Promise.reject(overloaded('too many requests wait for an answer'))
      const ask = nextAsk++
      const deadline = clock.monotonic() + timeoutMs
      const replyTo: ReplyAddress = { front, ask }
      return new Promise((resolve, reject) => {
        waiting.set(ask, { resolve, reject, timer: timers.schedule(deadline, ask), to, shard: shardOf(to) })
        setAlarm(deadline)
        transport.send(to, message, { replyTo, remainingMs: timeoutMs })
      })
    },
    settle({ to, outcome }) {
      const found = take(to.ask)
      if (outcome.ok) found?.resolve(outcome.body)
      else if (outcome.interrupted === true) found?.reject(new Interrupted())
      else found?.reject(errorKind(outcome.code)(outcome.message))
    },
    abandon(shard) {
      const lost = [...waiting].filter(([, entry]) => entry.shard === shard)
      for (const [ask] of lost) take(ask)?.reject(new Interrupted())
    },
    *asked() {
      for (const { to } of waiting.values()) yield to
    },
    get size() {
      return waiting.size
    },
  }
}
