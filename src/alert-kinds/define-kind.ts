// How a kind of alert is declared: its words, how much it matters, what an organization may set, its details, and what makes its cause
// worth an alert. Whoever finds the cause adds the facts; nothing elsewhere knows a kind by its name.

import { type Static, type TSchema, Type } from 'typebox'

export const alertSeverities = ['critical', 'warning'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

/** What an organization may set: a whole number, or null for alerts that it does not want. */
export interface Threshold<Name extends string = string> {
  readonly name: Name
  readonly fallback: number
  readonly minimum: number
  readonly maximum: number
  /** A sentence, as the reference of the API shows it. */
  readonly meaning: string
}

/** A field that an alert has beside its message: the same in its row, its events, the API and its mail. */
export interface Detail<Schema extends TSchema = TSchema> {
  readonly schema: Schema
  /** The name in mails; absent where they show it in another way, as the time since which the cause holds. */
  readonly label?: string
}

export type DetailFields = Readonly<Record<string, Detail>>

export type DetailsOf<Fields extends DetailFields> = {
  readonly [Name in keyof Fields]?: Static<Fields[Name]['schema']>
}

/** What is said of one alert. `message` is a sentence without its capital and its full stop. */
export interface Found<Details> {
  readonly message: string
  readonly details?: Details
}

interface Declaration<
  Name extends string,
  Setting extends Threshold | undefined,
  Fields extends DetailFields,
  Facts extends readonly unknown[],
> {
  readonly name: Name
  readonly severity: AlertSeverity
  /** One sentence that says when it is raised. */
  readonly meaning: string
  /** False for a notice: it reports something that has happened, and nothing resolves it. */
  readonly lasts: boolean
  /** Absent where an organization has no say. */
  readonly threshold?: Setting
  /** Why it is over when its cause is gone. */
  readonly resolution?: string
  /** What whoever is woken by its mail does first; what is in braces is as in `look`. */
  readonly nextStep: string
  /** Where the API shows more of it; what is in braces is of the alert, or of its details. */
  readonly look?: string
  readonly details?: Fields
  /** The words of one alert, out of what was found. */
  find(...facts: Facts): Found<DetailsOf<Fields>>
}

/** The cause of an alert as the row of its charge point keeps it. */
export interface WatchedCause<Row> {
  readonly row: Row
  /** The time of the watch. */
  readonly at: string
  /** Of a kind that each connector has for itself. */
  readonly connectorId: number | undefined
}

/** When a cause that a charge point's row keeps is worth an alert; the alert clock looks for it, by what is set at that moment. */
export interface ChargePointWatch<Row> {
  /** What the time of the watch is: when the cause began, or an end that comes nearer, of which the alert warns. */
  readonly time: 'beginning' | 'end'
  /** For how long the cause has to last, or how long before the end the alert is due. */
  dueMs(threshold: number): number
  find(cause: WatchedCause<Row>): Found<object>
}

export function defineAlertKind<
  const Name extends string,
  const Setting extends Threshold | undefined = undefined,
  Fields extends DetailFields = Record<never, never>,
  Facts extends readonly unknown[] = [],
>(kind: Declaration<Name, Setting, Fields, Facts>) {
  return { ...kind, watch: undefined }
}

/** A kind whose cause the row of a charge point keeps: `facts` is what the row says of it. */
export function defineWatchedKind<
  const Name extends string,
  const Setting extends Threshold,
  Fields extends DetailFields,
  Facts,
  Row,
>(
  kind: Declaration<Name, Setting, Fields, [Facts]> & {
    readonly threshold: Setting
    readonly watch: Omit<ChargePointWatch<Row>, 'find'> & { facts(cause: WatchedCause<Row>): Facts }
  },
) {
  const { facts, ...due } = kind.watch
  const watch: ChargePointWatch<Row> = { ...due, find: (cause) => kind.find(facts(cause)) }
  return { ...kind, watch }
}

type SharedWords = { readonly description?: string }

export const detail = {
  time: (label?: string, words: SharedWords = {}) => ({
    schema: Type.String({ format: 'date-time', ...words }),
    ...(label !== undefined && { label }),
  }),
  text: (label: string, words: SharedWords = {}) => ({ schema: Type.String(words), label }),
  count: (label: string, words: SharedWords = {}) => ({ schema: Type.Integer(words), label }),
  number: (label: string, words: SharedWords = {}) => ({ schema: Type.Number(words), label }),
}
