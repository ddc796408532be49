// What one party can have many addresses of: in IPv6, a host has a network of 2^64 addresses to itself.

import { isIPv6 } from 'node:net'

/** The address itself, or of an IPv6 address its first 64 bits. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address
  const [before = '', after] = address.split('::', 2)
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  // An IPv4 address at its end stands for two groups.
  const groups = (parts: readonly string[]): number => parts.length + (parts.at(-1)?.includes('.') === true ? 1 : 0)
  const zeros = after === undefined ? 0 : 8 - groups(head) - groups(tail)
  const all = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail]
  const text = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${text.join(':')}::/64`
}
