// The address of a client, which may be behind proxies: each of them appends the address that it has seen to a header. Only what proxies of
// the operator have appended is believed, so the header is read from its right end, up to the first address that is none of theirs.

import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { BlockList, isIP, SocketAddress } from 'node:net'
import type { Logger } from 'pino'
import type { Clock } from '../runtime/clock.js'
import { createRareLines } from '../runtime/rare-lines.js'
import { SettingsError } from '../runtime/settings-error.js'
import type { Settings } from '../settings.js'

/** Throws one line that names the flag. */
export function trustedProxies(list: string): BlockList {
  const trusted = new BlockList()
  for (const entry of list.split(',').map((one) => one.trim())) {
    const [address = '', length] = entry.split('/', 2)
    const version = isIP(address)
    const bits = version === 4 ? 32 : 128
    const prefix = length === undefined ? bits : Number(length)
    if (prefix === 0 && version !== 0 && length !== undefined && length !== '')
      throw new SettingsError(
        `--trusted-proxies: ${JSON.stringify(entry)} is every address, so that any client could claim any address; name the proxies alone`,
      )
    if (version === 0 || !/^\d{1,3}$/.test(length ?? '0') || prefix > bits)
      throw new SettingsError(
        `--trusted-proxies: ${JSON.stringify(entry)} is neither an IP address nor a network such as 10.0.0.0/8`,
      )
    trusted.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6')
  }
  return trusted
}

type ProxySettings = Pick<Settings, 'trusted_proxies' | 'trusted_proxy_header'>

/** Throws one line that names the flag. */
export function checkTrustedProxies({ trusted_proxies: list, trusted_proxy_header: header }: ProxySettings): void {
  if (list !== undefined) trustedProxies(list)
  else if (header !== undefined)
    throw new SettingsError('--trusted-proxy-header: no proxy is trusted without --trusted-proxies')
}

/** As uWebSockets.js writes an IPv4 address on a listener for both versions. */
const mapped = /^0000:0000:0000:0000:0000:ffff:([0-9a-f]{2})([0-9a-f]{2}):([0-9a-f]{2})([0-9a-f]{2})$/

function plain(address: string): string {
  const bytes = mapped.exec(address)?.slice(1)
  return bytes === undefined ? address : bytes.map((byte) => Number.parseInt(byte, 16)).join('.')
}

/** An address without its port and brackets, in the one spelling of RFC 5952; undefined for what is none. */
function addressIn(text: string): string | undefined {
  const [, bracketed, withPort] = /^"?(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)"?$/.exec(text) ?? []
  const address = bracketed ?? withPort ?? text.replace(/^"(.*)"$/, '$1')
  const version = isIP(address)
  return version === 6 ? oneSpelling(address) : version === 4 ? address : undefined
}

/** Of an IPv6 address, without its zone; one that stands for an IPv4 address is that. */
function oneSpelling(address: string): string {
  const [withoutZone = ''] = address.split('%', 1)
  const { address: spelt } = new SocketAddress({ address: withoutZone, family: 'ipv6' })
  return spelt.replace(/^::ffff:(?=[\d.]+$)/, '')
}

/** Addresses that proxies have noted, the nearest proxy's last; undefined for what is none. */
function noted(name: string, value: string): (string | undefined)[] {
  const elements = value.split(',').map((one) => one.trim())
  if (name !== 'forwarded') return elements.map(addressIn)
  // RFC 7239, 4: `for=192.0.2.43;proto=https, for="[2001:db8::1]:4711"`.
  return elements.map((element) => addressIn(/(?:^|;)\s*for\s*=\s*("[^"]*"|[^;]*)/i.exec(element)?.[1]?.trim() ?? ''))
}

/**
 * `seen` is who has connected, `addresses` what the header says. An entry that is no address ends it: what is further left was not written by
 * anybody who is trusted.
 */
export function clientBehind(trusted: BlockList, seen: string, addresses: readonly (string | undefined)[]): string {
  let client = seen
  for (let at = addresses.length - 1; at >= 0 && isTrusted(trusted, client); at--) {
    const next = addresses[at]
    if (next === undefined) break
    client = next
  }
  return client
}

function isTrusted(trusted: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && trusted.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

const forwardingHeaders = ['x-forwarded-for', 'forwarded'] as const

export interface ClientAddressOptions {
  readonly settings: ProxySettings
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Pick<Logger, 'warn'>
  /** The client behind an address that uWebSockets.js sees. */
  readonly behindSplice: (seen: string) => string
}

export function createClientAddress({
  settings,
  clock,
  log,
  behindSplice,
}: ClientAddressOptions): (response: HttpResponse, request: HttpRequest) => string {
  const { trusted_proxies: list, trusted_proxy_header: name = 'x-forwarded-for' } = settings
  const trusted = list === undefined ? undefined : trustedProxies(list)
  const lines = createRareLines(1)

  /** Whoever has a proxy in front, and has not said so, would otherwise find all clients behind one address and not know why. */
  function notBelieved(seen: string, request: HttpRequest): void {
    const header = forwardingHeaders.find((one) => request.getHeader(one) !== '')
    if (header === undefined) return
    const leftOut = lines.leftOut('not believed', clock.monotonic())
    if (leftOut === undefined) return
    log.warn(
      { remote_address: seen, header, ...(leftOut > 0 && { leftOut }) },
      'a forwarding header comes from an address that is not trusted, and is ignored; if a proxy of yours sent it, name its address in --trusted-proxies',
    )
  }

  return (response, request) => {
    const seen = plain(behindSplice(Buffer.from(response.getRemoteAddressAsText()).toString()))
    if (trusted === undefined || !isTrusted(trusted, seen)) {
      notBelieved(seen, request)
      return seen
    }
    const addresses: (string | undefined)[] = []
    // A proxy may have added a line of its own behind that of the client.
    request.forEach((header, value) => {
      if (header === name) addresses.push(...noted(name, value))
    })
    return clientBehind(trusted, seen, addresses)
  }
}
