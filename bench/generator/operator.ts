// The side of the generator that plays those who use the API: an operator's commands at a fixed rate, bulk commands and pages, and installers who
// log in.

import { createAgenda } from './agenda.js'
import { createHttpClient, type HttpAnswer } from './http.js'
import type { Measure } from './measure.js'
import type { GeneratorRequest } from './protocol.js'

type Commands = Extract<GeneratorRequest, { type: 'commands' }>
type Bulk = Extract<GeneratorRequest, { type: 'bulk' }>
type Logins = Extract<GeneratorRequest, { type: 'logins' }>
type Get = Extract<GeneratorRequest, { type: 'get' }>

const unlock = { command: 'unlock_connector', parameters: { connector_id: 1 } }

export function sendCommands(request: Commands, measure: Measure): Promise<void> {
  const { key, chargePointIds } = request
  const body = JSON.stringify(unlock)
  const path = (at: number): string => `/api/v1/cpo/commands/${chargePointIds[at % chargePointIds.length]}`
  return postAtRate({ ...request, key }, (at) => ({ path: path(at), body }), measure)
}

export function logIn(request: Logins, measure: Measure): Promise<void> {
  const { emails, password } = request
  const body = (at: number): string => JSON.stringify({ email: emails[at % emails.length], password })
  return postAtRate({ ...request, key: '' }, (at) => ({ path: '/api/v1/installer/login', body: body(at) }), measure)
}

interface Pace {
  readonly url: string
  readonly key: string
  readonly ratePerSecond: number
  readonly seconds: number
  readonly connections: number
}

/**
 * Sends at the rate whatever the answers do, and counts each latency from the moment at which the request should have
 * left: a server that stalls is charged for everything that waited (no coordinated omission).
 */
function postAtRate(
  { url, key, ratePerSecond, seconds, connections }: Pace,
  requestOf: (at: number) => { readonly path: string; readonly body: string },
  measure: Measure,
): Promise<void> {
  const client = createHttpClient(url, key, connections)
  const total = Math.round(ratePerSecond * seconds)
  const spacingMs = 1000 / ratePerSecond
  let sent = 0
  let settled = 0

  return new Promise((resolve) => {
    function answered(intendedAt: number, answer: HttpAnswer | Error): void {
      if (answer instanceof Error) measure.failed(answer.message)
      else if (answer.status !== 200) measure.failed(`HTTP ${answer.status} ${answer.body.slice(0, 200)}`)
      else measure.succeeded((performance.now() - intendedAt) * 1000)
      settled++
      if (settled === total) {
        client.close()
        resolve()
      }
    }
    createAgenda().add({
      dueAt: performance.now() + 5,
      run(intendedAt) {
        const { path, body } = requestOf(sent++)
        client.request('POST', path, body, (answer) => answered(intendedAt, answer))
        return sent < total ? spacingMs : undefined
      },
    })
  })
}

export async function sendBulk(request: Bulk, measure: Measure): Promise<void> {
  const client = createHttpClient(request.url, request.key, 1)
  for (let repetition = 0; repetition < request.repetitions; repetition++) {
    const from = (repetition * request.targets) % request.chargePointIds.length
    const ids = Array.from(
      { length: request.targets },
      (_, index) => request.chargePointIds[(from + index) % request.chargePointIds.length],
    )
    const body = JSON.stringify({ charge_point_ids: ids, ...unlock })
    await timed(
      measure,
      (done) => client.request('POST', '/api/v1/cpo/commands/bulk', body, done),
      207,
      (answer) => {
        const { succeeded } = JSON.parse(answer.body) as { succeeded: number }
        return succeeded === request.targets ? undefined : `${succeeded} of ${request.targets} succeeded`
      },
    )
  }
  client.close()
}

export async function getPages(request: Get, measure: Measure): Promise<void> {
  const client = createHttpClient(request.url, request.key, 1)
  for (let repetition = 0; repetition < request.repetitions; repetition++) {
    await timed(
      measure,
      (done) => client.request('GET', request.path, undefined, done),
      200,
      () => undefined,
    )
  }
  client.close()
}

function timed(
  measure: Measure,
  send: (done: (answer: HttpAnswer | Error) => void) => void,
  expectedStatus: number,
  problem: (answer: HttpAnswer) => string | undefined,
): Promise<void> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    send((answer) => {
      const microseconds = (performance.now() - startedAt) * 1000
      const failure =
        answer instanceof Error
          ? answer.message
          : answer.status === expectedStatus
            ? problem(answer)
            : `HTTP ${answer.status} ${answer.body.slice(0, 200)}`
      if (failure === undefined) measure.succeeded(microseconds)
      else measure.failed(failure)
      resolve()
    })
  })
}
