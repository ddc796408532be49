// The side of the generator that plays installers: all start the commissioning of all their charge points at once, and look until each has ended.

import { setTimeout as delay } from 'node:timers/promises'
import { createHttpClient, type HttpAnswer, type HttpClient } from './http.js'
import type { Measure } from './measure.js'
import type { GeneratorRequest } from './protocol.js'

type Commission = Extract<GeneratorRequest, { type: 'commission' }>

interface Session {
  readonly status: string
  readonly started_at: string
  readonly completed_at: string | null
  readonly steps: readonly { readonly status: string; readonly detail: string | null }[]
}

const lookAgainMs = 1_000
const connectionsOfEach = 8

/** Latency is the time from the start of a commissioning to its end, as the service has them. */
export async function commission({ url, installers }: Commission, measure: Measure): Promise<void> {
  await Promise.all(
    installers.map(async ({ token, chargePointIds }) => {
      const client = createHttpClient(url, token, connectionsOfEach)
      await Promise.all(chargePointIds.map((id) => commissionOne(client, id, measure)))
      client.close()
    }),
  )
}

async function commissionOne(client: HttpClient, id: string, measure: Measure): Promise<void> {
  const path = (what: string): string => `/api/v1/installer/commissioning/${id}/${what}`
  try {
    let session = await ask(client, 'POST', path('start'), '{}')
    while (session.status === 'running') {
      await delay(lookAgainMs)
      session = await ask(client, 'GET', path('status'), undefined)
    }
    const failed = session.steps.find(({ status }) => status === 'failed')
    if (session.status !== 'completed') throw new Error(`${id} has ${session.status}: ${failed?.detail}`)
    measure.succeeded((Date.parse(String(session.completed_at)) - Date.parse(session.started_at)) * 1_000)
  } catch (error) {
    measure.failed((error as Error).message)
  }
}

function ask(client: HttpClient, method: string, path: string, body: string | undefined): Promise<Session> {
  return new Promise((resolve, reject) => {
    client.request(method, path, body, (answer: HttpAnswer | Error) => {
      if (answer instanceof Error) reject(answer)
      else if (answer.status >= 300) reject(new Error(`HTTP ${answer.status} ${answer.body.slice(0, 200)}`))
      else resolve(JSON.parse(answer.body) as Session)
    })
  })
}
