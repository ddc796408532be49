// What one OCPP message is: its two payloads as schemas, who may send it, and how its usual faults are mended.
// The schemas say what is right, the repairs say what else is understood; both stand in the message's own file.

import type { Static, TObject } from 'typebox'
import type { ErrorDetail } from '../../runtime/errors.js'

/** Stands for the time at which the frame came in, where a charge point left out a timestamp. */
export const receivedTime = Symbol('received time')

/**
 * What is understood beyond the schema, for one field. The rest follows from the schema alone: over-long text is cut,
 * unknown fields and nulls are dropped, numbers and text are converted into each other, enumerations are read in any
 * case, a single object is read as an array of one, and an optional field that stays unreadable is left out.
 */
export interface Repair {
  /** Stands in for a value that is missing or unreadable, so that the rest of the payload can be used. */
  readonly fallback?: string | number | typeof receivedTime
  /** Other spellings of an enumeration's values, keyed in lower case. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Stands in for text that is no value of the enumeration. */
  readonly unknown?: string
  /** An unknown value makes what holds it unreadable even though the field is optional: it cannot be left out safely. */
  readonly essential?: true
  /** Numbers below the schema's minimum down to this one are kept as they are. */
  readonly lowest?: number
  /** The integer is a quantity, so that a fraction is rounded; by default it is a name, which rounding would change. */
  readonly rounds?: true
  /** The text is a name: one that is too long stays so by one character, because cut it might be another's. */
  readonly names?: true
  /** Unreadable elements of the array are dropped one by one. */
  readonly dropItems?: true
  /** The array may be empty, or missing, although the schema wants elements. */
  readonly mayBeEmpty?: true
  /** An object or array is kept as its JSON text. */
  readonly jsonText?: true
}

/** Keyed by the field's place: names joined by dots, `*` for an array's elements. */
export type Repairs = Readonly<Record<string, Repair>>

export type Sender = 'charge-point' | 'central-system' | 'both'

export type Profile =
  | 'Core'
  | 'FirmwareManagement'
  | 'LocalAuthListManagement'
  | 'Reservation'
  | 'SmartCharging'
  | 'RemoteTrigger'
  | 'Security'

export interface MessageDefinition<
  Action extends string = string,
  Request extends TObject = TObject,
  Response extends TObject = TObject,
> {
  readonly action: Action
  /** Who sends the request. */
  readonly from: Sender
  /** The feature profile of OCPP 1.6, 3.2, or the security extension. */
  readonly profile: Profile
  /** Where edition 2 of the standard, or the whitepaper on its security, lists the fields of the request. Of messages that charge points send. */
  readonly section?: string
  readonly request: Request
  readonly response: Response
  readonly requestRepairs?: Repairs
  readonly responseRepairs?: Repairs
  /** It must not be sent to a charge point that has not been accepted (OCPP 1.6, 4.2). */
  readonly onlyWhenAccepted?: true
  /**
   * What the standard says of a request beyond its schema: fields that depend on each other. Returns what is wrong with a payload
   * that fits the schema; `path` is a JSON pointer into it. Held against what we send, not against what charge points send.
   */
  rules?(payload: Static<Request>): readonly ErrorDetail[]
}

export function defineMessage<const Action extends string, Request extends TObject, Response extends TObject>(
  definition: MessageDefinition<Action, Request, Response>,
): MessageDefinition<Action, Request, Response> {
  return definition
}
