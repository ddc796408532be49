// How often requests may come: of a key that is known to be valid, by the key; of anybody else, by their address. Looked at before anything
// else of a request is. What asks how the service is, and what presents a credential that is not known yet, is counted apart from the rest of
// its address: a flood from there neither makes a probe restart the service nor refuses a key unseen.

import { createHash } from 'node:crypto'
import { createAddressBuckets } from '../../edge/address-buckets.js'
import { type Networks, networksOf } from '../../edge/address-network.js'
import type { Clock } from '../../runtime/clock.js'
import { createTokenBuckets, type Rate } from '../../runtime/token-bucket.js'
import type { KnownCaller } from '../pipeline/message.js'
import { limits } from './limits.js'
import type { Visitor } from './turns.js'

export interface RequestRates {
  /** `presented` is the text of a credential, or empty. */
  enter(address: string, presented: string, path: string): Entered
  /** The text has turned out to be the credential of `caller`: a request that came in as a stranger's is that of the credential after all. */
  remember(presented: string, caller: KnownCaller, entered: Admitted): void
  /** It is no longer anybody's. */
  forget(presented: string): void
}

export interface Admitted extends Visitor {
  /** What it has taken of the buckets of its networks, and gives back when its credential turns out to be valid. */
  readonly cost: number
  /** Absent for a caller who is known. */
  readonly networks?: Networks
}

export type Entered =
  | ({ readonly ok: true } & Admitted)
  | ({ readonly ok: false; readonly counted: Counted; readonly retryAfterSeconds: number } & Visitor)

/** What a request is counted with: those of its key, or of its kind and address. */
export type Counted = 'key' | 'probes' | 'unchecked' | 'others'

const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

export interface RequestRatesOptions {
  readonly ofAddress: Rate
  readonly ofKey: Rate
  readonly clock: Clock
  /** Whether strangers have to stand back. */
  readonly isBusy: () => boolean
}

export function createRequestRates({ ofAddress, ofKey, clock, isBusy }: RequestRatesOptions): RequestRates {
  const addresses = createAddressBuckets(ofAddress, clock, limits.countedAddresses)
  const keys = createTokenBuckets(ofKey, clock, limits.knownKeys)
  /** By a digest of what is presented, so that no valid key stays in memory; in the order of their last use. */
  const known = new Map<string, KnownCaller>()

  function secondsUntil(seconds: number): number {
    return Math.max(1, Math.ceil(seconds))
  }

  return {
    enter(address, presented, path) {
      const isProbe = probes.has(path)
      const caller = isProbe || presented === '' ? undefined : known.get(digestOf(presented))
      if (caller !== undefined) {
        const visitor = { lane: 'known', party: caller.party, credential: caller.id } as const
        if (keys.take(caller.id)) return { ok: true, ...visitor, cost: 0 }
        const retryAfterSeconds = secondsUntil(keys.secondsUntil(caller.id))
        return { ok: false, ...visitor, counted: 'key', retryAfterSeconds }
      }
      const counted = isProbe ? 'probes' : presented === '' ? 'others' : 'unchecked'
      const networks = countedNetworks(counted, address)
      const visitor = { lane: 'stranger', party: networks.own } as const
      const cost = Math.min(ofAddress.burst, isBusy() && !isProbe ? limits.strangerCostUnderLoad : 1)
      if (addresses.take(networks, cost)) return { ok: true, ...visitor, cost: isProbe ? 0 : cost, networks }
      const retryAfterSeconds = secondsUntil(addresses.waitFor(networks, cost)?.seconds ?? 0)
      return { ok: false, ...visitor, counted, retryAfterSeconds }
    },
    remember(presented, caller, { networks, cost }) {
      if (cost > 0 && networks !== undefined) {
        addresses.giveBack(networks, cost)
        keys.take(caller.id)
      }
      const digest = digestOf(presented)
      known.delete(digest)
      if (known.size >= limits.knownKeys) known.delete(known.keys().next().value as string)
      known.set(digest, caller)
    },
    forget(presented) {
      known.delete(digestOf(presented))
    },
  }
}

/** Each kind of request of an address is counted apart. */
function countedNetworks(counted: Counted, address: string): Networks {
  const { own, wide } = networksOf(address)
  return { own: `${counted} of ${own}`, ...(wide !== undefined && { wide: `${counted} of ${wide}` }) }
}

/** Of 32 bytes, a character each. Takes a microsecond. */
function digestOf(presented: string): string {
  return createHash('sha256').update(presented).digest('binary')
}
