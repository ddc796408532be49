// Which IP addresses are public: the IANA registries of special-purpose addresses, IPv4 and IPv6. Resolves and connects nothing.

import { BlockList, isIP } from 'node:net'

/** IANA IPv4 Special-Purpose Address Registry, what is not globally reachable, and what is only reached inside a cloud. */
export const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Where Azure answers its own machines, in a range that looks public.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const

/** All that IANA gives out as global unicast. Loopback, local, mapped, NAT64 and multicast addresses lie outside. */
export const globalIpv6 = '2000::/3'

/** Within it: IANA IPv6 Special-Purpose Address Registry, and the ways in which an address carries an IPv4 address. */
export const specialIpv6 = [
  // Protocol assignments: Teredo, benchmarking, ORCHID.
  '2001::/23',
  '2001:db8::/32',
  // 6to4
  '2002::/16',
  '3fff::/20',
] as const

/** In this order: BlockList compares an address with a rule of the other family where one maps into the other. */
function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const slash = subnet.indexOf('/')
    list.addSubnet(subnet.slice(0, slash), Number(subnet.slice(slash + 1)), family)
  }
  return list
}

const specialV4 = blockList(specialIpv4, 'ipv4')
const globalV6 = blockList([globalIpv6], 'ipv6')
const specialV6 = blockList(specialIpv6, 'ipv6')

/** Whether an address, without brackets, is one of the public network; what is no address is not. */
export function isPublicAddress(address: string): boolean {
  // A zone (fe80::1%eth0) belongs to addresses of one link.
  if (address.includes('%')) return false
  const family = isIP(address)
  if (family === 4) return !specialV4.check(address, 'ipv4')
  return family === 6 && globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}
