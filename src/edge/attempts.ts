// Keeps every refused attempt to connect, so that an installer can see why; bounded, so that an attack cannot fill the disk.

import type { ConnectionAttempt } from '../records/connection-attempt.js'
import { connectionAttemptsTable } from '../records/connection-attempt.js'
import { installationTable } from '../records/organization.js'
import type { Clock } from '../runtime/clock.js'
import { encodeRow } from '../runtime/codec.js'
import { makeId } from '../runtime/ids.js'
import type { StoreClient } from '../runtime/link/store-client.js'
import { unowned } from '../runtime/store/store.js'
import { createTokenBuckets, fullBucket, type Rate, takeTokens } from '../runtime/token-bucket.js'
import { networksOf } from './address-network.js'
import { limits } from './limits.js'
import { type RefusalReason, refusalReasons } from './refusal-reasons.js'

export interface Refusal {
  readonly chargePointId: string
  /** The owner of the charge point; absent for an unknown id. */
  readonly organizationId?: string
  readonly remoteAddress: string
  readonly reason: RefusalReason
  readonly advice: string
  readonly status: number
  /** It is stored, however much else was. */
  readonly rare?: true
}

export interface AttemptLog {
  record(refusal: Refusal): void
  /** Of a refusal that is not stored. */
  count(reason: RefusalReason): void
  /** Refusals by reason since the start, those not written included, with zeros of those that have not occurred. */
  readonly counts: ReadonlyMap<RefusalReason, number>
}

export function createAttemptLog(store: StoreClient, clock: Clock, random: () => number): AttemptLog {
  const counts = new Map(Object.keys(refusalReasons).map((reason) => [reason as RefusalReason, 0]))
  const rate: Rate = { perSecond: limits.refusedAttemptsPerSecond, burst: limits.refusedAttemptsPerSecond }
  const ownRate: Rate = {
    perSecond: limits.refusedAttemptsPerOrganizationSecond,
    burst: limits.refusedAttemptsPerOrganization,
  }
  const bucket = fullBucket(rate, clock.monotonic())
  const ownBuckets = createTokenBuckets(ownRate, clock, limits.organizationsWithAttempts)
  const addressRate: Rate = {
    perSecond: limits.unknownAttemptsPerAddressSecond,
    burst: limits.unknownAttemptsPerAddress,
  }
  const addressBuckets = createTokenBuckets(addressRate, clock, limits.refusedAddresses)

  /** `network`: from where, for an id that nobody has registered. All such ids share the room of one organization, which one address must not fill. */
  function mayWrite(organizationId: string, network: string | undefined): boolean {
    // Of all or of none: nobody pays for what is not written.
    if (ownBuckets.secondsUntil(organizationId) > 0) return false
    if (network !== undefined && addressBuckets.secondsUntil(network) > 0) return false
    if (!takeTokens(bucket, rate, clock.monotonic())) return false
    ownBuckets.take(organizationId)
    if (network !== undefined) addressBuckets.take(network)
    return true
  }

  function count(reason: RefusalReason): void {
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }

  return {
    counts,
    count,
    record(refusal) {
      count(refusal.reason)
      const owner =
        refusal.organizationId ?? store.view().get(installationTable, ['installation'])?.default_organization_id
      if (owner === undefined) return
      const { own, wide = own } = networksOf(refusal.remoteAddress)
      const network = refusal.organizationId === undefined ? wide : undefined
      if (refusal.rare !== true && !mayWrite(owner, network)) return
      const now = clock.now()
      const row: ConnectionAttempt = {
        attempt_id: makeId('att', now, random),
        organization_id: owner,
        charge_point_id: refusal.chargePointId,
        ...(refusal.organizationId === undefined && { is_unknown: true as const }),
        remote_address: refusal.remoteAddress,
        reason: refusal.reason,
        advice: refusal.advice,
        http_status: refusal.status,
        attempted_at: new Date(now).toISOString(),
      }
      const key = connectionAttemptsTable.key(row)
      // Nobody is promised this row: the refusal leaves at once.
      void store.commit(unowned([{ type: 'put', table: connectionAttemptsTable.name, key, row: encodeRow(row) }]))
      setImmediate(store.flush)
    },
  }
}
