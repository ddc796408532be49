// What a message means, in the words of the field: of its request, and of its answer.

import type { Schema } from '../../client/api.js'
import { exactText, numberText } from '../../client/format.js'
import { stateNames, stateOf } from '../../parts/state-glyph.js'

export type Message = Schema<'Message'>
type Fields = Readonly<Record<string, unknown>>

/** The elements of a frame; undefined where it cannot be read. */
export function elementsOf(frame: string | null): readonly unknown[] | undefined {
  if (frame === null) return undefined
  try {
    const read: unknown = JSON.parse(frame)
    return Array.isArray(read) ? read : undefined
  } catch {
    return undefined
  }
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const joined = (...parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join(', ')
const connector = ({ connectorId }: Fields): string | undefined =>
  connectorId === undefined ? undefined : connectorId === 0 ? 'the charger itself' : `connector ${text(connectorId)}`
const meterText = (value: unknown): string | undefined =>
  text(value) === '' ? undefined : `meter ${exactText(text(value))} Wh`

/** What each figure of a meter value is (OCPP 1.6, 7.31), and its unit where none is said. */
const measurands: Readonly<Record<string, readonly [name: string, unit: string]>> = {
  'Energy.Active.Import.Register': ['meter', 'Wh'],
  'Energy.Active.Export.Register': ['meter of what is fed back', 'Wh'],
  'Energy.Active.Import.Interval': ['energy since the last value', 'Wh'],
  'Power.Active.Import': ['power', 'W'],
  'Power.Offered': ['power offered', 'W'],
  'Current.Import': ['current', 'A'],
  'Current.Offered': ['current offered', 'A'],
  Voltage: ['voltage', 'V'],
  SoC: ['battery', '%'],
  Temperature: ['temperature', '°C'],
}
const unitNames: Readonly<Record<string, string>> = { Percent: '%', Celsius: '°C', Fahrenheit: '°F' }
const mostSamples = 4

function sampleWords(sample: Fields): string {
  const measurand = text(sample.measurand) || 'Energy.Active.Import.Register'
  const [name, usual] = measurands[measurand] ?? [measurand, '']
  const unit = text(sample.unit)
  const of = [name, text(sample.phase)].filter(Boolean).join(' ')
  return `${of} ${exactText(text(sample.value))} ${unitNames[unit] ?? (unit || usual)}`.trim()
}

/** Sums before what is of one phase. */
function meterWords({ meterValue }: Fields): string {
  const [newest] = Array.isArray(meterValue) ? meterValue.slice(-1).map(fieldsOf) : []
  const samples = Array.isArray(newest?.sampledValue) ? newest.sampledValue.map(fieldsOf) : []
  const sorted = [...samples.filter(({ phase }) => !phase), ...samples.filter(({ phase }) => phase)]
  const more = sorted.length - mostSamples
  return joined(...sorted.slice(0, mostSamples).map(sampleWords), more > 0 && `${more} more`)
}

const requests: Readonly<Record<string, (fields: Fields) => string>> = {
  BootNotification: (of) =>
    joined(
      `${text(of.chargePointVendor)} ${text(of.chargePointModel)}`.trim(),
      of.firmwareVersion !== undefined && `firmware ${text(of.firmwareVersion)}`,
    ),
  Heartbeat: () => 'it is there',
  Authorize: (of) => `card ${text(of.idTag)}`,
  StartTransaction: (of) => joined(connector(of), `card ${text(of.idTag)}`, meterText(of.meterStart)),
  StopTransaction: (of) =>
    joined(`transaction ${text(of.transactionId)}`, meterText(of.meterStop), text(of.reason) || undefined),
  StatusNotification: (of) =>
    joined(
      connector(of),
      stateNames[stateOf(text(of.status))],
      of.errorCode !== 'NoError' && text(of.errorCode),
      text(of.vendorErrorCode) || undefined,
    ),
  MeterValues: (of) => joined(connector(of), meterWords(of)),
  DataTransfer: (of) => joined(text(of.vendorId), text(of.messageId) || undefined),
  ChangeConfiguration: (of) => `${text(of.key)} = ${text(of.value)}`,
  GetConfiguration: (of) => (Array.isArray(of.key) && of.key.length > 0 ? of.key.map(text).join(', ') : 'all keys'),
  RemoteStartTransaction: (of) => joined(connector(of), `card ${text(of.idTag)}`),
  RemoteStopTransaction: (of) => `transaction ${text(of.transactionId)}`,
  TriggerMessage: (of) => joined(text(of.requestedMessage), connector(of)),
  UnlockConnector: (of) => joined(connector(of)),
}

export function requestWords(message: Message): string {
  const { connection, meter, action, request, connector_id } = message
  if (connection !== null) return connectionWords(connection)
  if (meter !== null)
    return joined(
      connector_id === null ? undefined : `connector ${connector_id}`,
      meter.power_watts === null ? undefined : `power ${numberText(meter.power_watts, 3)} W`,
      meter.energy_wh === null ? undefined : `meter ${numberText(meter.energy_wh, 3)} Wh`,
    )
  const elements = elementsOf(request)
  if (elements === undefined && message.cut && action !== null)
    return joined(connector_id !== null && connector({ connectorId: connector_id }), 'shown in part')
  if (elements === undefined) return request === null ? '' : 'it cannot be read'
  const fields = fieldsOf(elements[3])
  const known = requests[action ?? '']
  if (known !== undefined) return known(fields)
  return Object.entries(fields)
    .filter(([, value]) => text(value) !== '')
    .slice(0, 3)
    .map(([name, value]) => `${name} ${text(value)}`)
    .join(', ')
}

function connectionWords({ state, remote_address, code, reason }: NonNullable<Message['connection']>): string {
  if (state === 'connected') return remote_address === null ? '' : `from ${remote_address}`
  return joined(`code ${code}`, reason ?? undefined)
}

export function answerWords({ answer, answer_type, error_code, connection, source }: Message): string {
  if (connection !== null || source === 'meter') return ''
  if (answer_type === 'timeout') return 'no answer in time'
  if (answer_type === 'none') return 'not answered'
  if (answer_type === 'error') return error_code ?? 'error'
  const fields = fieldsOf(elementsOf(answer)?.[2])
  const status = text(fields.status) || text(fieldsOf(fields.idTagInfo).status)
  const transaction = fields.transactionId === undefined ? undefined : `transaction ${text(fields.transactionId)}`
  return joined(status || undefined, transaction) || 'taken'
}

/** The name of the message, or of what became of the connection. */
export function nameOf({ action, connection, direction }: Message): string {
  if (connection !== null) return connection.state === 'connected' ? 'Connected' : 'Disconnected'
  return action ?? (direction === 'in' ? 'Unreadable' : 'Late answer')
}
