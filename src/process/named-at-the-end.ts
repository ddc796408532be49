// Which actors a line of the log names of those that kept a front from ending in time: a few of them, each once.

import type { Address } from '../runtime/actor/actor.js'
import { addressKey } from '../runtime/actor/partition-table.js'
import { limits } from './limits.js'

/** Each once. */
export function names(addresses: Iterable<Address>): readonly string[] {
  const named = new Set<string>()
  for (const address of addresses) {
    if (named.size >= limits.namedAtTheEnd) break
    named.add(addressKey(address))
  }
  return [...named]
}

export function* spokenTo(sockets: Iterable<{ readonly address: Address }>): Iterable<Address> {
  for (const { address } of sockets) yield address
}
