// Gathers the bodies of requests, within what a front may hold of them. Small ones, as nearly all are, have a room of their own, so that large ones
// that come slowly are in the way of none of them.

import type { HttpResponse } from 'uWebSockets.js'
import { limits as pipelineLimits } from '../pipeline/limits.js'
import type { ReadBody } from '../pipeline/message.js'
import { createBodyRoom, type Tenant } from './body-room.js'
import { limits } from './limits.js'

export interface RequestBodies {
  /**
   * Calls `whole` once: with the body, or when there is no room for it. The rest of a body that is too long is read and dropped first, within
   * bounds: a client that still writes when its connection closes can lose the answer (RFC 9112, section 9.6).
   */
  gather(response: HttpResponse, arriving: Arriving, whole: (body: ReadBody | 'no-room') => void): GatheredBody
  /** Held now. */
  readonly bytes: number
}

export interface Arriving {
  readonly party: string
  /** Its length as the head says, or 0: one that turns out to be large moves to the room of the large ones. */
  readonly announced: number
}

export interface GatheredBody {
  /** Once nobody needs the body any more, or its connection is gone. */
  release(): void
}

export function createRequestBodies(): RequestBodies {
  const small = createBodyRoom({ bytes: limits.smallBodiesBytes, bytesPerParty: limits.smallBodiesBytesPerParty })
  const large = createBodyRoom({ bytes: limits.bodyBytes, bytesPerParty: limits.bodyBytesPerParty })

  return {
    gather(response, { party, announced }, whole) {
      let room = announced > limits.smallBodyBytes ? large : small
      let chunks: Buffer[] = []
      let length = 0
      let isOver = false
      let droppedBytes = 0
      let deadline: NodeJS.Timeout | undefined
      const tenant: Tenant = { party, giveUp: () => end('no-room') }

      function leave(): void {
        room.received(tenant)
        room.giveBack(tenant, length)
      }

      function release(): void {
        clearTimeout(deadline)
        leave()
        length = 0
        chunks = []
        isOver = true
      }

      function beginDrop(): void {
        release()
        isOver = false
        deadline = setTimeout(() => end('too-large'), limits.dropsBodyWithinMs).unref()
      }

      function drop(bytes: number, isLast: boolean): void {
        if (deadline === undefined) beginDrop()
        droppedBytes += bytes
        if (isLast || droppedBytes > limits.droppedBodyBytes) end('too-large')
      }

      function end(outcome: 'too-large' | 'no-room'): void {
        release()
        whole(outcome)
      }

      function takeRoom(bytes: number): boolean {
        if (room === small && length + bytes > limits.smallBodyBytes) {
          const before = length
          leave()
          length = 0
          room = large
          if (!takeRoom(before)) return false
        }
        if (!room.take(tenant, bytes)) return false
        length += bytes
        return true
      }

      // A client may wait for word before it sends any of it (RFC 9110, section 10.1.1).
      if (announced > pipelineLimits.requestBodyBytes) beginDrop()
      response.onData((chunk, isLast) => {
        if (isOver) return
        const { byteLength } = chunk
        if (deadline !== undefined || length + byteLength > pipelineLimits.requestBodyBytes)
          return drop(byteLength, isLast)
        if (!takeRoom(byteLength)) return end('no-room')
        // The chunk's memory is uWebSockets' own and is gone when this returns.
        chunks.push(Buffer.from(Buffer.from(chunk)))
        if (!isLast) return
        isOver = true
        room.received(tenant)
        const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
        chunks = []
        whole(body)
      })
      return { release }
    },
    get bytes() {
      return small.bytes + large.bytes
    },
  }
}
