// Writes a body that comes about while it is sent. What waits for a slow reader is one part: the next is asked for when there
// is room. uWebSockets.js ends a connection that takes nothing of what waits for it for some ten seconds.

import type { HttpResponse } from 'uWebSockets.js'
import type { BodyStream } from '../pipeline/message.js'
import type { StreamParts } from './stream-parts.js'

/** Returns what has to be called when the connection is lost. */
export function pumpStream(response: HttpResponse, stream: BodyStream, parts: StreamParts): () => void {
  let isOver = false
  let isFull = false
  let isDue = false

  /** One part a turn: a long past must not hold up the others. */
  function soon(): void {
    if (isDue || isFull || isOver) return
    isDue = true
    parts.add(pump)
  }

  function pump(): void {
    isDue = false
    if (isFull || isOver) return
    const part = reader.read()
    if (part === undefined) return
    if (part === null) {
      finish()
      response.cork(() => void response.end())
      return
    }
    response.cork(() => {
      isFull = !response.write(part)
    })
    soon()
  }

  function finish(): void {
    isOver = true
    reader.close()
  }

  response.onWritable(() => {
    if (isOver || !isFull) return true
    // It is called as soon as something has left; whether all has, only a write tells.
    response.cork(() => {
      isFull = !response.write(stream.filler)
    })
    soon()
    return true
  })
  const reader = stream.open(soon)
  soon()
  return () => {
    if (!isOver) finish()
  }
}
