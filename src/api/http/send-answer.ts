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
    if (closes) isSent = endWith(response, isHead ? '' : body)
    else if (isHead || status === 204) {
      // Told a length, uWebSockets.js waits for that many bytes, and drops the connection at the next request.
      if (isHead && stream === undefined) response.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      response.endWithoutBody()
    } else if (body.length === 0) response.end()
    else isSent = response.tryEnd(body, Buffer.byteLength(body))[1]
  })
  if (stream !== undefined && !isHead) return pumpStream(response, stream, parts)
  if (isSent) return undefined
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return (closes ? sendAndClose : sendRest)(response, bytes, party, unread)
}

/** What a connection takes at once, more or less. */
const partBytes = 65_536

/** Sends a short body and ends the connection; whether it was short. */
function endWith(response: HttpResponse, body: ApiResponse['body']): boolean {
  const isShort = Buffer.byteLength(body) <= partBytes
  if (isShort) response.end(body, true)
  return isShort
}

/** In parts, because the end of a connection can be asked for with the last one alone. */
function sendAndClose(response: HttpResponse, body: Uint8Array, party: string, unread: UnreadAnswers): () => void {
  let at = 0
  let release = (): void => {}
  const sendMore = (): boolean => {
    let isTaken = true
    response.cork(() => {
      while (isTaken && at < body.byteLength) {
        isTaken = response.write(body.subarray(at, at + partBytes))
        at += partBytes
      }
      if (at < body.byteLength) return
      release()
      response.end('', true)
    })
    return isTaken
  }
  response.onWritable(sendMore)
  sendMore()
  // It may be the one that is closed for it.
  if (at < body.byteLength) release = unread.hold(body, party, () => response.close())
  return () => release()
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
