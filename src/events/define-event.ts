// How an event is declared: its name, when it happens, and the shape of its data. Whoever emits it, the feed, the webhooks and
// the documentation take it from there.

import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { type DomainEvent, type Effect, effect } from '../runtime/actor/actor.js'

export interface EventDefinition<Data extends TObject = TObject> {
  readonly name: string
  /** One sentence for integrators: when it happens. */
  readonly description: string
  readonly data: Data
}

/** Whose event it is, and what it is about: order is kept per subject. */
export interface EventAbout {
  readonly organizationId: string
  readonly subject: string
}

export function defineEvent<Data extends TObject>(definition: EventDefinition<Data>): EventDefinition<Data> {
  return definition
}

export function domainEvent<Data extends TObject>(
  { name }: EventDefinition<Data>,
  { organizationId, subject }: EventAbout,
  data: Static<Data>,
): DomainEvent {
  return { event: name, organizationId, subject, data: data as Readonly<Record<string, unknown>> }
}

/** The event as an effect: durable together with the change that it reports. */
export function emit<Data extends TObject>(
  definition: EventDefinition<Data>,
  about: EventAbout,
  data: Static<Data>,
): Effect {
  return effect.event(domainEvent(definition, about, data))
}

export const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) })

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const chargePointId = () => Type.String({ description: 'The id of the charge point.', examples: ['CP-0042'] })

export const connectorId = () =>
  Type.Integer({ minimum: 0, description: 'The number of the connector; 0 is the whole charge point.', examples: [1] })

export const currency = () => Type.String({ description: 'The code of the currency (ISO 4217).', examples: ['EUR'] })
