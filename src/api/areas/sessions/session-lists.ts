// Lists of sessions: what they may be filtered by, and how a page of them is read. They go by the start, or, where it is the time of arrival
// that is asked for, by the arrival.

import { type Static, type TObject, Type } from 'typebox'
import { foldIdTag } from '../../../records/id-tag.js'
import { type Session, sessionStatuses, sessionsTable } from '../../../records/session.js'
import { sessionFlagNames } from '../../../records/session-flags.js'
import type { ListQuery, ReadView } from '../../../runtime/store/store.js'
import type { LongReads } from '../../pipeline/long-reads.js'
import {
  countBetween,
  idsBetween,
  type List,
  type Long,
  type Page,
  type PageQuery,
  pageOf,
  readCombinedPage,
  readFilteredPage,
  readLongPage,
  receivedQuery,
  smallest,
  standsIn,
  timeQuery,
  timesBetween,
  walkList,
  wantedLists,
} from '../../pipeline/paging.js'
import { chargePointId, givenIdTag } from '../../pipeline/schemas.js'

const id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }))

export const sessionPeriod = { ...timeQuery, ...receivedQuery }

export const sessionFilters = {
  charge_point_id: Type.Optional(chargePointId()),
  status: Type.Optional(
    Type.Enum([...sessionStatuses], {
      description:
        'Returns only sessions with this status. `estimated` sessions were closed without a StopTransaction.',
    }),
  ),
  id_tag: Type.Optional(givenIdTag('Returns only sessions that were started with this id tag.')),
  tariff_id: id('The tariff that was assigned at the start.'),
  site_id: id('The site to which the charge point belonged at the start.'),
  flag: Type.Optional(Type.Enum([...sessionFlagNames], { description: 'Only sessions that have this flag.' })),
  ...sessionPeriod,
}

export const sessionListDescription =
  '`from` and `to` bound the start of the session. A charge point that was offline reports sessions late: `received_from` and ' +
  '`received_to` bound the time at which the service received the start. With either of them, the list is in the order of arrival.'

type SessionQuery = Partial<Static<TObject<typeof sessionFilters>>> & PageQuery

const byStart = {
  charge_point_id: 'startsAtChargePoint',
  status: 'startsByStatus',
  id_tag: 'startsByIdTag',
  tariff_id: 'startsByTariff',
  site_id: 'startsBySite',
  flag: 'startsByFlag',
} as const

/** Newest first. */
export function readSessions(
  { view, longReads }: { readonly view: ReadView; readonly longReads: LongReads },
  organizationId: string,
  query: SessionQuery,
): Promise<Page<Session>> {
  const begin = longReads.of(organizationId)
  const wanted = { ...query, id_tag: query.id_tag === undefined ? undefined : foldIdTag(query.id_tag) }
  const lists = wantedLists(organizationId, byStart, wanted)
  const started = timesBetween(query)
  const received = idsBetween('ses', { from: query.received_from, to: query.received_to })
  const options = { view, begin, table: sessionsTable, query, newestFirst: true }
  if (received !== undefined) return readArrivals({ view, begin }, organizationId, query, lists, started, received)
  const all = { index: 'startsInOrganization', group: [organizationId] }
  return readCombinedPage({ ...options, lists, all, between: started })
}

/** In the order of arrival, found by whichever is shorter: what has arrived in that time, or a list of what is wanted. */
async function readArrivals(
  { view, begin }: { readonly view: ReadView } & Long,
  organizationId: string,
  query: PageQuery,
  lists: readonly List[],
  started: ListQuery | undefined,
  received: ListQuery,
): Promise<Page<Session>> {
  const [from = Number.NEGATIVE_INFINITY] = (started?.from ?? []) as readonly number[]
  const [to = Number.POSITIVE_INFINITY] = (started?.to ?? []) as readonly number[]
  const isWanted = (session: Session): boolean => {
    const startedAt = Date.parse(session.started_at)
    return startedAt >= from && startedAt < to && lists.every((list) => standsIn(sessionsTable, list, session))
  }
  const arrivals = { index: 'byOrganization', group: [organizationId] }
  const options = { view, begin, table: sessionsTable, list: arrivals, query, between: received, newestFirst: true }
  const [first, ...others] = lists
  if (first === undefined)
    return started === undefined ? readLongPage(options) : readFilteredPage({ ...options, keep: isWanted })
  const list = smallest(view, sessionsTable, [first, ...others])
  const arrived = await countBetween(options)
  if (arrived <= view.total(sessionsTable, list.index, list.group))
    return readFilteredPage({ ...options, keep: isWanted })
  const [firstId = ''] = (received.from ?? []) as readonly string[]
  const [endId = '~'] = (received.to ?? []) as readonly string[]
  const ids: string[] = []
  for await (const sessions of walkList({ view, begin, table: sessionsTable, list, between: started }))
    for (const session of sessions) {
      const { session_id: id } = session
      if (id >= firstId && id < endId && isWanted(session)) ids.push(id)
    }
  const page = pageOf(ids.sort().reverse(), query)
  return { rows: page.flatMap((id) => view.get(sessionsTable, [id]) ?? []), total: ids.length }
}
