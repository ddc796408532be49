// Who should have how much, and what may be sent for it now. Whoever is to draw less is told at once; whoever may draw more is told only when what all
// others may draw, as it is counted, leaves room for it. So the sum of what is counted never rises above the budget by what is sent.

import { type AllocationInput, allocatePower, type Charger, type Limit } from '../../power/allocate-power.js'
import { budgetAt, leastBudget, leastWithin } from '../../power/budget.js'
import { type Line, limitStepWatts, lines, nominalVolts } from '../../power/electricity.js'
import { standingHolders } from '../../power/standing-limits.js'
import type { SiteConnector } from '../../records/site-charger.js'
import type { SiteConfiguration } from '../../records/site-configuration.js'
import { type BoundNow, boundNow } from './bounds.js'
import {
  connectorOf,
  countedOf,
  fits,
  hasBootedSince,
  keepsLimits,
  type Load,
  less,
  limitBound,
  limitedLines,
  loadOn,
  standingBound,
  sumOf,
  takesLimits,
  worstOf,
} from './counted.js'
import { chargerLines, floorAmperes, fullAmperes } from './facts.js'
import { limits } from './limits.js'
import { awaitsFirstClear, isCleared } from './others.js'
import { behaviourOf, type ChargerState, connectorIds, holdsOthers, type SiteState } from './state.js'

export type OpenSession = ChargerState['report']['sessions'][number]

/** A connector of the site. */
export interface Place {
  readonly id: string
  readonly charger: ChargerState
  readonly connectorId: number
  /** On how many phases its limit is drawn, as far as is known. */
  readonly phases: number
  readonly session: OpenSession | undefined
  /** Its limit can be changed now. */
  readonly isSharer: boolean
  readonly counted: Load
}

export interface Plan {
  readonly budgetWatts: number
  /** Where the schedule is about to lower the budget, the lower one: nothing is given beyond it. */
  readonly givenWatts: number
  readonly perLine: number | undefined
  /** The least with which a car is charged. */
  readonly minPowerKw: number
  readonly places: readonly Place[]
  readonly counted: Load
  /** By place. */
  readonly limits: ReadonlyMap<string, Limit>
  /** By place: what others allow its car. */
  readonly bounds: ReadonlyMap<string, BoundNow>
  /** The same as if each were alone with what cannot be changed. */
  readonly available: AllocationInput['available']
  /** Amperes per phase, by charge point. */
  readonly standing: ReadonlyMap<string, number>
  readonly input: AllocationInput
}

/** What a plan follows from, beside the time. */
export type PlannedSite = Pick<SiteState, 'configuration' | 'terms' | 'chargers'>

export interface Instant {
  /** Wall ms. */
  readonly now: number
  readonly monotonic: number
}

export function placeId(chargePointId: string, connectorId: number): string {
  return `${chargePointId}/${connectorId}`
}

export function makePlan(state: PlannedSite, instant: Instant): Plan | undefined {
  const { configuration, terms } = state
  if (configuration === undefined || terms === undefined) return undefined
  const givenWatts = leastWithin(terms, instant.now, limits.leadMs)
  const perLine = configuration.max_current_per_phase_a
  const standing = standingAmperes(state, configuration, leastBudget(terms))
  const places = [...state.chargers.values()].flatMap((charger) => placesOf(charger, instant))
  const reserved = sumOf(places.map((place) => reservedFor(place, standing)))
  const available = availableBeside(reserved, givenWatts, perLine)
  const sharers = places.filter(({ isSharer }) => isSharer)
  const bounds = boundsOf(sharers, instant)
  const input: AllocationInput = {
    available,
    strategy: configuration.strategy,
    priority: configuration.priority_order.flatMap((id) => placeIdsOf(state.chargers.get(id), id)),
    chargers: sharers.map((place) => chargerOf(place, configuration, standing, bounds.get(place.id))),
    now: instant.now,
  }
  return {
    budgetWatts: budgetAt(terms, instant.now),
    givenWatts,
    perLine,
    minPowerKw: configuration.min_power_kw,
    places,
    counted: sumOf(places.map(({ counted }) => counted)),
    limits: new Map(allocateWithLeast(input, sharers, bounds).map((limit) => [limit.id, limit])),
    bounds,
    available,
    standing,
    input,
  }
}

function placeIdsOf(charger: ChargerState | undefined, id: string): readonly string[] {
  return charger === undefined ? [] : connectorIds(charger).map((connectorId) => placeId(id, connectorId))
}

/** Where there is enough for all that everybody could take, nobody is held to what it took lately. */
export function allocate(input: AllocationInput, sharers: readonly Place[]): readonly Limit[] {
  const generous = allocatePower(input)
  if (generous.every(({ reason }) => reason === 'demand')) return generous
  const wanted = sharers.map(({ charger, connectorId }) => charger.behaviours.get(connectorId)?.demandWatts)
  const chargers = input.chargers.map((charger, index): Charger => {
    const demandWatts = Math.min(
      charger.demandWatts,
      Math.max(charger.floorWatts, wanted[index] ?? charger.demandWatts),
    )
    return { ...charger, demandWatts }
  })
  return allocatePower({ ...input, chargers })
}

/** What it is worth charging with by a bound counts as the minimum of its car, as long as nobody waits for that. */
function allocateWithLeast(
  input: AllocationInput,
  sharers: readonly Place[],
  bounds: ReadonlyMap<string, BoundNow>,
): readonly Limit[] {
  const limits = allocate(input, sharers)
  const chargers = input.chargers.map((charger) => {
    const least = Math.min(charger.demandWatts, bounds.get(charger.id)?.leastWatts ?? 0)
    return least > charger.floorWatts ? { ...charger, floorWatts: least } : charger
  })
  if (chargers.every((charger, index) => charger === input.chargers[index])) return limits
  const raised = allocate({ ...input, chargers }, sharers)
  return raised.some(({ reason }) => reason.startsWith('paused')) ? limits : raised
}

function boundsOf(sharers: readonly Place[], { now }: Instant): ReadonlyMap<string, BoundNow> {
  const bounds = new Map<string, BoundNow>()
  for (const { id, charger, session, phases } of sharers) {
    const bound = session && charger.bounds.size > 0 ? boundNow(charger, session.sessionId, phases, now) : undefined
    if (bound !== undefined) bounds.set(id, bound)
  }
  return bounds
}

function standingAmperes(
  state: PlannedSite,
  { min_power_kw, priority_order, max_current_per_phase_a }: SiteConfiguration,
  leastWatts: number,
): ReadonlyMap<string, number> {
  const all = [...state.chargers].map(([id, charger]) => {
    const { facts } = charger
    const amperes = Math.min(fullAmperes(facts), floorAmperes(min_power_kw, facts.phases))
    const floor = {
      id,
      floorWatts: amperes * nominalVolts * facts.phases * facts.connectors,
      floorAmperes: amperes * facts.connectors,
    }
    return { charger, amperes, floor }
  })
  // One that takes no limit is counted with all that it can draw, whatever stands.
  const candidates = all.filter(({ charger }) => charger.row.standing_form !== 'none')
  const holders = standingHolders(
    candidates.map(({ floor }) => floor),
    priority_order,
    leastWatts,
    max_current_per_phase_a,
  )
  return new Map(all.map(({ floor, amperes }) => [floor.id, holders.has(floor.id) ? amperes : 0]))
}

function placesOf(charger: ChargerState, { monotonic }: Instant): readonly Place[] {
  const id = charger.row.charge_point_id
  return connectorIds(charger).map((connectorId) => {
    const session = charger.report.sessions.find((open) => open.connectorId === connectorId)
    const connector = connectorOf(charger, connectorId)
    return {
      id: placeId(id, connectorId),
      charger,
      connectorId,
      phases: limitedLines(charger, connector).length,
      session,
      isSharer:
        session !== undefined &&
        charger.report.isReady &&
        takesLimits(charger) &&
        connector?.ignores_limit_watts === undefined,
      counted: countedOf(charger, connectorId, monotonic),
    }
  })
}

/** What is not there to be shared: of a sharer, the part of its standing limit that its car does not draw. */
export function reservedFor(
  { charger, isSharer, counted, phases }: Place,
  standing: ReadonlyMap<string, number>,
): Load {
  const amperes = standing.get(charger.row.charge_point_id) ?? 0
  if (!isSharer) return worstOf(counted, loadOn(chargerLines(charger.facts), amperes))
  const used = chargerLines(charger.facts, phases)
  const unused = chargerLines(charger.facts).filter((line) => !used.includes(line))
  return { ...loadOn(unused, amperes), watts: 0 }
}

function availableBeside(reserved: Load, watts: number, perLine: number | undefined): AllocationInput['available'] {
  if (perLine === undefined) return { watts: watts - reserved.watts }
  const left = (line: Line): number => perLine - reserved.amperes[line]
  return { watts: watts - reserved.watts, amperes: { L1: left('L1'), L2: left('L2'), L3: left('L3') } }
}

function chargerOf(
  { id, charger, connectorId, phases }: Place,
  { min_power_kw }: SiteConfiguration,
  standing: ReadonlyMap<string, number>,
  bound: BoundNow | undefined,
): Charger {
  const { facts } = charger
  const standingWatts = (standing.get(charger.row.charge_point_id) ?? 0) * nominalVolts * facts.phases
  const connector = connectorOf(charger, connectorId)
  return {
    id,
    demandWatts: Math.min(fullAmperes(facts) * nominalVolts * phases, bound?.mostWatts ?? Number.POSITIVE_INFINITY),
    floorWatts: Math.max(floorAmperes(min_power_kw, phases) * nominalVolts * phases, standingWatts),
    stepWatts: limitStepWatts(phases),
    lines: chargerLines(facts, phases),
    ...(standingWatts > 0 && { isGuaranteed: true }),
    ...(connector?.paused_since !== undefined && { pausedSince: connector.paused_since }),
    ...(connector?.served_since !== undefined && { servedSince: connector.served_since }),
  }
}

/** What to send: a limit in amperes per phase; of connector 0, the standing one. */
export interface Step {
  readonly charger: ChargerState
  readonly connectorId: number
  readonly session: OpenSession | undefined
  readonly amperes: number
  readonly phases: number
}

/** A raise is worth a call when it is at least that, amperes; a lowering always is. */
export const worthAmperes = 0.5
const hair = 1e-6

/** What may be sent now. `force`: limits that are as they should be are sent again. */
export function nextSteps(plan: Plan, { monotonic }: Instant, force = false): readonly Step[] {
  const wishes = [
    ...standingWishes(plan, monotonic, force),
    ...plan.places.flatMap((place) => wishOf(place, plan, monotonic, force)),
  ]
  const steps: Step[] = []
  let { counted } = plan
  // Those that free power come first, then those that have none.
  for (const wish of wishes.sort((one, other) => one.order - other.order)) {
    const { step, before, after } = wish
    const isRaise =
      after.watts > before.watts + hair || lines.some((line) => after.amperes[line] > before.amperes[line] + hair)
    // A lowering counts only when it is confirmed.
    if (!isRaise) {
      steps.push(step)
      continue
    }
    const others = less(counted, before)
    const raise = fits(sumOf([others, after]), plan.givenWatts, plan.perLine) ? wish : partOf(wish, others, plan)
    if (raise === undefined) continue
    counted = sumOf([others, raise.after])
    steps.push(raise.step)
  }
  return steps
}

/** As much of a raise as there is room for, where nothing is on its way that will leave more. */
function partOf(
  { step, before, least }: Wish,
  others: Load,
  { givenWatts, perLine, places }: Plan,
): Pick<Wish, 'step' | 'after'> | undefined {
  if (least === undefined || places.some(isAwaited)) return undefined
  const onLines = chargerLines(step.charger.facts, step.phases)
  const room = (line: Line): number => (perLine ?? Number.POSITIVE_INFINITY) - others.amperes[line]
  const most = Math.min((givenWatts - others.watts) / nominalVolts / onLines.length, ...onLines.map(room))
  const amperes = Math.floor(most * 10 + hair) / 10
  if (amperes < least) return undefined
  return { step: { ...step, amperes }, after: worstOf(before, loadOn(onLines, amperes)) }
}

function isAwaited({ charger, connectorId }: Place): boolean {
  return (
    charger.isClearing ||
    charger.row.standing.sent !== undefined ||
    connectorOf(charger, connectorId)?.limit.sent !== undefined
  )
}

interface Wish {
  readonly step: Step
  /** Where less than all of it is worth a call, too: from how many amperes on. */
  readonly least?: number
  /** What is counted without it, and what is when it has been sent. */
  readonly before: Load
  readonly after: Load
  readonly order: number
}

function standingWishes({ places, standing }: Plan, monotonic: number, force: boolean): readonly Wish[] {
  return [...new Set(places.map(({ charger }) => charger))].flatMap((charger) => {
    const { row, facts, report } = charger
    const isDue =
      report.isReady && row.standing_form !== 'none' && row.standing.sent === undefined && !awaitsFirstClear(charger)
    if (!isDue || monotonic < charger.standingNotBefore) return []
    const amperes = pausedOr(standing.get(row.charge_point_id) ?? 0, charger)
    const isSure = !charger.isStandingUncertain && !hasBootedSince(charger) && !isCleared(charger)
    const isAsItShouldBe = row.standing.amperes === amperes && isSure
    if (isAsItShouldBe && !force) return []
    const own = places.filter((place) => place.charger === charger)
    const before = sumOf(own.map(({ counted }) => counted))
    const raised = loadOn(chargerLines(facts), Math.max(amperes, standingBound(charger)))
    const after = sumOf(own.map(({ counted }) => worstOf(counted, raised)))
    const step = { charger, connectorId: 0, session: undefined, amperes, phases: facts.phases }
    return [{ step, before, after: amperes > standingBound(charger) ? after : before, order: 0 }]
  })
}

function pausedOr(amperes: number, { row }: ChargerState): number {
  return amperes === 0 ? (row.pauses_with_amperes ?? 0) : amperes
}

function wishOf(place: Place, plan: Plan, monotonic: number, force: boolean): readonly Wish[] {
  const { charger, connectorId, isSharer, phases, counted } = place
  const behaviour = behaviourOf(charger, connectorId)
  const connector = connectorOf(charger, connectorId)
  if (!isSharer && !isLeftLimited(place)) return []
  const session = place.session ?? goingOn(connector)
  if (connector?.limit.sent !== undefined || monotonic < behaviour.notBefore) return []
  if (holdsOthers(charger, connectorId)) return []
  const limit = plan.limits.get(place.id)
  const present = connector === undefined ? standingBound(charger) : limitBound(charger, connector)
  const standing = plan.standing.get(charger.row.charge_point_id) ?? 0
  const left = connector?.may_go_on === true ? Math.min(standing, present) : standing
  const aim = isSharer ? (limit?.watts ?? 0) / nominalVolts / phases : left
  const amperes = pausedOr(Math.round(aim * 10) / 10, charger)
  const isConfirmed = connector?.limit.amperes !== undefined && connector.session_id === (session?.sessionId ?? '')
  const isRenewal = monotonic >= behaviour.renewAt && place.session !== undefined
  const gain = amperes - present
  const isSame = isConfirmed && Math.abs(gain) < hair
  const isSmall = isConfirmed && gain > 0 && gain < worthAmperes && present > 0
  if ((isSame || isSmall) && !isRenewal && !force) return []
  // A limit that runs out is renewed as it is, where more is not worth a call.
  const sent = isSmall && !force ? present : amperes
  const raised = loadOn(chargerLines(charger.facts, phases), sent)
  const after = sent > present ? worstOf(counted, raised) : counted
  const step = { charger, connectorId, session, amperes: sent, phases }
  const least = Math.max(present + worthAmperes, floorAmperes(plan.minPowerKw, phases))
  const order = gain <= 0 ? 1 : present === 0 ? 2 : 3
  return [{ step, before: counted, after, order, ...(isSharer && { least }) }]
}

/** What may go on at the charge point is lowered by the transaction that it was. */
function goingOn(connector: SiteConnector | undefined): OpenSession | undefined {
  if (connector?.may_go_on !== true) return undefined
  const { session_id, transaction_id, connector_id } = connector
  return { sessionId: session_id, transactionId: transaction_id, connectorId: connector_id }
}

/** Its limit outlives its session, and is not what stands for the next one. */
function isLeftLimited({ charger, connectorId, session }: Place): boolean {
  const connector = connectorOf(charger, connectorId)
  return (
    session === undefined &&
    charger.report.isReady &&
    connector !== undefined &&
    (keepsLimits(charger) || connector.may_go_on === true)
  )
}

/** What a place would get if nobody else shared, watts. */
export function aloneWatts(plan: Plan, id: string): number | undefined {
  const charger = plan.input.chargers.find((one) => one.id === id)
  if (charger === undefined) return undefined
  return allocatePower({ ...plan.input, chargers: [charger] })[0]?.watts
}
