// What a site's actor holds in memory: the records of the site, and of each charge point what it may draw, what it said last, and how
// its cars have behaved.

import type { BudgetTerms } from '../../power/budget.js'
import { type ChargePoint, chargePointsTable } from '../../records/charge-point.js'
import { chargePointStatesTable } from '../../records/charge-point-state.js'
import { isSameModel } from '../../records/conformance.js'
import { energyAssetsTable } from '../../records/energy-asset.js'
import { traitsAtSitesTable } from '../../records/model-traits.js'
import { type BoundSession, boundOfSession } from '../../records/ocpi-charging-profile.js'
import { defaultTimeZone, organizationsTable } from '../../records/organization.js'
import type { OpenRollUp, PowerBucket, PowerRollUp, PowerSample } from '../../records/power-roll-up.js'
import { isOnline, type LiveNodes } from '../../records/presence.js'
import { sessionsTable } from '../../records/session.js'
import { type Site, sitesTable } from '../../records/site.js'
import { type SiteCharger, type SiteConnector, siteChargersTable } from '../../records/site-charger.js'
import { budgetTerms, type SiteConfiguration, siteConfigurationsTable } from '../../records/site-configuration.js'
import type { ModelTraits } from '../../records/traits.js'
import type { Context } from '../../runtime/actor/actor.js'
import type { ChargerReport } from '../messages/site.js'
import { type Believed, believedOnce, type ChargerFacts, factsOf } from './facts.js'
import { limits } from './limits.js'

/** How the car at a connector has behaved; memory alone has it, and a car is taken to want everything when it is gone. */
export interface Behaviour {
  /** Monotonic ms, since when it draws clearly less than it may. */
  lessSince: number | undefined
  /** What it wants, watts; undefined: all that it can get. */
  demandWatts: number | undefined
  /** When its limit was confirmed last, monotonic ms. */
  confirmedAt: number
  /** Nothing is sent before, monotonic ms. */
  notBefore: number
  /** How often in a row its limit was refused. */
  refusals: number
  /** What it drew, as last metered, watts. */
  drawnWatts: number | undefined
  /** Which reading that was, and when it came, monotonic ms. */
  reading: number | undefined
  readAt: number
  /** Until then its limit may hold where it is not renewed, monotonic ms. */
  leaseEnds: number
  /** When it is renewed, monotonic ms. */
  renewAt: number
}

export interface ChargerState {
  row: SiteCharger
  /** The row as the store has it; undefined where it has none. */
  stored: SiteCharger | undefined
  facts: ChargerFacts
  report: ChargerReport
  readonly behaviours: Map<number, Behaviour>
  /** By session: those that somebody beside the site has bound. */
  readonly bounds: Map<string, BoundSession>
  /** Of the standing limit. */
  standingNotBefore: number
  standingRefusals: number
  /** Whether the standing limit that is counted is in force is not known. */
  isStandingUncertain: boolean
  /** Where what others have set is cleared, and the standing limit was not set again since. */
  readonly clearing: Set<number>
  isClearing: boolean
  clearNotBefore: number
  /** The boot after which it was asked what it holds. */
  askedAfterBoot: string | undefined
  /** When its last restart became known, monotonic ms. */
  bootSeenAt: number
  /** The boot after which it has shown that it holds its limits. */
  heldAtBoot: string | undefined
  /** The question after a boot that has not shown so. */
  lostAtBoot: Pick<SentQuestion, 'boot' | 'connectorId' | 'sessionId'> | undefined
  /** What it has shown of its model. */
  shown: ModelTraits
  shownStored: ModelTraits
}

/** What was sent, by the id of its call. */
export type Sent = SentLimit | SentClear | SentQuestion

/** What others have set is to be cleared; of connector 0, what they have set for all. */
export interface SentClear {
  readonly type: 'clear'
  readonly chargePointId: string
  readonly connectorId: number
  /** Monotonic ms. */
  readonly sentAt: number
}

/** Which limit holds: before the standing limit is set again after a boot, or afterwards. */
export interface SentQuestion {
  readonly type: 'question'
  readonly chargePointId: string
  readonly isAfter: boolean
  readonly connectorId: number
  /** The session at the connector; undefined if it has none. */
  readonly sessionId: string | undefined
  readonly boot: string
  /** Monotonic ms. */
  readonly sentAt: number
}

export interface SentLimit {
  readonly type: 'limit'
  readonly chargePointId: string
  /** 0 for the standing limit. */
  readonly connectorId: number
  readonly sessionId: string
  readonly amperes: number
  /** Monotonic ms. */
  readonly sentAt: number
  /** When it stops to hold where it is not renewed, monotonic ms. */
  readonly leaseEnds: number
  readonly renewAt: number
  readonly boot: string
  /** Of the standing limit: it comes after all that was cleared. */
  readonly isAfterClears: boolean
}

/** Of one site or charge point. */
export interface PowerHistory {
  readonly about: Pick<PowerRollUp, 'organization_id' | 'subject_id' | 'site_id'>
  readonly rows: Map<number, OpenRollUp>
  /** Of a site: its last minutes, by their beginning. */
  readonly lately: Map<number, PowerBucket>
  /** What has held since `at`, wall ms. */
  held: { readonly at: number; readonly sample: PowerSample } | undefined
  writtenAt: number
  /** Monotonic ms, when what was noted last is in the store; undefined while cars charge. */
  forgetAt: number | undefined
}

export interface SiteState {
  site: Site | undefined
  configuration: SiteConfiguration | undefined
  terms: BudgetTerms | undefined
  readonly chargers: Map<string, ChargerState>
  readonly sent: Map<string, Sent>
  /** The ids of open alerts, by kind and subject. */
  readonly alerts: Map<string, string>
  /** By the id of the site, or of a charge point at which a car charges, or has lately. */
  readonly histories: Map<string, PowerHistory>
  /** Since when more is counted than the budget holds, monotonic ms. */
  exceededSince: number | undefined
  /** When it was compared with the store in full, monotonic ms. */
  comparedAt: number
  /** When the next look comes, monotonic ms. */
  looksAt: number | undefined
  /** A wake-up is stored, as far as this state knows. */
  isAwake: boolean
}

export function loadSite(live: LiveNodes, context: Context): SiteState {
  const state: SiteState = {
    site: undefined,
    configuration: undefined,
    terms: undefined,
    chargers: new Map(),
    sent: new Map(),
    alerts: new Map(),
    histories: new Map(),
    exceededSince: undefined,
    comparedAt: context.monotonic(),
    looksAt: undefined,
    isAwake: false,
  }
  readSite(state, live, context)
  return state
}

/** Reads the records again. What is known of charge points that stay is kept. */
export function readSite(state: SiteState, live: LiveNodes, context: Context): void {
  const view = context.read()
  const site = view.get(sitesTable, [context.id])
  const configuration = view.get(siteConfigurationsTable, [context.id])
  state.site = site
  state.configuration = site === undefined ? undefined : configuration
  state.terms = undefined
  if (site === undefined || configuration === undefined) {
    state.chargers.clear()
    state.sent.clear()
    return
  }
  state.terms = termsOf(site, configuration, context)
  const members = view.listBy(chargePointsTable, 'bySite', [site.organization_id, site.site_id], {
    limit: limits.chargersOfSite,
  })
  const ids = new Set(members.map(({ charge_point_id }) => charge_point_id))
  for (const id of state.chargers.keys()) if (!ids.has(id)) state.chargers.delete(id)
  // What was sent to one that has left says nothing once it is back: it was cleared meanwhile.
  for (const [callId, { chargePointId }] of state.sent) if (!ids.has(chargePointId)) state.sent.delete(callId)
  const believed = believedOnce(context)
  for (const member of members) readCharger(state, site, member, live, believed, context)
}

/** What the site may draw by a configuration, its own or another. */
export function termsOf(site: Site, configuration: SiteConfiguration, context: Pick<Context, 'read'>): BudgetTerms {
  const view = context.read()
  const assets = view.listBy(energyAssetsTable, 'bySite', [site.site_id], { limit: limits.assetsOfSite })
  const organization = view.get(organizationsTable, [site.organization_id])
  return budgetTerms(configuration, site, assets, organization?.time_zone ?? defaultTimeZone)
}

/** It has booted, and may be of another model, or another version of it. */
export function readFacts(charger: ChargerState, context: Context): void {
  const member = context.read().get(chargePointsTable, [charger.row.charge_point_id])
  if (member === undefined) return
  charger.facts = factsOf(member, context)
  readShown(charger, context)
}

function readShown(charger: ChargerState, context: Context): void {
  const stored = context.read().get(traitsAtSitesTable, [charger.row.charge_point_id])
  const { model } = charger.facts
  const isOwn =
    stored?.organization_id === charger.row.organization_id && model !== undefined && isSameModel(stored, model)
  charger.shownStored = isOwn ? stored.traits : {}
  charger.shown = charger.shownStored
}

function readCharger(
  state: SiteState,
  site: Site,
  member: ChargePoint,
  live: LiveNodes,
  believed: Believed,
  context: Context,
): void {
  const id = member.charge_point_id
  const facts = factsOf(member, context, believed)
  const known = state.chargers.get(id)
  if (known !== undefined) {
    known.facts = facts
    readBounds(known, context)
    return
  }
  const row = context.read().get(siteChargersTable, [site.site_id, id])
  const loaded = row === undefined ? freshRow(site, id, context) : asUnconfirmed(row)
  const charger = newCharger(loaded, facts, reportFromStore(member, live, context))
  charger.stored = row
  charger.isStandingUncertain = row?.standing.sent !== undefined
  readShown(charger, context)
  readBounds(charger, context)
  state.chargers.set(id, charger)
  // How long their limits hold is not known any more: the longest that can be, and they are renewed at once.
  for (const { connector_id } of charger.row.connectors) {
    const behaviour = behaviourOf(charger, connector_id)
    behaviour.leaseEnds = context.monotonic() + limits.leaseMs + limits.leaseMarginMs
    behaviour.renewAt = context.monotonic()
    behaviour.confirmedAt = context.monotonic()
  }
}

function readBounds(charger: ChargerState, context: Context): void {
  for (const { sessionId } of charger.report.sessions) readBound(charger, sessionId, context)
}

/** As it is stored: none where its session is over. */
export function readBound({ bounds }: ChargerState, sessionId: string, context: Context): void {
  const bound = boundOfSession(context.read(), sessionId)
  if (bound === undefined) bounds.delete(sessionId)
  else bounds.set(sessionId, bound)
}

export function newCharger(row: SiteCharger, facts: ChargerFacts, report: ChargerReport): ChargerState {
  return {
    row,
    stored: undefined,
    facts,
    report,
    behaviours: new Map(),
    bounds: new Map(),
    standingNotBefore: Number.NEGATIVE_INFINITY,
    standingRefusals: 0,
    isStandingUncertain: false,
    clearing: new Set(),
    isClearing: false,
    clearNotBefore: Number.NEGATIVE_INFINITY,
    askedAfterBoot: undefined,
    bootSeenAt: Number.NEGATIVE_INFINITY,
    heldAtBoot: undefined,
    lostAtBoot: undefined,
    shown: {},
    shownStored: {},
  }
}

function freshRow({ site_id, organization_id }: Site, chargePointId: string, context: Context): SiteCharger {
  return {
    site_id,
    charge_point_id: chargePointId,
    organization_id,
    standing: {},
    connectors: [],
    updated_at: new Date(context.now()).toISOString(),
  }
}

/** Whose answers were awaited by a life of the actor that is over: what was sent may be in force. */
function asUnconfirmed(row: SiteCharger): SiteCharger {
  const standing = settled(row.standing)
  const present = row.standing_form === 'none' ? {} : standing
  return {
    ...row,
    standing,
    connectors: row.connectors.map((connector) => ({ ...connector, limit: settledOfCar(connector.limit, present) })),
  }
}

/** The same of a car: where none of its own was confirmed, the standing limit holds. */
function settledOfCar(limit: SiteCharger['standing'], standing: SiteCharger['standing']): SiteCharger['standing'] {
  return limit.sent === undefined ? limit : settled({ ...standing, ...limit })
}

/** One limit that is at least as high as both that may be in force. Where none was confirmed, none is. */
export function settled({ amperes, sent }: SiteCharger['standing']): SiteCharger['standing'] {
  if (amperes === undefined) return {}
  return { amperes: Math.max(amperes, sent ?? 0) }
}

/** As far as the store knows; the charge point's actor says more when it has something to say. */
export function reportFromStore(member: ChargePoint, live: LiveNodes, context: Context): ChargerReport {
  const view = context.read()
  const told = view.get(chargePointStatesTable, [member.charge_point_id])
  const isOwn = told?.organization_id === member.organization_id
  const open = view.listBy(sessionsTable, 'activeAtChargePoint', [member.organization_id, member.charge_point_id], {
    limit: limits.openSessionsOfCharger,
  })
  const power = isOwn ? (told.power_by_connector ?? {}) : {}
  return {
    type: 'charger-report',
    chargePointId: member.charge_point_id,
    isReady: isOwn && isOnline(told, live) && told.registration === 'Accepted',
    epoch: isOwn ? (told.connection_epoch ?? 0) : 0,
    ...(isOwn && told.boot !== undefined && { bootedAt: told.boot.booted_at }),
    sessions: open.map(({ session_id, transaction_id, connector_id }) => ({
      sessionId: session_id,
      transactionId: transaction_id,
      connectorId: connector_id,
    })),
    draws: Object.entries(power).map(([connector, watts]) => ({ connectorId: Number(connector), watts })),
  }
}

export function connectorOf({ connectors }: SiteCharger, connectorId: number): SiteConnector | undefined {
  return connectors.find(({ connector_id }) => connector_id === connectorId)
}

export function connectorIds({ facts, row, report }: ChargerState): readonly number[] {
  const ids = Array.from({ length: facts.connectors }, (_, index) => index + 1)
  const named = [
    ...row.connectors.map(({ connector_id }) => connector_id),
    ...report.sessions.map(({ connectorId }) => connectorId),
  ]
  return [...new Set([...ids, ...named])]
}

/** What others have set there may hold instead of what the site has. */
export function holdsOthers({ row }: ChargerState, connectorId: number): boolean {
  return row.standing_form !== 'none' && row.cleared?.includes(connectorId) !== true
}

export function behaviourOf(charger: ChargerState, connectorId: number): Behaviour {
  const known = charger.behaviours.get(connectorId)
  if (known !== undefined) return known
  const fresh: Behaviour = {
    lessSince: undefined,
    demandWatts: undefined,
    confirmedAt: Number.NEGATIVE_INFINITY,
    notBefore: Number.NEGATIVE_INFINITY,
    refusals: 0,
    drawnWatts: undefined,
    reading: undefined,
    readAt: Number.NEGATIVE_INFINITY,
    leaseEnds: Number.POSITIVE_INFINITY,
    renewAt: Number.POSITIVE_INFINITY,
  }
  charger.behaviours.set(connectorId, fresh)
  return fresh
}
