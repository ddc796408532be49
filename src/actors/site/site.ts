// A site's actor: it shares the power of the site among the cars that charge there. It is a loop over what is known: whatever it hears
// changes what is known, a plan follows from that, and from the plan what may be sent now. What a charge point may come to draw by what
// is sent is on disk before it is sent.

import { nextFall } from '../../power/budget.js'
import type { LiveNodes } from '../../records/presence.js'
import { siteChargersTable } from '../../records/site-charger.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { chargePointAddress } from '../charge-point/messages.js'
import { type ChargerReport, sessionOfProfile } from '../messages/site.js'
import { endAlerts, endAllAlerts, followAlerts, readAlerts } from './alerts.js'
import { endLeases, followDraws, forgetEnded, forgetHeld, takeReport, withConnector } from './behaviours.js'
import { boundChargers, profileChanged, takeProfile, tellOfReleased, untilBoundChanges } from './bounds.js'
import { compareReports, isComparisonDue } from './comparison.js'
import { connectorOf } from './counted.js'
import { followPower } from './history.js'
import { limits } from './limits.js'
import { askAfterBoots } from './memory.js'
import {
  type DescribeMessage,
  type RebalanceMessage,
  type SimulateMessage,
  type SiteMessage,
  type SiteReply,
  siteAddress,
  siteKind,
} from './messages.js'
import { clearOthers } from './others.js'
import { giveUpUnanswered, takeOutcome } from './outcomes.js'
import type { Instant } from './place.js'
import { makePlan, type Plan } from './plan.js'
import { sendLimit } from './sending.js'
import { storeShown } from './shown.js'
import { loadSite, readSite, type SiteState, termsOf } from './state.js'
import { nextSteps } from './steps.js'
import { viewOf } from './view.js'

export interface SiteSettings {
  readonly live: LiveNodes
}

const none: readonly Effect[] = []
const lookReason = 'site'
const timerKey = 'look'

export function createSiteActor({ live }: SiteSettings): ActorDefinition<SiteState, SiteMessage> {
  return {
    kind: siteKind,
    // Each of its charge points has something to say at the same time.
    mailboxMessages: 8 * limits.chargersOfSite,
    load(context) {
      const state = loadSite(live, context)
      readAlerts(state, context)
      return state
    },
    activated: (state, context) => [...forgetOthers(state, context), ...goOn(state, context)],
    idle: (state) => state.sent.size === 0 && !hasSessions(state) && state.histories.size === 0,
    handle(state, message, context) {
      switch (message.type) {
        case 'site-changed':
          return [...readAgain(state, live, context), ...goOn(state, context)]
        case 'charger-report':
          return report(state, message, context)
        case 'call-ended': {
          const asked = takeOutcome(state, message, context)
          return asked === undefined ? none : [...asked, ...goOn(state, context)]
        }
        case 'late-answer':
          return none
        case 'look':
          state.looksAt = undefined
          return [...compare(state, live, context), ...goOn(state, context)]
        case 'profile-changed':
          return [...profileChanged(state, message, context), ...goOn(state, context)]
        case 'wake-up': {
          const sessionId = sessionOfProfile(message.reason)
          if (sessionId !== undefined) {
            takeProfile(state, sessionId, context)
            return [wakeNoMore(siteAddress(context.id), message.reason), ...goOn(state, context)]
          }
          state.isAwake = false
          return hasSessions(state) ? goOn(state, context) : [wakeNoMore(siteAddress(context.id), lookReason)]
        }
        case 'describe':
        case 'rebalance':
          return answer(state, message, context)
        case 'simulate':
          return simulate(state, message, context)
        default:
          message satisfies never
          return none
      }
    },
  }
}

function readAgain(state: SiteState, live: LiveNodes, context: Context): readonly Effect[] {
  const bound = boundChargers(state)
  readSite(state, live, context)
  return [...forgetOthers(state, context), ...tellOfReleased(bound, state)]
}

function compare(state: SiteState, live: LiveNodes, context: Context): readonly Effect[] {
  if (!isComparisonDue(state, context)) return none
  return [...readAgain(state, live, context), ...compareReports(state, live, context)]
}

function hasSessions({ chargers }: SiteState): boolean {
  for (const { report } of chargers.values()) if (report.sessions.length > 0) return true
  return false
}

/** Charge points that are in the site no more, or in one that is managed no more, clear their limits themselves; what is noted of them goes. */
function forgetOthers(state: SiteState, context: Context): readonly Effect[] {
  const rows = context.read().list(siteChargersTable, [context.id], { limit: 2 * limits.chargersOfSite })
  const gone = rows.filter(({ charge_point_id }) => !state.chargers.has(charge_point_id))
  return gone.flatMap((row) => [
    effect.remove(siteChargersTable, siteChargersTable.key(row)),
    ...endAlerts(state, row, context),
    effect.send(chargePointAddress(row.charge_point_id), { type: 'limits-released' }),
  ])
}

function report(state: SiteState, message: ChargerReport, context: Context): readonly Effect[] {
  const charger = state.chargers.get(message.chargePointId)
  if (charger === undefined) return none
  // It was taken out of the site and back while this actor could not hear it.
  if (message.cleared !== undefined && message.cleared !== charger.report.cleared) forgetHeld(state, charger)
  takeReport(charger, message, context)
  return goOn(state, context)
}

function instantOf(context: Context): Instant {
  return { now: context.now(), monotonic: context.monotonic() }
}

/** Follows what is known with what may be sent, and stores what may be in force by it. */
function goOn(state: SiteState, context: Context, force = false): readonly Effect[] {
  const instant = instantOf(context)
  giveUpUnanswered(state, context)
  for (const charger of state.chargers.values()) {
    forgetEnded(charger, context)
    endLeases(charger, instant)
  }
  followDraws(state, instant)
  const plan = makePlan(state, instant)
  const history = followPower(state, plan, context)
  if (plan === undefined || state.terms === undefined)
    return [...history, ...endAllAlerts(state, context), ...lookAgain(state, context)]
  noteTurns(plan, instant)
  const fall = nextFall(state.terms, instant.now, limits.leaseMs)
  const asked = askAfterBoots(state, context)
  const sent = nextSteps(plan, instant, force).map((step) => sendLimit(state, step, fall, context))
  const cleared = clearOthers(state, context)
  const alerts = followAlerts(state, plan, instant, context)
  return [...puts(state, context), ...asked, ...sent, ...cleared, ...alerts, ...history, ...lookAgain(state, context)]
}

/** Since when each car has power, or waits for it. */
function noteTurns({ places, limits: given }: Plan, { now }: Instant): void {
  for (const { id, charger, connectorId, isSharer } of places) {
    const connector = connectorOf(charger, connectorId)
    if (!isSharer || connector === undefined) continue
    const { paused_since, served_since, ...others } = connector
    const isPaused = given.get(id)?.watts === 0
    if ((isPaused ? paused_since : served_since) !== undefined) continue
    charger.row = withConnector(charger.row, {
      ...others,
      ...(isPaused ? { paused_since: now } : { served_since: now }),
    })
  }
}

function puts(state: SiteState, context: Context): readonly Effect[] {
  const effects: Effect[] = []
  for (const charger of state.chargers.values()) {
    effects.push(...storeShown(charger, context))
    if (isSame(charger.stored, charger.row)) {
      charger.stored = charger.row
      continue
    }
    charger.row = { ...charger.row, updated_at: new Date(context.now()).toISOString() }
    charger.stored = charger.row
    effects.push(effect.put(siteChargersTable, charger.row))
  }
  return effects
}

function isSame(stored: object | undefined, row: object): boolean {
  return stored === row || JSON.stringify(stored) === JSON.stringify(row)
}

/** While cars charge, or something is on its way to a charge point or to the disk, time alone changes what is to be done. */
function lookAgain(state: SiteState, context: Context): readonly Effect[] {
  const isCharging = hasSessions(state)
  const isAwaiting = state.sent.size > 0 || isSentAgainSoon(state, context.monotonic())
  if (!(isCharging || isAwaiting || state.histories.size > 0)) return none
  const usual = isAwaiting ? limits.limitAgainMs : limits.lookMs
  const at = context.monotonic() + Math.min(usual, untilBoundChanges(state, context.now()))
  if ((state.looksAt ?? Number.POSITIVE_INFINITY) <= at) return none
  state.looksAt = at
  const look: SiteMessage = { type: 'look' }
  const next = effect.schedule(timerKey, at, look)
  if (state.isAwake || !isCharging) return [next]
  state.isAwake = true
  return [next, wakeAfter(siteAddress(context.id), lookReason, limits.wakeMs, context)]
}

/** Something was refused, or not answered, and is sent again before the next look that is usual. */
function isSentAgainSoon({ chargers }: SiteState, monotonic: number): boolean {
  const isSoon = (at: number): boolean => at > monotonic && at <= monotonic + limits.limitAgainMs
  for (const { standingNotBefore, clearNotBefore, behaviours } of chargers.values()) {
    if (isSoon(standingNotBefore) || isSoon(clearNotBefore)) return true
    for (const { notBefore } of behaviours.values()) if (isSoon(notBefore)) return true
  }
  return false
}

function answer(state: SiteState, message: DescribeMessage | RebalanceMessage, context: Context): readonly Effect[] {
  const { replyTo } = context
  if (replyTo === undefined) return none
  const reply = (body: SiteReply): Effect => effect.reply(replyTo, body)
  if (state.site?.organization_id !== message.organizationId) return [reply({ type: 'unknown' })]
  const effects = message.type === 'rebalance' ? goOn(state, context, true) : none
  const plan = makePlan(state, instantOf(context))
  if (plan === undefined) return [reply({ type: 'unmanaged' })]
  return [...effects, reply({ type: 'allocation', allocation: viewOf(state, plan, instantOf(context)) })]
}

/** The cars and the charge points are as they are now; nothing is changed. */
function simulate(
  state: SiteState,
  { organizationId, configuration = state.configuration, at }: SimulateMessage,
  context: Context,
): readonly Effect[] {
  const { replyTo } = context
  const { site } = state
  if (replyTo === undefined) return none
  const reply = (body: SiteReply): readonly Effect[] => [effect.reply(replyTo, body)]
  if (site?.organization_id !== organizationId) return reply({ type: 'unknown' })
  if (configuration === undefined) return reply({ type: 'unmanaged' })
  const supposed = { ...state, configuration, terms: termsOf(site, configuration, context) }
  const instant = { ...instantOf(context), now: at ?? context.now() }
  const plan = makePlan(supposed, instant)
  if (plan === undefined) return reply({ type: 'unmanaged' })
  return reply({ type: 'allocation', allocation: viewOf(supposed, plan, instant) })
}
