// Whether a charge point still holds its limits after a restart, as it has to (OCPP 1.6, errata 3.37). It is asked with GetCompositeSchedule before
// its limits are set again, and counts with all that it can draw until it has shown them or has confirmed its standing limit. If it has
// not shown them, the same question follows once the standing limit is set: a different answer then means that it had lost them.

import { nominalVolts } from '../../power/electricity.js'
import { heldLimitCall } from '../../power/limit-profiles.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { type CallMessage, chargePointAddress } from '../charge-point/messages.js'
import { answeredStatus } from '../command-router/outcome.js'
import type { CallOutcome } from '../messages/command.js'
import { siteAddress } from '../messages/site.js'
import { connectorOf, hasBootedSince, isUnverified, limitBound, standingBound } from './counted.js'
import { fullAmperes } from './facts.js'
import { limits } from './limits.js'
import { standingForm } from './sending.js'
import { noteShown } from './shown.js'
import { type ChargerState, connectorIds, type SentQuestion, type SiteState } from './state.js'

/** To be sent before the standing limit is. */
export function askAfterBoots(state: SiteState, context: Context): readonly Effect[] {
  return [...state.chargers.values()].flatMap((charger) => {
    const { row, report } = charger
    const boot = report.bootedAt
    if (!report.isReady || boot === undefined || charger.askedAfterBoot === boot) return []
    // A standing limit of all that a connector gives is the same as none.
    const isLimited = standingBound(charger, true) < fullAmperes(charger.facts)
    if (row.standing_boot === undefined || !isUnverified(charger) || !isLimited) return []
    charger.askedAfterBoot = boot
    const connectorId = askedConnector(charger)
    return connectorId === undefined ? [] : ask(state, charger, connectorId, false, context)
  })
}

/** The connector whose limit says most: one that holds the standing limit alone, or else the one with the lowest limit. */
function askedConnector(charger: ChargerState): number | undefined {
  const asked = connectorIds(charger).flatMap((connectorId) => {
    const session = sessionAt(charger, connectorId)
    return session === undefined && hides(charger) ? [] : [{ connectorId, bound: heldBound(charger, connectorId) }]
  })
  return asked.sort((one, other) => one.bound - other.bound)[0]?.connectorId
}

function sessionAt({ report }: ChargerState, connectorId: number): string | undefined {
  return report.sessions.find((session) => session.connectorId === connectorId)?.sessionId
}

function hides({ row, facts }: ChargerState): boolean {
  return facts.modelId !== undefined && row.hides_as === facts.modelId
}

function ask(
  state: SiteState,
  charger: ChargerState,
  connectorId: number,
  isAfter: boolean,
  context: Context,
): readonly Effect[] {
  const { row, report } = charger
  const commandId = context.newId('call')
  const sent: SentQuestion = {
    type: 'question',
    chargePointId: row.charge_point_id,
    isAfter,
    connectorId,
    sessionId: sessionAt(charger, connectorId),
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

/** The highest limit that the connector may hold where nothing was lost, amperes: with a car, that of its transaction, too. */
function heldBound(charger: ChargerState, connectorId: number): number {
  const standing = standingBound(charger, true)
  const connector = connectorOf(charger, connectorId)
  return connector === undefined ? standing : Math.max(standing, limitBound(charger, connector, true))
}

export function takeHeld(
  state: SiteState,
  charger: ChargerState,
  question: SentQuestion,
  outcome: CallOutcome,
  context: Context,
): readonly Effect[] {
  const { isAfter, boot, connectorId, sessionId } = question
  if (charger.report.bootedAt !== boot || outcome.type !== 'answered') return []
  const shown = shownLimit(outcome.payload, charger)
  const isShown = shown !== undefined && shown <= heldBound(charger, connectorId) + rounding
  const { modelId } = charger.facts
  if (!isAfter) {
    if (!isShown) charger.lostAtBoot = { boot, connectorId, sessionId }
    // All that the connector gives may be the limit of the car, or none.
    else if (shown < fullAmperes(charger.facts)) {
      charger.heldAtBoot = boot
      noteShown(charger, 'keeps_profiles', true)
    }
    return isShown || hasBootedSince(charger) ? [] : askAgain(state, charger, context)
  }
  // Some charge points show limits only while a car is there: one that has come since explains a different answer as well.
  if (modelId === undefined || (sessionId !== undefined && sessionId !== charger.lostAtBoot?.sessionId)) return []
  if (isShown) {
    noteShown(charger, 'keeps_profiles', false)
    charger.row = { ...charger.row, forgets_as: modelId }
  } else if (sessionId === undefined) charger.row = { ...charger.row, hides_as: modelId }
  return []
}

/** The standing limit was set again after a boot. */
export function askAgain(state: SiteState, charger: ChargerState, context: Context): readonly Effect[] {
  const { lostAtBoot, report } = charger
  if (lostAtBoot === undefined || lostAtBoot.boot !== report.bootedAt) return []
  return ask(state, charger, lostAtBoot.connectorId, true, context)
}

/** Limits have one decimal. */
const rounding = 0.1

/** The limit of now in the answer to GetCompositeSchedule (OCPP 1.6, 5.7), amperes; undefined if it shows none. */
function shownLimit(payload: unknown, { facts: { phases } }: ChargerState): number | undefined {
  if (answeredStatus(payload)?.toLowerCase() !== 'accepted') return undefined
  const { chargingSchedule: schedule } = payload as { readonly chargingSchedule?: Partial<Schedule> }
  const [period] = Array.isArray(schedule?.chargingSchedulePeriod) ? schedule.chargingSchedulePeriod : []
  const { limit, numberPhases } = (period ?? {}) as Partial<Period>
  if (typeof limit !== 'number') return undefined
  const used = typeof numberPhases === 'number' ? Math.max(1, Math.min(numberPhases, phases)) : phases
  return schedule?.chargingRateUnit === 'W' ? limit / nominalVolts / used : limit
}

interface Period {
  readonly limit: number
  readonly numberPhases: number
}

interface Schedule {
  readonly chargingRateUnit: string
  readonly chargingSchedulePeriod: readonly Period[]
}
