// The password that an upgrade gives the charge point. Its hash is on disk with the step that sends it; from then on it is good, and so is
// whatever the charge point has connected with before, until it has come with the password.

import { hashAuthorizationKey } from '../../records/authorization-key.js'
import { type ChargePoint, chargePointsTable } from '../../records/charge-point.js'
import { withKeysOf, withPushedKey } from '../../records/pushed-key.js'
import type { SecurityUpgrade } from '../../records/security-upgrade.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import type { State } from './state.js'

const none: readonly Effect[] = []
const keyBytes = 20

type Change = { readonly [Field in keyof ChargePoint]?: ChargePoint[Field] | undefined }

/** The registration is the API's: it is changed as it is stored now, or the message is handled again. */
export function changedRegistration(state: State, change: Change, context: Context): readonly Effect[] {
  const before = context.read().get(chargePointsTable, [context.id])
  if (before === undefined) return none
  const { version } = before
  const fields = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined)
  const changed = {
    ...(Object.fromEntries(fields) as unknown as ChargePoint),
    version: version + 1,
    updated_at: new Date(context.now()).toISOString(),
  }
  state.registration = changed
  const unchanged = { table: chargePointsTable.name, key: [context.id], is: 'version' as const, version }
  return [effect.require(unchanged), effect.put(chargePointsTable, changed)]
}

interface Pushed {
  /** As the charge point is sent it. */
  readonly key: string
  readonly pushed: NonNullable<SecurityUpgrade['pushed']>
  readonly effects: readonly Effect[]
}

/** Undefined where too many wait. */
export function pushKey(state: State, { from }: SecurityUpgrade, context: Context): Pushed | undefined {
  const before = context.read().get(chargePointsTable, [context.id])
  if (before === undefined) return undefined
  const key = state.settings.randomBytes(keyBytes)
  const hash = hashAuthorizationKey(key)
  const keys = withPushedKey(before, hash, limits.earlierAuthorizationKeys)
  if (keys === undefined) return undefined
  const { authorization_key, previous_authorization_key, earlier_authorization_keys, without_password } = before
  const isOpen = from === 0 || without_password === true
  return {
    key: key.toString('hex'),
    pushed: {
      key: hash,
      before: Object.fromEntries(
        Object.entries({
          authorization_key,
          previous_authorization_key,
          earlier_authorization_keys,
          without_password,
        }).filter(([, value]) => value !== undefined),
      ),
    },
    effects: changedRegistration(state, { ...keys, ...(isOpen && { without_password: true }) }, context),
  }
}

/** It surely goes on with what it had. */
export function takeKeyBack(state: State, { pushed }: SecurityUpgrade, context: Context): readonly Effect[] {
  const now = context.read().get(chargePointsTable, [context.id])
  const keys = pushed && now && withKeysOf(pushed.before, now, pushed.key)
  if (keys === undefined || pushed === undefined) return none
  return changedRegistration(state, { ...keys, without_password: pushed.before.without_password }, context)
}
