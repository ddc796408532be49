// What is wrong with a rollout that is asked for, beyond the shape of each field: what charge points would refuse, or could never reach, and what
// its strategy has no use for.

import { X509Certificate } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { RolloutStrategy } from '../../../records/firmware-rollout.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { parseUrl } from '../../../runtime/parse-url.js'

interface Asked {
  readonly firmware_url: string
  readonly strategy: RolloutStrategy
  readonly batch_size?: number
  readonly canary_size?: number
  readonly signing_certificate?: string
  readonly signature?: string
}

export function rolloutFaults(asked: Asked): readonly ErrorDetail[] {
  const { strategy, batch_size, canary_size, signing_certificate, signature } = asked
  const faults: ErrorDetail[] = []
  const find = (isSo: boolean, path: string, message: string): void => {
    if (isSo) faults.push({ path, message })
  }
  const address = faultOfAddress(asked.firmware_url)
  find(address !== undefined, '/firmware_url', address ?? '')
  find(batch_size !== undefined && strategy !== 'rolling', '/batch_size', 'is only for the strategy rolling')
  find(canary_size !== undefined && strategy !== 'canary', '/canary_size', 'is only for the strategy canary')
  const missing = 'must be given, since the other is'
  find(signature === undefined && signing_certificate !== undefined, '/signature', missing)
  find(signature !== undefined && signing_certificate === undefined, '/signing_certificate', missing)
  const isUnreadable = signing_certificate !== undefined && !isCertificate(signing_certificate)
  find(isUnreadable, '/signing_certificate', 'is not a certificate that can be read')
  return faults
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== ''
  } catch {
    return false
  }
}

/** To a charge point, these are itself, or its own cable. */
const own = new BlockList()
own.addSubnet('0.0.0.0', 8, 'ipv4')
own.addSubnet('127.0.0.0', 8, 'ipv4')
own.addSubnet('169.254.0.0', 16, 'ipv4')
own.addAddress('::', 'ipv6')
own.addAddress('::1', 'ipv6')
own.addSubnet('fe80::', 10, 'ipv6')

function faultOfAddress(text: string): string | undefined {
  const url = parseUrl(text)
  if (url === undefined) return 'must be a URL that begins with https://'
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const family = isIP(host)
  const isOwn =
    family === 0 ? host === 'localhost' || host.endsWith('.localhost') : own.check(host, family === 4 ? 'ipv4' : 'ipv6')
  return isOwn
    ? 'must not be a loopback or link-local address: the charge point would look for it at itself'
    : undefined
}
