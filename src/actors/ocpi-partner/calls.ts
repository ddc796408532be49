// Which call tells a partner of an object (OCPI 2.2.1, push): made of what is stored at this moment.

import type { OcpiCall } from '../../ocpi/call.js'
import { callTokenOf } from '../../ocpi/call-token.js'
import type { Cdr } from '../../ocpi/schemas/cdr.js'
import { endpointOf, type OcpiPartner } from '../../records/ocpi-partner.js'
import type { OcpiPartyId } from '../../records/ocpi-party.js'
import type { Context } from '../../runtime/actor/actor.js'
import { type Held, heldFor } from './held.js'
import type { DueCdr, OwedResult, Pending, ProfileOfSession, PushObject, Told } from './item.js'
import { limits } from './limits.js'
import { nextPart } from './location-parts.js'
import { type OcpiPartnerState, remember } from './state.js'
import { cdrsMade, profileMarkOf, tariffMarkOf } from './turn-writes.js'

export interface Call {
  readonly call: OcpiCall
  readonly told: Told
}

/** known: the partner knows it as it is, or need not. later: it has no place for it now. Held: its party cannot be reached. */
export type NoCall = 'known' | 'later' | Held

export interface Caller {
  readonly partner: OcpiPartner
  readonly party: OcpiPartyId
}

/** The module in which objects of a kind are. */
export function moduleOf({ kind }: Exclude<PushObject, ProfileOfSession>): 'locations' | 'sessions' | 'tariffs' {
  if (kind === 'session') return 'sessions'
  return kind === 'tariff' ? 'tariffs' : 'locations'
}

export function callForObject(state: OcpiPartnerState, item: Pending, caller: Caller, context: Context): Call | NoCall {
  const { object } = item
  if (object.kind === 'profile') return callForProfile(state, object.sessionId, caller, context)
  const endpoint = endpointOf(caller.partner, moduleOf(object), 'RECEIVER')
  if (endpoint === undefined) return 'known'
  const base = joined(endpoint, caller.party.country_code, caller.party.party_id)
  if (object.kind === 'location') return callForLocation(state, item, object.locationId, base, caller, context)
  if (object.kind === 'session') return callForSession(state, item, object.sessionId, base, caller, context)
  return callForTariff(state, object.tariffId, base, caller, context)
}

function callForLocation(
  state: OcpiPartnerState,
  { whole }: Pending,
  locationId: string,
  base: string,
  caller: Caller,
  context: Context,
): Call | NoCall {
  const { partner } = caller
  const location = state.source.location(context.read(), partner, locationId)
  if (location === undefined) return 'known'
  const part = nextPart(location, whole ? undefined : state.locations.get(locationId))
  if (part === undefined) return 'known'
  const url = joined(base, location.id)
  const to = broadcastTo(partner)
  if (part.type === 'whole')
    return callOf(caller, to, { module: 'locations', method: 'PUT', url, body: location, location: part.told })
  return callOf(caller, to, {
    module: 'locations',
    method: 'PATCH',
    url: joined(url, part.uid),
    body: part.patch,
    location: part.told,
    goesOn: !part.isLast,
  })
}

/** Its beginning and its end are sent whole, so that a partner has all of it whatever it has missed; what is between, in parts. */
function callForSession(
  state: OcpiPartnerState,
  { whole }: Pending,
  sessionId: string,
  base: string,
  caller: Caller,
  context: Context,
): Call | NoCall {
  const session = state.source.session(context.read(), sessionId, context.now())
  if (session === undefined) return 'known'
  const { id, body, patch, mark, isRunning, to } = session
  const told = state.running.get(sessionId)
  if (told?.mark === mark) return 'known'
  const held = heldFor(caller.partner, to, context)
  if (held !== undefined) return held
  const isPart = told?.mark !== undefined && isRunning && !whole
  return callOf(caller, to, {
    module: 'sessions',
    method: isPart ? 'PATCH' : 'PUT',
    url: joined(base, id),
    body: isPart ? patch : body,
    mark,
    goesOn: isRunning,
  })
}

function callForTariff(
  state: OcpiPartnerState,
  tariffId: string,
  base: string,
  caller: Caller,
  context: Context,
): Call | NoCall {
  const { partner } = caller
  const view = context.read()
  const url = joined(base, tariffId)
  const mark = state.source.tariffMark(view, partner, tariffId, context.now())
  const tariff = mark === undefined ? undefined : state.source.tariff(view, partner, tariffId, context.now())
  if (tariff !== undefined && mark !== undefined)
    return callOf(caller, broadcastTo(partner), { module: 'tariffs', method: 'PUT', url, body: tariff, mark })
  if (tariffMarkOf(state, tariffId, context) === undefined) {
    // OCPI cannot say it: it is looked at again when it has changed.
    if (mark !== undefined) remember(state.refusedTariffs, tariffId, mark)
    return 'known'
  }
  return callOf(caller, broadcastTo(partner), { module: 'tariffs', method: 'DELETE', url })
}

/** The partner has set a profile, and what is in force is another one than it was told (14.3.2). */
function callForProfile(state: OcpiPartnerState, sessionId: string, caller: Caller, context: Context): Call | NoCall {
  const { partner } = caller
  const endpoint = endpointOf(partner, 'chargingprofiles', 'SENDER')
  if (endpoint === undefined) return 'known'
  const told = profileMarkOf(state, sessionId, context)
  const active = state.source.activeProfile(context.read(), partner, sessionId, told, context.now())
  if (active === undefined || active.mark === told) return 'known'
  const { body, mark, to } = active
  const held = heldFor(partner, to, context)
  if (held !== undefined) return held
  return callOf(caller, to, { module: 'chargingprofiles', method: 'PUT', url: joined(endpoint, sessionId), body, mark })
}

/** The next of a session that the partner has not taken. */
export function callForCdr(state: OcpiPartnerState, { row }: DueCdr, caller: Caller, context: Context): Call | NoCall {
  const { partner } = caller
  const url = endpointOf(partner, 'cdrs', 'RECEIVER')
  if (url === undefined) return 'later'
  const sent = new Set(row.sent.map(({ cdr_id }) => cdr_id))
  const next = cdrsMade(state, row.session_id, context).find(({ cdr_id }) => !sent.has(cdr_id))
  if (next === undefined) return 'known'
  const { cdr_token: to } = next.cdr as Cdr
  const held = heldFor(partner, to, context)
  if (held !== undefined) return held
  return callOf(caller, to, { module: 'cdrs', method: 'POST', url, body: next.cdr, cdrId: next.cdr_id })
}

export function callForResult(
  { row: { url, result, module = 'commands', for_party: party, correlation_id: correlationId } }: OwedResult,
  caller: Caller,
): Call {
  const to = party ?? broadcastTo(caller.partner)
  const asked = callOf(caller, to, { module, method: 'POST', url, body: result })
  const timeoutMs = limits.ocpiResultTimeoutMs
  return { ...asked, call: { ...asked.call, timeoutMs, ...(correlationId !== undefined && { correlationId }) } }
}

function callOf(
  { partner, party }: Caller,
  to: OcpiPartyId | undefined,
  { body, ...told }: Told & { readonly body?: unknown },
): Call {
  const call: OcpiCall = {
    owner: partner.partner_id,
    method: told.method,
    url: told.url,
    ...(body !== undefined && { body }),
    token: partner.connection === undefined ? { plain: '' } : callTokenOf(partner.connection),
    tokenEncoding: partner.token_encoding,
    routing: { from: partyOf(party), ...(to !== undefined && { to: partyOf(to) }) },
    timeoutMs: limits.ocpiPushTimeoutMs,
  }
  return { call, told }
}

/** The row of a party, and a token, say more than who it is. */
function partyOf({ country_code, party_id }: OcpiPartyId): OcpiPartyId {
  return { country_code, party_id }
}

/** Whom what concerns all is sent to: a hub sends it on (4.3.2). */
function broadcastTo({ roles }: OcpiPartner): OcpiPartyId | undefined {
  const role = roles.find(({ role }) => role === 'HUB') ?? roles.find(({ role }) => role === 'EMSP') ?? roles[0]
  return role === undefined ? undefined : { country_code: role.country_code, party_id: role.party_id }
}

function joined(url: string, ...parts: readonly string[]): string {
  return [url.replace(/\/+$/, ''), ...parts.map(encodeURIComponent)].join('/')
}
