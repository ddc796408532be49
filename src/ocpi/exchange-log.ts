// What of the exchanges with a partner is kept in its log. What fails, and what changes something at our side, is kept up to a rate; of what goes
// well again and again (pages of a list, pushed objects) one of each kind in ten seconds, with the number of those that were left out. So
// the log costs a write a second and partner at most, however much is exchanged.

import {
  type OcpiDirection,
  type OcpiExchange,
  type OcpiExchangeSide,
  ocpiExchangesKept,
  ocpiExchangesTable,
} from '../records/ocpi-exchange.js'
import type { ReadView } from '../runtime/store/store.js'
import { afterTaking, type FullAt, type Rate } from '../runtime/token-bucket.js'
import { limits } from './limits.js'
import { shownBody, shownHeaders, shownLine } from './shown.js'

export interface EndedExchange {
  readonly partnerId: string
  readonly direction: OcpiDirection
  readonly module: string
  readonly method: string
  readonly url: string
  /** Wall ms: the beginning. */
  readonly at: number
  readonly milliseconds: number
  /** As they were: secrets are hidden, and bodies cut, here. */
  readonly request: OcpiExchangeSide
  readonly answer?: OcpiExchangeSide & { readonly status: number; readonly statusCode?: number }
  /** A sentence; also of an answer of ours that says no. */
  readonly error?: string
}

/** What a thread, or an actor, knows of the logs that it writes. Memory alone: where it is lost, a little more is kept. */
export interface ExchangeLog {
  /**
   * The row to put; undefined where the exchange is only counted. `now`: monotonic ms. The view shows the newest row of the log, so that
   * several writers seldom take the same place; where two do, one of their rows is lost.
   */
  note(exchange: EndedExchange, view: ReadView, now: number): OcpiExchange | undefined
}

const often: Rate = { perSecond: limits.ocpiExchangesPerSecond, burst: limits.ocpiExchangeBurst }
const oneOfAKind: Rate = { perSecond: 1_000 / limits.ocpiExchangeEveryMs, burst: 1 }

interface Kind {
  fullAt: FullAt
  leftOut: number
}

interface Place {
  readonly slot: number
  readonly at: number
}

export function createExchangeLog(): ExchangeLog {
  const kinds = new Map<string, Kind>()
  const buckets = new Map<string, FullAt>()
  const places = new Map<string, Place>()

  function kindOf({ partnerId, direction, module, method }: EndedExchange, now: number): Kind {
    const key = `${partnerId} ${direction} ${module} ${method}`
    const kind = kinds.get(key) ?? { fullAt: now, leftOut: 0 }
    remember(kinds, key, kind)
    return kind
  }

  function isKept(exchange: EndedExchange, kind: Kind, now: number): boolean {
    const { partnerId, direction, method, error } = exchange
    const isUsual = error === undefined && (direction === 'out' || method === 'GET')
    const before = isUsual ? kind.fullAt : (buckets.get(partnerId) ?? now)
    const after = afterTaking(before, isUsual ? oneOfAKind : often, now)
    if (after === undefined) return false
    if (isUsual) kind.fullAt = after
    else remember(buckets, partnerId, after)
    return true
  }

  function nextSlot({ partnerId, at }: EndedExchange, view: ReadView): number {
    const [stored] = view.listBy(ocpiExchangesTable, 'byPartner', [partnerId], { reverse: true, limit: 1 })
    const own = places.get(partnerId)
    const newest = own !== undefined && own.at >= (stored?.at ?? 0) ? own : stored
    const slot = newest === undefined ? 0 : (newest.slot + 1) % ocpiExchangesKept
    remember(places, partnerId, { slot, at: Math.max(at, newest?.at ?? 0) })
    return slot
  }

  return {
    note(exchange, view, now) {
      const kind = kindOf(exchange, now)
      if (!isKept(exchange, kind, now)) {
        kind.leftOut++
        return undefined
      }
      const { leftOut } = kind
      kind.leftOut = 0
      return rowOf(exchange, nextSlot(exchange, view), leftOut)
    },
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > limits.ocpiExchangeKinds) map.delete(map.keys().next().value as string)
}

function rowOf(exchange: EndedExchange, slot: number, leftOut: number): OcpiExchange {
  const { partnerId, direction, module, method, url, at, milliseconds, request, answer, error } = exchange
  return {
    partner_id: partnerId,
    slot,
    direction,
    module,
    method,
    url: shownLine(url),
    at,
    milliseconds,
    request: shownSide(request),
    ...(answer !== undefined && {
      answer: {
        status: answer.status,
        ...(answer.statusCode !== undefined && { status_code: answer.statusCode }),
        ...shownSide(answer),
      },
    }),
    ...(error !== undefined && { error }),
    ...(leftOut > 0 && { left_out: leftOut }),
  }
}

function shownSide({ headers, body }: OcpiExchangeSide): OcpiExchangeSide {
  return { headers: shownHeaders(headers), ...(body !== undefined && body !== '' && { body: shownBody(body) }) }
}
