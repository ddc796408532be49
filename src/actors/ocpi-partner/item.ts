// What is on its way to a partner: objects that have changed, CDRs, results of commands, and the call that is under way for one of them.

import type { OcpiCommandResult } from '../../records/ocpi-command-result.js'
import type { OcpiCdrPush } from '../../records/ocpi-push.js'

export interface ProfileOfSession {
  readonly kind: 'profile'
  readonly sessionId: string
}

/** An object of which a partner is to know the newest state. */
export type PushObject =
  | { readonly kind: 'location'; readonly locationId: string }
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'tariff'; readonly tariffId: string }
  /** The charging profile that is in force for a session. */
  | ProfileOfSession

export function keyOf(object: PushObject): string {
  if (object.kind === 'location') return `location ${object.locationId}`
  return object.kind === 'tariff' ? `tariff ${object.tariffId}` : `${object.kind} ${object.sessionId}`
}

/** Where a change stands in what a partner's actor reads on and on. */
export interface ChangedAt {
  /** The newest event before it; undefined where no event tells of it. */
  readonly after?: string
  /** Of a location: when it changed, as is stored with it, ms. */
  readonly updatedAt?: number
  /** Wall ms. */
  readonly since: number
}

/** An object that has changed since the partner was sent it. However often it changes meanwhile, it is sent once, as it is then. */
export interface Pending {
  readonly key: string
  readonly object: PushObject
  /** Of the first change that has not been sent. */
  changed: ChangedAt
  /** Monotonic ms. */
  dueAt: number
  /** Answers in a row that were none of success. */
  failures: number
  /** A part of it was refused: the whole object is sent. */
  whole: boolean
  /** What has changed since its call began. */
  again: ChangedAt | undefined
}

/** The CDRs of a session that are due. */
export interface DueCdr {
  row: OcpiCdrPush
  underWay: boolean
}

/** The result of a command that the partner is owed. */
export interface OwedResult {
  row: OcpiCommandResult
  /** Monotonic ms. Of a command that is being carried out: when that has taken too long. */
  dueAt: number
  underWay: boolean
}

/** Of a location: what parts of it a partner was sent. */
export interface LocationTold {
  /** Its `last_updated`, wall ms. */
  readonly updatedAt: number
  /** What is not told in parts, as a hash. */
  readonly shape: string
  /** `last_updated` of each EVSE, by uid. */
  readonly evses: ReadonlyMap<string, string>
}

/** What a call tells the partner. */
export interface Told {
  readonly module: 'locations' | 'sessions' | 'tariffs' | 'cdrs' | 'commands' | 'chargingprofiles'
  readonly method: 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  readonly url: string
  readonly location?: LocationTold
  /** Of a session: what a later call is compared with. Of a tariff: of what it was made. */
  readonly mark?: string
  /** Of a session: it goes on. Of a location: there is more to tell. */
  readonly goesOn?: boolean
  readonly cdrId?: string
}

interface Begun {
  /** Of the memory in which it was begun. */
  readonly life: symbol
  /** Monotonic and wall ms. */
  readonly begunAt: number
  readonly at: number
  readonly told: Told
}

export type Attempt =
  | (Begun & { readonly type: 'object'; readonly item: Pending })
  | (Begun & { readonly type: 'cdr'; readonly item: DueCdr })
  | (Begun & { readonly type: 'result'; readonly item: OwedResult })
