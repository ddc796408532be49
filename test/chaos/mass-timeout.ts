// Twenty commands to each of many charge points that never answer, all timing out at one instant: every command has one
// end, the end is told in time, and others do not feel it.

import { setTimeout as delay } from 'node:timers/promises'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import type { Service } from '../support/service.js'
import { chargePointIds, registerAll } from './fleet.js'
import { startHealthy } from './healthy.js'
import { defineScenario, percentile } from './scenario.js'

const commandsPerChargePoint = 20
/** What a charge point takes in a second; the second half follows later, with a deadline that is as much shorter. */
const commandsAtOnce = 10
const laterSeconds = 3
const bulkTargets = 100

export const massTimeout = defineScenario({
  name: 'mass-timeout',
  promise: 'commands that time out at one instant end once each, in time, and others do not feel it',
  // `answeredWithinMs`: how long after the deadline the last answer may come. Continuous integration shares its cores.
  sizes: {
    small: { rounds: 1, chargePoints: 60, timeoutSeconds: 5, answeredWithinMs: 20_000, othersWithinMs: 20_000 },
    full: { rounds: 3, chargePoints: 500, timeoutSeconds: 10, answeredWithinMs: 3_000, othersWithinMs: 2_000 },
  },
  async run(context, size) {
    const { violation } = context
    const service = await context.service(['--shards', '2'])
    const ids = chargePointIds(size.chargePoints)
    await registerAll(service, ids)
    const clients = await Promise.all(
      ids.map(async (id) => {
        const client = await connectOcpp(`${service.ocppUrl}/${id}`)
        await client.boot()
        return client
      }),
    )
    const healthy = await startHealthy(service, 8)
    await delay(1_000)
    const before = healthy.take()
    const during: number[] = []
    const lateMs: number[] = []
    let commands = 0
    for (let round = 1; round <= size.rounds; round++) {
      const deadline = performance.now() + size.timeoutSeconds * 1_000
      const first = sendBulks(service, ids, size.timeoutSeconds)
      await delay(laterSeconds * 1_000)
      const second = sendBulks(service, ids, size.timeoutSeconds - laterSeconds)
      healthy.take()
      const answers = await Promise.all([...first, ...second])
      await delay(500)
      during.push(...healthy.take())
      for (const { answeredAt, results, status } of answers) {
        lateMs.push(answeredAt - deadline)
        if (status !== 207) violation(`a bulk command was answered ${status}`)
        commands += results.length
        const others = results.filter((result) => result.status !== 'Timeout')
        if (others.length > 0) violation(`${others.length} commands did not time out: ${JSON.stringify(others[0])}`)
      }
      await verifyHistories(service, ids, round * commandsPerChargePoint, violation)
      context.progress(`${commands} commands have timed out`)
    }
    await answerAgain(service, ids[0] as string, clients[0] as OcppClient, violation)
    if (percentile(lateMs, 1) > size.answeredWithinMs)
      violation(`an answer came ${Math.round(percentile(lateMs, 1))} ms after the deadline`)
    const slowest = percentile(during, 1)
    if (slowest > size.othersWithinMs) violation(`another charge point waited ${Math.round(slowest)} ms`)
    const lost = (await healthy.stop()) + clients.filter(({ socket }) => socket.readyState !== socket.OPEN).length
    if (lost > 0) violation(`${lost} sockets were lost`)
    for (const client of clients) client.socket.terminate()
    return {
      'charge points': size.chargePoints,
      'commands timed out': commands,
      'answered after the deadline, at most ms': Math.round(percentile(lateMs, 1)),
      'others before p50/p99 ms': `${percentile(before, 0.5).toFixed(1)} / ${percentile(before, 0.99).toFixed(1)}`,
      'others during p50/p99 ms': `${percentile(during, 0.5).toFixed(1)} / ${percentile(during, 0.99).toFixed(1)}`,
      'others during, at most ms': slowest.toFixed(1),
    }
  },
})

interface BulkAnswer {
  readonly status: number
  readonly answeredAt: number
  readonly results: readonly { readonly status: string }[]
}

function sendBulks(service: Service, ids: readonly string[], timeoutSeconds: number): Promise<BulkAnswer>[] {
  const bulks: Promise<BulkAnswer>[] = []
  for (let command = 0; command < commandsAtOnce; command++) {
    for (let at = 0; at < ids.length; at += bulkTargets) {
      const body = {
        charge_point_ids: ids.slice(at, at + bulkTargets),
        command: 'soft_reset',
        timeout_seconds: timeoutSeconds,
      }
      bulks.push(
        service.request('POST', '/api/v1/cpo/commands/bulk', body).then((answer) => ({
          status: answer.status,
          answeredAt: performance.now(),
          results: answer.body.results ?? [],
        })),
      )
    }
  }
  return bulks
}

async function verifyHistories(
  service: Service,
  ids: readonly string[],
  wanted: number,
  violation: (text: string) => void,
): Promise<void> {
  for (const id of ids) {
    const { body } = await service.request('GET', `/api/v1/cpo/commands/${id}/history?per_page=100`)
    const statuses = new Set(body.commands.map((command: { status: string }) => command.status))
    const distinct = new Set(body.commands.map((command: { command_id: string }) => command.command_id)).size
    if (body.total !== wanted || distinct !== Math.min(100, wanted) || statuses.size !== 1 || !statuses.has('Timeout'))
      violation(`the history of ${id} has ${body.total} commands, ${distinct} ids, ${[...statuses]}`)
  }
}

/** A charge point that answers after all is taken at its word, and takes commands again. */
async function answerAgain(
  service: Service,
  id: string,
  client: OcppClient,
  violation: (text: string) => void,
): Promise<void> {
  const late = await client.answerNext({ status: 'Accepted' })
  let answering = true
  // What else was sent before its deadline waits in the client: everything is answered now.
  void (async () => {
    while (answering) await client.answerNext({ status: 'Accepted' })
  })()
  const answer = await service.request('POST', `/api/v1/cpo/commands/${id}`, { command: 'soft_reset' })
  answering = false
  if (answer.status !== 200) violation(`a command after the timeouts was answered ${answer.status}`)
  const { body } = await service.request('GET', `/api/v1/cpo/commands/${id}/history?per_page=100`)
  const record = body.commands.find((command: { command_id: string }) => command.command_id === late[1])
  if (record !== undefined && record.late_response === null)
    violation(`the late answer to ${String(late[1])} is not on its record`)
}
