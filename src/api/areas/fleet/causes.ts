// What needs attention, by what charge points have in common: a fault of one firmware is one cause, and so are those that went offline in the same minute from the same
// network. Pure: from rows to causes. Each charge point is in one cause of a kind at most.

import {
  type Candidate,
  type Cause,
  type CauseKind,
  type Causes,
  causeKinds,
  type Group,
  type Known,
  neverConnected,
  type SharedFacts,
  since,
  telling,
  worded,
} from './cause.js'
import { type FleetRow, flagBits } from './fleet-row.js'
import { limits } from './limits.js'
import { refusedCauses, securityCauses } from './report-causes.js'
import { rowsPerTurn, type Steps } from './steps.js'

const fewest = 3
/** More than of a site: those of a network may be far from each other, and be lost in the same minute by chance. */
const lostFromNetwork = 5
const lostWithinSeconds = 60
/** One that has just connected has had no time to boot. */
const silentForSeconds = 60
/** A car that was just plugged in is held for a moment by many charge points. */
const heldForSeconds = 300

interface Grouped<Item> {
  readonly groups: ReadonlyMap<string, Item[]>
  /** Of no group. */
  readonly others: Item[]
}

function* by<Item>(items: readonly Item[], nameOf: (item: Item) => string | undefined): Steps<Grouped<Item>> {
  const groups = new Map<string, Item[]>()
  const others: Item[] = []
  for (const [at, item] of items.entries()) {
    if (at % rowsPerTurn === 0) yield
    const name = nameOf(item)
    const group = name === undefined ? others : groups.get(name)
    if (group !== undefined) group.push(item)
    else groups.set(name as string, [item])
  }
  return { groups, others }
}

function* only(rows: readonly FleetRow[], keep: (row: FleetRow) => boolean): Steps<FleetRow[]> {
  const kept: FleetRow[] = []
  for (const [at, row] of rows.entries()) {
    if (at % rowsPerTurn === 0) yield
    if (keep(row)) kept.push(row)
  }
  return kept
}

function* addTo(rows: FleetRow[], more: readonly FleetRow[]): Steps<void> {
  for (const [at, row] of more.entries()) {
    if (at % rowsPerTurn === rowsPerTurn - 1) yield
    rows.push(row)
  }
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
  const notable = flagBits.clockOff | flagBits.deviates | flagBits.certificateEnds | flagBits.silent
  return status === 'offline' || errorCode !== undefined || (flags & notable) !== 0 || connectors.includes('E')
}

/** By error code: those of a firmware, a model or a site in which it is far more frequent than elsewhere, and what is left. */
export function* faultGroups(rows: readonly FleetRow[], { total, sizes }: Population): Steps<Group[]> {
  const groups: Group[] = []
  for (const [error_code, faulted] of (yield* by(rows, ({ errorCode }) => errorCode)).groups) {
    let left: readonly FleetRow[] = faulted
    for (const { name, nameOf, sharedOf } of likenesses) {
      const { groups: found, others } = yield* by(left, nameOf)
      let passed = 0
      for (const [of, alike] of found) {
        if (++passed % rowsPerTurn === 0) yield
        const size = sizes.get(name)?.get(of) ?? 0
        if (!isTelling(alike.length, size, faulted.length, total)) {
          yield* addTo(others, alike)
          continue
        }
        groups.push({
          kind: 'faults',
          name: `${error_code}\0${name}\0${of}`,
          rows: alike,
          shared: { error_code, ...sharedOf(alike[0] as FleetRow) },
          shareOfGroup: alike.length / size,
        })
      }
      left = others
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

/** Those that were lost within a minute, from one network or at one site, those that have never connected, and what is left. */
export function* offlineGroups(
  rows: readonly FleetRow[],
  isRefused: (chargePointId: string) => boolean = () => false,
): Steps<Group[]> {
  const offline = yield* only(rows, ({ status }) => status === 'offline')
  const unseen = yield* only(offline, isUnseen)
  let left: readonly FleetRow[] = yield* only(offline, (row) => !isUnseen(row))
  const groups: Group[] = []
  const alike = [
    { isNetwork: true, least: lostFromNetwork, nameOf: ({ network }: FleetRow) => network },
    { isNetwork: false, least: fewest, nameOf: ({ site }: FleetRow) => site?.site_id },
  ]
  for (const { isNetwork, least, nameOf } of alike) {
    const { groups: found, others } = yield* by(left, nameOf)
    let passed = 0
    for (const [name, same] of found) {
      if (++passed % rowsPerTurn === 0) yield
      for (const { began, rows: together } of yield* withinAMinute(same, least, others))
        groups.push({
          kind: 'offline',
          name: `${name}\0${began}`,
          rows: together,
          shared: { ...(isNetwork && { network: name }), ...(yield* siteOf(together)) },
        })
    }
    left = others
  }
  // Why those that are refused stay away is known: it is a cause of its own.
  const alone = yield* only(left, ({ charge_point_id }) => !isRefused(charge_point_id))
  if (alone.length > 0) groups.push({ kind: 'offline', name: '', rows: alone, shared: {} })
  if (unseen.length > 0) groups.push({ kind: 'offline', name: neverConnected, rows: unseen, shared: {} })
  return groups
}

/** The one that all of them are at. */
function* siteOf(rows: readonly FleetRow[]): Steps<SharedFacts> {
  const site = rows[0]?.site
  for (const [at, row] of rows.entries()) {
    if (at % rowsPerTurn === rowsPerTurn - 1) yield
    if (row.site === undefined || row.site.site_id !== site?.site_id) return {}
  }
  return site === undefined ? {} : { site: site.name }
}

const isUnseen = ({ statusSince }: FleetRow): boolean => statusSince === null

interface Run {
  /** Seconds: of the first that was lost. */
  readonly began: number
  readonly rows: FleetRow[]
}

/** Runs of rows that were lost within a minute of the first of each, where they are enough; all others are added to `others`. By the second, so that no rows are sorted. */
function* withinAMinute(rows: readonly FleetRow[], least: number, others: FleetRow[]): Steps<readonly Run[]> {
  if (rows.length < least) {
    others.push(...rows)
    return []
  }
  const counts = new Map<number, number>()
  for (const [at, row] of rows.entries()) {
    if (at % rowsPerTurn === rowsPerTurn - 1) yield
    counts.set(since(row), (counts.get(since(row)) ?? 0) + 1)
  }
  const seconds = Float64Array.from(counts.keys()).sort()
  const runs: Run[] = []
  const runOf = new Map<number, Run>()
  for (let at = 0; at < seconds.length; ) {
    if (at % rowsPerTurn === rowsPerTurn - 1) yield
    const began = seconds[at] as number
    let end = at
    let count = 0
    for (; end < seconds.length && (seconds[end] as number) - began <= lostWithinSeconds; end++)
      count += counts.get(seconds[end] as number) ?? 0
    if (count < least) {
      at++
      continue
    }
    const run: Run = { began, rows: [] }
    runs.push(run)
    for (; at < end; at++) runOf.set(seconds[at] as number, run)
  }
  for (const [at, row] of rows.entries()) {
    if (at % rowsPerTurn === rowsPerTurn - 1) yield
    const of = runOf.get(since(row))?.rows ?? others
    of.push(row)
  }
  return runs
}

/** By model and firmware, whichever rows have a flag. */
function* flagGroups(rows: readonly FleetRow[], { sizes }: Population, kind: CauseKind, flag: number): Steps<Group[]> {
  const flagged = yield* only(rows, ({ flags }) => (flags & flag) !== 0)
  const { groups } = yield* by(flagged, (row) => nameOfFirmware(row) ?? '')
  return [...groups].map(([name, same]) => {
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

/** Charge points that are connected and have not booted: of which model they are, they have not said. */
function* silentGroups(rows: readonly FleetRow[], now: number): Steps<Group[]> {
  const isLasting = (row: FleetRow): boolean => now / 1_000 - since(row) >= silentForSeconds
  const silent = yield* only(rows, (row) => (row.flags & flagBits.silent) !== 0 && isLasting(row))
  return silent.length === 0 ? [] : [{ kind: 'silent', name: '', rows: silent, shared: {} }]
}

/** Charge points that hold a car back although the service does not limit them. */
function* heldGroups(rows: readonly FleetRow[], now: number): Steps<Group[]> {
  const held = yield* only(
    rows,
    (row) =>
      row.connectors.includes('E') &&
      !row.isLimited &&
      row.status === 'charging' &&
      now / 1_000 - since(row) >= heldForSeconds,
  )
  const { groups } = yield* by(held, (row) => modelName(row) ?? '')
  return [...groups].map(([name, same]) => ({ kind: 'held', name, rows: same, shared: { ...same[0]?.model } }))
}

function candidateOf(group: Group): Candidate {
  const { kind, name, shared, rows } = group
  return {
    kind,
    name,
    shared,
    count: rows.length,
    *ids() {
      for (const { charge_point_id } of rows) yield charge_point_id
    },
    word: () => worded(group),
  }
}

/** Whether more is told than that there are so many: of a fault beside its code. Who has never come is missed by nobody yet. */
function tells({ shared, kind, name }: Candidate): number {
  if (kind === 'offline' && name === neverConnected) return -1
  const facts = Object.values(shared).filter((value) => value !== undefined).length
  return Number(kind === 'faults' ? facts > 1 : kind === 'offline' && facts > 0)
}

const before = (a: Candidate, b: Candidate): number =>
  causeKinds.indexOf(a.kind) - causeKinds.indexOf(b.kind) ||
  tells(b) - tells(a) ||
  b.count - a.count ||
  (a.name < b.name ? -1 : 1)

/** All that needs attention, the most urgent kind first, and of a kind the largest. `rows` are the notable ones, at least. */
export function* causesOf(
  rows: readonly FleetRow[],
  population: Population,
  { reports, rowOf, now }: Known,
): Steps<Causes> {
  let best: Candidate[] = []
  /** Of each kind, a few of the largest are enough. */
  function* consider(candidates: readonly Candidate[]): Steps<void> {
    for (const [at, candidate] of candidates.entries()) {
      if (at % rowsPerTurn === rowsPerTurn - 1) yield
      best.push(candidate)
      if (best.length >= 10 * limits.causes) best = best.sort(before).slice(0, limits.causes)
    }
  }
  const { clockOff, deviates, certificateEnds } = flagBits
  yield* consider((yield* faultGroups(rows, population)).map(candidateOf))
  const refused = refusedCauses(reports, rowOf)
  const refusedIds = new Set(refused.flatMap(({ ids }) => [...ids()]))
  yield* consider((yield* offlineGroups(rows, (id) => refusedIds.has(id))).map(candidateOf))
  yield* consider(refused)
  yield* consider((yield* silentGroups(rows, now)).map(candidateOf))
  yield* consider((yield* heldGroups(rows, now)).map(candidateOf))
  yield* consider((yield* flagGroups(rows, population, 'clock', clockOff)).map(candidateOf))
  yield* consider((yield* flagGroups(rows, population, 'deviations', deviates)).map(candidateOf))
  yield* consider((yield* flagGroups(rows, population, 'security', certificateEnds)).map(candidateOf))
  yield* consider(securityCauses(reports, rowOf))
  const causes: Cause[] = []
  // One that is refused, for instance, is offline as well.
  const concerned = new Set<string>()
  let passed = 0
  for (const candidate of best.sort(before).slice(0, limits.causes)) {
    causes.push(yield* candidate.word())
    for (const id of candidate.ids()) {
      concerned.add(id)
      if (++passed % rowsPerTurn === 0) yield
    }
  }
  return { causes, charge_points: concerned.size }
}
