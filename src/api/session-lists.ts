// Lists of sessions: what they may be filtered by, and how a page of them is read. They go by the start, or, where it is the time of arrival
// that is asked for, by the arrival.

import { type Static, type TObject, Type } from 'typebox'
import { foldIdTag } from '../actors/records/id-tag.js'
import { type Session, sessionStatuses, sessionsTable } from '../actors/records/session.js'
import type { ReadView } from '../runtime/store.js'
import {
  idsBetween,
  type Page,
  type PageQuery,
  readCombinedPage,
  receivedQuery,
  standsIn,
  timeQuery,
  timesBetween,
  wantedLists,
} from './paging.js'
import { chargePointId, idTagText } from './schemas.js'

const id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }))

export const sessionPeriod = { ...timeQuery, ...receivedQuery }

export const sessionFilters = {
  charge_point_id: Type.Optional(chargePointId()),
  status: Type.Optional(Type.Enum([...sessionStatuses])),
  id_tag: Type.Optional(idTagText()),
  tariff_id: id('The tariff that was assigned at the start.'),
  site_id: id('The site in which the charge point was at the start.'),
  flag: id('Only sessions that have this flag.'),
  ...sessionPeriod,
}

export const sessionListDescription =
  '`from` and `to` bound the start of the session. A charge point that was offline reports sessions late: `received_from` and ' +
  '`received_to` bound the time at which the service received the start, and with one of them the list is in the order of arrival.'

type SessionQuery = Partial<Static<TObject<typeof sessionFilters>>> & PageQuery

const byStart = {
  charge_point_id: 'startsAtChargePoint',
  status: 'startsByStatus',
  id_tag: 'startsByIdTag',
  tariff_id: 'startsByTariff',
  site_id: 'startsBySite',
  flag: 'startsByFlag',
} as const

const byArrival = { charge_point_id: 'byChargePoint', status: 'byStatus' } as const

/** Newest first. */
export function readSessions(view: ReadView, organizationId: string, query: SessionQuery): Promise<Page<Session>> {
  const wanted = { ...query, id_tag: query.id_tag === undefined ? undefined : foldIdTag(query.id_tag) }
  const lists = wantedLists(organizationId, byStart, wanted)
  const started = timesBetween(query)
  const received = idsBetween('ses', { from: query.received_from, to: query.received_to })
  const options = { view, table: sessionsTable, query, newestFirst: true }
  if (received === undefined) {
    const all = { index: 'startsInOrganization', group: [organizationId] }
    return readCombinedPage({ ...options, lists, all, between: started })
  }
  const [from = Number.NEGATIVE_INFINITY] = (started?.from ?? []) as readonly number[]
  const [to = Number.POSITIVE_INFINITY] = (started?.to ?? []) as readonly number[]
  const isWanted = (session: Session): boolean => {
    const startedAt = Date.parse(session.started_at)
    return startedAt >= from && startedAt < to && lists.every((list) => standsIn(sessionsTable, list, session))
  }
  return readCombinedPage({
    ...options,
    lists: wantedLists(organizationId, byArrival, query),
    all: { index: 'byOrganization', group: [organizationId] },
    between: received,
    keep: lists.length > 0 || started !== undefined ? isWanted : undefined,
  })
}
