// Whether an answer may be compressed, and how (RFC 9110, 12.5.3).

export type Encoding = 'br' | 'gzip'

/** How much an encoding is wanted, from 0, which refuses it, to 1. `accepted` is what the header Accept-Encoding says. */
export function weightOfEncoding(accepted: string | undefined, encoding: Encoding): number {
  const weights = new Map(
    (accepted ?? '').split(',').map((one) => {
      const [name = '', weight = 'q=1'] = one
        .toLowerCase()
        .split(';')
        .map((part) => part.trim())
      return [name, /^q=(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(weight) ? Number(weight.slice(2)) : 0] as const
    }),
  )
  return weights.get(encoding) ?? weights.get('*') ?? 0
}

export function takes(accepted: string | undefined, encoding: Encoding): boolean {
  return weightOfEncoding(accepted, encoding) > 0
}
