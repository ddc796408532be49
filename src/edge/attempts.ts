// Keeps every refused attempt to connect, so that an installer can see why; bounded, so that an attack cannot fill the disk. Where more come than may be
// written, those that are alike wait together, and one row stands for all of them.

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

interface Waiting {
  readonly refusal: Refusal
  readonly owner: string
  readonly network: string | undefined
  /** Wall ms. */
  readonly at: number
  readonly times: number
}

export interface AttemptLog {
  record(refusal: Refusal): void
  /** Of a refusal that is not stored. */
  count(reason: RefusalReason): void
  /** Writes what has waited, as far as there is room; call about once a second. */
  tick(): void
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

  /** Those that found no room, by what they have in common; the one that has waited longest is the first. */
  const waiting = new Map<string, Waiting>()

  const mayBeWritten = ({ refusal, owner, network }: Waiting): boolean =>
    refusal.rare === true || mayWrite(owner, network)

  /** `refusal` is the newest of so many. */
  function write({ refusal, owner, at, times }: Waiting): void {
    const row: ConnectionAttempt = {
      attempt_id: makeId('att', at, random),
      organization_id: owner,
      charge_point_id: refusal.chargePointId,
      ...(refusal.organizationId === undefined && { is_unknown: true as const }),
      remote_address: refusal.remoteAddress,
      reason: refusal.reason,
      advice: refusal.advice,
      http_status: refusal.status,
      attempted_at: new Date(at).toISOString(),
      ...(times > 1 && { times }),
    }
    const key = connectionAttemptsTable.key(row)
    // Nobody is promised this row: the refusal leaves at once.
    void store.commit(unowned([{ type: 'put', table: connectionAttemptsTable.name, key, row: encodeRow(row) }]))
    setImmediate(store.flush)
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
      const { chargePointId, remoteAddress, reason } = refusal
      const name = JSON.stringify([owner, chargePointId, remoteAddress, reason])
      const times = (waiting.get(name)?.times ?? 0) + 1
      const newest: Waiting = { refusal, owner, network, at: clock.now(), times }
      if (times === 1 && mayBeWritten(newest)) write(newest)
      else if (times > 1 || waiting.size < limits.attemptsPutTogether) waiting.set(name, newest)
    },
    tick() {
      for (const [name, newest] of waiting) {
        if (!mayBeWritten(newest)) continue
        waiting.delete(name)
        write(newest)
      }
    },
  }
}
