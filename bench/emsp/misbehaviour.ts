// How a partner misbehaves when a test wants it to: what becomes of a request that would have been answered.

import type { ServerResponse } from 'node:http'

/** What is answered instead. Where it `takes`, the partner has understood the request all the same, and only the answer is wrong. */
export const misbehaviours = {
  hang: { takes: false, description: 'it does not answer' },
  'take-and-hang': { takes: true, description: 'it takes what is sent, and does not answer' },
  drop: { takes: false, description: 'it ends the connection' },
  'take-and-drop': { takes: true, description: 'it takes what is sent, and ends the connection' },
  html: { takes: false, description: 'HTTP 200 with a web page' },
  redirect: { takes: false, description: 'HTTP 302 to another page' },
  'http-500': { takes: false, description: 'HTTP 500' },
  'status-3000': { takes: false, description: 'HTTP 200 with the status_code 3000' },
  'wrong-object': { takes: false, description: 'HTTP 200 with data that is not what was asked for' },
} as const satisfies Readonly<Record<string, { readonly takes: boolean; readonly description: string }>>
export type Misbehaviour = keyof typeof misbehaviours

const timestamp = (): string => new Date().toISOString()

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export function misbehave(how: Misbehaviour, response: ServerResponse): void {
  switch (how) {
    case 'hang':
    case 'take-and-hang':
      return
    case 'drop':
    case 'take-and-drop':
      response.destroy()
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Welcome</title>')
      return
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end()
      return
    case 'http-500':
      response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error')
      return
    case 'status-3000':
      sendJson(response, { status_code: 3000, status_message: 'the server failed', timestamp: timestamp() })
      return
    case 'wrong-object':
      sendJson(response, { data: { colour: 'green' }, status_code: 1000, timestamp: timestamp() })
  }
}
