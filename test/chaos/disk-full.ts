// The disk of the store fills up under load and gets room again: what could not be stored is refused and said again, what
// needs no disk goes on, and nothing that was acknowledged is missing.

import { setTimeout as delay } from 'node:timers/promises'
import { tables } from '../../src/records/index.js'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { openView } from '../../src/runtime/store/lmdb-store.js'
import { bootChargePoint } from '../support/charge-point.js'
import type { OcppClient } from '../support/ocpp-client.js'
import type { Service } from '../support/service.js'
import { until } from '../support/until.js'
import { metric } from './metric.js'
import { between, type ChaosContext, defineScenario, percentile } from './scenario.js'
import { smallDisk } from './small-disk.js'
import { startUnderLoad, withoutFlapping } from './under-load.js'

const mebibyte = 1_048_576
const lowMebibytes = 8
/** Between the first and the second step of the ladder. */
const lowBytes = 6 * mebibyte
const exhaustedWithinMs = 30_000
const alert = 'storage_space_low'

export const diskFull = defineScenario({
  name: 'disk-full',
  promise:
    'a full disk ends nothing and loses nothing: writes are refused, reads and heartbeats go on, and it recovers',
  // Continuous integration shares its cores with other tests.
  sizes: {
    small: { rounds: 1, chargePoints: 20, operators: 4, fullMs: 1_500, diskMebibytes: 64, recoversWithinMs: 30_000 },
    full: { rounds: 20, chargePoints: 200, operators: 8, fullMs: 5_000, diskMebibytes: 1_024, recoversWithinMs: 5_000 },
  },
  async run(context, size) {
    const { random, violation } = context
    const diskBytes = size.diskMebibytes * mebibyte
    const disk = smallDisk(context.directory, diskBytes)
    context.teardown(disk.remove)
    const flags = ['--shards', '1', ...withoutFlapping]
    let full = false
    let takenWhileFull = 0
    const refusals = new Map<string, number>()
    const load = await startUnderLoad(context, {
      ...size,
      flags: () => [...flags, '--low-space-megabytes', String(lowMebibytes)],
      place: disk.place,
      pauseMs: 20,
      observer: {
        closed: (id, code, reason) => violation(`${id} lost its socket: ${code} ${reason}`),
        failed(id, action, how) {
          refusals.set(how, (refusals.get(how) ?? 0) + 1)
          if (how !== 'InternalError') violation(`${id}: ${action} was answered by ${how}`)
          if (action === 'Heartbeat') violation(`${id}: a heartbeat was refused`)
        },
        answered(_, action) {
          if (full && action.endsWith('Transaction')) takenWhileFull++
        },
      },
    })
    const { service } = load
    const { counts } = load.fleet
    const heartbeats = await bootChargePoint(service, 'HEARTBEATS')
    load.begin()
    const recoveriesMs: number[] = []
    for (let round = 1; round <= size.rounds; round++) {
      await delay(between(random, 500, 1_500))
      await disk.leave(lowBytes)
      await spaceIs(service, 'low')
      await delay(300)
      await disk.leave(0)
      full = true
      await delay(200)
      await checkWhileFull(context, service, heartbeats, size)
      await exhaust(context, heartbeats)
      full = false
      await disk.leave(diskBytes)
      recoveriesMs.push(await recovery(service))
      await spaceIs(service, 'ok')
      context.progress(`full ${round} times, ${counts.answered} messages acknowledged`)
    }
    const thinned = await metric(service, 'ampshard_store_thinned_rows_total')
    if (takenWhileFull === 0) violation('the reserve took no transaction')
    if (thinned === 0) violation('no meter values were thinned while space was low')
    await load.end()
    const ready = await service.request('GET', '/readyz')
    if (ready.status !== 200) violation(`with room again, it is not ready: ${JSON.stringify(ready.body)}`)
    await load.verify()
    // What only memory has would be gone now.
    await service.stop('SIGKILL')
    // LMDB says this itself, of a write that the kernel has refused; not every one of them ends the process.
    if (service.output().includes('Write error')) violation('LMDB met the full disk')
    const alerts = await storedAlerts(disk.place.data)
    const expected = Array.from({ length: size.rounds }, () => ['alert.triggered', 'alert.resolved']).flat()
    if (alerts.join() !== expected.join()) violation(`the alerts of ${size.rounds} rounds are ${alerts}`)
    await load.startAgain(flags)
    const verified = await load.verify()
    const slowest = percentile(recoveriesMs, 1)
    if (slowest > size.recoversWithinMs) violation(`it took ${Math.round(slowest)} ms to take writes again`)
    return {
      disk: disk.kind,
      'times full': size.rounds,
      'recovery p50/most ms': `${Math.round(percentile(recoveriesMs, 0.5))} / ${Math.round(slowest)}`,
      'messages acknowledged': counts.answered,
      'transactions taken by a full disk': takenWhileFull,
      'messages refused': refusals.get('InternalError') ?? 0,
      'API answers 503': load.operators.answers.get(503) ?? 0,
      'meter values thinned': thinned,
      'transactions acknowledged': verified.transactions,
      'API writes acknowledged': verified.writes,
    }
  },
})

/** The events of the alert, as they are in the outbox. */
async function storedAlerts(data: string): Promise<string[]> {
  const view = openView(data, tables)
  const rows = view.list(outboxTable, []).filter((row) => row.data.kind === alert)
  await view.close()
  return rows.map((row) => row.event)
}

function spaceIs(service: Service, wanted: 'ok' | 'low'): Promise<unknown> {
  const look = async () =>
    String((await service.request('GET', '/readyz')).body.checks.space).startsWith(wanted) || undefined
  return until(look)
}

function write(service: Service): ReturnType<Service['request']> {
  return service.request('POST', '/api/v1/id-tags', { id_tag: `D-${Math.floor(performance.now() * 1_000)}` })
}

/** Writes are refused in the way that makes their senders try again; reads and heartbeats are answered. */
async function checkWhileFull(
  { violation }: ChaosContext,
  service: Service,
  heartbeats: OcppClient,
  { fullMs, recoversWithinMs }: { readonly fullMs: number; readonly recoversWithinMs: number },
): Promise<void> {
  const refused = await until(async () => {
    const answer = await write(service)
    return answer.status === 503 && answer
  }).catch(() => undefined)
  if (refused === undefined) violation('a full disk takes writes')
  else if (refused.body.error?.code !== 'storage_unavailable' || !(Number(refused.headers.get('retry-after')) > 0))
    violation(
      `a write was refused with ${JSON.stringify(refused.body)}, Retry-After ${refused.headers.get('retry-after')}`,
    )
  for (const end = performance.now() + fullMs; performance.now() < end; await delay(100)) {
    const startedAt = performance.now()
    const answers = await Promise.all(
      ['/healthz', '/api/v1/sessions?per_page=5', '/api/v1/chargepoints/CP-0001'].map((path) =>
        service.request('GET', path),
      ),
    )
    for (const { status, body } of answers)
      if (status !== 200) violation(`a read was answered ${status} ${JSON.stringify(body).slice(0, 200)}`)
    const beat = await heartbeats.call('Heartbeat', {})
    if (beat.error !== undefined) violation(`a heartbeat was answered ${beat.error}`)
    const tookMs = performance.now() - startedAt
    if (tookMs > recoversWithinMs) violation(`reads and a heartbeat took ${Math.round(tookMs)} ms`)
  }
}

/** Starts transactions until the reserve is used up, and sees that the charge point is told to try again. */
async function exhaust({ violation }: ChaosContext, client: OcppClient): Promise<void> {
  const until = performance.now() + exhaustedWithinMs
  for (let meterStart = 0; performance.now() < until; meterStart++) {
    const timestamp = new Date(Date.now() + meterStart).toISOString()
    const start = { connectorId: 1, idTag: 'TAG-1', meterStart, timestamp }
    const answer = await Promise.race([
      client.call('StartTransaction', start),
      delay(exhaustedWithinMs, undefined, { ref: false }),
    ])
    if (answer === undefined) throw new Error('a full disk leaves StartTransaction without an answer')
    if (answer.error === 'InternalError') return
    if (answer.error !== undefined) violation(`a full disk answers StartTransaction with ${answer.error}`)
  }
  throw new Error('a full disk takes transactions without end')
}

/** Milliseconds until a write is taken again. */
async function recovery(service: Service): Promise<number> {
  const startedAt = performance.now()
  await until(async () => (await write(service)).status === 201)
  return performance.now() - startedAt
}
