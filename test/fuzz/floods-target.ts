// Floods from addresses of their own. Nobody is owed anything: what counts is what the neighbours feel meanwhile, and that whatever comes
// back is an answer that the service has.

import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createRandom } from '../../bench/client/random.js'
import { between } from '../chaos/scenario.js'
import { tenantOf } from '../support/organization.js'
import type { Service } from '../support/service.js'
import type { Findings } from './findings.js'
import { type Flood, nextFlood } from './floods.js'

export interface FloodsOptions {
  readonly service: Service
  readonly seed: number
  readonly floods: number
  readonly until: number
  readonly findings: Findings
  readonly progress: (done: number) => void
}

const together = 12
/** A charge point that has flooded has to wait for a while: the next flood is another's. */
const chargePoints = 200
const addresses = 40
const closedWithinMs = 5_000
const statuses = new Set([101, 200, 204, 302, 400, 401, 403, 404, 405, 411, 413, 415, 426, 429, 431, 503, 505])

export async function fuzzFloods(
  options: FloodsOptions,
): Promise<{ floods: number; answered: number; kinds: number; closed: number }> {
  const { service, findings } = options
  const tenant = await tenantOf(service)
  const idOf = (index: number): string => `FLOOD-${options.seed}-${index}`
  const ids = Array.from({ length: Math.min(chargePoints, options.floods) }, (_, index) => idOf(index))
  for (let at = 0; at < ids.length; at += 20) await Promise.all(ids.slice(at, at + 20).map((id) => tenant.register(id)))
  const kinds = new Set<string>()
  let left = options.floods
  let done = 0
  let answered = 0
  let closed = 0

  async function worker(index: number): Promise<void> {
    const random = createRandom(options.seed * 1_000 + 600 + index)
    while (left-- > 0 && performance.now() < options.until) {
      const flood = nextFlood(random, ids[between(random, 0, ids.length - 1)] as string)
      const address = `127.77.0.${between(random, 1, addresses)}`
      const { status, wasClosed } = await pour(service.port, address, flood)
      kinds.add(flood.name)
      if (status !== undefined) answered++
      if (wasClosed) closed++
      if (status !== undefined && !statuses.has(status))
        findings.add(`an answer to a flood that is not defined: ${status} to ${flood.name}`, undefined)
      if (++done % 100 === 0) options.progress(done)
    }
  }
  await Promise.all(Array.from({ length: together }, (_, index) => worker(index)))
  return { floods: done, answered, kinds: kinds.size, closed }
}

/** Returns the first status, if one was read, and whether the service has closed the connection by itself. */
async function pour(
  port: number,
  localAddress: string,
  { parts, pauseMs, readBytes, holdMs }: Flood,
): Promise<{ readonly status: number | undefined; readonly wasClosed: boolean }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
  let head = ''
  let read = 0
  let closed = false
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (head.length < 20) head += chunk.toString('latin1', 0, 20)
    if (read >= readBytes) socket.pause()
  })
  if (readBytes === 0) socket.pause()
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  for (const part of parts) {
    if (closed) break
    await Promise.race([new Promise<void>((resolve) => socket.write(part, () => resolve())), delay(closedWithinMs)])
    if (pauseMs > 0) await delay(pauseMs)
  }
  const until = performance.now() + holdMs
  while (!closed && performance.now() < until) await delay(10)
  const wasClosed = closed
  socket.resetAndDestroy()
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]
  return { status: status === undefined ? undefined : Number(status), wasClosed }
}
