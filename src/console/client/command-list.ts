// What can be asked of charge points: the commands of the operator, a few of OCPP itself and any other of its messages, with their fields, what they do in
// plain words, and how sure somebody has to be.

import { api, ask } from './api.js'
import { closes, endsSessionAt, installsFirmware, restarts, restartsAtOnce } from './command-dangers.js'
import { dangerOf, schemaOf } from './command-messages.js'
import type { CommandTarget, Values } from './command-target.js'
import { type FormSchema, readTexts } from './command-texts.js'
import { instantText } from './zone.js'

export type FieldKind =
  | 'connector'
  | 'connector-to-start'
  | 'connector-or-all'
  | 'session'
  | 'id-tag'
  | 'kilowatts'
  | 'url'
  | 'time'
  | 'message'
  | 'action'

export interface CommandField {
  readonly name: string
  readonly label: string
  readonly kind: FieldKind
  readonly hint?: string
}

export interface Command {
  readonly name: string
  readonly title: string
  /** What happens, for somebody who knows no OCPP. */
  readonly about: string
  readonly fields: readonly CommandField[]
  readonly button: string
  /** What it often means that a charge point refuses it, and what can be done. */
  readonly whenRefused?: string
  /** What it ends or loses; asked about before it is sent. Undefined where nothing is at stake now. */
  readonly danger?: (target: CommandTarget, values: Values) => string | undefined
  /** Of OCPP itself: one charge point at a time. */
  readonly isRaw?: boolean
  /** Its fields are of one charge point alone. */
  readonly forOne?: boolean
  /** Whoever sends it to several types how many they are. */
  readonly isCounted?: boolean
  readonly parametersOf?: (values: Values) => Parameters
  /** Beside its fields: what a schema describes, each text by its place (`command-texts.ts`). */
  readonly schemaOf?: (values: Values) => FormSchema | undefined
  /** The action of OCPP, where that is not its name. */
  readonly actionOf?: (values: Values) => string
}

export type Parameters = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: string
  readonly response: unknown
  readonly milliseconds: number | null
}

export const parametersOf = (command: Command, values: Values): Parameters => command.parametersOf?.(values) ?? {}

/** To one charge point. Throws an ApiError where it has not accepted. */
export async function sendCommand(command: Command, id: string, values: Values): Promise<Answer> {
  const parameters = { ...parametersOf(command, values) }
  if (command.isRaw === true) {
    const body = { charge_point_id: id, command: command.actionOf?.(values) ?? command.name, payload: parameters }
    const { status, response, response_time_ms } = await ask(api.POST('/api/v1/ocpp16/send_command', { body }))
    return { status, response, milliseconds: response_time_ms }
  }
  const answer = await ask(
    api.POST('/api/v1/cpo/commands/{charge_point_id}', {
      params: { path: { charge_point_id: id } },
      body: { command: command.name, parameters },
    }),
  )
  return { status: answer.status, response: answer.charge_point_response, milliseconds: answer.response_time_ms }
}

const connectorOf = ({ connector_id = '' }: Values) => ({ connector_id: Number(connector_id) })

const connector: CommandField = { name: 'connector_id', label: 'Connector', kind: 'connector' }
const connectorOrAll: CommandField = { name: 'connector_id', label: 'Connector', kind: 'connector-or-all' }

export const commands: readonly Command[] = [
  {
    name: 'start_session',
    title: 'Start a session',
    about:
      'The charger starts to charge as if this card had been held to it. The car has to be plugged in, or soon be.',
    fields: [
      { ...connector, kind: 'connector-to-start' },
      { name: 'id_tag', label: 'Card (id tag)', kind: 'id-tag' },
    ],
    button: 'Start',
    whenRefused:
      'Many chargers start only while a car is plugged in, and none where the connector is faulted, reserved or out of service.',
    forOne: true,
    parametersOf: (values) => ({ ...connectorOf(values), id_tag: values.id_tag?.trim() }),
  },
  {
    name: 'stop_session',
    title: 'Stop a session',
    about: 'The charger stops to charge, and the session ends.',
    fields: [{ name: 'transaction_id', label: 'Session', kind: 'session' }],
    button: 'Stop',
    whenRefused: 'It may have ended the session by itself: see whether it still runs.',
    forOne: true,
    parametersOf: ({ transaction_id }) => ({ transaction_id: Number(transaction_id) }),
  },
  {
    name: 'unlock_connector',
    title: 'Unlock a connector',
    about: 'The charger lets go of a cable that is stuck.',
    fields: [connector],
    button: 'Unlock',
    whenRefused: 'Its cable may be fixed to it, or the plug is stuck: somebody has to look at it.',
    danger: (target, { connector_id }) => endsSessionAt(target, connector_id),
    parametersOf: connectorOf,
  },
  {
    name: 'set_power_limit',
    title: 'Limit the power',
    about:
      'The charger gives no more than this until the limit is taken away. In a site that shares its power, the site sets the limits.',
    fields: [connectorOrAll, { name: 'kilowatts', label: 'At most, kW', kind: 'kilowatts' }],
    button: 'Limit',
    whenRefused: 'Some take a limit for the whole charger alone, and some take none.',
    parametersOf: (values) => ({
      ...connectorOf(values),
      limit_watts: Math.round(Number(values.kilowatts?.replace(',', '.')) * 1_000),
    }),
  },
  {
    name: 'clear_power_limit',
    title: 'Take the limit away',
    about: 'The charger gives all that it can again.',
    fields: [connectorOrAll],
    button: 'Take away',
    whenRefused: 'It may have no limit there.',
    parametersOf: connectorOf,
  },
  {
    name: 'soft_reset',
    title: 'Restart (soft)',
    about: 'The charger ends what it is doing in good order, and starts again. It is away for some minutes.',
    fields: [],
    button: 'Restart',
    whenRefused: 'Some do not restart while somebody charges: stop the session first, or restart it hard.',
    danger: restarts,
  },
  {
    name: 'hard_reset',
    title: 'Restart (hard)',
    about: 'The charger starts again at once, as if its power had been cut. What it had not sent yet may be lost.',
    fields: [],
    button: 'Restart at once',
    whenRefused: 'Its power has to be switched off and on where it stands.',
    danger: restartsAtOnce,
    isCounted: true,
  },
  {
    name: 'set_available',
    title: 'Put into service',
    about: 'The connector, or the whole charger, can be used again.',
    fields: [connectorOrAll],
    button: 'Put into service',
    whenRefused: 'A fault has to be mended first.',
    parametersOf: connectorOf,
  },
  {
    name: 'set_unavailable',
    title: 'Take out of service',
    about: 'Nobody can start to charge there any more. A session that runs goes on to its end.',
    fields: [connectorOrAll],
    button: 'Take out of service',
    danger: (_, { connector_id }) => closes(connector_id),
    parametersOf: connectorOf,
  },
  {
    name: 'TriggerMessage',
    title: 'Ask it to send a message',
    about: 'The charger sends what you choose now, instead of when it would.',
    fields: [{ name: 'message', label: 'Message', kind: 'message' }],
    button: 'Ask',
    whenRefused: 'Not every charger can send each message when it is asked.',
    isRaw: true,
    parametersOf: ({ message }) => ({ requestedMessage: message }),
  },
  {
    name: 'ClearCache',
    title: 'Clear its list of known cards',
    about: 'The charger forgets the cards that it has seen, and asks about each of them again.',
    fields: [],
    button: 'Clear',
    isRaw: true,
  },
  {
    name: 'update_firmware',
    title: 'Update its firmware',
    about: 'The charger downloads the firmware and installs it. It restarts, and is away for some minutes.',
    fields: [
      { name: 'firmware_url', label: 'Address of the firmware', kind: 'url' },
      { name: 'retrieve_date', label: 'Not before', kind: 'time', hint: 'Empty: now.' },
    ],
    button: 'Update',
    danger: installsFirmware,
    isCounted: true,
    parametersOf: ({ firmware_url, retrieve_date = '' }) => ({
      firmware_url,
      retrieve_date: instantText(retrieve_date) ?? new Date().toISOString(),
    }),
  },
  {
    name: 'get_diagnostics',
    title: 'Fetch its diagnostics',
    about: 'The charger uploads its own log to this address.',
    fields: [{ name: 'upload_url', label: 'Directory to upload to', kind: 'url' }],
    button: 'Fetch',
    parametersOf: ({ upload_url }) => ({ upload_url }),
  },
  {
    name: 'other',
    title: 'Any other message (OCPP)',
    about: 'For those who know OCPP 1.6: the message goes to the charger as it stands here.',
    fields: [{ name: 'action', label: 'Message', kind: 'action' }],
    button: 'Send',
    isRaw: true,
    actionOf: ({ action = '' }) => action,
    schemaOf: ({ action = '' }) => schemaOf(action),
    danger: (target, values) => dangerOf(values.action ?? '', target, values),
    parametersOf: (values) => (readTexts(schemaOf(values.action ?? '') ?? {}, values).value ?? {}) as Parameters,
  },
]

/** A charge point has taken what it was asked, in any of the words that OCPP has for that. */
const taken = new Set(['accepted', 'acceptedcanceled', 'scheduled', 'unlocked', 'rebootrequired'])
export const isTakenStatus = (status: string): boolean => taken.has(status.toLowerCase())

/** The title of a command, or its name where it is none of these. */
export const titleOf = (name: string): string => commands.find((one) => one.name === name)?.title ?? name

/** What OCPP 1.6 has a charge point send on request (6.34). */
export const triggerable = [
  ['StatusNotification', 'Status of its connectors'],
  ['MeterValues', 'Meter values'],
  ['Heartbeat', 'Sign of life'],
  ['BootNotification', 'What it says when it starts'],
  ['DiagnosticsStatusNotification', 'How the upload of its diagnostics goes'],
  ['FirmwareStatusNotification', 'How its firmware update goes'],
] as const
