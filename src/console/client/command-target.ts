// What a command is sent to, and what was filled in for it.

import type { Schema } from './api.js'

export type ConnectorStatus = Schema<'ChargePointState'>['connectors'][number]['status']

/** What a command is for, as far as its fields and its dangers depend on it. */
export interface CommandTarget {
  /** How many charge points. */
  readonly count: number
  /** The numbers of their connectors. */
  readonly connectors: readonly number[]
  /** What those of a single charge point are doing, by their numbers. */
  readonly statuses?: ReadonlyMap<number, ConnectorStatus>
  /** What runs, of a single charge point. */
  readonly sessions: readonly { readonly connectorId: number; readonly transactionId: number }[]
  /** At how many connectors, or how many of several charge points, a car is charging. */
  readonly charging: number
  /** Connectors of a single charge point with a fault that an electrician has to look at first. */
  readonly dangerous?: readonly number[]
  /** It goes by way of the command to many, which has none of OCPP itself. */
  readonly isBulk?: boolean
}

/** Of its fields, by their names. */
export type Values = Readonly<Record<string, string>>
