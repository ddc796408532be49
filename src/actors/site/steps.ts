// Which limits may be sent now. A lower limit is sent at once; a higher one only if everything that the others may draw, as it is counted,
// leaves room for it. So nothing that is sent raises the sum of what is counted above the power of the site.

import { floorAmperes, lines, nominalVolts } from '../../power/electricity.js'
import { fits, type Load, less, loadOn, sumOf, worstOf } from '../../power/load.js'
import type { SiteConnector } from '../../records/site-charger.js'
import { connectorOf, hasBootedSince, keepsLimits, limitBound, standingBound } from './counted.js'
import { chargerLines } from './facts.js'
import { awaitsFirstClear, isCleared } from './others.js'
import type { Instant, OpenSession, Place } from './place.js'
import type { Plan } from './plan.js'
import { behaviourOf, type ChargerState, holdsOthers } from './state.js'

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
    const { step, before, own } = wish
    // A lowering counts only when it is confirmed.
    if (!isRaise(before, wish.after)) {
      steps.push(step)
      continue
    }
    const others = less(counted, own)
    const raise = fits(sumOf([others, wish.after]), plan.capacity) ? wish : partOf(wish, others, plan)
    if (raise === undefined) continue
    counted = sumOf([others, worstOf(own, raise.after)])
    steps.push(raise.step)
  }
  return steps
}

function isRaise(before: Load, after: Load): boolean {
  return after.watts > before.watts + hair || lines.some((line) => after.amperes[line] > before.amperes[line] + hair)
}

/** As much of a raise as there is room for, where nothing is on its way that will leave more. */
function partOf(
  { step, before, least }: Wish,
  others: Load,
  { capacity, places }: Plan,
): Pick<Wish, 'step' | 'after'> | undefined {
  if (least === undefined || places.some(isAwaited)) return undefined
  const onLines = chargerLines(step.charger.facts, step.phases)
  const room = less(capacity, others)
  const most = Math.min(room.watts / nominalVolts / onLines.length, ...onLines.map((line) => room.amperes[line]))
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
  /** Counted now for all that it changes. */
  readonly own: Load
  /** What the charge point holds as far as is known, and may hold when it has been sent. */
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
    const its = places.filter((place) => place.charger === charger)
    const own = sumOf(its.map(({ counted }) => counted))
    const before = sumOf(its.map(({ planned }) => planned))
    const bound = standingBound(
      charger,
      its.every(({ isBelieved }) => isBelieved),
    )
    const raised = loadOn(chargerLines(facts), Math.max(amperes, bound))
    const after = amperes > bound ? sumOf(its.map(({ planned }) => worstOf(planned, raised))) : before
    const step = { charger, connectorId: 0, session: undefined, amperes, phases: facts.phases }
    return [{ step, own, before, after, order: 0 }]
  })
}

function pausedOr(amperes: number, { row }: ChargerState): number {
  return amperes === 0 ? (row.pauses_with_amperes ?? 0) : amperes
}

function wishOf(place: Place, plan: Plan, monotonic: number, force: boolean): readonly Wish[] {
  const { charger, connectorId, isSharer, isBelieved, phases, counted, planned } = place
  const behaviour = behaviourOf(charger, connectorId)
  const connector = connectorOf(charger, connectorId)
  if (!isSharer && !isLeftLimited(place)) return []
  const session = place.session ?? goingOn(connector)
  if (connector?.limit.sent !== undefined || monotonic < behaviour.notBefore) return []
  if (holdsOthers(charger, connectorId)) return []
  const limit = plan.limits.get(place.id)
  const present =
    connector === undefined ? standingBound(charger, isBelieved) : limitBound(charger, connector, isBelieved)
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
  const after = sent > present ? worstOf(planned, raised) : planned
  const step = { charger, connectorId, session, amperes: sent, phases }
  const least = Math.max(present + worthAmperes, floorAmperes(plan.minPowerKw, phases))
  const order = gain <= 0 ? 1 : present === 0 ? 2 : 3
  return [{ step, own: counted, before: planned, after, order, ...(isSharer && { least }) }]
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
