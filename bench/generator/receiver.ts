// The side of the generator that receives webhooks: it takes every delivery at once, but for those of one path, which it
// never answers. Latency is the time from the event to here.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Measure } from './measure.js'

/** Where a delivery is never answered. */
export const hangingPath = '/hanging'

export interface Receiver {
  listen(port: number): Promise<void>
}

export function createReceiver(measure: Measure): Receiver {
  function take(body: string, response: ServerResponse): void {
    response.writeHead(204).end()
    const { timestamp } = JSON.parse(body) as { readonly timestamp: string }
    measure.succeeded((Date.now() - Date.parse(timestamp)) * 1_000)
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      if (request.url !== hangingPath) take(body, response)
    })
  }

  return {
    async listen(port) {
      const server = createServer({ keepAlive: true }, receive).listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}
