// Frames as they were said, one after the other, put together as requests with their answers.

import type { RingFrame } from '../../../edge/frame-ring.js'
import { type Direction, readHead } from '../../../ocpp16/index.js'

export interface ConnectionEvent {
  readonly connected?: {
    readonly remoteAddress: string
    readonly securityProfile: number
    readonly subprotocol: string
  }
  readonly disconnected?: { readonly code: number; readonly reason: string }
}

export interface Pair {
  /** Of the request, wall ms. */
  readonly at: number
  /** How many frames of the charge point came before the request within the millisecond. */
  readonly count: number
  readonly direction: Direction
  readonly messageId?: string
  readonly request?: string
  readonly answer?: string
  readonly milliseconds?: number
  /** Of the request, or of its answer. */
  readonly cut: boolean
  readonly isRequestCut: boolean
  readonly event?: ConnectionEvent
}

export interface Pairing {
  /** The next frame; returns what is complete with it. */
  take(frame: RingFrame): readonly Pair[]
  /** Requests from before then that nobody has answered. */
  unanswered(before: number): readonly Pair[]
}

/** `most`: requests of each side that are remembered until they are answered. Neither side's take the place of the other's. */
export function createPairing(most: number): Pairing {
  /** By direction and message id, in the order of the requests. */
  const waiting = new Map<string, Pair>()
  const counts = { in: 0, out: 0 }

  function forget(key: string, { direction }: Pair): void {
    waiting.delete(key)
    counts[direction]--
  }

  function ask(direction: Direction, messageId: string, { at, count, text, cut }: RingFrame): readonly Pair[] {
    const key = `${direction}/${messageId}`
    const before = waiting.get(key)
    if (before !== undefined) forget(key, before)
    const full = counts[direction] >= most ? oldest(direction) : []
    counts[direction]++
    waiting.set(key, { at, count, direction, messageId, request: text, cut, isRequestCut: cut })
    return before === undefined ? full : [before, ...full]
  }

  function oldest(direction: Direction): readonly Pair[] {
    for (const [key, pair] of waiting) {
      if (pair.direction !== direction) continue
      forget(key, pair)
      return [pair]
    }
    return []
  }

  /** An answer to what was asked before the first frame says nothing by itself. */
  function answer(direction: Direction, messageId: string, { at, text, cut }: RingFrame): readonly Pair[] {
    const key = `${direction}/${messageId}`
    const asked = waiting.get(key)
    if (asked === undefined) return []
    forget(key, asked)
    return [{ ...asked, answer: text, milliseconds: Math.max(0, at - asked.at), cut: asked.cut || cut }]
  }

  function takeUnanswered(before: number): readonly Pair[] {
    const found = [...waiting].filter(([, { at }]) => at < before)
    for (const [key, pair] of found) forget(key, pair)
    return found.map(([, pair]) => pair)
  }

  return {
    take(frame) {
      const { at, count, direction, text, cut } = frame
      if (direction === 'event') {
        const event = {
          at,
          count,
          direction: 'in',
          cut,
          isRequestCut: false,
          event: JSON.parse(text) as ConnectionEvent,
        } as const
        return [...takeUnanswered(Number.POSITIVE_INFINITY), event]
      }
      const head = readHead(text)
      if (head.type === 'call') return ask(direction, head.messageId, frame)
      if (head.type === 'result' || head.type === 'error')
        return answer(direction === 'in' ? 'out' : 'in', head.messageId, frame)
      return head.type === 'empty' ? [] : [{ at, count, direction, request: text, cut, isRequestCut: cut }]
    },
    unanswered: takeUnanswered,
  }
}
