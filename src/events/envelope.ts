// How an event is sent: the two envelopes of its row, and the schemas of both. Pure; whoever delivers, encodes what it gets here.
// The `data` of form A and the `object` of form B are the same.

import { type TObject, Type } from 'typebox'
import { type OutboxRow, timeOfEvent } from '../runtime/actor/outbox.js'
import { type EventDefinition, time } from './define-event.js'

/** Of form B's payloads. Another date when a field is renamed, removed or means something else; new fields keep it. */
export const apiVersion = '2026-11-20'

export interface FormA {
  readonly event: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface FormB {
  readonly id: string
  readonly event: string
  readonly created_at: string
  readonly api_version: string
  readonly object: Readonly<Record<string, unknown>>
}

type Told = Pick<OutboxRow, 'id' | 'event' | 'at' | 'data'>

/** When the event happened, in UTC with milliseconds. */
export const happenedAt = (row: Pick<OutboxRow, 'at' | 'id'>): string => new Date(timeOfEvent(row)).toISOString()

export function formA(row: Told): FormA {
  return { event: row.event, timestamp: happenedAt(row), data: row.data }
}

export function formB(row: Told): FormB {
  return {
    id: row.id,
    event: row.event,
    created_at: happenedAt(row),
    api_version: apiVersion,
    object: row.data,
  }
}

export const eventId = () =>
  Type.String({
    pattern: '^evt_[0-9A-HJKMNP-TV-Z]{26}$',
    examples: ['evt_01M7YW4E6G8V7S5D6C4R2T1X0Z'],
    description: 'The same in every delivery and in the feed: by it, you recognize an event that you have seen.',
  })

export const eventName = ({ name, description }: Pick<EventDefinition, 'name' | 'description'>) =>
  Type.Literal(name, { description })

export function formASchema(definition: EventDefinition): TObject {
  return Type.Object({
    event: eventName(definition),
    timestamp: time('When the event happened.'),
    data: definition.data,
  })
}

export function formBSchema(definition: EventDefinition): TObject {
  return Type.Object({
    id: eventId(),
    event: eventName(definition),
    created_at: time('When the event happened.'),
    api_version: Type.Literal(apiVersion, { description: 'The version of the fields of `object`.' }),
    object: definition.data,
  })
}
