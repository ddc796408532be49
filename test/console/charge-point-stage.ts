// Charge points in trouble, and such as do what they are asked.

import { bootChargePoint } from '../support/charge-point.js'
import { type OcppClient, refusedFor } from '../support/ocpp-client.js'
import type { Service } from '../support/service.js'

/** One whose password was replaced, so that it is refused with the old one. */
export async function refusedForItsPassword(service: Service, id: string): Promise<void> {
  const client = await bootChargePoint(service, id)
  await service.request('POST', `/api/v1/chargepoints/${id}/authorization-key`)
  await client.closed
  const authorization = `Basic ${Buffer.from(`${id}:not-the-one-that-was-set`).toString('base64')}`
  await refusedFor(`${service.ocppUrl}/${id}`, { headers: { authorization } })
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
