// Charge points in trouble, and such as do what they are asked.

import { bootChargePoint } from '../support/charge-point.js'
import { type OcppClient, refusedFor } from '../support/ocpp-client.js'
import type { Service } from '../support/service.js'
import { until } from '../support/until.js'

interface Outcome {
  readonly stage: string
  readonly outcome: string
}

/** One whose password was replaced, so that it is refused with the old one, and the service says so. */
export async function refusedForItsPassword(service: Service, id: string): Promise<void> {
  const client = await bootChargePoint(service, id)
  await service.request('POST', `/api/v1/chargepoints/${id}/authorization-key`)
  await client.closed
  const authorization = `Basic ${Buffer.from(`${id}:not-the-one-that-was-set`).toString('base64')}`
  const refusal = await refusedFor(`${service.ocppUrl}/${id}`, { headers: { authorization } })
  if (refusal !== 'HTTP 401') throw new Error(`${id} was refused with ${refusal}`)
  let found: unknown
  await until(async () => {
    const { body } = await service.request('GET', `/api/v1/chargepoints/${id}/connection-diagnosis`)
    found = body
    return body.stages?.some(({ stage, outcome }: Outcome) => stage === 'password' && outcome === 'failed') === true
  }).catch((cause: unknown) => {
    throw new Error(`what was found of ${id}: ${JSON.stringify(found)}`, { cause })
  })
}

/** Answers each call of the service, and remembers them. */
export function answering(client: OcppClient, answer: Readonly<Record<string, unknown>>): string[] {
  const calls: string[] = []
  const run = async (): Promise<never> => {
    for (;;) {
      const [, , action] = await client.answerNext(answer)
      calls.push(String(action))
    }
  }
  void run()
  return calls
}
