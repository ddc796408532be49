// What an organization has that is named by a text: by its id, the beginning of it, or a name that identifies it. Each kind of thing is one or a few short reads of
// a list that is in the order of ids, so that a search costs what it finds. Whoever may not read a kind of thing finds none of it.

import { Type } from 'typebox'
import { alertsTable } from '../../../records/alert.js'
import type { Scope } from '../../../records/api-key.js'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { commandsTable } from '../../../records/command.js'
import { foldIdTag, idTagsTable } from '../../../records/id-tag.js'
import { type Session, sessionsTable } from '../../../records/session.js'
import type { ListQuery, ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { grants } from '../../surfaces/principal.js'
import { area } from './area.js'
import { limits } from './limits.js'

const hitTypes = ['charge_point', 'session', 'id_tag', 'command', 'alert'] as const

const hitSchema = named('SearchHit', {
  type: Type.Enum([...hitTypes]),
  id: Type.String({ description: 'The id of the thing; of an id tag, the tag itself.' }),
  name: nullable(Type.String({ description: 'The name, the message or the command, where it has one.' })),
  status: nullable(Type.String({ description: 'The status of a session, id tag, command or alert.' })),
  charge_point_id: nullable(Type.String({ description: 'The charge point that it is, or is about.' })),
  transaction_id: nullable(Type.Integer({ description: 'The transaction of a session.' })),
  at: nullable(timestamp('When it began or happened.')),
})

interface Hit {
  readonly type: (typeof hitTypes)[number]
  readonly id: string
  readonly name: string | null
  readonly status: string | null
  readonly charge_point_id: string | null
  readonly transaction_id: number | null
  readonly at: string | null
}

interface Question {
  readonly view: ReadView
  readonly organizationId: string
  readonly text: string
}

/** How a kind of thing is found, and who may read it. */
interface Kind {
  readonly scope: Scope
  find(question: Question): readonly Hit[]
}

const nothing = { name: null, status: null, charge_point_id: null, transaction_id: null, at: null } as const

/** Bounds of the ids that begin with the text: none has a character above the last one of all. */
function beginningWith(text: string): ListQuery {
  return { from: [text], to: [`${text}\u{10ffff}`], limit: limits.hitsOfKind }
}

/** As it was typed, and in the case in which most write ids. */
function spellingsOf(text: string): readonly string[] {
  return [...new Set([text, text.toUpperCase(), text.toLowerCase()])]
}

function chargePoints({ view, organizationId, text }: Question): readonly Hit[] {
  const some = { limit: limits.spellings }
  const rows: readonly ChargePoint[] = [
    ...spellingsOf(text).flatMap((spelling) =>
      view.listBy(chargePointsTable, 'byOrganization', [organizationId], beginningWith(spelling)),
    ),
    ...view.listBy(chargePointsTable, 'byFoldedId', [text.toLowerCase()], some),
    ...view.listBy(chargePointsTable, 'byName', [text.toLowerCase()], some),
  ]
  const own = new Map(
    rows.filter((row) => row.organization_id === organizationId).map((row) => [row.charge_point_id, row] as const),
  )
  return [...own.values()].slice(0, limits.hitsOfKind).map(({ charge_point_id, name }) => ({
    ...nothing,
    type: 'charge_point',
    id: charge_point_id,
    name,
    charge_point_id,
  }))
}

function sessionHit({ session_id, status, charge_point_id, transaction_id, started_at }: Session): Hit {
  return { ...nothing, type: 'session', id: session_id, status, charge_point_id, transaction_id, at: started_at }
}

function sessions({ view, organizationId, text }: Question): readonly Hit[] {
  const found = text.startsWith('ses_')
    ? view.listBy(sessionsTable, 'byOrganization', [organizationId], beginningWith(text))
    : []
  const numbered = /^[1-9]\d{0,9}$/.test(text)
    ? view.listBy(sessionsTable, 'byTransaction', [Number(text)], { limit: limits.hitsOfKind })
    : []
  return [...found, ...numbered.filter((row) => row.organization_id === organizationId)].map(sessionHit)
}

function idTags({ view, organizationId, text }: Question): readonly Hit[] {
  const tag = foldIdTag(text)
  return view.list(idTagsTable, [organizationId], beginningWith(tag)).map(({ id_tag, status, label }) => ({
    ...nothing,
    type: 'id_tag',
    id: id_tag,
    name: label ?? null,
    status,
  }))
}

/** A tag that nobody has registered is known by its sessions alone: the newest of them stand for it. */
function sessionsOfTag({ view, organizationId, text }: Question): readonly Hit[] {
  const group = [organizationId, foldIdTag(text)]
  return view.listBy(sessionsTable, 'startsByIdTag', group, { reverse: true, limit: 3 }).map(sessionHit)
}

function commands({ view, organizationId, text }: Question): readonly Hit[] {
  if (!text.startsWith('cmd_')) return []
  const rows = view.listBy(commandsTable, 'byOrganization', [organizationId], beginningWith(text))
  return rows.map(({ command_id, command, status, charge_point_id, executed_at }) => ({
    ...nothing,
    type: 'command',
    id: command_id,
    name: command,
    status,
    charge_point_id,
    at: executed_at,
  }))
}

function alerts({ view, organizationId, text }: Question): readonly Hit[] {
  if (!text.startsWith('alr_')) return []
  const rows = view.listBy(alertsTable, 'byOrganization', [organizationId], beginningWith(text))
  return rows.map(({ alert_id, message, status, charge_point_id, triggered_at }) => ({
    ...nothing,
    type: 'alert',
    id: alert_id,
    name: message,
    status,
    charge_point_id: charge_point_id ?? null,
    at: triggered_at,
  }))
}

const kinds: readonly Kind[] = [
  { scope: 'read:charge_points', find: chargePoints },
  { scope: 'read:sessions', find: sessions },
  { scope: 'read:charge_points', find: idTags },
  { scope: 'read:sessions', find: sessionsOfTag },
  { scope: 'read:charge_points', find: commands },
  { scope: 'read:charge_points', find: alerts },
]

export const search = area.get('', {
  operationId: 'search',
  summary: 'Search',
  description:
    'Finds charge points, sessions, id tags, commands and alerts by their ids, or by the beginnings of them; charge points also by their serial numbers, and sessions by their transaction ids and id tags. Each kind of thing needs the scope that reading it needs.',
  scopes: ['read:charge_points', 'read:sessions'],
  query: Type.Object({
    q: Type.String({ minLength: 1, maxLength: limits.textCharacters, description: 'An id, or how it begins.' }),
  }),
  answer: Type.Object({
    data: Type.Array(hitSchema, { description: `At most ${limits.hits}.` }),
  }),
  sheddable: 'list',
  read({ query, principal }, services) {
    const text = query.q.trim()
    const { organization_id: organizationId } = principal.organization
    const question = { view: services.view(), organizationId, text }
    const hits = kinds
      .filter(({ scope }) => text !== '' && grants(principal.scopes, scope))
      .flatMap(({ find }) => find(question))
    const once = new Map(hits.map((hit) => [`${hit.type} ${hit.id}`, hit]))
    return { data: [...once.values()].slice(0, limits.hits) }
  },
})
