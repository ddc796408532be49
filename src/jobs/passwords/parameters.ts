// The parameters of Argon2id that passwords are hashed with (RFC 9106): those that OWASP recommends where memory is shared with other work, about
// ten milliseconds of the processor each. A hash names its own, so that these can be raised: older hashes stay good, and are renewed by a login.

/** KiB, passes, lanes. */
export const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

const { memoryCost, timeCost, parallelism } = parameters
const beginning = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`

/** Whether a hash was made with these. */
export function isOfToday(hash: string): boolean {
  return hash.startsWith(beginning)
}
