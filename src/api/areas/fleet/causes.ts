// What needs attention, by what charge points have in common: a fault of one firmware is one cause, and so are those that went offline in the same minute from the same
// network. Pure: from rows to causes. Each charge point is in one cause of a kind at most.

import {
  type Cause,
  type CauseKind,
  causeKinds,
  causeOf,
  counted,
  type Group,
  idFilter,
  type Reports,
  type SharedFacts,
  since,
  telling,
  worded,
} from './cause.js'
import { type FleetRow, flagBits } from './fleet-row.js'
import { limits } from './limits.js'

const fewest = 3
const lostTogether = 5
const lostWithinSeconds = 60
/** A car that was just plugged in is held for a moment by many charge points. */
const heldForSeconds = 300

function by<Item>(items: Iterable<Item>, nameOf: (item: Item) => string | undefined): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const name = nameOf(item)
    if (name === undefined) continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return groups
}

const joined = (...parts: readonly (string | undefined)[]): string | undefined =>
  parts.includes(undefined) ? undefined : parts.join('\0')

const nameOfFirmware = (row: FleetRow): string | undefined => joined(modelName(row), row.firmware ?? '')

const modelName = ({ model }: FleetRow): string | undefined => model && joined(model.vendor, model.model)

/** What faults may have in common beside their code, the closest first. */
const likenesses: readonly {
  readonly name: string
  nameOf(row: FleetRow): string | undefined
  sharedOf(row: FleetRow): SharedFacts
}[] = [
  {
    name: 'firmware',
    nameOf: nameOfFirmware,
    sharedOf: ({ model, firmware }) => ({ ...model, ...(firmware !== undefined && { firmware }) }),
  },
  { name: 'model', nameOf: modelName, sharedOf: ({ model }) => ({ ...model }) },
  {
    name: 'site',
    nameOf: ({ site }) => site?.site_id,
    sharedOf: ({ site }) => (site === undefined ? {} : { site: site.name }),
  },
]

/** How many charge points there are in all, and of each firmware, model and site. */
export interface Population {
  readonly total: number
  /** By the name of what they have in common, and its value. */
  readonly sizes: ReadonlyMap<string, ReadonlyMap<string, number>>
}

export interface Census extends Population {
  add(row: FleetRow): void
}

export function createCensus(): Census {
  const sizes = new Map<string, Map<string, number>>(likenesses.map(({ name }) => [name, new Map()]))
  let total = 0
  return {
    sizes,
    get total() {
      return total
    },
    add(row) {
      total++
      for (const { name, nameOf } of likenesses) {
        const value = nameOf(row)
        const counts = sizes.get(name)
        if (value !== undefined) counts?.set(value, (counts.get(value) ?? 0) + 1)
      }
    },
  }
}

/** Whether there may be a cause that a row belongs to. */
export function isNotable({ status, errorCode, flags, connectors }: FleetRow): boolean {
  const notable = flagBits.clockOff | flagBits.deviates | flagBits.certificateEnds
  return status === 'offline' || errorCode !== undefined || (flags & notable) !== 0 || connectors.includes('E')
}

/** By error code: those of a firmware, a model or a site in which it is far more frequent than elsewhere, and what is left. */
export function faultGroups(rows: readonly FleetRow[], { total, sizes }: Population): Group[] {
  const groups: Group[] = []
  for (const [error_code, faulted] of by(rows, ({ errorCode }) => errorCode)) {
    let left = faulted
    for (const { name, nameOf, sharedOf } of likenesses) {
      const found = new Set<FleetRow>()
      for (const [of, alike] of by(left, nameOf)) {
        const size = sizes.get(name)?.get(of) ?? 0
        if (!isTelling(alike.length, size, faulted.length, total)) continue
        const shared = { error_code, ...sharedOf(alike[0] as FleetRow) }
        groups.push({
          kind: 'faults',
          name: `${error_code}\0${name}\0${of}`,
          rows: alike,
          shared,
          shareOfGroup: alike.length / size,
        })
        for (const row of alike) found.add(row)
      }
      left = left.filter((row) => !found.has(row))
    }
    if (left.length > 0) groups.push({ kind: 'faults', name: error_code, rows: left, shared: { error_code } })
  }
  return groups
}

/** Whether a fault is far more frequent in a group than among all others. */
export function isTelling(inGroup: number, size: number, all: number, total: number): boolean {
  if (inGroup < fewest || size === 0) return false
  const others = total - size
  // Where there are no others, the group is the fleet: that says nothing.
  if (others <= 0) return false
  return inGroup / size >= (telling * (all - inGroup)) / others
}

/** Those that were lost within a minute, from one network or at one site. */
export function offlineGroups(rows: readonly FleetRow[]): Group[] {
  const lost = rows.filter(({ status, statusSince }) => status === 'offline' && statusSince !== null)
  let left: readonly FleetRow[] = lost
  const groups: Group[] = []
  const alike = [
    {
      nameOf: ({ network }: FleetRow) => network,
      sharedOf: ({ network }: FleetRow) => (network === undefined ? {} : { network }),
    },
    {
      nameOf: ({ site }: FleetRow) => site?.site_id,
      sharedOf: ({ site }: FleetRow) => (site === undefined ? {} : { site: site.name }),
    },
  ]
  for (const { nameOf, sharedOf } of alike) {
    const found = new Set<FleetRow>()
    for (const [name, same] of by(left, nameOf))
      for (const together of withinAMinute(same)) {
        const [oldest] = together as [FleetRow]
        groups.push({
          kind: 'offline',
          name: `${name}\0${oldest.statusSince}`,
          rows: together,
          shared: sharedOf(oldest),
        })
        for (const row of together) found.add(row)
      }
    left = left.filter((row) => !found.has(row))
  }
  if (left.length > 0) groups.push({ kind: 'offline', name: '', rows: left, shared: {} })
  return groups
}

/** Runs of rows that were lost within a minute of the first of each, where they are enough. */
function withinAMinute(rows: readonly FleetRow[]): FleetRow[][] {
  const sorted = [...rows].sort((a, b) => since(a) - since(b) || (a.charge_point_id < b.charge_point_id ? -1 : 1))
  const runs: FleetRow[][] = []
  for (let at = 0; at < sorted.length; ) {
    const begin = since(sorted[at] as FleetRow)
    let end = at
    while (end < sorted.length && since(sorted[end] as FleetRow) - begin <= lostWithinSeconds) end++
    if (end - at >= lostTogether) {
      runs.push(sorted.slice(at, end))
      at = end
    } else at++
  }
  return runs
}

/** By model and firmware, whichever rows have a flag. */
function flagGroups(rows: readonly FleetRow[], { sizes }: Population, kind: CauseKind, flag: number): Group[] {
  const flagged = rows.filter(({ flags }) => (flags & flag) !== 0)
  return [...by(flagged, (row) => nameOfFirmware(row) ?? '')].map(([name, same]) => {
    const { model, firmware } = same[0] as FleetRow
    const size = sizes.get('firmware')?.get(name)
    return {
      kind,
      name,
      rows: same,
      shared: { ...model, ...(model !== undefined && firmware !== undefined && { firmware }) },
      ...(size !== undefined && { shareOfGroup: same.length / size }),
    }
  })
}

/** Charge points that hold a car back although the service does not limit them. */
function heldGroups(rows: readonly FleetRow[], now: number): Group[] {
  const held = rows.filter(
    (row) =>
      row.connectors.includes('E') &&
      !row.isLimited &&
      row.status === 'charging' &&
      now / 1_000 - since(row) >= heldForSeconds,
  )
  return [...by(held, (row) => modelName(row) ?? '')].map(([name, same]) => ({
    kind: 'held',
    name,
    rows: same,
    shared: { ...same[0]?.model },
  }))
}

/** All that needs attention, the most urgent kind first, and of a kind the largest. `rows` are the notable ones, at least. */
export function causesOf(rows: readonly FleetRow[], population: Population, reports: Reports, now: number): Cause[] {
  const known = new Map(rows.map((row) => [row.charge_point_id, row]))
  const groups = [
    ...faultGroups(rows, population).map(worded),
    ...offlineGroups(rows).map(worded),
    ...refusedCauses(reports, known),
    ...heldGroups(rows, now).map(worded),
    ...flagGroups(rows, population, 'clock', flagBits.clockOff).map(worded),
    ...flagGroups(rows, population, 'deviations', flagBits.deviates).map(worded),
    ...flagGroups(rows, population, 'security', flagBits.certificateEnds).map(worded),
    ...securityCauses(reports, known),
  ]
  /** Whether more is told than that there are so many: of a fault beside its code. */
  const tells = ({ shared, kind }: Cause): number => {
    const facts = Object.values(shared).filter((value) => value !== null).length
    return Number(kind === 'faults' ? facts > 1 : kind === 'offline' && facts > 0)
  }
  return groups
    .sort(
      (a, b) =>
        causeKinds.indexOf(a.kind) - causeKinds.indexOf(b.kind) ||
        tells(b) - tells(a) ||
        b.charge_points - a.charge_points ||
        (a.cause_id < b.cause_id ? -1 : 1),
    )
    .slice(0, limits.causes)
}

/** Of offline charge points of the organization alone: who is online has found its way. */
function refusedCauses({ refused }: Reports, known: ReadonlyMap<string, FleetRow>): Cause[] {
  const newest = new Map<string, Reports['refused'][number]>()
  for (const one of refused) {
    const before = newest.get(one.chargePointId)
    if (known.get(one.chargePointId)?.status === 'offline' && (before === undefined || before.at < one.at))
      newest.set(one.chargePointId, one)
  }
  return [...by(newest.values(), ({ reason }) => reason)].map(([reason, same]) => {
    const ids = same.map(({ chargePointId }) => chargePointId).sort()
    return causeOf({
      kind: 'refused',
      name: reason,
      title: `${counted(ids.length, 'charge point is', 'charge points are')} refused: ${reason.replaceAll('_', ' ')}`,
      why: same[0]?.advice ?? '',
      shared: {},
      ids,
      since: Math.min(...same.map(({ at }) => at)) / 1_000,
      filter: idFilter(ids),
    })
  })
}

function securityCauses({ security }: Reports, known: ReadonlyMap<string, FleetRow>): Cause[] {
  const own = security.filter(({ chargePointId }) => known.has(chargePointId))
  return [...by(own, ({ event }) => event)].map(([event, same]) => {
    const ids = [...new Set(same.map(({ chargePointId }) => chargePointId))].sort()
    return causeOf({
      kind: 'security',
      name: event,
      title: `${counted(ids.length, 'charge point reports', 'charge points report')} ${event}`,
      why: 'Security events of the last 24 hours. Check with the documentation of the manufacturer whether somebody has tampered with the charge point.',
      shared: {},
      ids,
      since: Math.min(...same.map(({ at }) => at)) / 1_000,
      filter: idFilter(ids),
    })
  })
}
