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
  readonly attempts: () => number
  readonly retryIntervalMs: () => number
  readonly maximumMessages: number
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

interface TransactionMessage extends Message {
  attempt: number
}

export function createOutbox(channel: CallChannel, timetable: Timetable, options: OutboxOptions): Outbox {
  let urgent: Message[] = []
  let ordinary: Message[] = []
  const transactions: TransactionMessage[] = []
  let drained: (() => void)[] = []
  let allowed = false
  let retry: TimetableEntry | undefined

  function settleTransaction(message: TransactionMessage, outcome: CallOutcome): void {
    if (outcome.type === 'lost') return
    if (outcome.type !== 'result' && ++message.attempt < options.attempts()) {
      retry = timetable.after(options.retryIntervalMs() * message.attempt, () => {
        retry = undefined
        pump()
      })
      return
    }
    transactions.shift()
    message.settled?.(outcome)
    if (transactions.length > 0) return
    const waiting = drained
    drained = []
    for (const then of waiting) then()
  }

  function send(message: Message): void {
    channel.call(message.action, message.payload(), (outcome) => {
      message.settled?.(outcome)
      pump()
    })
  }

  function pump(): void {
    if (!channel.free) return
    const first = urgent.shift()
    if (first) {
      send(first)
      return
    }
    if (!allowed) return
    const next = ordinary.shift()
    if (next) {
      send(next)
      return
    }
    const transaction = transactions[0]
    if (transaction === undefined || retry !== undefined) return
    channel.call(transaction.action, transaction.payload(), (outcome) => {
      settleTransaction(transaction, outcome)
      pump()
    })
  }

  /** Over the bound the oldest meter values go first: a start or a stop is never given up for them. */
  function makeRoom(): void {
    if (transactions.length < options.maximumMessages) return
    const index = transactions.findIndex((message, at) => at > 0 && message.action === 'MeterValues')
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
      transactions.push({ ...message, attempt: 0 })
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
