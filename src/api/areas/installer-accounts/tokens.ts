// Tokens that leave in a mail alone: random, used once, and known to the store by their hash.

import { Type } from 'typebox'
import { notFound } from '../../../runtime/errors.js'
import { sha256Hex } from '../../pipeline/make-key.js'
import { secret } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'

const tokenBytes = 32

export interface MailedToken {
  readonly token: string
  readonly token_hash: string
}

export function newToken({ randomBytes }: Pick<Services, 'randomBytes'>): MailedToken {
  const token = randomBytes(tokenBytes).toString('base64url')
  return { token, token_hash: sha256Hex(token) }
}

export const mailedToken = () => Type.String({ ...secret, maxLength: 200, description: 'The token from the mail.' })

/** The one answer for every token that is not good. */
export function tokenNotGood(): Error {
  return notFound('this token is not valid: it is unknown, has been used, or has expired')
}
