// Why a call failed, in one of a few kinds and in words for whoever chose the address. Decides nothing about trying again.

import { isIPv6 } from 'node:net'
import type { OutboundFailure } from '../../runtime/outbound-jobs.js'
import { limits } from './limits.js'

export interface CallFailure extends Error {
  readonly outbound: OutboundFailure
}

/** The message is kept with the delivery, and parts of it may be the other side's: the names in a certificate. */
export function callFailure(outbound: OutboundFailure, message: string): CallFailure {
  return Object.assign(new Error(message.slice(0, limits.outboundFailureCharacters)), { outbound })
}

interface CodedError extends Error {
  readonly code?: string
  readonly address?: string
  readonly outbound?: OutboundFailure
  /** Of a host with several addresses, the failure of each; `code` is that of the first. */
  readonly errors?: readonly CodedError[]
}

/** This process or machine is short of something: the other side has no part in it. */
const ownShortage = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL'])

/**
 * No address to call from is for IPv4 a want of ports, which passes. A machine without IPv6 has none for an IPv6 host, and never
 * will: waiting for one would keep its deliveries for ever, without an attempt.
 */
function isUnreachable({ code, address, errors }: CodedError): boolean {
  return code === 'EADDRNOTAVAIL' && isIPv6(errors?.[0]?.address ?? address ?? '')
}

const connectionWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
}

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])
const protocolFaults: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the length of the answer is not what it said',
  UND_ERR_INVALID_ARG: 'the request cannot be sent: a header is not valid',
}

/** The failure that an error of the network or of undici stands for. Throws it on when it is this machine's own. */
export function failureOf(thrown: unknown): CallFailure {
  const error = thrown as CodedError
  if (error.outbound !== undefined) return error as CallFailure
  const code = isUnreachable(error) ? 'EHOSTUNREACH' : (error.code ?? '')
  if (ownShortage.has(code)) throw error
  if (timeouts.has(code)) return callFailure('timeout', 'the connection could not be made in time')
  const protocolFault = protocolFaults[code]
  if (protocolFault !== undefined) return callFailure('protocol', protocolFault)
  if (error.name === 'HTTPParserError' || error.message === 'bad upgrade' || error.message === 'bad response')
    return callFailure('protocol', 'the answer is not valid HTTP/1.1')
  return callFailure('connection', connectionWords[code] ?? 'the connection failed')
}
