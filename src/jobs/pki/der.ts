// Values of ASN.1 in DER (X.690), as bytes: for lists that are too long to be built as objects first.

export const tags = { integer: 0x02, bitString: 0x03, utcTime: 0x17, generalizedTime: 0x18, sequence: 0x30 } as const

export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = contents.length === 1 ? (contents[0] as Uint8Array) : Buffer.concat(contents)
  return Buffer.concat([Buffer.of(tag), lengthOf(content), content])
}

function lengthOf({ length }: Uint8Array): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  const significant = bytes.subarray(bytes.findIndex((byte) => byte !== 0))
  return Buffer.concat([Buffer.of(0x80 | significant.length), significant])
}

/** A positive integer, from its bytes without a sign. */
export function derInteger(bytes: Uint8Array): Buffer {
  return (bytes[0] ?? 0) < 0x80 ? der(tags.integer, bytes) : der(tags.integer, Buffer.of(0), bytes)
}

/** In whole seconds, in the form that its year asks for (RFC 5280, 5.1.2.4). `at`: wall ms. */
export function derTime(at: number): Buffer {
  const digits = new Date(at).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')
  const isShort = digits < '2050'
  return der(isShort ? tags.utcTime : tags.generalizedTime, Buffer.from(`${isShort ? digits.slice(2) : digits}Z`))
}
