// A charge point's password while another one is sent to it: until it has connected with that, those before it stay good, because it may
// not have taken the new one (security whitepaper, A01).

import type { AuthorizationKeyHash } from './authorization-key.js'
import type { ChargePoint } from './charge-point.js'

/** Those that are good while it is not known which one the charge point has. */
export type PushedKeys = {
  readonly [Field in
    | 'authorization_key'
    | 'previous_authorization_key'
    | 'earlier_authorization_keys']: ChargePoint[Field]
}

/** With the key that is about to be sent; undefined where more than `most` would wait to be connected with. */
export function withPushedKey(before: ChargePoint, key: AuthorizationKeyHash, most: number): PushedKeys | undefined {
  const { authorization_key: old, previous_authorization_key: previous, earlier_authorization_keys = [] } = before
  const earlier = previous === undefined ? [] : [previous, ...earlier_authorization_keys]
  if (earlier.length > most) return undefined
  return {
    authorization_key: key,
    previous_authorization_key: old,
    earlier_authorization_keys: earlier.length > 0 ? earlier : undefined,
  }
}

/**
 * The keys that there were before, where the pushed one is still the newest. Where another key has replaced it, that stays, and all before it
 * are good until the charge point has logged in.
 */
export function withKeysOf(
  before: Partial<PushedKeys>,
  now: ChargePoint,
  pushed: AuthorizationKeyHash,
): PushedKeys | undefined {
  if (now.authorization_key?.hex_sha256 !== pushed.hex_sha256) return undefined
  return {
    authorization_key: before.authorization_key,
    previous_authorization_key: before.previous_authorization_key,
    earlier_authorization_keys: before.earlier_authorization_keys,
  }
}
