// What a charge point has to say, in order. Transaction messages outlive a lost connection and go out again under a new
// message id (OCPP 1.6, 3.7.1); everything else is only worth saying now and is dropped with the connection.

import type { CallChannel, CallOutcome, Payload } from './call-channel.js'
import type { Timetable, TimetableEntry } from './timetable.js'

export interface Message {
  readonly action: string
  /** Asked for when the message is sent, since a StopTransaction learns its transaction id from an answer before it. */
  readonly payload: () => Payload
  readonly settled?: (outcome: CallOutcome) => void
}

export interface OutboxOptions {
  /**
   * Milliseconds until a transaction message is sent again that was refused, or not answered, so often; undefined when it is
   * given up.
   */
  readonly againAfterMs: (message: Message, failures: number) => number | undefined
  readonly maximumMessages: number
  /** Whatever was refused or not answered, before anything follows from it. */
  readonly failed?: (message: Message, outcome: CallOutcome) => void
}

export interface Outbox {
  readonly waitingTransactionMessages: number
  /** Sent even before the central system has accepted the charge point, ahead of everything else. */
  urgent(message: Message): void
  ordinary(message: Message): void
  transaction(message: Message): void
  /** Whether anything but urgent messages may leave. */
  allow(accepted: boolean): void
  /** Sends the next message if one may be sent. */
  pump(): void
  /** Forgets what is not worth keeping over a lost connection. */
  disconnected(): void
  /** Once, as soon as no transaction message waits. */
  whenDrained(then: () => void): void
}

interface Waiting {
  readonly message: Message
  failures: number
}

export function createOutbox(
  channel: Pick<CallChannel, 'free' | 'call'>,
  timetable: Timetable,
  options: OutboxOptions,
): Outbox {
  let urgent: Message[] = []
  let ordinary: Message[] = []
  const transactions: Waiting[] = []
  let drained: (() => void)[] = []
  let allowed = false
  let retry: TimetableEntry | undefined

  function call(message: Message, settled: (outcome: CallOutcome) => void): void {
    channel.call(message.action, JSON.stringify(message.payload()), (outcome) => {
      if (outcome.type !== 'result' && outcome.type !== 'lost') options.failed?.(message, outcome)
      settled(outcome)
      pump()
    })
  }

  function settleTransaction(waiting: Waiting, outcome: CallOutcome): void {
    if (outcome.type === 'lost') return
    const { message } = waiting
    if (outcome.type !== 'result') {
      const againAfterMs = options.againAfterMs(message, ++waiting.failures)
      if (againAfterMs !== undefined) {
        retry = timetable.after(againAfterMs, () => {
          retry = undefined
          pump()
        })
        return
      }
    }
    transactions.shift()
    message.settled?.(outcome)
    if (transactions.length > 0) return
    const then = drained
    drained = []
    for (const one of then) one()
  }

  function pump(): void {
    if (!channel.free()) return
    const next = urgent.shift() ?? (allowed ? ordinary.shift() : undefined)
    if (next) {
      call(next, (outcome) => next.settled?.(outcome))
      return
    }
    const transaction = transactions[0]
    if (!allowed || transaction === undefined || retry !== undefined) return
    call(transaction.message, (outcome) => settleTransaction(transaction, outcome))
  }

  /** Over the bound the oldest meter values go first: a start or a stop is never given up for them. */
  function makeRoom(): void {
    if (transactions.length < options.maximumMessages) return
    const index = transactions.findIndex(({ message }, at) => at > 0 && message.action === 'MeterValues')
    if (index > 0) transactions.splice(index, 1)
  }

  return {
    get waitingTransactionMessages() {
      return transactions.length
    },
    urgent(message) {
      urgent.push(message)
      pump()
    },
    ordinary(message) {
      ordinary.push(message)
      pump()
    },
    transaction(message) {
      makeRoom()
      transactions.push({ message, failures: 0 })
      pump()
    },
    allow(accepted) {
      allowed = accepted
      pump()
    },
    pump,
    disconnected() {
      allowed = false
      timetable.cancel(retry)
      retry = undefined
      for (const message of [...urgent.splice(0), ...ordinary.splice(0)]) message.settled?.({ type: 'lost' })
      urgent = []
      ordinary = []
    },
    whenDrained(then) {
      if (transactions.length === 0) then()
      else drained.push(then)
    },
  }
}
