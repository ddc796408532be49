// What of a page of a partner's tokens is stored (OCPI 2.2.1, 12.2.2): what is new or newer, of the partner's own parties. What cannot be read, or is
// another party's, is left out and said.

import { type ReceivedToken, receivedTokenSchema } from '../../ocpi/schemas/token.js'
import { isSameToken, replacedToken } from '../../ocpi/token-row.js'
import { readObject } from '../../ocpi/validators.js'
import { type OcpiPartner, speaksFor } from '../../records/ocpi-partner.js'
import { type OcpiToken, type OcpiTokenName, ocpiTokenKey, ocpiTokensTable } from '../../records/ocpi-token.js'
import type { Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { Condition, ReadView } from '../../runtime/store/store.js'
import { limits } from './limits.js'

export interface TakenTokens {
  readonly effects: readonly Effect[]
  readonly refused: number
  readonly refusal?: string
}

export function takeTokens(
  objects: readonly unknown[],
  partner: OcpiPartner,
  view: ReadView,
  now: number,
): TakenTokens {
  const rows = new Map<string, { readonly before: OcpiToken | undefined; readonly row: OcpiToken }>()
  const refusals: string[] = []
  for (const object of objects) {
    const sent = readToken(object, partner)
    if (typeof sent === 'string') {
      refusals.push(sent)
      continue
    }
    const name = nameOf(sent, partner)
    const key = ocpiTokenKey(name)
    const before = view.get(ocpiTokensTable, key)
    const known = rows.get(JSON.stringify(key))?.row ?? before
    if (known !== undefined && isSameToken(known, sent)) continue
    const fields = replacedToken(partner, name, sent, known, now)
    if (fields === undefined) continue
    const version = before === undefined ? now : before.version + 1
    rows.set(JSON.stringify(key), { before, row: { ...fields, version } })
  }
  const [refusal] = refusals
  const effects = [...rows.values()].flatMap(({ before, row }) => [
    effect.require(unchanged(row, before)),
    effect.put(ocpiTokensTable, row),
  ])
  const added = [...rows.values()].filter(({ before }) => before === undefined).length
  return {
    effects: added === 0 ? effects : [effect.require(hasRoom(partner, added)), ...effects],
    refused: refusals.length,
    ...(refusal !== undefined && { refusal }),
  }
}

/** The token, or why it is not taken. */
function readToken(object: unknown, partner: OcpiPartner): ReceivedToken | string {
  const read = readObject(receivedTokenSchema, object)
  if (!read.ok) {
    const [fault] = read.faults
    return fault === undefined ? 'a token cannot be read' : `a token cannot be read: ${fault.path} ${fault.message}`
  }
  const { country_code, party_id } = read.value
  if (country_code === undefined || party_id === undefined)
    return partiesOf(partner).length === 1 ? read.value : 'a token does not say whose it is'
  if (!speaksFor(partner, { country_code, party_id }, 'EMSP'))
    return `a token is of ${country_code}*${party_id}, which is not an EMSP of the partner`
  return read.value
}

function partiesOf({ roles }: OcpiPartner) {
  return roles.filter(({ role }) => role === 'EMSP')
}

function nameOf(sent: ReceivedToken, partner: OcpiPartner): OcpiTokenName {
  const [only] = partiesOf(partner)
  return {
    partner_id: partner.partner_id,
    country_code: sent.country_code ?? only?.country_code ?? '',
    party_id: sent.party_id ?? only?.party_id ?? '',
    uid: sent.uid,
    type: sent.type as OcpiTokenName['type'],
  }
}

function unchanged(row: OcpiToken, before: OcpiToken | undefined): Condition {
  const { name: table, key: keyOf } = ocpiTokensTable
  const key = keyOf(row)
  return before === undefined ? { table, key, is: 'absent' } : { table, key, is: 'version', version: before.version }
}

function hasRoom({ partner_id }: OcpiPartner, added: number): Condition {
  const { name: table } = ocpiTokensTable
  return { table, index: 'byPartner', group: [partner_id], is: 'below', total: limits.tokensOfPartner - added + 1 }
}

export function isFull({ partner_id }: OcpiPartner, view: ReadView): boolean {
  return view.total(ocpiTokensTable, 'byPartner', [partner_id]) > limits.tokensOfPartner - limits.tokensPerTurn
}
