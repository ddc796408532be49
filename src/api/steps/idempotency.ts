// Idempotency-Key: the first answer to a POST is kept with what it committed, and given again to its repeats.
// A repeat that comes while the first is still at work waits for it; one that comes over another front finds out at its commit.
// Answers that ask to come back later are not kept.

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { type IdempotentAnswer, idempotentAnswersTable } from '../../actors/records/idempotent-answer.js'
import { AmpshardError } from '../../runtime/errors.js'
import { limits } from '../../runtime/limits.js'
import type { Change, Condition, ReadView } from '../../runtime/store.js'
import { putRow } from '../changes.js'
import type { ApiRequest } from '../message.js'
import { principalName } from '../principal.js'
import type { Authenticated } from './authenticate.js'

const keptForMs = 24 * 3_600_000

export interface Replay {
  readonly status: number
  readonly body: string
}

/** The right to answer a request for the first time. */
export interface Claim {
  /** What keeps the answer; to be committed together with what the answer tells of. */
  keep(status: number, body: string, options: { readonly secret: boolean; readonly now: number }): Change
  /** That no other front has kept one meanwhile; what is kept is committed under it. */
  readonly unanswered: Condition
  /** The answer that another front has kept. Throws `idempotency_conflict`. */
  answered(): Replay
  /** Lets waiting repeats look again. */
  release(): void
}

export interface Idempotency {
  /** A replay, a claim, or undefined where no key was sent. Throws `idempotency_conflict` and `validation_error`. */
  claim(
    request: ApiRequest,
    caller: Authenticated,
    view: () => ReadView,
    now: number,
  ): Promise<Replay | Claim | undefined>
}

export function isReplay(outcome: object | undefined): outcome is Replay {
  return outcome !== undefined && 'status' in outcome
}

export function createIdempotency(): Idempotency {
  const atWork = new Map<string, Promise<void>>()

  return {
    async claim(request, caller, view, now) {
      const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
      if (key === undefined) return undefined
      if (key === '' || key.length > limits.idempotencyKeyCharacters)
        throw new AmpshardError('validation_error', 'the Idempotency-Key header has 1 to 255 characters')
      const principal = principalName(caller.principal)
      const requestSha256 = hashOf(request)
      const name = `${principal} ${key}`
      for (;;) {
        const running = atWork.get(name)
        if (running === undefined) break
        await running
      }
      const row = [principal, key]
      const kept = view().get(idempotentAnswersTable, row)
      if (kept !== undefined && kept.answered_at > now - keptForMs)
        return replay(kept, requestSha256, caller.presentedKey)
      const version = kept?.version ?? 0
      const { name: table } = idempotentAnswersTable
      let finish = (): void => undefined
      atWork.set(name, new Promise((resolve) => (finish = resolve)))
      return {
        keep: (status, body, { secret, now: answeredAt }) =>
          putRow(idempotentAnswersTable, {
            principal,
            idempotency_key: key,
            version: version + 1,
            request_sha256: requestSha256,
            status,
            body: secret ? seal(body, caller.presentedKey) : `plain:${body}`,
            answered_at: answeredAt,
          }),
        unanswered:
          kept === undefined ? { table, key: row, is: 'absent' } : { table, key: row, is: 'version', version },
        answered() {
          const other = view().get(idempotentAnswersTable, row)
          if (other !== undefined) return replay(other, requestSha256, caller.presentedKey)
          throw new AmpshardError('conflict', 'this was asked twice at the same time; try again', {
            retryAfterSeconds: 1,
          })
        },
        release() {
          atWork.delete(name)
          finish()
        },
      }
    },
  }
}

function replay(kept: IdempotentAnswer, requestSha256: string, presentedKey: string): Replay {
  if (kept.request_sha256 !== requestSha256)
    throw new AmpshardError('idempotency_conflict', 'this Idempotency-Key was used with another request')
  const body = kept.body.startsWith('plain:') ? kept.body.slice('plain:'.length) : unseal(kept.body, presentedKey)
  if (body === undefined)
    throw new AmpshardError(
      'idempotency_conflict',
      'the answer can be given again only to the API key text that got it',
    )
  return { status: kept.status, body }
}

function hashOf({ method, path, query, body }: ApiRequest): string {
  const hash = createHash('sha256').update(`${method} ${path}?${query}\n`)
  if (body !== undefined) hash.update(body)
  return hash.digest('hex')
}

// An answer that shows a secret is kept under the caller's own API key, which the store does not have.
function sealingKey(presentedKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', presentedKey, '', 'ampshard idempotent answer', 32))
}

function seal(body: string, presentedKey: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(presentedKey), nonce)
  const sealed = Buffer.concat([nonce, cipher.update(body, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `sealed:${sealed.toString('base64')}`
}

/** Undefined where the answer was sealed with another text of the same key, before its rotation. */
function unseal(kept: string, presentedKey: string): string | undefined {
  const sealed = Buffer.from(kept.slice('sealed:'.length), 'base64')
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(presentedKey), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const text = decipher.update(sealed.subarray(12, -16), undefined, 'utf8')
  try {
    return text + decipher.final('utf8')
  } catch {
    return undefined
  }
}
