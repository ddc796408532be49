// A box on a wall that an installer commissions: it does what the service asks, unless a test says otherwise.

import type { TestInstaller } from './installer.js'
import { connectOcpp, type OcppClient } from './ocpp-client.js'
import type { Service } from './service.js'
import { until } from './until.js'

export const commissioningPath = (id: string, what: string): string => `/api/v1/installer/commissioning/${id}/${what}`

export interface Box {
  readonly client: OcppClient
  /** What it was asked, in order: the action, and what of it tells one from another. */
  readonly asked: readonly string[]
  /** Begins the transaction of a remote start that it has taken before. */
  start(idTag: string): Promise<void>
}

export interface BoxOptions {
  /** Instead of what it does by itself; undefined leaves it to that, null does not answer. */
  readonly answer?: (action: string, payload: Payload) => Payload | null | undefined
  /** Of a box that has charged before: its keys, and the transaction that it is in. */
  readonly keys?: Map<string, string>
  readonly transactionId?: number
  /** Of its BootNotification. */
  readonly boot?: Readonly<Record<string, unknown>>
  /** How it connects over TLS. */
  readonly tls?: Readonly<Record<string, unknown>>
}

// biome-ignore lint/suspicious/noExplicitAny: what the service sends is of many shapes
type Payload = any

const noError = { errorCode: 'NoError' }

export async function installedBox(installer: TestInstaller, id: string): Promise<void> {
  const box = { charge_point_id: id, model: 'Wall Box', vendor: 'V', serial_number: `SN-${id}`, project_id: 'Quayside' }
  const { status } = await installer.request('POST', '/api/v1/installer/charge-points', box)
  if (status !== 201) throw new Error(`it was not registered: ${status}`)
}

/** Connects, boots, and reports its connector. */
export async function connectBox(
  service: Pick<Service, 'ocppUrl'>,
  id: string,
  { answer, keys = new Map(), transactionId, boot, tls = {} }: BoxOptions = {},
): Promise<Box> {
  const client = await connectOcpp(`${service.ocppUrl}/${id}`, { tls })
  const asked: string[] = []
  let transaction = transactionId
  await client.boot(boot)
  const status = (word: string) => client.call('StatusNotification', { connectorId: 1, status: word, ...noError })
  await status('Preparing')

  async function start(idTag: string): Promise<void> {
    const timestamp = new Date().toISOString()
    const started = await client.call('StartTransaction', { connectorId: 1, idTag, meterStart: 1_000, timestamp })
    transaction = started.payload.transactionId
  }
  function does(action: string, payload: Payload): Payload {
    switch (action) {
      case 'GetConfiguration': {
        const wanted: string[] = payload.key ?? [...keys.keys()]
        const known = wanted.map((key) => ({ key, readonly: false, value: keys.get(key) ?? '0' }))
        return { configurationKey: known, unknownKey: [] }
      }
      case 'ChangeConfiguration':
        keys.set(payload.key, payload.value)
        return { status: 'Accepted' }
      case 'RemoteStartTransaction':
        setImmediate(() => void start(payload.idTag))
        return { status: 'Accepted' }
      case 'RemoteStopTransaction': {
        const stopped = { transactionId: transaction, meterStop: 1_012, timestamp: new Date().toISOString() }
        setImmediate(() => void client.call('StopTransaction', { ...stopped, reason: 'Remote' }))
        return { status: 'Accepted' }
      }
      case 'TriggerMessage': {
        const { requestedMessage } = payload
        if (requestedMessage === 'Heartbeat') setImmediate(() => void client.call('Heartbeat', {}))
        if (requestedMessage === 'StatusNotification') setImmediate(() => void status('Preparing'))
        if (requestedMessage === 'MeterValues') {
          const sampledValue = [{ value: '1006', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }]
          const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }]
          setImmediate(
            () => void client.call('MeterValues', { connectorId: 1, transactionId: transaction, meterValue }),
          )
        }
        return { status: 'Accepted' }
      }
      default:
        return { status: 'Rejected' }
    }
  }
  async function listen(): Promise<void> {
    for (;;) {
      const [, messageId, action, payload] = (await client.nextFrame()) as [number, string, string, Payload]
      asked.push([action, payload.requestedMessage ?? payload.key ?? payload.idTag].filter(Boolean).join(' '))
      const given = answer?.(action, payload)
      if (given !== null) client.raw(JSON.stringify([3, messageId, given ?? does(action, payload)]))
    }
  }
  void listen()
  return { client, asked, start }
}

/** The session once it is as `isSo` says. */
export async function commissioningOf(
  installer: TestInstaller,
  id: string,
  // biome-ignore lint/suspicious/noExplicitAny: the answer of the API
  isSo: (session: any) => boolean,
) {
  return until(async () => {
    const { body } = await installer.request('GET', commissioningPath(id, 'status'))
    return isSo(body) && body
  }, 60_000)
}
