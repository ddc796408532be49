// A cause: what charge points that need attention have in common, and how that is said.

import { createHash } from 'node:crypto'
import type { FleetRow } from './fleet-row.js'
import { limits } from './limits.js'
import { rowsPerTurn, type Steps } from './steps.js'

/** Ids that a filter names. */
const idsOfFilter = 50

/** How many times as often as elsewhere something has to be in a group to be of it. */
export const telling = 5

/** The name of the group of those that are registered and have not come yet. */
export const neverConnected = 'never'

/** Seconds; 0 if unknown. */
export const since = ({ statusSince }: FleetRow): number => statusSince ?? 0

export const causeKinds = ['faults', 'offline', 'refused', 'silent', 'held', 'clock', 'deviations', 'security'] as const
export type CauseKind = (typeof causeKinds)[number]

export interface SharedFacts {
  readonly vendor?: string
  readonly model?: string
  readonly firmware?: string
  readonly error_code?: string
  readonly network?: string
  readonly site?: string
}

export interface Cause {
  readonly cause_id: string
  readonly kind: CauseKind
  readonly title: string
  readonly why: string
  readonly shared: { readonly [Fact in keyof SharedFacts]-?: string | null }
  readonly charge_points: number
  /** Of all charge points that have in common what these do; null where that is nothing. */
  readonly share_of_group: number | null
  readonly since: string | null
  readonly filter: string
  readonly examples: readonly string[]
}

/** Charge points with the same cause, before it is put into words. */
export interface Group {
  readonly kind: CauseKind
  /** Tells groups of a kind apart, and is the same the next time. */
  readonly name: string
  readonly rows: readonly FleetRow[]
  readonly shared: SharedFacts
  readonly shareOfGroup?: number
}

/** What was refused within the last hour, and notices of security, which are not in the rows. */
export interface Reports {
  readonly refused: readonly {
    readonly chargePointId: string
    readonly reason: string
    readonly advice: string
    readonly at: number
  }[]
  readonly security: readonly { readonly chargePointId: string; readonly event: string; readonly at: number }[]
}

export interface Known {
  readonly reports: Reports
  /** Of the organization. */
  rowOf(chargePointId: string): FleetRow | undefined
  readonly now: number
}

/** One that may be told: it is put into words only if it is. */
export interface Candidate {
  readonly kind: CauseKind
  readonly name: string
  readonly shared: SharedFacts
  readonly count: number
  /** Of all that it is about. */
  ids(): Iterable<string>
  word(): Steps<Cause>
}

/** What is told of a fleet. */
export interface Causes {
  readonly causes: readonly Cause[]
  /** That one or several of them are about. */
  readonly charge_points: number
}

const nothingShared = { vendor: null, model: null, firmware: null, error_code: null, network: null, site: null }

interface Worded {
  readonly kind: CauseKind
  readonly name: string
  readonly title: string
  readonly why: string
  readonly shared: SharedFacts
  /** In order; the first of them are enough. */
  readonly ids: readonly string[]
  readonly count: number
  readonly shareOfGroup?: number
  /** Seconds. */
  readonly since: number
  readonly filter: string
}

export function causeOf({ kind, name, title, why, shared, ids, count, shareOfGroup, since, filter }: Worded): Cause {
  return {
    cause_id: `cause_${createHash('sha256').update(`${kind}\0${name}`).digest('hex').slice(0, 16)}`,
    kind,
    title,
    why,
    shared: { ...nothingShared, ...shared },
    charge_points: count,
    share_of_group: shareOfGroup === undefined ? null : Math.round(shareOfGroup * 1_000) / 1_000,
    since: since > 0 && Number.isFinite(since) ? new Date(since * 1_000).toISOString() : null,
    filter,
    examples: ids.slice(0, limits.examplesOfCause),
  }
}

/** What is said of a group comes from its rows, however many: those that come first by their ids, and when it began and ended. */
interface Facts {
  /** As many as a text or a filter of a cause names. */
  readonly firstIds: readonly string[]
  /** Seconds; of those that are known. */
  readonly earliest: number
  readonly first: number
  readonly last: number
}

function* factsOf(rows: readonly FleetRow[]): Steps<Facts> {
  const firstIds: string[] = []
  let earliest = Number.POSITIVE_INFINITY
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const [at, row] of rows.entries()) {
    if (at % rowsPerTurn === 0) yield
    putFirst(firstIds, row.charge_point_id)
    const time = since(row)
    if (time > 0) earliest = Math.min(earliest, time)
    first = Math.min(first, time)
    last = Math.max(last, time)
  }
  return { firstIds, earliest, first, last }
}

/** Keeps those that come first, in order: to sort all of a large fleet would be a long turn. */
function putFirst(firstIds: string[], id: string): void {
  if (firstIds.length === idsOfFilter && id > (firstIds.at(-1) as string)) return
  let at = firstIds.length
  while (at > 0 && (firstIds[at - 1] as string) > id) at--
  firstIds.splice(at, 0, id)
  if (firstIds.length > idsOfFilter) firstIds.pop()
}

export function* worded(group: Group): Steps<Cause> {
  const { kind, name, rows, shared, shareOfGroup } = group
  const facts = yield* factsOf(rows)
  return causeOf({
    kind,
    name,
    shared,
    ids: facts.firstIds,
    count: rows.length,
    since: facts.earliest,
    ...(shareOfGroup !== undefined && { shareOfGroup }),
    ...words(group, facts),
  })
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`
const namedModel = ({ vendor, model }: SharedFacts): string =>
  [vendor, model].filter((part) => part !== undefined).join(' ')
const onFirmware = ({ firmware }: SharedFacts): string =>
  firmware === undefined || firmware === '' ? '' : ` with firmware ${firmware}`
const quoted = (value: string): string => (/^[^\s"]+$/.test(value) ? value : JSON.stringify(value))
export const idFilter = (ids: readonly string[]): string => `id:${ids.slice(0, idsOfFilter).join(',')}`

function words(
  { kind, name, rows, shared, shareOfGroup }: Group,
  { firstIds, first, last }: Facts,
): Pick<Worded, 'title' | 'why' | 'filter'> {
  const { error_code = '', model, firmware, site, network } = shared
  const count = rows.length
  const place = [
    ...(model === undefined ? [] : [`model:${quoted(model)}`]),
    ...(firmware === undefined || firmware === '' ? [] : [`fw:${quoted(firmware)}`]),
    ...(site === undefined ? [] : [`site:${quoted(site)}`]),
  ]
  const share =
    shareOfGroup === undefined ? '' : ` Of all such charge points, ${percent(shareOfGroup)} have this fault.`
  if (kind === 'faults') {
    const title = `${counted(count, 'charge point is faulted', 'charge points are faulted')}: ${error_code}`
    const filter = [`error:${quoted(error_code)}`, ...place].join(' ')
    if (model !== undefined)
      return {
        title,
        filter,
        why: `They are ${namedModel(shared)}${onFirmware(shared)}.${share} Elsewhere it is at least ${telling} times as rare.`,
      }
    if (site !== undefined)
      return { title, filter, why: `They are at ${site}.${share} Elsewhere it is at least ${telling} times as rare.` }
    return {
      title,
      filter,
      why: count === 1 ? 'No other charge point has this fault.' : 'No model, firmware or site stands out among them.',
    }
  }
  if (kind === 'offline') {
    if (name === neverConnected)
      return {
        title: `${counted(count, 'charge point has', 'charge points have')} never connected`,
        why: `${count === 1 ? 'It is registered, and was not let in, or has not arrived. Its page says' : 'They are registered, and were not let in, or have not arrived. Their pages say'} what to do.`,
        filter: 'status:offline seen:never',
      }
    if (network === undefined && site === undefined)
      return {
        title: `${counted(count, 'charge point is', 'charge points are')} offline`,
        why: count === 1 ? 'It was lost alone.' : 'They were lost at different times and places.',
        // Others are offline for other causes.
        filter: count <= idsOfFilter ? idFilter(firstIds) : 'status:offline',
      }
    const between = `since:${new Date(first * 1_000).toISOString()}..${new Date(last * 1_000).toISOString()}`
    return {
      title: `${count} charge points were lost together`,
      why: `Within the same minute, all ${[
        ...(site === undefined ? [] : [`at ${site}`]),
        ...(network === undefined ? [] : [`from the network ${network}`]),
      ].join(', ')}.`,
      filter: ['status:offline', between, ...place].join(' '),
    }
  }
  if (kind === 'silent')
    return {
      title: `${counted(count, 'charge point is', 'charge points are')} connected, and not ready`,
      why: `${count === 1 ? 'It has' : 'They have'} sent no BootNotification since ${count === 1 ? 'it has' : 'they have'} connected, so what ${count === 1 ? 'it is is' : 'they are is'} not known. ${count === 1 ? 'Its page says' : 'Their pages say'} what to do.`,
      filter: 'flag:silent',
    }
  if (kind === 'held')
    return {
      title: `${counted(count, 'charge point holds', 'charge points hold')} a car back`,
      why: `SuspendedEVSE for more than five minutes without a limit from here: ${counted(count, 'it does', 'they do')} so ${count === 1 ? 'itself' : 'themselves'}.`,
      filter: ['connector:suspendedevse', ...place].join(' '),
    }
  const what =
    namedModel(shared) === '' ? 'Charge points of an unknown model' : `${namedModel(shared)}${onFirmware(shared)}`
  if (kind === 'clock')
    return {
      title: `The clock of ${counted(count, 'charge point', 'charge points')} is wrong`,
      why: `${what}.${share} Sessions are billed by the time of the service.`,
      filter: ['flag:clock', ...place].join(' '),
    }
  if (kind === 'deviations')
    return {
      title: `${counted(count, 'charge point deviates', 'charge points deviate')} from OCPP 1.6`,
      why: `${what}.${share}`,
      filter: ['flag:deviates', ...place].join(' '),
    }
  return {
    title: `${counted(count, 'certificate ends', 'certificates end')} soon`,
    why: `${what}.`,
    filter: count <= idsOfFilter ? idFilter(firstIds) : ['flag:certificate', ...place].join(' '),
  }
}
