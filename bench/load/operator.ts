// The operator of the commands profile: commands to the charge points of this process over ampshard's REST API, at a
// rate that does not wait for answers.

import type { ConnectionOptions } from 'node:tls'
import type { Agenda } from '../generator/agenda.js'
import { createHttpClient, type HttpAnswer, type HttpClient } from '../generator/http.js'
import type { Failure } from '../generator/station.js'
import type { Recorder } from './recorder.js'

export interface OperatorOptions {
  readonly url: string
  readonly key: string
  readonly tls: ConnectionOptions
  readonly chargePointIds: readonly string[]
  readonly ratePerSecond: number
  readonly agenda: Agenda
  readonly recorder: Recorder
}

export interface Operator {
  readonly outstanding: number
  start(): void
  close(): void
}

/** The name under which commands are counted, beside those of the charge points' messages. */
const action = 'REST unlock_connector'
const body = JSON.stringify({ command: 'unlock_connector', parameters: { connector_id: 1 } })
const mostConnections = 256

function failureOf(answer: HttpAnswer | Error): Failure | undefined {
  if (answer instanceof Error) return { kind: 'connection lost', detail: answer.message }
  if (answer.status !== 200) return { kind: `HTTP ${answer.status}`, detail: answer.body }
  return answer.body.includes('"Unlocked"') ? undefined : { kind: 'not carried out', detail: answer.body }
}

export function createOperator(options: OperatorOptions): Operator {
  const { agenda, recorder, chargePointIds } = options
  const client: HttpClient = createHttpClient(options.url, options.key, mostConnections, options.tls)
  let next = 0
  let outstanding = 0

  function command(intendedAt: number): void {
    const id = chargePointIds[next++ % chargePointIds.length] as string
    const sentAt = performance.now()
    outstanding++
    recorder.sent(action, intendedAt)
    client.request('POST', `/api/v1/cpo/commands/${encodeURIComponent(id)}`, body, (answer) => {
      outstanding--
      recorder.settled(action, intendedAt, (performance.now() - sentAt) * 1000, failureOf(answer))
    })
  }

  return {
    get outstanding() {
      return outstanding
    },
    start() {
      agenda.add({
        dueAt: performance.now(),
        run(intendedAt) {
          command(intendedAt)
          return 1000 / options.ratePerSecond
        },
      })
    },
    close: () => client.close(),
  }
}
