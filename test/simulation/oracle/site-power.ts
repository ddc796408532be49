// The power of sites, as physics has it: what all charge points of a site may come to draw, by the limits that they hold, stays within its
// budget, in all and on each line. Charge points that take no limits, that are offline or that have confirmed none yet come first, by
// physics; those that can be limited have the rest, standing limits included. A charge point that ignores its limits, or that has
// lost them for the first time, counts as the service counts it.
// A budget that falls cannot be kept at once: until everything under way has arrived, the earlier one counts. But nobody gets more meanwhile.

import type { Outlet, StallPhysics } from '../charge-point/stall-physics.js'
import type { Line } from '../network.js'
import { organizations } from '../organizations.js'
import { isDisobedient, siteOrganization, volts } from '../stalls.js'
import type { DiskWatch, Row } from './disk-watch.js'
import type { Verdict } from './verdict.js'

export interface SitePowerOracle {
  /** A CALL that the edge gives out, and an answer that it has taken in. */
  sent(line: Line, messageId: string): void
  answered(line: Line, messageId: string, accepted: boolean): void
  opened(line: Line): void
  closed(line: Line): void
  /** Actors have lost what was in memory only. */
  forgotten(): void
  written(): void
  /** The physics has changed, or time has passed. */
  look(): void
}

export const siteTables = ['sites', 'site_configurations', 'site_chargers']

interface Clock {
  monotonic(): number
  /** Wall time, ms. */
  now(): number
}

/** After a restart without any trouble, the service has its answers long before. */
const knowsAfterMs = 60_000

/** Watts in all, and amperes on each line. */
type Load = readonly [watts: number, l1: number, l2: number, l3: number]

interface Account {
  /** The budgets of late, less what the disobedient are counted at. */
  readonly budgets: Late
  /** The same, less everything that cannot be limited now. */
  readonly rests: Late
  /** What may be held at most, where that is more than the budget. */
  ceiling: Load
  /** By charge point: since when the service has its standing limit as confirmed. */
  readonly confirmed: Map<string, number>
  /** By charge point that loses its limits: since when the service has its standing limit as confirmed. */
  readonly limitedSince: Map<string, number>
  /** Those that are summed. */
  summed: string
}

/** Each since its time; the last one holds. */
type Late = { readonly at: number; readonly load: Load }[]

/** So long after a fall what was sent before may arrive, and those that are to draw less are told. */
const graceMs = 90_000
const answeredWithinMs = 5_000
const hair: Load = [1, 0.01, 0.01, 0.01]
const nothing: Load = [0, 0, 0, 0]
const minuteMs = 60_000
const rotationLines: Readonly<Record<string, number>> = { R: 1, S: 2, T: 3 }

const combined = (one: Load, other: Load, by: (a: number, b: number) => number): Load => [
  by(one[0], other[0]),
  by(one[1], other[1]),
  by(one[2], other[2]),
  by(one[3], other[3]),
]
const minus = (one: Load, other: Load): Load => combined(one, other, (a, b) => a - b)
const plus = (one: Load, other: Load): Load => combined(one, other, (a, b) => a + b)
const most = (one: Load, other: Load): Load => combined(one, other, Math.max)

export function createSitePowerOracle(
  { check }: Verdict,
  disk: DiskWatch,
  clock: Clock,
  stalls: readonly StallPhysics[],
): SitePowerOracle {
  const now = clock.monotonic
  const physics = new Map(stalls.map((one) => [one.stall.id, one]))
  const accounts = new Map<string, Account>()
  /** By charge point: when something kept it from being told. */
  const troubled = new Map<string, number>()
  /** By charge point: its open connections, and when the newest was opened. */
  const lines = new Map<string, Set<number>>()
  const openedAt = new Map<string, number>()
  const calls = new Map<string, { readonly chargePointId: string; readonly at: number }>()
  let troubledAll = Number.NEGATIVE_INFINITY
  const keyOf = (line: Line, messageId: string): string => `${line.id}/${messageId}`

  function isOpen(id: string): boolean {
    return (lines.get(id)?.size ?? 0) > 0
  }

  function isSteady(id: string): boolean {
    return isOpen(id) && now() - Math.max(troubledAll, troubled.get(id) ?? Number.NEGATIVE_INFINITY) > graceMs
  }

  function loadOf({ stall }: StallPhysics, amperes: number, phases: number): Load {
    const load: [number, number, number, number] = [amperes * volts * phases, 0, 0, 0]
    for (const letter of stall.rotation.slice(0, phases)) load[rotationLines[letter] as number] = amperes
    return load
  }

  /** What it may come to draw without another word of the service: its car may leave at any time, and another come. */
  function mayDraw(one: StallPhysics): Load {
    const { phases } = one.stall
    const ofOutlet = ({ ownAmperes, standingAmperes, carPhases }: Outlet): Load =>
      most(loadOf(one, ownAmperes, carPhases), loadOf(one, standingAmperes, phases))
    return one.outlets().map(ofOutlet).reduce(plus, nothing)
  }

  /** What the service has it down as. */
  function countedOf(one: StallPhysics, row: Row | undefined): Load {
    const { id, maxAmperes, phases, connectors } = one.stall
    if (row?.forgets_as !== undefined && !isOpen(id)) return loadOf(one, maxAmperes * connectors, phases)
    const held = (limit: Row | undefined, otherwise: number): number =>
      Math.min(maxAmperes, Math.max(Number(limit?.amperes ?? otherwise), Number(limit?.sent ?? 0)))
    const standing = row?.standing_form === 'none' ? maxAmperes : held(row?.standing as Row | undefined, maxAmperes)
    let sum = nothing
    for (let connectorId = 1; connectorId <= connectors; connectorId++) {
      const connector = ((row?.connectors ?? []) as readonly Row[]).find((each) => each.connector_id === connectorId)
      const own = row?.form === 'none' ? maxAmperes : held(connector?.limit as Row | undefined, standing)
      const carPhases = Math.min(phases, Number(connector?.phases ?? phases))
      const metered = Number(connector?.ignores_limit_watts ?? 0) / volts / carPhases
      sum = plus(sum, most(loadOf(one, Math.max(own, metered), carPhases), loadOf(one, standing, phases)))
    }
    return sum
  }

  function budgetOf({ max_power_kw, strategy, schedule, max_current_per_phase_a }: Row, site: Row): Load {
    const entries = strategy === 'scheduled' ? (schedule as readonly Row[]).filter(holdsNow) : []
    const kw = entries.length === 0 ? [max_power_kw] : entries.map((entry) => entry.max_power_kw)
    const amperes = Number(max_current_per_phase_a ?? Number.POSITIVE_INFINITY)
    return [Math.min(...kw.map(Number), Number(site.max_grid_power_kw)) * 1000, amperes, amperes, amperes]
  }

  function holdsNow({ start_time, end_time }: Row): boolean {
    const { offsetMinutes = 0 } = organizations[siteOrganization] ?? {}
    const minute = (Math.floor(clock.now() / minuteMs) + offsetMinutes) % 1_440
    const [start, end] = [start_time, end_time].map((time) => {
      const [hours = 0, minutes = 0] = String(time).split(':').map(Number)
      return hours * 60 + minutes
    }) as [number, number]
    return start < end ? minute >= start && minute < end : minute >= start || minute < end
  }

  function accountOf(siteId: string): Account {
    const known = accounts.get(siteId)
    if (known !== undefined) return known
    const account: Account = {
      budgets: [],
      rests: [],
      ceiling: nothing,
      confirmed: new Map(),
      limitedSince: new Map(),
      summed: '',
    }
    accounts.set(siteId, account)
    return account
  }

  /** The highest of the time of grace; the present one is noted. */
  function highestOf(late: Late, load: Load): Load {
    const last = late.at(-1)
    if (last === undefined || last.load.some((part, index) => part !== load[index])) late.push({ at: now(), load })
    while ((late[1]?.at ?? Number.POSITIVE_INFINITY) < now() - graceMs) late.shift()
    return late.map((one) => one.load).reduce(most)
  }

  function lookAt(siteId: string, configuration: Row, site: Row, rows: ReadonlyMap<string, Row>): void {
    const account = accountOf(siteId)
    let budget = budgetOf(configuration, site)
    const members: StallPhysics[] = []
    for (const { site_id, charge_point_id } of disk.rows('charge_points')) {
      const one = physics.get(String(charge_point_id))
      if (site_id !== siteId || one === undefined) continue
      const { id, manner } = one.stall
      if (manner === 'refuses-all') budget = minus(budget, mayDraw(one))
      else if (isDisobedient(one.stall)) budget = minus(budget, countedOf(one, rows.get(id)))
      else members.push(one)
      if (manner === 'forgets') isKnown(account, one, rows.get(id))
    }
    const ids = new Set(members.map(({ stall }) => stall.id))
    for (const id of account.confirmed.keys())
      if (!ids.has(id) || !isConfirmed(rows.get(id))) account.confirmed.delete(id)
    for (const id of ids) if (isConfirmed(rows.get(id)) && !account.confirmed.has(id)) account.confirmed.set(id, now())
    // Others have to make room for one that has come.
    const summed = members.filter(({ stall }) => now() - (account.confirmed.get(stall.id) ?? now()) > graceMs)
    const highest = highestOf(account.budgets, budget)
    const sum = summed.map(mayDraw).reduce(plus, nothing)
    const names = summed.map(({ stall }) => stall.id).join()
    if (names !== account.summed) account.ceiling = most(account.ceiling, sum)
    account.summed = names
    holds(`${siteId} may draw`, sum, most(highest, account.ceiling), summed, rows)
    account.ceiling = most(highest, combined(account.ceiling, sum, Math.min))
    const steady = summed.filter(({ stall }) => isSteady(stall.id))
    const others = members.filter((one) => !steady.includes(one))
    const rest = highestOf(account.rests, minus(budget, others.map(mayDraw).reduce(plus, nothing)))
    const least = steady.map((one) => pausedOf(one, rows.get(one.stall.id))).reduce(plus, nothing)
    const lowered = steady.map(mayDraw).reduce(plus, nothing)
    holds(`${siteId} was to be lowered, and may draw`, lowered, most(rest, least), steady, rows)
  }

  /** A loss of limits, with a car or without, is found out after the restart. */
  function isKnown({ limitedSince }: Account, one: StallPhysics, row: Row | undefined): void {
    const { id, maxAmperes } = one.stall
    const loss = one.lastLoss()
    if (!isConfirmed(row) || row?.standing_boot === undefined) limitedSince.delete(id)
    else if (!limitedSince.has(id)) limitedSince.set(id, now())
    const opened = openedAt.get(id) ?? Number.POSITIVE_INFINITY
    const isCalm = isOpen(id) && troubled.get(id) === opened && now() - opened > knowsAfterMs
    if (loss === undefined || !isCalm || loss.at > opened || loss.leastAmperes >= maxAmperes) return
    if (troubledAll >= loss.at || (limitedSince.get(id) ?? loss.at) >= loss.at) return
    check('site-power', row?.forgets_as !== undefined, () => `${id} has lost its limits, and is not known for it`)
  }

  const isConfirmed = (row: Row | undefined): boolean =>
    row !== undefined && (row.standing as Row).amperes !== undefined && row.standing_form !== 'none'

  /** A charge point that has refused 0 is paused with a little. */
  function pausedOf(one: StallPhysics, row: Row | undefined): Load {
    const { phases, connectors } = one.stall
    return loadOf(one, Number(row?.pauses_with_amperes ?? 0) * connectors, phases)
  }

  function holds(
    what: string,
    sum: Load,
    allowed: Load,
    who: readonly StallPhysics[],
    rows: ReadonlyMap<string, Row>,
  ): void {
    for (const [index, part] of sum.entries()) {
      const most = allowed[index] as number
      const unit = index === 0 ? 'W' : `A on L${index}`
      const is = part <= most + (hair[index] as number)
      check(
        'site-power',
        is,
        () => `${what} ${part} ${unit} of ${most}: ${who.map((one) => described(one, rows)).join(' ')}`,
      )
    }
  }

  /** What it holds, and what the service has it down as. */
  function described(one: StallPhysics, rows: ReadonlyMap<string, Row>): string {
    const { id, manner, rotation } = one.stall
    const held = one
      .outlets()
      .map(({ ownAmperes, standingAmperes, carPhases }) => `${ownAmperes}/${standingAmperes} A on ${carPhases}`)
    const { standing, connectors, form } = rows.get(id) ?? {}
    return `${id} (${manner}, ${rotation}) holds ${held.join()}, counted ${JSON.stringify({ standing, connectors, form })}`
  }

  return {
    sent(line, messageId) {
      const { chargePointId } = line
      if (physics.has(chargePointId)) calls.set(keyOf(line, messageId), { chargePointId, at: now() })
    },
    answered(line, messageId, accepted) {
      const call = calls.get(keyOf(line, messageId))
      if (call === undefined) return
      calls.delete(keyOf(line, messageId))
      if (!accepted || now() - call.at > answeredWithinMs) troubled.set(call.chargePointId, now())
    },
    opened({ id, chargePointId }) {
      troubled.set(chargePointId, now())
      openedAt.set(chargePointId, now())
      lines.set(chargePointId, (lines.get(chargePointId) ?? new Set()).add(id))
    },
    closed(line) {
      troubled.set(line.chargePointId, now())
      lines.get(line.chargePointId)?.delete(line.id)
      for (const key of calls.keys()) if (key.startsWith(`${line.id}/`)) calls.delete(key)
    },
    forgotten() {
      troubledAll = now()
    },
    written() {
      for (const table of siteTables) disk.changes(table)
    },
    look() {
      for (const { chargePointId, at } of calls.values())
        if (now() - at > answeredWithinMs) troubled.set(chargePointId, now())
      const sites = new Map([...disk.rows('sites')].map((row) => [String(row.site_id), row]))
      const configurations = new Map([...disk.rows('site_configurations')].map((row) => [String(row.site_id), row]))
      for (const [siteId, site] of sites) {
        const configuration = configurations.get(siteId)
        if (configuration === undefined) {
          accounts.delete(siteId)
          continue
        }
        const rows = [...disk.rows('site_chargers')].filter(({ site_id }) => site_id === siteId)
        lookAt(siteId, configuration, site, new Map(rows.map((row) => [String(row.charge_point_id), row])))
      }
    },
  }
}
