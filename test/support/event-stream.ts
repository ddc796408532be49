// A reader of server-sent events on node:http, as the standard has them parsed: it remembers what came and where it would resume.

import { get, type IncomingMessage } from 'node:http'
import type { FeedEvent } from '../../src/api/areas/events/event-feed.js'
import type { Service } from './service.js'

export interface SentEvent {
  readonly id: string
  readonly event: string
  readonly data: FeedEvent
}

export interface EventReader {
  readonly status: number
  readonly events: readonly SentEvent[]
  /** Blocks without data: what was told of the connection itself. */
  readonly notes: readonly string[]
  /** Bytes so far. */
  readonly received: () => number
  readonly lastId: () => string | undefined
  readonly response: IncomingMessage
  readonly ended: Promise<'ended' | 'cut'>
  cut(): void
}

export interface ReadOptions {
  readonly key?: string
  readonly query?: string
  /** Of another stream than that of the events. */
  readonly path?: string
  readonly lastEventId?: string | undefined
  /** Calls it after each chunk. */
  readonly onData?: (reader: EventReader) => void
}

export function readEvents(service: Service, options: ReadOptions = {}): Promise<EventReader> {
  const { key = service.key, query = '', path = '/api/v1/events/stream', lastEventId, onData } = options
  const headers = {
    authorization: `Bearer ${key}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
  return new Promise((resolve, reject) => {
    const request = get(`${service.url}${path}${query}`, { headers, agent: false }, (response) => {
      const events: SentEvent[] = []
      const notes: string[] = []
      let lastId: string | undefined
      let received = 0
      let text = ''
      const ended = new Promise<'ended' | 'cut'>((settle) => {
        response.on('end', () => settle('ended'))
        response.on('error', () => settle('cut'))
        response.on('close', () => settle(response.complete ? 'ended' : 'cut'))
      })
      const reader: EventReader = {
        status: response.statusCode ?? 0,
        events,
        notes,
        received: () => received,
        lastId: () => lastId,
        response,
        ended,
        cut: () => void response.destroy(),
      }
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        received += chunk.length
        text += chunk
        for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
          take(text.slice(0, end))
          text = text.slice(end + 2)
        }
        onData?.(reader)
      })
      resolve(reader)

      function take(block: string): void {
        const fields = new Map(
          block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        const id = fields.get('id')
        if (id !== undefined) lastId = id
        const data = fields.get('data')
        if (data === undefined) notes.push(block)
        else events.push({ id: id ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) as FeedEvent })
      }
    })
    request.on('error', reject)
  })
}
