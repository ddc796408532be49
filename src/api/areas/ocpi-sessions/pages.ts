// Pages of the sessions of a partner's drivers. All of them stand in the order in which they began; those of a period in that of their last change,
// behind which those stand that run. A link to the next page says how far this one came in both, so that a session that ends meanwhile is passed over
// by no page: it stands among those that have changed since.

import { keyOfParty } from '../../../records/ocpi-party.js'
import { behindAllOthers, changedAt, type Session, sessionsTable } from '../../../records/session.js'
import type { ListQuery, ReadView } from '../../../runtime/store/store.js'
import { after, type Key } from '../../../runtime/store/table.js'
import type { BeginRead } from '../../pipeline/long-reads.js'
import { countBetween, type Page, type PageQuery, readLongPage } from '../../pipeline/paging.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'

const table = sessionsTable

/** Where the sessions of a caller stand: all of a partner's, or those of one party of it. */
interface Lists {
  readonly whole: string
  readonly byChange: string
  readonly group: Key
}

function listsOf({ partner: { partner_id }, sender }: SessionPageOptions['caller']): Lists {
  return sender === undefined
    ? { whole: 'ofPartner', byChange: 'ofPartnerByChange', group: [partner_id] }
    : { whole: 'ofParty', byChange: 'ofPartyByChange', group: [partner_id, keyOfParty(sender)] }
}

/** How far a page came. */
export interface SessionPlace {
  /** The last that has ended. */
  readonly ended?: readonly [changedAt: number, sessionId: string]
  /** The last that runs; of all sessions, the last. */
  readonly last?: string
}

export const placePattern = '^([0-9]{1,16}\\.[A-Za-z0-9_-]{1,64})?(~[A-Za-z0-9_-]{1,64})?$'

function textOf({ ended, last }: SessionPlace): string {
  return `${ended === undefined ? '' : ended.join('.')}${last === undefined ? '' : `~${last}`}`
}

/** Of a text that `placePattern` matches. */
export function readPlace(text: string): SessionPlace {
  const [before = '', last] = text.split('~')
  const [changedAt = '', sessionId] = before.split('.')
  return {
    ...(sessionId !== undefined && { ended: [Number(changedAt), sessionId] }),
    ...(last !== undefined && { last }),
  }
}

export interface SessionPageOptions {
  readonly view: ReadView
  readonly begin: BeginRead
  readonly caller: Pick<OcpiPrincipal, 'partner' | 'sender'>
  /** Wall ms: the first inclusive, the second exclusive. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly query: PageQuery
  readonly place: SessionPlace | undefined
}

/** A page, and where the next one begins: undefined behind the last. */
export interface SessionPage extends Page<Session> {
  readonly after: string | undefined
}

export async function readSessionPage(options: SessionPageOptions): Promise<SessionPage> {
  const { view, begin, caller, from, to, query, place } = options
  const lists = listsOf(caller)
  const { group } = lists
  const isWhole = from === undefined && to === undefined
  const list = { index: isWhole ? lists.whole : lists.byChange, group }
  const between = isWhole ? undefined : periodOf(options)
  const { limit } = query
  // One row more is read, which says whether there is a next page.
  const most = limit + 1
  const base = { view, begin, table, list, between }
  const { rows, total } =
    place === undefined
      ? await readLongPage({ ...base, query: { ...query, limit: most } })
      : {
          rows: isWhole ? allBehind(options, lists, most) : changedBehind(options, lists, most),
          total: between === undefined ? view.total(table, list.index, group) : await countBetween(base),
        }
  const page = rows.slice(0, limit)
  if (rows.length <= limit) return { rows: page, total, after: undefined }
  const reached = isWhole ? { last: page.at(-1)?.session_id } : reachedBy(page, options, lists)
  return { rows: page, total, after: textOf(reached as SessionPlace) }
}

function periodOf({ from, to }: Pick<SessionPageOptions, 'from' | 'to'>): ListQuery {
  return { ...(from !== undefined && { from: [from] }), ...(to !== undefined && { to: [to] }) }
}

function allBehind({ view, place }: SessionPageOptions, { whole, group }: Lists, limit: number): Session[] {
  return view.listBy(table, whole, group, { from: after([place?.last ?? '']), limit })
}

function changedBehind(options: SessionPageOptions, { byChange, group }: Lists, limit: number): Session[] {
  const { view, from, to, place } = options
  const begun = place?.ended === undefined ? periodOf({ from, to: undefined }) : { from: after(place.ended) }
  const ended = view.listBy(table, byChange, group, { ...begun, to: [to ?? behindAllOthers], limit })
  const rest = limit - ended.length
  if (rest === 0 || to !== undefined) return ended
  const running = place?.last === undefined ? [behindAllOthers] : after([behindAllOthers, place.last])
  return [...ended, ...view.listBy(table, byChange, group, { from: running, limit: rest })]
}

function reachedBy(
  page: readonly Session[],
  { view, place }: SessionPageOptions,
  { byChange, group }: Lists,
): SessionPlace {
  const isEnded = ({ status }: Session): boolean => status !== 'active'
  // A page of running sessions alone has passed over all that had ended by then.
  const [newest] = view.listBy(table, byChange, group, { to: [behindAllOthers], reverse: true, limit: 1 })
  const ended = page.findLast(isEnded) ?? (place === undefined ? newest : undefined)
  const last = page.findLast((session) => !isEnded(session))?.session_id ?? place?.last
  const reached = ended === undefined ? place?.ended : ([changedAt(ended), ended.session_id] as const)
  return { ...(reached !== undefined && { ended: reached }), ...(last !== undefined && { last }) }
}
