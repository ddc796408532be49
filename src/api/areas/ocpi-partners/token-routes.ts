// The tokens of a partner's drivers, as the partner has sent them, for whoever wants to know why a driver may not charge.

import { Type } from 'typebox'
import { idTagOf } from '../../../ocpi/ids.js'
import { foldIdTag } from '../../../records/id-tag.js'
import type { OcpiPartner } from '../../../records/ocpi-partner.js'
import { type OcpiToken, ocpiTokensTable, ocpiTokenTypes, ocpiWhitelists } from '../../../records/ocpi-token.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { pageOf, readLongPage } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area, partners } from './area.js'
import { limits } from './limits.js'

const tokenSchema = named('RoamingToken', {
  uid: Type.String(),
  type: Type.Enum([...ocpiTokenTypes]),
  country_code: Type.String({ description: 'Of the party whose driver it is.' }),
  party_id: Type.String(),
  contract_id: Type.String(),
  issuer: Type.String(),
  visual_number: nullable(Type.String({ description: 'What is printed on the card.' })),
  group_id: nullable(Type.String()),
  valid: Type.Boolean(),
  whitelist: Type.Enum([...ocpiWhitelists], {
    description: 'When the partner is asked before its driver may charge (OCPI 2.2.1, 12.4.5).',
  }),
  language: nullable(Type.String()),
  id_tag: Type.String({ description: 'The id tag by which charge points know it.' }),
  last_updated: Type.String({ description: 'In the words of the partner.' }),
  received_at: timestamp('When the partner last sent it, or a change of it.'),
})

function tokenView(row: OcpiToken) {
  return {
    uid: row.uid,
    type: row.type,
    country_code: row.country_code,
    party_id: row.party_id,
    contract_id: row.contract_id,
    issuer: row.issuer,
    visual_number: row.visual_number ?? null,
    group_id: row.group_id ?? null,
    valid: row.valid,
    whitelist: row.whitelist,
    language: row.language ?? null,
    id_tag: row.id_tag,
    last_updated: row.last_updated,
    received_at: formatTimestamp(row.heard_at),
  }
}

/** Of one uid there are as many as parties and types have it. */
function tokensWithUid(view: ReadView, { organization_id, partner_id }: OcpiPartner, uid: string): OcpiToken[] {
  const group = [organization_id, foldIdTag(idTagOf(uid))]
  return view
    .listBy(ocpiTokensTable, 'byIdTag', group, { limit: limits.ocpiTokensOfUid })
    .filter((one) => one.partner_id === partner_id && one.uid.toUpperCase() === uid.toUpperCase())
}

const listTokens = area.list('/partners/{partner_id}/tokens', {
  operationId: 'listRoamingTokens',
  summary: 'List the tokens that a roaming partner has sent',
  description:
    'They are in the order of their parties and uids. `uid` selects those of one uid, whose case does not matter.',
  of: partners,
  filters: {
    uid: Type.Optional(Type.String({ minLength: 1, maxLength: 36, description: 'Returns only tokens with this uid.' })),
  },
  row: tokenSchema,
  perPage: 50,
  maximum: 200,
  async read({ row, query, principal }, services) {
    const view = services.view()
    if (query.uid !== undefined) {
      const found = tokensWithUid(view, row, query.uid)
      return { rows: pageOf(found, query).map(tokenView), total: found.length }
    }
    const { rows, total } = await readLongPage({
      view,
      begin: services.longReads.of(principal.organization.organization_id),
      table: ocpiTokensTable,
      list: { index: 'byPartner', group: [row.partner_id] },
      query,
    })
    return { rows: rows.map(tokenView), total }
  },
})

export const partnerTokenRoutes = [listTokens]
