// What must hold when the fuzzing is over: nothing died, everything answers, and memory is back where it was.

import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { metric } from '../chaos/metric.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import type { Service } from '../support/service.js'

/** The charge point whose socket is open all the time; nothing is done to it. */
export const oldSocket = 'OLD-SOCKET'

export interface Memory {
  /** Of the process, without mapped files: what the store reads is the system's to take back. */
  readonly anonymousMegabytes: number | undefined
  /** The heaps of all threads. */
  readonly heapMegabytes: number
}

/**
 * Memory counts as back at its baseline within a quarter and so many MiB: the baseline is taken after a warm-up, but
 * compiled code, ids of sequences and the allocator's own reserve still grow a little with what a process has seen.
 */
export const memoryTolerance = { share: 1.25, heapMegabytes: 24, anonymousMegabytes: 96 } as const

const answerWithinMs = 20_000

async function memoryNow(service: Service): Promise<Memory> {
  const heap = (await metric(service, 'ampshard_heap_used_bytes')) / 1_048_576
  return { heapMegabytes: heap, anonymousMegabytes: anonymousMegabytes(service) }
}

function anonymousMegabytes({ process: { pid } }: Service): number | undefined {
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
  } catch {
    return undefined
  }
}

/** What a service has to load so that it collects its garbage when it is told to. */
export const collectsGarbage = new URL('./collect-garbage.js', import.meta.url).href

/** The lowest of what is seen in a quiet while, with a garbage collection before each look. */
export async function quietMemory(
  service: Service,
  seconds: number,
  enough: (memory: Memory) => boolean = () => false,
): Promise<Memory> {
  let lowest = await memoryNow(service)
  for (let second = 0; second < seconds && !enough(lowest); second++) {
    service.process.kill('SIGUSR2')
    await delay(1_000)
    const now = await memoryNow(service)
    lowest = {
      heapMegabytes: Math.min(lowest.heapMegabytes, now.heapMegabytes),
      anonymousMegabytes: Math.min(
        lowest.anonymousMegabytes ?? Number.POSITIVE_INFINITY,
        now.anonymousMegabytes ?? Number.POSITIVE_INFINITY,
      ),
    }
  }
  return lowest
}

export function isBack(memory: Memory, baseline: Memory): boolean {
  const { share, heapMegabytes, anonymousMegabytes } = memoryTolerance
  return (
    memory.heapMegabytes <= baseline.heapMegabytes * share + heapMegabytes &&
    (memory.anonymousMegabytes ?? 0) <= (baseline.anonymousMegabytes ?? 0) * share + anonymousMegabytes
  )
}

/** One valid CALL of each kind, in an order in which all of them are accepted. */
export async function probe(client: OcppClient, fault: (text: string) => void, who: string): Promise<void> {
  const timestamp = new Date().toISOString()
  let silent = false
  async function call(action: string, payload: object, expected: (answer: Record<string, unknown>) => boolean) {
    if (silent) return undefined
    const answer = await Promise.race([client.call(action, payload), delay(answerWithinMs, undefined, { ref: false })])
    if (answer === undefined) {
      silent = true
      fault(`${who}: a valid ${action} is not answered`)
    } else if (answer.error !== undefined || !expected(answer.payload))
      fault(`${who}: a valid ${action} is answered ${JSON.stringify(answer)}`)
    return answer?.payload
  }
  const any = (): boolean => true
  await call(
    'BootNotification',
    { chargePointVendor: 'V', chargePointModel: 'M' },
    ({ status }) => status === 'Accepted',
  )
  await call('Heartbeat', {}, ({ currentTime }) => typeof currentTime === 'string')
  await call('Authorize', { idTag: 'PROBE' }, ({ idTagInfo }) => idTagInfo !== undefined)
  await call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp }, any)
  const start = { connectorId: 1, idTag: 'PROBE', meterStart: 1, timestamp }
  const started = await call('StartTransaction', start, ({ transactionId }) => Number.isInteger(transactionId))
  const transactionId = started?.transactionId
  const meterValue = [{ timestamp, sampledValue: [{ value: '7' }] }]
  await call('MeterValues', { connectorId: 1, transactionId, meterValue }, any)
  await call('StopTransaction', { transactionId, meterStop: 9, timestamp }, any)
  await call('DataTransfer', { vendorId: 'V' }, ({ status }) => typeof status === 'string')
  await call('DiagnosticsStatusNotification', { status: 'Idle' }, any)
  await call('FirmwareStatusNotification', { status: 'Idle' }, any)
  await call('SecurityEventNotification', { type: 'T', timestamp }, any)
  await call('LogStatusNotification', { status: 'Idle' }, any)
  await call('SignedFirmwareStatusNotification', { status: 'Idle' }, any)
}

/** What cannot be seen from outside in any answer: restarts, failures, and errors in the log. */
export async function inspect(service: Service, fault: (text: string) => void): Promise<void> {
  const { exitCode, signalCode } = service.process
  if (exitCode !== null || signalCode !== null) {
    fault(`the process has ended with ${exitCode ?? signalCode}: ${service.output().slice(-2_000)}`)
    return
  }
  for (const name of [
    'ampshard_shard_restarts_total',
    'ampshard_failures_total',
    'ampshard_store_refused_groups_total',
  ]) {
    const count = await metric(service, name)
    if (count !== 0) fault(`${name} is ${count}`)
  }
  const ready = await service.request('GET', '/readyz')
  if (ready.status !== 200) fault(`not ready: ${JSON.stringify(ready.body)}`)
  for (const line of service
    .output()
    .split('\n')
    .filter((text) => /"level":(50|60)/.test(text))
    .slice(0, 5))
    fault(`the log has an error: ${line.slice(0, 1_500)}`)
}

export async function probeAll(
  service: Service,
  old: OcppClient,
  ids: readonly string[],
  fault: (text: string) => void,
): Promise<void> {
  await probe(old, fault, 'a socket that was open all the time')
  for (const id of ids) {
    const client = await connectOcpp(`${service.ocppUrl}/${id}`)
    await probe(client, fault, `a new socket of ${id}`)
    await client.close()
  }
  for (const path of [
    '/api/v1/sessions',
    '/api/v1/chargepoints',
    '/api/v1/cpo/commands/history',
    '/api/v1/cpo/fleet/summary',
  ]) {
    const { status } = await service.request('GET', path)
    if (status !== 200) fault(`GET ${path} is answered ${status}`)
  }
}

/**
 * A charge point as if nothing had been done to it: an earlier target may have given it a password, or rejected it.
 * False when it cannot be had, since another organization has taken the id.
 */
export async function registerAnew(service: Service, id: string): Promise<boolean> {
  await service.request('DELETE', `/api/v1/chargepoints/${id}`)
  return (await service.register(id)).status === 201
}
