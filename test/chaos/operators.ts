// Operators at work: commands to charge points, and charge points, id tags and keys made and taken away. What was
// answered goes into the ledger; a request whose answer was lost is made again under the same Idempotency-Key.

import { setTimeout as delay } from 'node:timers/promises'
import { createRandom, type Random } from '../../bench/client/random.js'
import { registrationOf } from '../support/registration.js'
import type { Answer, Service } from '../support/service.js'
import type { Ledger } from './ledger.js'
import { between, oneOf } from './scenario.js'

export interface OperatorsOptions {
  readonly count: number
  readonly chargePointIds: readonly string[]
  readonly service: () => Service
  readonly random: Random
  readonly ledger: Ledger
  /** Told of an answer that no fault explains. */
  readonly unexpected: (text: string) => void
}

export interface Operators {
  /** Answers by HTTP status; 0 for a request whose answer was lost. */
  readonly answers: ReadonlyMap<number, number>
  start(): void
  stop(): Promise<void>
}

/** The statuses of a command's record by what its answer said; other refusals have no record. */
const recordedAs: Readonly<Record<string, string>> = {
  ocpp_rejected: 'Rejected',
  timeout: 'Timeout',
  charge_point_offline: 'Error',
  ocpp_error: 'Error',
}
const temporary = new Set([0, 429, 503])

export function createOperators(options: OperatorsOptions): Operators {
  const { ledger } = options
  const answers = new Map<number, number>()
  let running = false
  let made = 0
  let work: Promise<void>[] = []

  async function request(...words: Parameters<Service['request']>): Promise<Answer | undefined> {
    let answer: Answer | undefined
    try {
      answer = await options.service().request(...words)
    } catch {
      // The service went away before it answered.
    }
    const status = answer?.status ?? 0
    answers.set(status, (answers.get(status) ?? 0) + 1)
    return answer
  }

  async function command(random: Random): Promise<void> {
    const chargePointId = oneOf(random, options.chargePointIds)
    const answer = await request('POST', `/api/v1/cpo/commands/${chargePointId}`, {
      command: 'soft_reset',
      timeout_seconds: 2,
    })
    if (answer === undefined) return
    const commandId = answer.body.command_id ?? answer.body.error?.command_id
    const status = answer.status === 200 ? answer.body.status : recordedAs[answer.body.error?.code]
    if (commandId !== undefined && status !== undefined)
      ledger.append({ type: 'command', chargePointId, commandId, status })
    else if (!temporary.has(answer.status)) options.unexpected(`a command was answered ${describe(answer)}`)
  }

  async function bulk(random: Random): Promise<void> {
    const chargePointIds = Array.from({ length: 5 }, () => oneOf(random, options.chargePointIds))
    const answer = await request('POST', '/api/v1/cpo/commands/bulk', {
      charge_point_ids: chargePointIds,
      command: 'soft_reset',
      timeout_seconds: 2,
    })
    if (answer === undefined || temporary.has(answer.status)) return
    if (answer.status !== 207) return options.unexpected(`a bulk command was answered ${describe(answer)}`)
    for (const { charge_point_id: chargePointId, command_id: commandId, status } of answer.body.results)
      ledger.append({ type: 'command', chargePointId, commandId, status: status === 'Offline' ? 'Error' : status })
  }

  /** Until it is answered for good; undefined when the operators stop before. */
  async function create(path: string, body: object, idempotencyKey: string): Promise<Answer | undefined> {
    while (running) {
      const answer = await request('POST', path, body, { 'idempotency-key': idempotencyKey })
      if (answer?.status === 201) return answer
      if (answer !== undefined && !temporary.has(answer.status)) {
        options.unexpected(`POST ${path}, said again under its Idempotency-Key, was answered ${describe(answer)}`)
        return undefined
      }
      await delay(100)
    }
    return undefined
  }

  async function createChargePoint(name: string): Promise<void> {
    const chargePointId = `NEW-${name}`
    const body = registrationOf(chargePointId, { name, connector_count: 1 })
    if ((await create('/api/v1/chargepoints', body, name)) !== undefined)
      ledger.append({ type: 'charge-point', chargePointId, name })
  }

  async function createIdTag(name: string): Promise<void> {
    const idTag = `T-${name}`
    if ((await create('/api/v1/id-tags', { id_tag: idTag, label: name }, name)) !== undefined)
      ledger.append({ type: 'id-tag', idTag, label: name })
  }

  async function createKey(random: Random, name: string): Promise<void> {
    const answer = await create('/api/v1/org/api-keys', { name, scopes: ['read:sessions'] }, name)
    if (answer === undefined) return
    const keyId = String(answer.body.id)
    ledger.append({ type: 'api-key', keyId, name })
    if (random() < 0.5) return
    const revoked = await request('DELETE', `/api/v1/org/api-keys/${keyId}`)
    if (revoked?.status === 204) ledger.append({ type: 'revoked-api-key', keyId })
  }

  async function operate(random: Random): Promise<void> {
    while (running) {
      const dice = random()
      const name = `${++made}-${between(random, 0, 2 ** 30).toString(36)}`
      if (dice < 0.6) await command(random)
      else if (dice < 0.7) await bulk(random)
      else if (dice < 0.8) await createChargePoint(name)
      else if (dice < 0.9) await createIdTag(name)
      else await createKey(random, name)
      await delay(between(random, 5, 60))
    }
  }

  return {
    answers,
    start() {
      running = true
      work = Array.from({ length: options.count }, () => operate(createRandom(Math.floor(options.random() * 2 ** 32))))
    },
    async stop() {
      running = false
      await Promise.all(work)
    },
  }
}

function describe({ status, body }: Answer): string {
  return `${status} ${JSON.stringify(body).slice(0, 200)}`
}
