// The side of the generator that plays roaming partners: they take every object at once, but for the last one while it hangs. Latency is the time
// from what a charge point has said to the first word of it at its partner.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Measure } from './measure.js'

export interface Partners {
  listen(port: number, partners: number): Promise<void>
  hang(hangs: boolean): void
  /** How long it has taken to answer the last question about a card at a charge point. */
  ownMs(chargePointId: string): number
  /** Waits for as long as something comes, and no longer than that in all. What has not come then is not waited for any more. */
  heardAll(patienceMs: number): Promise<void>
  /** A charge point says something at a connector, now, of which its partner hears in a module. */
  said(module: 'sessions' | 'locations', chargePointId: string, connectorId: number): void
}

/** After so long without a word there is none. */
const quietMs = 1_200
const taken = '{"status_code":1000,"timestamp":"2026-01-01T00:00:00Z"}'
const headers = { 'content-type': 'application/json' }
/** How long a partner thinks about a card. */
const thinksMs = 20
const allowed = '{"status_code":1000,"timestamp":"2026-01-01T00:00:00Z","data":{"allowed":"ALLOWED"}}'

export function createPartners(measure: Measure): Partners {
  /** When, by charge point and connector, of what no partner has heard yet. */
  const unheard = new Map<string, number>()
  /** What a session's id stands for. */
  const sessions = new Map<string, string>()
  const waiting: ServerResponse[] = []
  const own = new Map<string, number>()
  let last = ''
  let hangs = false

  function heard(key: string): void {
    const saidAt = unheard.get(key)
    if (saidAt === undefined) return
    unheard.delete(key)
    measure.succeeded((performance.now() - saidAt) * 1_000)
  }

  function take(method: string, path: string, body: string): void {
    const [, , module, , , id = '', uid] = path.split('/')
    if (module === 'sessions') {
      if (method === 'PUT') {
        const { location_id, connector_id } = JSON.parse(body) as Record<string, string>
        sessions.set(id, `sessions ${location_id} ${connector_id}`)
      }
      heard(sessions.get(id) ?? '')
    } else if (module === 'locations') {
      const uids = uid === undefined ? (JSON.parse(body) as { evses: { uid: string }[] }).evses : [{ uid }]
      for (const evse of uids) heard(`locations ${id} ${evse.uid.slice(evse.uid.lastIndexOf('_') + 1)}`)
    }
  }

  function authorize(body: string, response: ServerResponse, askedAt: number): void {
    const { location_id } = JSON.parse(body) as { readonly location_id: string }
    setTimeout(() => {
      response.writeHead(200, headers).end(allowed)
      own.set(location_id, performance.now() - askedAt)
    }, thinksMs)
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const askedAt = performance.now()
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      const { url = '' } = request
      if (/\/authorize(\?|$)/.test(url)) return authorize(body, response, askedAt)
      const isLast = url.startsWith(last)
      if (isLast && hangs) return void waiting.push(response)
      response.writeHead(200, headers).end(taken)
      if (!isLast) take(request.method ?? '', url, body)
    })
  }

  return {
    async listen(port, partners) {
      last = `/${partners - 1}/`
      const server = createServer({ keepAlive: true, keepAliveTimeout: 60_000 }, receive).listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    hang(next) {
      hangs = next
      if (!hangs) for (const response of waiting.splice(0)) response.destroy()
    },
    ownMs: (chargePointId) => own.get(chargePointId) ?? 0,
    async heardAll(patienceMs) {
      const until = performance.now() + patienceMs
      for (let left = -1; left !== unheard.size && performance.now() < until; ) {
        left = unheard.size
        await delay(quietMs)
      }
      unheard.clear()
    },
    said: (module, chargePointId, connectorId) =>
      void unheard.set(`${module} ${chargePointId} ${connectorId}`, performance.now()),
  }
}
