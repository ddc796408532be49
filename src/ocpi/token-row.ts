// A token as a partner sends it (OCPI 2.2.1, 12.3.2), as a row, and back. Pure: what is stored of a PUT, a PATCH and a pulled list is decided here.

import type { OcpiToken, OcpiTokenName, OcpiWhitelist } from '../records/ocpi-token.js'
import { readDateTime } from './date-time.js'
import { idTagOf } from './ids.js'
import type { ReceivedToken, Token } from './schemas/token.js'

export interface TokenOwner {
  readonly partner_id: string
  readonly organization_id: string
}

export type TokenFields = Omit<OcpiToken, 'version'>

/**
 * What is stored of a token that is sent whole: what it does not say, it has not. Undefined where it is older than what is stored, which then
 * stays. `name` is where it belongs.
 */
export function replacedToken(
  { partner_id, organization_id }: TokenOwner,
  name: OcpiTokenName,
  sent: ReceivedToken,
  before: OcpiToken | undefined,
  now: number,
): TokenFields | undefined {
  if (before !== undefined && isOlder(sent.last_updated, before)) return undefined
  const { country_code: _, party_id: __, ...fields } = sent
  return {
    ...fields,
    partner_id,
    organization_id,
    country_code: name.country_code.toUpperCase(),
    party_id: name.party_id.toUpperCase(),
    uid: sent.uid,
    type: name.type,
    whitelist: sent.whitelist as OcpiWhitelist,
    id_tag: idTagOf(sent.uid),
    known_since: before?.known_since ?? now,
    heard_at: now,
  }
}

export function isOlder(lastUpdated: string, before: Pick<OcpiToken, 'last_updated'>): boolean {
  return timeOf(lastUpdated) < timeOf(before.last_updated)
}

/** Whether a list that is pulled tells what is known. */
export function isSameToken(before: OcpiToken, sent: ReceivedToken): boolean {
  if (timeOf(before.last_updated) !== timeOf(sent.last_updated)) return false
  const { country_code: _, party_id: __, ...fields } = sent
  const known = tokenOf(before) as unknown as Record<string, unknown>
  return Object.entries(fields).every(([field, value]) => JSON.stringify(known[field]) === JSON.stringify(value))
}

function timeOf(text: string): number {
  return readDateTime(text) ?? 0
}

/** The token as the partner has sent it. */
export function tokenOf(row: OcpiToken): Token {
  const {
    partner_id: _,
    organization_id: __,
    version: ___,
    id_tag: ____,
    known_since: _____,
    heard_at: ______,
    ...token
  } = row
  return token as Token
}

/** The first field of a sent token that names another one than it should; undefined where there is none. */
export function misnamedField(
  name: OcpiTokenName,
  sent: Partial<Pick<ReceivedToken, 'country_code' | 'party_id' | 'uid' | 'type'>>,
): string | undefined {
  const fields = ['country_code', 'party_id', 'uid', 'type'] as const
  return fields.find((field) => {
    const value = sent[field]
    return value !== undefined && value.toUpperCase() !== name[field].toUpperCase()
  })
}
