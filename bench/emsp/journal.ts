// What a sandbox partner has seen, in order: each thing that came or that it has read, and each fault. It can be waited for, whether it has been
// seen already or comes later.

import type { CommandResponseType, CommandResultType, CommandType } from '../../src/ocpi/schemas/command.js'
import type { Price } from '../../src/ocpi/schemas/common.js'
import type { Allowed } from '../../src/ocpi/schemas/token.js'
import type { Kind, ObjectOf } from './check-object.js'

/** A request of the operator, as it came. */
export interface SeenRequest {
  readonly type: 'request'
  readonly method: string
  /** With its query, behind the partner's address. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** As it was parsed; undefined where there is none, or no JSON. */
  readonly json: unknown
}

/** An object as the partner knows it now, and how it came to know it. */
export interface SeenObject<Of extends Kind = Kind> {
  readonly type: 'object'
  readonly kind: Of
  readonly by: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  readonly id: string
  readonly object: ObjectOf<Of>
  /** Of a location that was told in part. */
  readonly evseUid?: string
  /** The same had come before. */
  readonly isRepeated: boolean
}

export type AnySeenObject = { [Of in Kind]: SeenObject<Of> }[Kind]

export type Seen =
  | SeenRequest
  | AnySeenObject
  /** A handshake has gone well. */
  | { readonly type: 'registered' | 'renewed'; readonly by: 'operator' | 'partner'; readonly operator: string }
  | { readonly type: 'ended'; readonly by: 'operator' | 'partner' }
  | { readonly type: 'list'; readonly kind: Kind; readonly count: number; readonly pages: number }
  | { readonly type: 'tokens-read'; readonly count: number; readonly isLast: boolean }
  | { readonly type: 'token-sent'; readonly uid: string }
  | {
      readonly type: 'authorized'
      readonly uid: string
      readonly allowed: Allowed | 'unknown'
      readonly locationId: string | undefined
    }
  | {
      readonly type: 'response'
      readonly command: CommandType
      readonly result: CommandResponseType
      readonly words: string
    }
  | {
      readonly type: 'result'
      readonly command: CommandType
      readonly result: CommandResultType
      readonly words: string
    }
  | {
      readonly type: 'priced'
      readonly id: string
      readonly charged: Price
      /** Undefined where the CDR does not say by which tariff it was charged. */
      readonly computed: Required<Price> | undefined
    }
  | { readonly type: 'fault'; readonly about: string; readonly message: string }

export type Look<Found> = (seen: Seen) => Found | undefined | false

export interface Journal {
  /** The newest, in order. */
  readonly seen: readonly Seen[]
  /** All of them, each as a sentence. */
  readonly faults: readonly string[]
  note(seen: Seen): void
  fault(about: string, message: string): void
  /**
   * The first thing that `look` finds something in, seen already or yet to come. Rejects when there is none within `withinMs`, and when the
   * partner is closed.
   */
  once<Found>(look: Look<Found>, withinMs?: number): Promise<Found>
  /** The same, of what is yet to come. */
  next<Found>(look: Look<Found>, withinMs?: number): Promise<Found>
  close(): void
}

const patienceMs = 30_000
/** What is older is forgotten: a partner that runs for days sees much. */
const mostSeen = 100_000

interface Waiting {
  look(seen: Seen): boolean
  fail(error: Error): void
}

/** `heard` is called with each thing as it is seen. */
export function createJournal(heard: (seen: Seen) => void): Journal {
  const seen: Seen[] = []
  const faults: string[] = []
  const waiting = new Set<Waiting>()

  function note(one: Seen): void {
    seen.push(one)
    if (seen.length > mostSeen) seen.splice(0, mostSeen / 10)
    for (const waiter of [...waiting]) if (waiter.look(one)) waiting.delete(waiter)
    heard(one)
  }

  function next<Found>(look: Look<Found>, withinMs = patienceMs): Promise<Found> {
    return new Promise((resolve, reject) => {
      const missed = new Error(`not seen within ${withinMs} ms: ${look.toString()}`)
      // A timer knows no time without end.
      const timer = Number.isFinite(withinMs)
        ? setTimeout(() => {
            waiting.delete(waiter)
            reject(missed)
          }, withinMs)
        : undefined
      const waiter: Waiting = {
        look(one) {
          const found = look(one)
          if (found === undefined || found === false) return false
          clearTimeout(timer)
          resolve(found)
          return true
        },
        fail(error) {
          clearTimeout(timer)
          reject(error)
        },
      }
      waiting.add(waiter)
    })
  }

  return {
    seen,
    faults,
    note,
    fault(about, message) {
      faults.push(`${about}: ${message}`)
      note({ type: 'fault', about, message })
    },
    next,
    once<Found>(look: Look<Found>, withinMs?: number): Promise<Found> {
      for (const one of seen) {
        const found = look(one)
        if (found !== undefined && found !== false) return Promise.resolve(found)
      }
      return next(look, withinMs)
    },
    close() {
      for (const waiter of waiting) waiter.fail(new Error('the partner is closed'))
      waiting.clear()
    },
  }
}
