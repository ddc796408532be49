// The wall clock of the service is set by an hour and by a day, forth and back, under load: what has a deadline keeps it,
// no time span is negative, records carry the new time, and events keep the order in which they happened.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { tables } from '../../src/records/index.js'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { openView } from '../../src/runtime/store/lmdb-store.js'
import { bootChargePoint, energyAt, historyOf, sessionOf } from '../support/charge-point.js'
import type { OcppClient } from '../support/ocpp-client.js'
import type { Service } from '../support/service.js'
import { until } from '../support/until.js'
import { type ChaosContext, defineScenario, percentile } from './scenario.js'
import { settableClock } from './shims.js'
import { startUnderLoad, withoutFlapping } from './under-load.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** By how much the clock is off after each step: an hour back, and forth again; a day ahead, and back again. */
const offsetsMs = [-hourMs, 0, dayMs, 0]
const timeoutSeconds = 2
/** A timer that is late by more has missed its time, however busy the machine is. A step is an hour at least. */
const lateMs = 15_000
const commandsPerSecond = 10
const stepWithinMs = 90_000

export const clockSteps = defineScenario({
  name: 'clock-steps',
  promise:
    'setting the clock by an hour or a day makes no timeout early or missed, no span negative, no event out of order',
  sizes: {
    small: { rounds: 1, chargePoints: 20, operators: 3, pauseMs: 100 },
    full: { rounds: 10, chargePoints: 200, operators: 8, pauseMs: 20 },
  },
  async run(context, size) {
    const { violation } = context
    const { environment, now, set } = settableClock(context.directory)
    let restarting = false
    const load = await startUnderLoad(context, {
      ...size,
      flags: () => ['--shards', '2', ...withoutFlapping, '--ping-interval-seconds', '2'],
      place: { environment },
      // As charge points do that keep the time of Heartbeat's answers.
      now,
      observer: {
        closed(id, code, reason) {
          if (!restarting) violation(`${id} lost its socket: ${code} ${reason}`)
        },
      },
    })
    const { counts } = load.fleet
    load.begin()
    const timeoutsMs: number[] = []
    let steps = 0
    for (let round = 1; round <= size.rounds; round++) {
      for (const toMs of offsetsMs) {
        const name = `${round}-${++steps}`
        timeoutsMs.push(
          ...(await bounded(
            name,
            stepOver(context, load.service, name, now, () => set(toMs)),
          )),
        )
        context.progress(`set ${steps} times, ${counts.answered} messages acknowledged`)
      }
      // A service, or a shard, that starts while the clock is behind has no memory of the ids that it gave out before.
      set(-hourMs)
      restarting = true
      await load.service.stop('SIGTERM')
      const service = await load.startAgain()
      restarting = false
      service.fail(0, 'throw')
      await delay(1_000)
      set(0)
    }
    await load.end()
    const verified = await load.verify()
    const spans = await verifySpans(load.service, violation)
    await load.service.stop('SIGTERM')
    const events = await verifyOrder(join(context.directory, 'data'), violation)
    return {
      'clock set': steps,
      'commands timed out': timeoutsMs.length,
      'timeout of 2000 ms p50/most ms': [0.5, 1].map((share) => percentile(timeoutsMs, share).toFixed(0)).join(' / '),
      'messages acknowledged': counts.answered,
      'transactions acknowledged': verified.transactions,
      'sessions looked at': spans,
      'events in order': events,
    }
  },
})

/** A step in which something waits without end ends the scenario: what follows would wait as well. */
async function bounded<Result>(name: string, step: Promise<Result>): Promise<Result> {
  const endless = delay(stepWithinMs, undefined, { ref: false }).then(() => {
    throw new Error(`step ${name}: something waits without end`)
  })
  endless.catch(() => undefined)
  step.catch(() => undefined)
  return Promise.race([step, endless])
}

/** Sets the clock while commands, a rate, an expiry and a stored answer are under way; returns how long the timeouts took. */
async function stepOver(
  { violation }: ChaosContext,
  service: Service,
  name: string,
  now: () => number,
  set: () => void,
): Promise<number[]> {
  const silent = await bootChargePoint(service, `SILENT-${name}`)
  const answering = await bootChargePoint(service, `ANSWERING-${name}`)
  const expiry = new Date(now() + hourMs / 2).toISOString()
  const tag = `E-${name}`
  await service.request('POST', '/api/v1/id-tags', { id_tag: tag, expiry_date: expiry })
  const key = { 'idempotency-key': `clock-${name}` }
  const body = { id_tag: `I-${name}` }
  const first = await service.request('POST', '/api/v1/id-tags', body, key)

  const transactionId = await startMetered(answering, now)
  const askedAt = performance.now()
  const waiting = Array.from({ length: commandsPerSecond }, () => timedCommand(service, `SILENT-${name}`))
  for (const one of waiting) one.catch(() => undefined)
  const answered = service.request('POST', `/api/v1/cpo/commands/ANSWERING-${name}`, {
    command: 'soft_reset',
    timeout_seconds: 60,
  })
  await delay(300)
  const before = now()
  set()
  const stepMs = now() - before
  const overRate = await timedCommand(service, `SILENT-${name}`)
  // One that was taken arrived its timeout before its answer at the latest. The others are of the same second only
  // while less than one has passed since the first was asked.
  const arrivedMs = performance.now() - timeoutSeconds * 1_000 - askedAt
  if (overRate.status !== 429 && arrivedMs < 1_000)
    violation(`step ${name}: a command over the rate was answered ${overRate.status}`)
  await answering.answerNext({ status: 'Accepted' })
  if ((await answered).status !== 200)
    violation(`step ${name}: an answered command ended with ${(await answered).status}`)

  const beat = await answering.call('Heartbeat', {})
  const offMs = Math.abs(Date.parse(beat.payload.currentTime) - now())
  if (offMs > lateMs) violation(`step ${name}: Heartbeat's currentTime is off by ${offMs} ms`)
  await meter(answering, transactionId, 2_000, now)
  const session = await sessionOf(service, `ANSWERING-${name}`, transactionId)
  if (session.energy_kwh !== 2) violation(`step ${name}: of 2 kWh, ${session.energy_kwh} are shown`)
  const expected = now() < Date.parse(expiry) ? 'Accepted' : 'Expired'
  const authorized = await answering.call('Authorize', { idTag: tag })
  if (authorized.payload.idTagInfo?.status !== expected)
    violation(`step ${name}: a tag that expires at ${expiry} is ${authorized.payload.idTagInfo?.status}`)
  const repeated = await service.request('POST', '/api/v1/id-tags', body, key)
  // After a day the answer may be forgotten; then the tag is there already.
  const replayed =
    first.status === 201 && repeated.status === 201 && repeated.headers.get('idempotent-replayed') === 'true'
  if (!replayed && !(stepMs >= dayMs - hourMs && repeated.status === 409))
    violation(`step ${name}: a repeat under its Idempotency-Key was answered ${repeated.status}`)

  const timeouts = await Promise.all(waiting)
  for (const { status, tookMs } of timeouts) {
    if (status !== 408) violation(`step ${name}: a command that nobody answers ended with ${status}`)
    if (tookMs < timeoutSeconds * 1_000)
      violation(`step ${name}: a command timed out early, after ${Math.round(tookMs)} ms`)
    if (tookMs > timeoutSeconds * 1_000 + lateMs)
      violation(`step ${name}: a timeout was missed by ${Math.round(tookMs)} ms`)
  }
  await checkHistory(service, `ANSWERING-${name}`, violation)
  // It has told nothing else since it booted.
  await checkSeen(service, `SILENT-${name}`, silent, now, violation)
  silent.socket.terminate()
  answering.socket.terminate()
  return timeouts.map(({ tookMs }) => tookMs)
}

async function startMetered(client: OcppClient, now: () => number): Promise<number> {
  const timestamp = new Date(now()).toISOString()
  const started = await client.call('StartTransaction', { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp })
  const { transactionId } = started.payload
  await meter(client, transactionId, 1_000, now)
  return transactionId
}

async function meter(client: OcppClient, transactionId: number, registerWh: number, now: () => number): Promise<void> {
  const meterValue = [energyAt(new Date(now()).toISOString(), registerWh)]
  await client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
}

async function timedCommand(service: Service, id: string): Promise<{ status: number; tookMs: number }> {
  const startedAt = performance.now()
  const { status } = await service.request('POST', `/api/v1/cpo/commands/${id}`, {
    command: 'soft_reset',
    timeout_seconds: timeoutSeconds,
  })
  return { status, tookMs: performance.now() - startedAt }
}

async function checkHistory(service: Service, id: string, violation: (text: string) => void): Promise<void> {
  for (const { command_id: command, response_time_ms: tookMs } of await historyOf(service, id))
    if (tookMs !== null && !(tookMs >= 0 && tookMs < 60_000)) violation(`command ${command} took ${tookMs} ms`)
}

/** The last sign of life follows the clock, wherever it was set. */
async function checkSeen(
  service: Service,
  id: string,
  client: OcppClient,
  now: () => number,
  violation: (text: string) => void,
): Promise<void> {
  await client.call('Heartbeat', {})
  const near = async (): Promise<boolean> => {
    const seen = (await service.request('GET', `/api/v1/chargepoints/${id}`)).body.last_seen_at
    return Math.abs(Date.parse(seen) - now()) < 2 * 60_000
  }
  await until(near).catch(() => violation(`${id}: the last sign of life is not near ${new Date(now()).toISOString()}`))
}

/** Every session: not shorter than nothing, and of no negative energy. */
async function verifySpans(service: Service, violation: (text: string) => void): Promise<number> {
  for (let page = 1, seen = 0; ; page++) {
    const { body } = await service.request('GET', `/api/v1/sessions?page=${page}&per_page=200`)
    for (const session of body.sessions) {
      seen++
      if (session.ended_at !== null && Date.parse(session.ended_at) < Date.parse(session.started_at))
        violation(`session ${session.session_id} ended before it started: ${session.started_at} to ${session.ended_at}`)
      if (session.energy_kwh < 0) violation(`session ${session.session_id} took ${session.energy_kwh} kWh`)
    }
    if (body.sessions.length < 200) return seen
  }
}

/** In the order of the outbox a session starts before it ends, and a charge point connects before it disconnects. */
async function verifyOrder(data: string, violation: (text: string) => void): Promise<number> {
  const view = openView(data, tables)
  const rows = view.list(outboxTable, [])
  await view.close()
  const started = new Set<unknown>()
  const connected = new Map<string, boolean>()
  for (const { id, event, subject, data: told } of rows) {
    if (event === 'session.started') started.add(told.session_id)
    if (event === 'session.ended' && !started.has(told.session_id))
      violation(`${id}: session ${told.session_id} ends before it has started`)
    if (event !== 'charge_point.connected' && event !== 'charge_point.disconnected') continue
    const connects = event === 'charge_point.connected'
    if (!connects && connected.get(subject) !== true) violation(`${id}: ${subject} disconnects without being connected`)
    connected.set(subject, connects)
  }
  return rows.length
}
