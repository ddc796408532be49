// The tokens by which the operator calls the partner (OCPI 2.2.1, 4.1.2 and 7.1). One that another has replaced stays good until the operator has
// used the new one outside of a handshake: before that, the operator may not have it on disk.

import { randomBytes } from 'node:crypto'

/** Requests that were under way when a new token came into use may still come with the old one. */
const overlapMs = 60_000

export type Stage = 'registration' | 'partner'

export interface Keys {
  /** With which an operator may register (token A). */
  readonly registrationToken: string
  /** Makes a token that is good from now on, beside those before. */
  issue(): string
  /** Undefined for a header that is none of a good token. */
  stageOf(authorization: string | undefined): Stage | undefined
  /** It was used by a functional module: those before it are over soon. */
  used(authorization: string | undefined): void
  /** No token is good any more, but the one to register with. */
  end(): void
}

interface Issued {
  readonly header: string
  goodUntil: number
}

const headerOf = (token: string): string => `Token ${Buffer.from(token).toString('base64')}`
const newToken = (): string => randomBytes(24).toString('base64url')

export function createKeys(registrationToken: string = newToken()): Keys {
  /** The newest first. */
  let issued: Issued[] = []
  let isRegistrationOver = false
  const find = (authorization: string | undefined): number => issued.findIndex(({ header }) => header === authorization)

  return {
    registrationToken,
    issue() {
      const token = newToken()
      issued.unshift({ header: headerOf(token), goodUntil: Number.POSITIVE_INFINITY })
      return token
    },
    stageOf(authorization) {
      const found = issued[find(authorization)]
      if (found !== undefined && found.goodUntil > Date.now()) return 'partner'
      return authorization === headerOf(registrationToken) && !isRegistrationOver ? 'registration' : undefined
    },
    used(authorization) {
      const place = find(authorization)
      if (place < 0) return
      isRegistrationOver = true
      for (const older of issued.slice(place + 1)) older.goodUntil = Math.min(older.goodUntil, Date.now() + overlapMs)
    },
    end() {
      issued = []
      isRegistrationOver = false
    },
  }
}
