// Binds the API to uWebSockets.js: a request's head and body in, one answer out. Knows no route.
// Everything of a request is copied out of uWebSockets' memory before its handler returns.

import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { limits } from '../pipeline/limits.js'
import type { ApiRequest, ApiResponse } from '../pipeline/message.js'
import type { Api } from '../pipeline/pipeline.js'
import { pumpStream } from './pump-stream.js'

/** Answers every path that no other handler of the app takes. `remoteAddress`: the client behind an address that the app sees. */
export function mountApi(app: TemplatedApp, api: Api, remoteAddress = (seen: string): string => seen): void {
  app.any('/*', (response, request) => {
    let finished = false
    let closeStream: (() => void) | undefined
    response.onAborted(() => {
      finished = true
      closeStream?.()
    })
    const head = headOf(response, request, remoteAddress)
    const answer = async (body: ApiRequest['body']): Promise<void> => {
      const answered = await api.handle({ ...head, body })
      if (!finished) closeStream = write(response, answered, head.method === 'HEAD', body === 'too-large')
      finished = true
    }
    const announced = Number(head.headers['content-length'] ?? 0)
    if (announced > limits.requestBodyBytes) void answer('too-large')
    else if (announced === 0 && head.headers['transfer-encoding'] === undefined) void answer(undefined)
    else collectBody(response, (body) => void answer(body))
  })
}

/** Of those that the API reads: several lines of one are one list (RFC 9110, 5.3). */
const listHeaders: ReadonlySet<string> = new Set(['prefer', 'accept-encoding'])

function headOf(
  response: HttpResponse,
  request: HttpRequest,
  remoteAddress: (seen: string) => string,
): Omit<ApiRequest, 'body'> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>
  request.forEach((name, value) => {
    const before = listHeaders.has(name) ? headers[name] : undefined
    headers[name] = before === undefined ? value : `${before}, ${value}`
  })
  return {
    method: request.getMethod().toUpperCase(),
    path: pathOf(request.getUrl()),
    query: request.getQuery() ?? '',
    headers,
    remoteAddress: remoteAddress(Buffer.from(response.getRemoteAddressAsText()).toString()),
  }
}

/** The path alone, also of a request target in absolute form. */
function pathOf(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '') || '/'
}

/** Calls `whole` once: with the body, or as soon as it is longer than a body may be. */
function collectBody(response: HttpResponse, whole: (body: Buffer | 'too-large') => void): void {
  let chunks: Buffer[] = []
  let length = 0
  response.onData((chunk, isLast) => {
    if (length > limits.requestBodyBytes) return
    length += chunk.byteLength
    if (length > limits.requestBodyBytes) {
      chunks = []
      whole('too-large')
      return
    }
    // The chunk's memory is uWebSockets' own and is gone when this returns.
    chunks.push(Buffer.from(Buffer.from(chunk)))
    if (isLast) whole(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  })
}

/**
 * `closes` for a request whose body is not read to its end: nothing can follow on that connection.
 * Returns what has to be called when the connection is lost, for a body that goes on.
 */
function write(
  response: HttpResponse,
  { status, headers, body, stream }: ApiResponse,
  isHead: boolean,
  closes: boolean,
): (() => void) | undefined {
  response.cork(() => {
    response.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Unknown'}`)
    for (const name in headers) response.writeHeader(name, headers[name] as string)
    if (stream !== undefined && !isHead) return
    if (closes || (!isHead && status !== 204)) response.end(isHead ? '' : body, closes)
    else {
      // Told a length, uWebSockets.js waits for that many bytes, and drops the connection at the next request.
      if (isHead && stream === undefined) response.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      response.endWithoutBody()
    }
  })
  return stream !== undefined && !isHead ? pumpStream(response, stream) : undefined
}
