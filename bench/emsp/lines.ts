// What the sandbox partner prints: a plain line for each thing that it has seen. Pure.

import type { Cdr } from '../../src/ocpi/schemas/cdr.js'
import type { Price } from '../../src/ocpi/schemas/common.js'
import type { Location } from '../../src/ocpi/schemas/location.js'
import type { Session } from '../../src/ocpi/schemas/session.js'
import type { Tariff } from '../../src/ocpi/schemas/tariff.js'
import { oneLine } from '../../src/runtime/one-line.js'
import type { Kind } from './check-object.js'
import type { AnySeenObject, Seen } from './journal.js'
import { evseOf } from './rules.js'

const names: Readonly<Record<Kind, readonly [string, string]>> = {
  locations: ['location', 'locations'],
  tariffs: ['tariff', 'tariffs'],
  sessions: ['session', 'sessions'],
  cdrs: ['CDR', 'CDRs'],
}

export const counted = (count: number, [one, many]: readonly [string, string]): string =>
  `${count} ${count === 1 ? one : many}`

export const countOf = (kind: Kind, count: number): string => counted(count, names[kind])

function priceWords(price: Price | undefined, currency: string): string {
  if (price === undefined) return 'no price'
  const { excl_vat, incl_vat } = price
  return `${excl_vat} ${currency}${incl_vat === undefined ? '' : ` (${incl_vat} with VAT)`}`
}

function locationWords({ id, address, city, evses = [], publish }: Location): string {
  const statuses = new Map<string, number>()
  for (const { status } of evses) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const all = [...statuses].map(([status, count]) => `${count} ${status}`).join(', ')
  return `${id}, ${address}, ${city}: ${counted(evses.length, ['EVSE', 'EVSEs'])}${all && ` (${all})`}${publish ? '' : ', not published'}`
}

function tariffWords({ id, currency, elements, min_price, max_price }: Tariff): string {
  const prices = elements.flatMap(({ price_components, restrictions }) =>
    price_components.map(({ type, price, vat }) => {
      const tax = vat === undefined ? '' : ` and ${vat} % VAT`
      return `${type} ${price} ${currency}${tax}${restrictions === undefined ? '' : ' at times'}`
    }),
  )
  const bounds = [
    ...(min_price === undefined ? [] : [`at least ${priceWords(min_price, currency)}`]),
    ...(max_price === undefined ? [] : [`at most ${priceWords(max_price, currency)}`]),
  ]
  return `${id}: ${[...prices, ...bounds].join('; ')}`
}

function sessionWords({ id, cdr_token, evse_uid, status, kwh, total_cost, currency }: Session): string {
  return `${id} of ${cdr_token.uid} at ${evse_uid}: ${status}, ${kwh} kWh, ${priceWords(total_cost, currency)}`
}

function cdrWords({
  id,
  cdr_token,
  cdr_location,
  total_energy,
  total_time,
  total_cost,
  currency,
  ...cdr
}: Cdr): string {
  const credited = cdr.credit === true ? `, takes back ${cdr.credit_reference_id}` : ''
  return `${id} of ${cdr_token.uid} at ${cdr_location.evse_uid}: ${total_energy} kWh in ${total_time} h, ${priceWords(total_cost, currency)}${credited}`
}

function objectWords(seen: AnySeenObject): string {
  const repeated = seen.isRepeated && seen.by !== 'GET' ? ' (again)' : ''
  switch (seen.kind) {
    case 'locations': {
      const evse = seen.evseUid === undefined ? undefined : evseOf(seen.object, seen.evseUid)
      if (evse !== undefined) return `location ${seen.id}, EVSE ${evse.uid}: ${evse.status}${repeated}`
      return `location ${locationWords(seen.object)}${repeated}`
    }
    case 'tariffs':
      return `tariff ${tariffWords(seen.object)}${repeated}`
    case 'sessions':
      return `session ${sessionWords(seen.object)}${repeated}`
    case 'cdrs':
      return `CDR ${cdrWords(seen.object)}${repeated}`
  }
}

const authorizedWords = (allowed: string): string =>
  allowed === 'unknown' ? 'answered that it is not known' : `answered ${allowed}`

/** What it is, in a word, and what there is to say; undefined for what others say better. */
function wordsOf(seen: Seen): readonly [string, string] | undefined {
  switch (seen.type) {
    case 'request':
      return undefined
    case 'object':
      return [seen.by === 'GET' ? 'read' : seen.by, objectWords(seen)]
    case 'registered':
      return ['joined', `registered with ${seen.operator}${seen.by === 'operator' ? ', which has asked for it' : ''}`]
    case 'renewed':
      return [
        'joined',
        `new tokens for both sides, as ${seen.by === 'operator' ? seen.operator : 'the partner'} has asked`,
      ]
    case 'ended':
      return ['left', `${seen.by === 'operator' ? 'the operator' : 'the partner'} has ended the connection`]
    case 'list':
      return ['list', `${countOf(seen.kind, seen.count)} on ${counted(seen.pages, ['page', 'pages'])}`]
    case 'tokens-read':
      return ['tokens', `the operator has read ${counted(seen.count, ['token', 'tokens'])}`]
    case 'token-sent':
      return ['tokens', `${seen.uid} was sent to the operator`]
    case 'authorized':
      return [
        'ask',
        `may ${seen.uid} charge${seen.locationId === undefined ? '' : ` at ${seen.locationId}`}? ${authorizedWords(seen.allowed)}`,
      ]
    case 'response':
      return ['command', `${seen.command}: ${seen.result}${seen.words && `, "${seen.words}"`}`]
    case 'result':
      return ['result', `${seen.command}: ${seen.result}${seen.words && `, "${seen.words}"`}`]
    case 'priced':
      return ['price', pricedWords(seen)]
    case 'fault':
      return ['FAULT', `${seen.about}: ${seen.message}`]
  }
}

function pricedWords({ id, charged, computed }: Extract<Seen, { type: 'priced' }>): string {
  if (computed === undefined)
    return `CDR ${id} cannot be recomputed: it does not say by which tariff, or its location is not known`
  const isSame =
    computed.excl_vat === charged.excl_vat && (charged.incl_vat === undefined || computed.incl_vat === charged.incl_vat)
  return `CDR ${id} recomputed: ${computed.excl_vat} (${computed.incl_vat} with VAT), ${isSame ? 'as charged' : 'which is not what is charged'}`
}

const widest = 'command'.length

/** Without the time. */
export function lineOf(seen: Seen): string | undefined {
  const words = wordsOf(seen)
  return words && oneLine(`${words[0].padEnd(widest)}  ${words[1]}`)
}
