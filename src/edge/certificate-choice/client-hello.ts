// The ClientHello at the beginning of a TLS connection (RFC 8446, 4.1.2; RFC 5246, 7.4.1.2), read as far as it says which kinds
// of server certificate the client takes. Nothing of it is trusted: what does not fit, or claims to be longer than any, is `unreadable`.

import { limits } from './limits.js'

export interface ClientHello {
  /** In the client's order of preference. */
  readonly cipherSuites: readonly number[]
  /** In its order; empty when it names none. */
  readonly signatureSchemes: readonly number[]
  /** TLS 1.3 is among its versions: the suites say nothing of certificates then. */
  readonly tls13: boolean
}

export type ReadHello =
  | { readonly type: 'hello'; readonly hello: ClientHello }
  | { readonly type: 'incomplete' }
  | { readonly type: 'unreadable' }

const incomplete: ReadHello = { type: 'incomplete' }
const unreadable: ReadHello = { type: 'unreadable' }

const handshakeRecord = 22
const clientHelloMessage = 1
const signatureAlgorithms = 13
const supportedVersions = 43

export interface HelloReader {
  /** `chunk`: what the client has sent since the last call. Each byte is looked at once. Not to be called after an answer. */
  read(chunk: Buffer): ReadHello
}

/** Reads the first handshake message, which may come in several records and any pieces. */
export function createHelloReader(): HelloReader {
  const record = Buffer.alloc(5)
  let recordFilled = 0
  /** Bytes of the present record that have not come yet. */
  let left = 0
  let records = 0
  /** The handshake's type and length; from then on, all of it. */
  let message = Buffer.alloc(4)
  let filled = 0

  /** Returns false for what is no record of a ClientHello. */
  function readRecordByte(byte: number): boolean {
    record[recordFilled++] = byte
    if (record[0] !== handshakeRecord) return false
    if (recordFilled < record.length) return true
    recordFilled = 0
    left = record.readUInt16BE(3)
    return ++records <= limits.clientHelloRecords
  }

  /** Returns how many bytes it took, or undefined for what is no ClientHello. */
  function readMessage(part: Buffer): number | undefined {
    const taken = part.copy(message, filled, 0, Math.min(part.length, left))
    filled += taken
    left -= taken
    if (message[0] !== clientHelloMessage) return undefined
    if (message.length > 4 || filled < 4) return taken
    const length = message.readUIntBE(1, 3)
    if (length > limits.clientHelloBytes) return undefined
    message = Buffer.concat([message], 4 + length)
    return taken
  }

  return {
    read(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (left === 0) {
          if (!readRecordByte(chunk[at++] as number)) return unreadable
          continue
        }
        const taken = readMessage(chunk.subarray(at))
        if (taken === undefined) return unreadable
        at += taken
        if (filled === message.length) return parsed(message.subarray(4))
      }
      return incomplete
    },
  }
}

function parsed(message: Buffer): ReadHello {
  try {
    return { type: 'hello', hello: parse(message) }
  } catch (error) {
    if (error instanceof RangeError) return unreadable
    throw error
  }
}

/** Reading past the end throws a RangeError. */
function parse(message: Buffer): ClientHello {
  // Version, random, session id.
  let at = 2 + 32
  at += 1 + message.readUInt8(at)
  const suitesEnd = at + 2 + message.readUInt16BE(at)
  const cipherSuites = numbers(message, at + 2, suitesEnd)
  at = suitesEnd
  // Compression methods.
  at += 1 + message.readUInt8(at)
  let signatureSchemes: readonly number[] = []
  let tls13 = false
  if (at < message.length) {
    const end = at + 2 + message.readUInt16BE(at)
    for (at += 2; at < end; ) {
      const type = message.readUInt16BE(at)
      const from = at + 4
      at = from + message.readUInt16BE(at + 2)
      if (type === signatureAlgorithms) signatureSchemes = numbers(message, from + 2, at)
      if (type === supportedVersions) tls13 = numbers(message, from + 1, at).includes(0x0304)
    }
  }
  return { cipherSuites, signatureSchemes, tls13 }
}

function numbers(message: Buffer, from: number, to: number): number[] {
  const found: number[] = []
  for (let at = from; at + 1 < to; at += 2) found.push(message.readUInt16BE(at))
  return found
}
