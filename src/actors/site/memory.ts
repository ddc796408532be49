// Whether a charge point still holds its standing limit after a boot, as it has to (OCPP 1.6, errata 3.37). It is asked before the limit is set
// again, and once more afterwards where it has not shown it: only one that shows it then had lost it before, the others
// show no limits while no car is there. Nothing is raised by what it says: it can only count with more.

import { nominalVolts } from '../../power/electricity.js'
import { heldLimitCall } from '../../power/limit-profiles.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { type CallMessage, chargePointAddress } from '../charge-point/messages.js'
import { answeredStatus } from '../command-router/outcome.js'
import type { CallOutcome } from '../messages/command.js'
import { siteAddress } from '../messages/site.js'
import { connectorOf, hasBootedSince, keepsLimits } from './counted.js'
import { fullAmperes } from './facts.js'
import { limits } from './limits.js'
import { standingForm } from './sending.js'
import { noteShown } from './shown.js'
import { type ChargerState, connectorIds, type SentQuestion, type SiteState } from './state.js'

/** To be sent before the standing limit is. */
export function askAfterBoots(state: SiteState, context: Context): readonly Effect[] {
  return [...state.chargers.values()].flatMap((charger) => {
    const { row, report, facts } = charger
    const boot = report.bootedAt
    if (!report.isReady || boot === undefined || charger.askedAfterBoot === boot) return []
    const hasLimit = row.standing.amperes !== undefined && row.standing.amperes < fullAmperes(facts)
    const isFirst = row.standing_boot === undefined || !hasBootedSince(charger)
    if (!hasLimit || isFirst || row.standing_form === 'none' || hides(charger)) return []
    charger.askedAfterBoot = boot
    return ask(state, charger, false, context)
  })
}

function hides({ row, facts }: ChargerState): boolean {
  return facts.modelId !== undefined && row.hides_as === facts.modelId
}

function ask(state: SiteState, charger: ChargerState, isAfter: boolean, context: Context): readonly Effect[] {
  const { row, report } = charger
  const connectorId = connectorIds(charger).find((id) => holdsStandingOnly(charger, id))
  if (connectorId === undefined) return []
  const commandId = context.newId('call')
  const sent: SentQuestion = {
    type: 'question',
    chargePointId: row.charge_point_id,
    isAfter,
    boot: report.bootedAt ?? '',
    sentAt: context.monotonic(),
  }
  state.sent.set(commandId, sent)
  const message: CallMessage = {
    type: 'call',
    commandId,
    ...heldLimitCall(connectorId, standingForm(charger).unit),
    remainingMs: limits.limitAnswersMs,
    router: siteAddress(context.id),
  }
  return [effect.send(chargePointAddress(row.charge_point_id), message)]
}

/** What a car has of its own would hide whether the standing limit is there. */
function holdsStandingOnly(charger: ChargerState, connectorId: number): boolean {
  if (charger.report.sessions.some((session) => session.connectorId === connectorId)) return false
  const connector = connectorOf(charger, connectorId)
  if (connector === undefined) return true
  const { amperes, sent } = connector.limit
  return keepsLimits(charger) && sent === undefined && amperes !== undefined && amperes <= standingOf(charger)
}

function standingOf({ row }: ChargerState): number {
  return row.standing.amperes ?? Number.POSITIVE_INFINITY
}

export function takeHeld(
  state: SiteState,
  charger: ChargerState,
  { isAfter, boot }: SentQuestion,
  outcome: CallOutcome,
  context: Context,
): readonly Effect[] {
  if (charger.report.bootedAt !== boot || outcome.type !== 'answered') return []
  const isShown = showsLimit(outcome.payload, charger)
  const { modelId } = charger.facts
  if (!isAfter) {
    if (isShown) noteShown(charger, 'keeps_profiles', true)
    else charger.lostAtBoot = boot
    return isShown || hasBootedSince(charger) ? [] : ask(state, charger, true, context)
  }
  if (modelId === undefined) return []
  if (isShown) noteShown(charger, 'keeps_profiles', false)
  charger.row = { ...charger.row, ...(isShown ? { forgets_as: modelId } : { hides_as: modelId }) }
  return []
}

/** The standing limit was set again after a boot. */
export function askAgain(state: SiteState, charger: ChargerState, context: Context): readonly Effect[] {
  return charger.lostAtBoot === charger.report.bootedAt && charger.lostAtBoot !== undefined
    ? ask(state, charger, true, context)
    : []
}

/** Limits have one decimal. */
const rounding = 0.1

/** The answer to GetCompositeSchedule (OCPP 1.6, 5.7): what holds now is no more than the standing limit. */
function showsLimit(payload: unknown, charger: ChargerState): boolean {
  if (answeredStatus(payload)?.toLowerCase() !== 'accepted') return false
  const { chargingSchedule: schedule } = payload as { readonly chargingSchedule?: Partial<Schedule> }
  const [period] = Array.isArray(schedule?.chargingSchedulePeriod) ? schedule.chargingSchedulePeriod : []
  const { limit, numberPhases } = (period ?? {}) as Partial<Period>
  if (typeof limit !== 'number') return false
  const { phases } = charger.facts
  const used = typeof numberPhases === 'number' ? Math.max(1, Math.min(numberPhases, phases)) : phases
  const amperes = schedule?.chargingRateUnit === 'W' ? limit / nominalVolts / used : limit
  return amperes <= standingOf(charger) + rounding
}

interface Period {
  readonly limit: number
  readonly numberPhases: number
}

interface Schedule {
  readonly chargingRateUnit: string
  readonly chargingSchedulePeriod: readonly Period[]
}
