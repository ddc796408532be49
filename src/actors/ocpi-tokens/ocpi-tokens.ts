// Pulls the tokens of a roaming partner (OCPI 2.2.1, 12.2.2): all of them when it has registered and once a day, and every hour what has changed, each
// partner at a minute of its own. A pull that is lost, with its shard or the process, begins again.

import { type OcpiCall, type OcpiOutcome, ocpiCallJob } from '../../ocpi/call.js'
import { callTokenOf } from '../../ocpi/call-token.js'
import { writeDateTime } from '../../ocpi/date-time.js'
import { endedCall } from '../../ocpi/ended-call.js'
import { createExchangeLog, type ExchangeLog } from '../../ocpi/exchange-log.js'
import { ocpiExchangesTable } from '../../records/ocpi-exchange.js'
import { endpointOf, type OcpiPartner, ocpiPartnersTable } from '../../records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../records/ocpi-party.js'
import { ocpiTokensTable } from '../../records/ocpi-token.js'
import { type OcpiTokenPull, ocpiTokenPullsTable } from '../../records/ocpi-token-pull.js'
import type { ActorDefinition, Context, Effect, JobOutcome } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { fnv1a } from '../../runtime/ids.js'
import { parseUrl } from '../../runtime/parse-url.js'
import { limits } from './limits.js'
import { type OcpiTokensMessage, ocpiTokensAddress, ocpiTokensKind, type Pull, pullReason } from './messages.js'
import { isFull, takeTokens } from './page.js'

interface State {
  readonly exchanges: ExchangeLog
  /** The pull that is under way, as far as this state knows, and when it was last heard of, monotonic ms. */
  pulling: { readonly id: string; at: number } | undefined
}

const none: readonly Effect[] = []
const pageTimer = 'page'

export function createOcpiTokensActor(): ActorDefinition<State, OcpiTokensMessage> {
  const exchanges = createExchangeLog()
  return {
    kind: ocpiTokensKind,
    load: () => ({ exchanges, pulling: undefined }),
    idle: ({ pulling }) => pulling === undefined,
    handle(state, message, context) {
      if (message.type !== 'wake-up') return takePage(state, message, context)
      // It comes again while it is stored: what is new is asked for once the pull under way has ended.
      if (isPulling(state, context)) return none
      if (message.reason === pullReason) return begin(state, context, false)
      // For once; the other is put off by the pull itself.
      return [wakeNoMore(ocpiTokensAddress(context.id), message.reason), ...begin(state, context, true)]
    },
  }
}

function partnerOf(context: Context): OcpiPartner | undefined {
  const partner = context.read().get(ocpiPartnersTable, [context.id])
  return partner?.status === 'registered' ? partner : undefined
}

/** One that has not been heard of for long is lost. */
function isPulling({ pulling }: State, context: Context): boolean {
  return pulling !== undefined && context.monotonic() - pulling.at < limits.lostTokenPullMs
}

/** `isNew`: its credentials are. */
function begin(state: State, context: Context, isNew: boolean): readonly Effect[] {
  state.pulling = undefined
  const partner = partnerOf(context)
  if (partner === undefined) return forget(context)
  const address = ocpiTokensAddress(context.id)
  const endpoint = endpointOf(partner, 'tokens', 'SENDER')
  if (endpoint === undefined) return [wakeNoMore(address, pullReason)]
  const row = context.read().get(ocpiTokenPullsTable, [context.id])
  const now = context.now()
  const steady = context.steady()
  const isDue = row === undefined || row.next_at <= steady || (isNew && !wasJustPulled(row, context))
  if (!isDue) return [wakeAfter(address, pullReason, row.next_at - steady, context)]
  const since = wantsAll(partner, row, now) ? undefined : row?.completed_from
  const pull: Pull = {
    id: context.newId('pull'),
    begunAt: now,
    isWhole: since === undefined,
    url: firstPage(endpoint, since),
    pages: 0,
    refused: 0,
  }
  // Where nothing is heard of it, it begins again.
  return [wakeAfter(address, pullReason, limits.lostTokenPullMs, context), ...ask(state, pull, partner, context)]
}

/** One that renews its credentials again and again is not asked as often. */
function wasJustPulled({ completed_from, failures, next_at }: OcpiTokenPull, context: Context): boolean {
  const sinceMs =
    failures === undefined ? context.now() - (completed_from ?? 0) : context.steady() - (next_at - pauseAfter(failures))
  return Math.abs(sinceMs) < limits.tokenPullPauseMs
}

function pauseAfter(failures: number): number {
  return Math.min(limits.tokenPullPauseMs * 2 ** Math.min(failures - 1, 10), limits.tokenPullEveryMs)
}

/** It has registered since, or a day ago; or that was at a time which has not come, by a clock that was set back. */
function wantsAll({ registered_at }: OcpiPartner, row: OcpiTokenPull | undefined, now: number): boolean {
  if (row?.all_from === undefined) return true
  const registeredAt = registered_at === undefined ? 0 : Date.parse(registered_at)
  if (row.all_from > now || (row.completed_from ?? 0) > now) return true
  return registeredAt > row.all_from || now - row.all_from >= limits.wholeTokenPullEveryMs
}

function firstPage(endpoint: string, since: number | undefined): string {
  const query = new URLSearchParams({ offset: '0', limit: String(limits.tokensPerPage) })
  if (since !== undefined) query.set('date_from', writeDateTime(since - limits.tokenPullOverlapMs))
  return `${endpoint}${endpoint.includes('?') ? '&' : '?'}${query}`
}

function ask(state: State, pull: Pull, partner: OcpiPartner, context: Context): readonly Effect[] {
  const { connection, token_encoding, partner_id, organization_id } = partner
  const party = context.read().get(ocpiPartiesTable, [organization_id])
  if (connection === undefined || party === undefined) return fail(state, 'the partner cannot be called', context)
  state.pulling = { id: pull.id, at: context.monotonic() }
  const call: OcpiCall = {
    owner: partner_id,
    method: 'GET',
    url: pull.url,
    token: callTokenOf(connection),
    tokenEncoding: token_encoding,
    routing: { from: { country_code: party.country_code, party_id: party.party_id } },
    wants: 'list',
    timeoutMs: limits.tokenPageTimeoutMs,
  }
  return [effect.job(ocpiCallJob, call, (outcome): OcpiTokensMessage => ({ type: 'page', pull, from: 0, outcome }))]
}

interface Page {
  readonly pull: Pull
  readonly from: number
  readonly outcome: JobOutcome
}

function takePage(state: State, { pull, from, outcome }: Page, context: Context): readonly Effect[] {
  // One that was given up has begun again.
  if (state.pulling !== undefined && state.pulling.id !== pull.id) return none
  state.pulling = { id: pull.id, at: context.monotonic() }
  if (!outcome.ok) return fail(state, outcome.message, context)
  const page = outcome.value as OcpiOutcome
  const partner = partnerOf(context)
  if (partner === undefined) return forget(context)
  const noted = from === 0 ? note(state, pull, page, context) : none
  if (page.type !== 'delivered') return [...noted, ...fail(state, page.message, context)]
  const { list } = page
  if (list === undefined) return [...noted, ...fail(state, 'the partner has answered with no list', context)]
  const view = context.read()
  if (isFull(partner, view)) return [...noted, ...fail(state, 'the partner has too many tokens', context)]
  const objects = JSON.parse(list[from] ?? '[]') as readonly unknown[]
  const { effects, refused, refusal = pull.refusal } = takeTokens(objects, partner, view, context.now())
  const taken: Pull = { ...pull, refused: pull.refused + refused, ...(refusal !== undefined && { refusal }) }
  const done = [...noted, ...effects]
  if (from + 1 < list.length) {
    const rest: OcpiTokensMessage = { type: 'page', pull: taken, from: from + 1, outcome }
    return [...done, effect.schedule(pageTimer, context.monotonic() + 1, rest)]
  }
  if (page.next === undefined) return [...done, ...complete(state, taken, page.totalCount, context)]
  const url = nextPage(pull, page.next)
  if (url === undefined)
    return [...done, ...fail(state, 'the link to the next page is not one of the same server', context)]
  if (pull.pages + 1 >= limits.tokenPages) return [...done, ...fail(state, 'the list has no end', context)]
  return [...done, ...ask(state, { ...taken, url, pages: pull.pages + 1 }, partner, context)]
}

/** The token of the service goes nowhere else. */
function nextPage({ url }: Pull, next: string): string | undefined {
  const [here, there] = [parseUrl(url), parseUrl(next)]
  if (here === undefined || there === undefined || here.origin !== there.origin || there.href === here.href)
    return undefined
  return there.href
}

function complete(
  state: State,
  { begunAt, isWhole, refused, refusal }: Pull,
  total: number | undefined,
  context: Context,
): readonly Effect[] {
  state.pulling = undefined
  const before = context.read().get(ocpiTokenPullsTable, [context.id])
  const all = isWhole ? begunAt : before?.all_from
  return save(
    {
      partner_id: context.id,
      completed_from: begunAt,
      ...(all !== undefined && { all_from: all }),
      ...(isWhole && total !== undefined
        ? { partner_total: total }
        : before?.partner_total !== undefined && { partner_total: before.partner_total }),
      ...(refused > 0 && { refused, error: refusal ?? 'tokens cannot be read' }),
      next_at: nextMinuteOf(context.id, context.steady()),
    },
    context,
  )
}

function fail(state: State, error: string, context: Context): readonly Effect[] {
  state.pulling = undefined
  const before = context.read().get(ocpiTokenPullsTable, [context.id])
  const failures = (before?.failures ?? 0) + 1
  const { refused: _, ...known } = before ?? { partner_id: context.id }
  return save({ ...known, failures, error, next_at: context.steady() + pauseAfter(failures) }, context)
}

function save(row: OcpiTokenPull, context: Context): readonly Effect[] {
  const afterMs = row.next_at - context.steady()
  return [effect.put(ocpiTokenPullsTable, row), wakeAfter(ocpiTokensAddress(context.id), pullReason, afterMs, context)]
}

/** The next time at which it is this partner's turn in the hour. */
export function nextMinuteOf(partnerId: string, now: number): number {
  const hour = Math.floor(now / limits.tokenPullEveryMs) * limits.tokenPullEveryMs
  const begun = hour + (fnv1a(partnerId) % limits.tokenPullEveryMs)
  return begun > now ? begun : begun + limits.tokenPullEveryMs
}

function note(state: State, { url }: Pull, outcome: OcpiOutcome, context: Context): readonly Effect[] {
  const ended = endedCall({ owner: context.id, method: 'GET', url }, 'tokens', outcome, context.now())
  const row = state.exchanges.note(ended, context.read(), context.monotonic())
  return row === undefined ? none : [effect.note(ocpiExchangesTable, row)]
}

/** The tokens of a partner that was deleted go, some at a time; those of one that has ended may be of use to it again. */
function forget(context: Context): readonly Effect[] {
  const address = ocpiTokensAddress(context.id)
  const view = context.read()
  if (view.get(ocpiPartnersTable, [context.id]) !== undefined) return [wakeNoMore(address, pullReason)]
  const rows = view.listBy(ocpiTokensTable, 'byPartner', [context.id], { limit: limits.tokensPerTurn })
  const removed = rows.map((row) => effect.remove(ocpiTokensTable, ocpiTokensTable.key(row)))
  if (rows.length === limits.tokensPerTurn) return [...removed, wakeAfter(address, pullReason, 0, context)]
  return [...removed, effect.remove(ocpiTokenPullsTable, [context.id]), wakeNoMore(address, pullReason)]
}
