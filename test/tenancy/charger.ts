// A charge point that accepts whatever it is asked, and remembers it. It says only what a test lets it say, frame by frame: a whole
// charge point (bench/charge-point) would send statuses, heartbeats and meter values of its own.

import { answerFrame, CallError, type Payload } from '../../bench/charge-point/call-channel.js'
import { connectOcpp, type OcppClient, refusedFor } from '../support/ocpp-client.js'
import type { Service } from '../support/service.js'

export interface Charger {
  readonly id: string
  readonly client: OcppClient
  /** What it was asked, oldest first. */
  readonly calls: readonly { readonly action: string; readonly payload: Payload }[]
  /** Transactions that it runs. */
  readonly running: Set<number>
}

export interface ChargerOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** What it says that it is. */
  readonly model?: string
  /** What it answers to an action instead of accepting; an Error is a CALLERROR with that text. */
  readonly answers?: Readonly<Record<string, unknown>>
}

export async function connectCharger(service: Service, id: string, options: ChargerOptions = {}): Promise<Charger> {
  const { headers = {}, answers = {}, model = 'Model' } = options
  // Its first attempt is refused, so that there is an attempt to be seen.
  await refusedFor(`${service.ocppUrl}/${id}`, { headers, subprotocols: ['ocpp9.9'] })
  const client = await connectOcpp(`${service.ocppUrl}/${id}`, { headers })
  const calls: { action: string; payload: Payload }[] = []
  const running = new Set<number>()

  function answerTo(action: string, payload: Payload): Payload {
    calls.push({ action, payload })
    const answer = answers[action]
    if (answer instanceof Error) throw new CallError('GenericError', answer.message)
    if (answer !== undefined) return answer as Payload
    if (action === 'RemoteStopTransaction' && !running.has(payload.transactionId as number))
      return { status: 'Rejected' }
    if (action === 'UnlockConnector') return { status: 'Unlocked' }
    if (action === 'GetDiagnostics' || action === 'UpdateFirmware' || action === 'GetConfiguration') return {}
    return { status: 'Accepted' }
  }

  async function answer(): Promise<never> {
    for (;;) {
      const [, id, action, payload] = await client.nextFrame()
      client.raw(answerFrame({ id, action, payload }, answerTo).frame)
    }
  }
  void answer()
  await client.boot({ chargePointModel: model })
  await client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' })
  return { id, client, calls, running }
}
