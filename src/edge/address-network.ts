// What one party can have many addresses of: in IPv6, a host has a network of 2^64 addresses to itself, and a customer up to 65,536 of these.

import { isIPv6 } from 'node:net'

export interface Networks {
  /** The address itself, or of an IPv6 address its first 64 bits. */
  readonly own: string
  /** Of an IPv6 address its first 48 bits. */
  readonly wide?: string
}

export function networksOf(address: string): Networks {
  if (!address.includes(':') || !isIPv6(address)) return { own: address }
  const [before = '', after] = address.split('::', 2)
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  // An IPv4 address at its end stands for two groups.
  const groups = (parts: readonly string[]): number => parts.length + (parts.at(-1)?.includes('.') === true ? 1 : 0)
  const zeros = after === undefined ? 0 : 8 - groups(head) - groups(tail)
  const all = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail]
  const text = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return { own: `${text.join(':')}::/64`, wide: `${text.slice(0, 3).join(':')}::/48` }
}

export function networkOf(address: string): string {
  return networksOf(address).own
}

/** What charge points behind one line or one mobile operator have in common: half of an IPv4 address, the first 48 bits of an IPv6 one. */
export function commonNetworkOf(address: string): string {
  const { own, wide } = networksOf(address)
  return wide ?? `${own.split('.').slice(0, 2).join('.')}.0.0/16`
}
