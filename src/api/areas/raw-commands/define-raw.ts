// How a raw command is declared: its message, its body, and what its answer repeats. Path and operation are named after the action; the
// payload has the fields of the body under the standard's names. Checking, sending and recording are the same for all.

import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { MessageDefinition } from '../../../ocpp16/index.js'
import type { Scope } from '../../../records/api-key.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { ErrorDetail, ErrorKind } from '../../../runtime/errors.js'
import type { Route } from '../../pipeline/route.js'
import { chargePointId } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { chargePoints } from '../charge-points/area.js'
import type { RecordedCommand } from '../commands/run-command.js'
import { area } from './area.js'
import { checked } from './checked-call.js'
import { rawAnswer, rawErrors, rawScopes, sendRaw } from './send-raw.js'

/** `connector_id` as the standard writes it: `connectorId`. */
type Camel<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** The fields of a body under the standard's names. */
type Renamed<Body> = { [Name in keyof Body as Camel<Name>]: Body[Name] }

type Payload<Message extends MessageDefinition> = Static<Message['request']>
type Given<Body extends TProperties> = Static<TObject<Body>>

interface RawAction<Message extends MessageDefinition, Body extends TProperties> {
  /** The action follows it, in parentheses. */
  readonly summary: string
  readonly description?: string
  /** Where it is not named like the action. */
  readonly operationId?: string
  /** Where they are not those of all raw commands. */
  readonly scopes?: readonly [Scope, ...Scope[]]
  /** Beside those of all raw commands. */
  readonly errors?: readonly ErrorKind[]
  /** Beside `charge_point_id`. */
  readonly body: Body
  /** What neither the schema of the body nor the standard's rules say. */
  check?(body: Given<Body>): readonly ErrorDetail[]
  /** Fields of the payload that have another name in the body. */
  readonly named?: { readonly [Name in keyof Payload<Message>]?: keyof Body & string }
  /** Fields of the body that the answer repeats. */
  readonly repeats?: readonly (keyof Body & string)[]
  /** What else the answer has. */
  readonly answer?: { readonly fields: TProperties; of(body: Given<Body>, recorded: RecordedCommand): object }
  readonly example: Given<Body>
}

/** Makes the payload where it is not the body under other names. */
interface Making<Message extends MessageDefinition, Body extends TProperties> {
  payload(body: Given<Body>, chargePoint: ChargePoint, services: Services): Payload<Message>
}

/** The compiler asks for `payload` where the fields of the body do not make one. */
type Made<Message extends MessageDefinition, Body extends TProperties> =
  Renamed<Given<Body>> extends Payload<Message> ? Partial<Making<Message, Body>> : Making<Message, Body>

const anyConnector =
  'The connector is not compared with `connector_count`: the command is sent as it is, and the charge point decides.'

/** A repeated field may be whatever was sent: its bounds are those of the body. */
function repeated(
  body: TProperties,
  names: readonly string[],
  example: Readonly<Record<string, unknown>>,
): TProperties {
  const shown = (name: string) => {
    const options = example[name] === undefined ? {} : { examples: [example[name]] }
    return (body[name] as { readonly type?: string }).type === 'integer' ? Type.Integer(options) : Type.String(options)
  }
  return Object.fromEntries(names.map((name) => [name, shown(name)]))
}

export function defineRaw<Message extends MessageDefinition, Body extends TProperties>(
  { action }: Message,
  declaration: RawAction<Message, Body> & Made<Message, Body>,
): Route {
  const { summary, description, scopes = rawScopes, errors = [], body: fields, check } = declaration
  const {
    payload,
    named = {},
    repeats = [],
    answer,
    example,
  } = declaration as RawAction<Message, Body> & Partial<Making<Message, Body>>
  const words = [description, 'connector_id' in fields ? anyConnector : undefined].filter((part) => part !== undefined)
  const inBody = new Map([
    ...Object.keys(fields).map((name) => [camel(name), name] as const),
    ...Object.entries<string | undefined>(named),
  ])

  function placeOf(path: string): string {
    const [, first = '', ...rest] = path.split('/')
    return ['', inBody.get(first) ?? first, ...rest].join('/')
  }

  /** The body's fields, those that were left out left out. */
  function underStandardNames(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const given = Object.keys(fields).filter((name) => body[name] !== undefined)
    return Object.fromEntries(given.map((name) => [camel(name), body[name]]))
  }

  return area.route({
    method: 'POST',
    path: `/${snake(action)}`,
    operationId: declaration.operationId ?? `${action.charAt(0).toLowerCase()}${action.slice(1)}`,
    summary: `${summary} (${action})`,
    ...(words.length > 0 && { description: words.join(' ') }),
    scopes,
    body: Type.Object({ charge_point_id: chargePointId(), ...fields } as TProperties),
    responses: {
      200: rawAnswer({ ...repeated(fields, repeats, example as Readonly<Record<string, unknown>>), ...answer?.fields }),
    },
    errors: [...errors, ...rawErrors],
    sheddable: 'command',
    examples: { request: { charge_point_id: 'CP-1', ...example } },
    async handle({ principal, body: whole }, services) {
      const { charge_point_id } = whole as { readonly charge_point_id: string }
      const body = whole as Given<Body> & Record<string, unknown>
      const chargePoint = chargePoints.own(services.view(), principal, charge_point_id)
      const faults = check?.(body) ?? []
      if (faults.length > 0) throw invalid(faults)
      const made = payload?.(body, chargePoint, services) ?? underStandardNames(body)
      const call = checked({ action, payload: made as Record<string, unknown> }, placeOf)
      const sent = await sendRaw(principal, chargePoint, call, services)
      const shown = Object.fromEntries(repeats.map((name) => [name, body[name]]))
      return { status: 200, body: { ...sent.body, ...shown, ...answer?.of(body, sent.recorded) } }
    },
  })
}

/** `ReserveNow` as paths have it: `reserve_now`. */
const snake = (action: string): string => action.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase()
