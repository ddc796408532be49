// The ClientHello at the beginning of a TLS connection (RFC 8446, 4.1.2; RFC 5246, 7.4.1.2), read as far as it says which kinds
// of server certificate the client takes. Nothing of it is trusted: what does not fit is `unreadable`.

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

/** `bytes`: what the client has sent so far. */
export function readClientHello(bytes: Buffer): ReadHello {
  const message = handshakeMessage(bytes)
  if (!Buffer.isBuffer(message)) return message
  try {
    return { type: 'hello', hello: parse(message) }
  } catch (error) {
    if (error instanceof RangeError) return unreadable
    throw error
  }
}

/** The body of the first handshake message, which may come in several records. */
function handshakeMessage(bytes: Buffer): Buffer | ReadHello {
  const parts: Buffer[] = []
  let length = 0
  for (let at = 0; ; ) {
    if (bytes.length > at && bytes[at] !== handshakeRecord) return unreadable
    if (bytes.length < at + 5) return incomplete
    const end = at + 5 + bytes.readUInt16BE(at + 3)
    const part = bytes.subarray(at + 5, end)
    parts.push(part)
    length += part.length
    const joined = parts.length === 1 ? part : Buffer.concat(parts, length)
    if (joined.length >= 1 && joined[0] !== clientHelloMessage) return unreadable
    if (joined.length >= 4) {
      const wanted = 4 + joined.readUIntBE(1, 3)
      if (joined.length >= wanted) return joined.subarray(4, wanted)
    }
    if (bytes.length < end) return incomplete
    at = end
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
