// Gathers the bodies of requests, within what a front may hold of them: of all together, and of each party.

import type { HttpResponse } from 'uWebSockets.js'
import { limits as pipelineLimits } from '../pipeline/limits.js'
import type { ReadBody } from '../pipeline/message.js'
import { limits } from './limits.js'

export interface RequestBodies {
  /** Calls `whole` once: with the body, or as soon as it is longer than a body may be or finds no room. */
  gather(response: HttpResponse, party: string, whole: (body: ReadBody | 'no-room') => void): GatheredBody
  /** Held now. */
  readonly bytes: number
}

export interface GatheredBody {
  /** Once nobody needs the body any more, or its connection is gone. */
  release(): void
}

export function createRequestBodies(): RequestBodies {
  const ofParty = new Map<string, number>()
  let sum = 0

  function take(party: string, bytes: number): boolean {
    const own = (ofParty.get(party) ?? 0) + bytes
    if (own > limits.bodyBytesPerParty || sum + bytes > limits.bodyBytes) return false
    ofParty.set(party, own)
    sum += bytes
    return true
  }

  function giveBack(party: string, bytes: number): void {
    const own = (ofParty.get(party) ?? 0) - bytes
    if (own > 0) ofParty.set(party, own)
    else ofParty.delete(party)
    sum -= bytes
  }

  return {
    gather(response, party, whole) {
      let chunks: Buffer[] = []
      let length = 0
      let isOver = false

      function release(): void {
        giveBack(party, length)
        length = 0
        chunks = []
        isOver = true
      }

      function end(outcome: 'too-large' | 'no-room'): void {
        release()
        whole(outcome)
      }

      response.onData((chunk, isLast) => {
        if (isOver) return
        const { byteLength } = chunk
        if (length + byteLength > pipelineLimits.requestBodyBytes) return end('too-large')
        if (!take(party, byteLength)) return end('no-room')
        length += byteLength
        // The chunk's memory is uWebSockets' own and is gone when this returns.
        chunks.push(Buffer.from(Buffer.from(chunk)))
        if (!isLast) return
        isOver = true
        const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
        chunks = []
        whole(body)
      })
      return { release }
    },
    get bytes() {
      return sum
    },
  }
}
