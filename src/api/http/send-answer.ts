// Sends an answer. Of its body no more is handed to uWebSockets.js than the connection takes at once: what it is given beyond that it would
// copy for each connection, without a bound, and go on to the next request.

import type { HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import type { ApiResponse } from '../pipeline/message.js'
import { pumpStream } from './pump-stream.js'
import type { StreamParts } from './stream-parts.js'
import type { UnreadAnswers } from './unread-answers.js'

export interface SendOptions {
  readonly isHead: boolean
  /** For a request whose body is not read to its end, or of which that is not sure: nothing can follow on that connection. */
  readonly closes: boolean
  /** Headers of every answer. */
  readonly always: Readonly<Record<string, string>>
  readonly party: string
  readonly unread: UnreadAnswers
  readonly parts: StreamParts
}

/** As much as the system takes of an answer at once. Of what is longer and ends its connection, uWebSockets.js would keep what waits, without a bound. */
const endedAtOnceBytes = 65_536

/** Returns what has to be called when the connection is lost. */
export function sendAnswer(
  response: HttpResponse,
  { status, headers, body, stream }: ApiResponse,
  { isHead, closes, always, party, unread, parts }: SendOptions,
): (() => void) | undefined {
  let isSent = true
  response.cork(() => {
    response.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Unknown'}`)
    for (const name in always) response.writeHeader(name, always[name] as string)
    for (const name in headers) response.writeHeader(name, headers[name] as string)
    if (stream !== undefined && !isHead) return
    if (closes && (isHead || Buffer.byteLength(body) <= endedAtOnceBytes)) response.end(isHead ? '' : body, true)
    else if (isHead || status === 204) {
      // Told a length, uWebSockets.js waits for that many bytes, and drops the connection at the next request.
      if (isHead && stream === undefined) response.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      response.endWithoutBody()
    } else if (body.length === 0) response.end()
    else {
      if (closes) {
        // Of which nothing is read any more, uWebSockets.js ends a connection by itself, once the answer is out.
        response.writeHeader('Connection', 'close')
        response.pause()
      }
      isSent = response.tryEnd(body, Buffer.byteLength(body))[1]
    }
  })
  if (stream !== undefined && !isHead) return pumpStream(response, stream, parts)
  return isSent ? undefined : sendRest(response, typeof body === 'string' ? Buffer.from(body) : body, party, unread)
}

function sendRest(response: HttpResponse, body: Uint8Array, party: string, unread: UnreadAnswers): () => void {
  let release = (): void => {}
  response.onWritable((offset) => {
    const [ok, isSent] = response.tryEnd(body.subarray(offset), body.byteLength)
    if (isSent) release()
    return ok
  })
  // It may be the one that is closed for it.
  release = unread.hold(body, party, () => response.close())
  return release
}
