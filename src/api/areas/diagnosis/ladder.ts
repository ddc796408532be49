// What a charge point passes on its way online, check by check in the order of the door (door.ts), and where it is stopped. Pure.

import {
  type Check,
  checks,
  isRefusalReason,
  type RefusalReason,
  refusalReasons,
} from '../../../edge/refusal-reasons.js'

export const outcomes = ['passed', 'failed', 'not_asked', 'not_reached'] as const
export type Outcome = (typeof outcomes)[number]

export interface Stage {
  readonly stage: Check
  readonly outcome: Outcome
  /** ISO 8601; null where nothing has come that far. */
  readonly at: string | null
  readonly detail: string
}

export interface Seen {
  readonly chargePointId: string
  readonly hasPassword: boolean
  /** The profile of its connection, or of the last one. */
  readonly securityProfile?: number
  /** In that connection. */
  readonly offersSubprotocol?: boolean
}

/** What is known of its last attempt. */
export type Arrival =
  | { readonly type: 'online'; readonly at: string; readonly address: string }
  | {
      readonly type: 'refused'
      readonly at: string
      readonly address: string | null
      readonly reason: string
      readonly cause: string
      readonly status: number
    }
  /** It was let in, and its connection has ended. */
  | { readonly type: 'left'; readonly at: string; readonly address: string; readonly cause: string }
  | { readonly type: 'nothing'; readonly detail: string }

/** Of what cannot be seen: a handshake that fails names no charge point. */
export const unseenHandshakes =
  'A TLS handshake that fails cannot be seen here, because nothing in it says which charge point it is.'

const notReached = 'It has not come that far.'

export function ladderOf(seen: Seen, arrival: Arrival): readonly Stage[] {
  if (arrival.type === 'nothing')
    return checks.map((stage) =>
      stage === 'reaches'
        ? { stage, outcome: 'failed', at: null, detail: arrival.detail }
        : { stage, outcome: 'not_reached', at: null, detail: notReached },
    )
  const { at } = arrival
  const failed = arrival.type === 'refused' ? checkOf(arrival.reason) : undefined
  return checks.map((stage): Stage => {
    if (arrival.type === 'left' && stage === 'online') return { stage, outcome: 'failed', at, detail: arrival.cause }
    if (failed === undefined) return { stage, at, ...passing(stage, seen, arrival) }
    if (stage === failed && arrival.type === 'refused')
      return { stage, outcome: 'failed', at, detail: `${arrival.cause} (${arrival.reason}, HTTP ${arrival.status})` }
    if (checks.indexOf(stage) > checks.indexOf(failed))
      return { stage, outcome: 'not_reached', at: null, detail: notReached }
    if (arrival.type === 'refused' && isSkipped(stage, arrival.reason))
      return { stage, outcome: 'not_asked', at, detail: 'It was not looked at in this attempt.' }
    return { stage, at, ...passing(stage, seen, arrival) }
  })
}

function checkOf(reason: string): Check {
  return isRefusalReason(reason) ? refusalReasons[reason].check : 'admitted'
}

/** Two passwords at once are refused before anything else is looked at. */
function isSkipped(stage: Check, reason: string): boolean {
  return (
    reason === ('two_authorizations' satisfies RefusalReason) && (stage === 'subprotocol' || stage === 'certificate')
  )
}

function passing(
  stage: Check,
  seen: Seen,
  arrival: Exclude<Arrival, { type: 'nothing' }>,
): Pick<Stage, 'outcome' | 'detail'> {
  const passed = (detail: string) => ({ outcome: 'passed', detail }) as const
  const notAsked = (detail: string) => ({ outcome: 'not_asked', detail }) as const
  const hasCertificate =
    seen.securityProfile === 3 && (arrival.type !== 'refused' || checkOf(arrival.reason) === 'flapping')
  switch (stage) {
    case 'reaches':
      return passed(arrival.address === null ? 'Its attempts arrive.' : `It comes from ${arrival.address}.`)
    case 'admitted':
      return passed('The service takes connections.')
    case 'path':
      return passed(`/ocpp16/${seen.chargePointId}`)
    case 'registered':
      return passed('The id is registered.')
    case 'subprotocol':
      if (arrival.type === 'refused' || seen.offersSubprotocol === undefined)
        return passed('It offers ocpp1.6, or nothing, which is taken as that.')
      return passed(
        seen.offersSubprotocol ? 'It offers ocpp1.6.' : 'It offers no subprotocol, which is taken as OCPP 1.6.',
      )
    case 'certificate':
      return hasCertificate
        ? passed('It has come with its client certificate.')
        : notAsked('It is not asked for a client certificate.')
    case 'password':
      if (hasCertificate) return notAsked('Its client certificate takes the place of a password.')
      return seen.hasPassword ? passed('It knows its password.') : notAsked('No password is set for it.')
    case 'flapping':
      return passed('It does not come too often, and does not send too much.')
    case 'online':
      return passed('It is connected.')
    default:
      return stage satisfies never
  }
}
