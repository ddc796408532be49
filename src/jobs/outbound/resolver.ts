// From a host's name to the addresses that a connection may go to. What is checked here is what is connected to: nothing resolves twice.

import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../runtime/clock.js'
import { isPublicAddress } from './addresses.js'
import { callFailure } from './failure.js'
import { limits } from './limits.js'

/** The addresses of a name, those to try first in front; empty or rejected when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** As the machine itself resolves: files, search domains and all. One thread of the process's few is held per name meanwhile. */
export const systemResolve: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: 'ipv4first' })
  return found.map(({ address }) => address)
}

const queryTimeoutMs = 2_000
const queryTries = 3
/** RFC 8305, 3: how long the other family is waited for when one has answered. */
const otherFamilyMs = 250
/** The machine's name servers may change while it runs. */
const serversForMs = 60_000

/** Asks the name servers themselves, the machine's unless given: a server that never answers holds up nothing but its own names. */
export function dnsResolve(clock: Clock, servers?: readonly string[]): Resolve {
  let resolver = makeResolver(servers)
  let madeAt = clock.monotonic()
  return async (hostname) => {
    if (clock.monotonic() - madeAt > serversForMs) {
      resolver = makeResolver(servers)
      madeAt = clock.monotonic()
    }
    const v6 = resolver.resolve6(hostname).catch(() => [])
    const v4 = await resolver.resolve4(hostname).catch(() => [])
    if (v4.length === 0) return v6
    const rest = new AbortController()
    const late = delay(otherFamilyMs, [], { signal: rest.signal }).catch(() => [])
    const others = await Promise.race([v6, late])
    rest.abort()
    return [...v4, ...others]
  }
}

function makeResolver(servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queryTries })
  if (servers !== undefined) resolver.setServers(servers)
  return resolver
}

export interface AddressRule {
  readonly allowInsecure: boolean
  readonly resolve: Resolve
}

/** Rejects with a CallFailure: `unresolved`, or `unsafe_address` when any address of the name is not public. */
export async function safeAddresses(
  hostname: string,
  { allowInsecure, resolve }: AddressRule,
): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await resolve(hostname).catch(() => []) : [hostname]
  if (addresses.length === 0) throw callFailure('unresolved', `the host ${hostname} could not be resolved`)
  if (!allowInsecure && !addresses.every(isPublicAddress))
    throw callFailure('unsafe_address', `the host ${hostname} has an address that is not public`)
  return addresses.slice(0, limits.outboundAddresses)
}

/** For `connect` of a socket. It is not called for a host that is an address: connections.ts looks at that. */
export function safeLookup(rule: AddressRule): LookupFunction {
  return (hostname, { all }, callback) => {
    safeAddresses(hostname, rule).then(
      (addresses) => {
        const found: LookupAddress[] = addresses.map((address) => ({ address, family: isIP(address) }))
        const first = found[0] as LookupAddress
        if (all === true) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}
