// Idempotency-Key: the first answer to a POST is kept with what it committed, and given again to its repeats.
// Before a request asks an actor for anything, that it is at work is on disk: a repeat over another front waits for its answer, and
// one after a restart finds out what became of it. Answers that ask to come back later are not kept.

import { createHash } from 'node:crypto'
import { type IdempotentAnswer, idempotentAnswersTable } from '../../../records/idempotent-answer.js'
import { delay } from '../../../runtime/delay.js'
import { conflict, storageUnavailable, validationError } from '../../../runtime/errors.js'
import type { Change, Condition } from '../../../runtime/store/store.js'
import { canonicalJson } from '../canonical-json.js'
import { putRow, removeRow } from '../changes.js'
import { claimedIds } from '../claimed-ids.js'
import { idempotencyConflict } from '../errors.js'
import { limits } from '../limits.js'
import type { ApiRequest } from '../message.js'
import { seal, unseal } from '../sealed-answer.js'
import type { Services } from '../services.js'
import { type Caller, callerName } from './admit.js'
import { createUnsettledClaims } from './unsettled-claims.js'

const keptForMs = 24 * 3_600_000
const lookEveryMs = 20
/** Of a request whose front has let go of it unanswered: any front may find out what became of it. */
const nobody = ''

export interface Replay {
  readonly status: number
  readonly body: string
}

/** The right to answer a request for the first time. */
export interface Claim {
  /** What keeps the answer; to be committed together with what the answer tells of. */
  keep(status: number, body: string, options: { readonly secret: boolean; readonly now: number }): Change
  /** That the request is at work is on disk. */
  isBegun(): boolean
  /** Actors have done what was asked for: from now on it is not forgotten, whether or not its answer can be stored. */
  carriedOut(): void
  /** Forgets it, because nothing has been done; undefined where there is nothing to forget. */
  forget(): Change | undefined
  /** That no other front has kept one meanwhile; what is kept is committed under it. */
  unanswered(): Condition
  /** The answer that another front has kept. Throws `idempotency_conflict`. */
  answered(): Replay
  /** Has it on disk that the request is at work. Throws Outrun, or `storage_unavailable`. */
  begin(): Promise<void>
  /** An earlier request under this key was cut short: what it asked for may have been done. */
  readonly resumed: boolean
  /** Ids that are the same for each request under this key. */
  newId(prefix: string): string
  /** Lets waiting repeats look again, over this front now, over others once the store has taken how it ended. */
  release(): void
}

/** Another front has begun with a request under the same key: its answer is to be waited for. */
export class Outrun extends Error {}

export interface Idempotency {
  /** A replay, a claim, or undefined where no key was sent. Throws `idempotency_conflict`, `conflict` and `validation_error`. */
  claim(request: ApiRequest, caller: Caller): Promise<Replay | Claim | undefined>
}

export function isReplay(outcome: object | undefined): outcome is Replay {
  return outcome !== undefined && 'status' in outcome
}

export function createIdempotency(
  services: Pick<Services, 'view' | 'commit' | 'clock' | 'newId' | 'presence'>,
): Idempotency {
  const { view, clock } = services
  const { incarnation, live } = services.presence
  const atWork = new Map<string, Promise<void>>()
  /** Of this front. */
  const owner = services.newId('front')
  const unsettled = createUnsettledClaims(services)

  interface Turn {
    /** Of an earlier request. */
    readonly kept: IdempotentAnswer | undefined
    end(): void
  }

  function takeTurn(name: string, kept: IdempotentAnswer | undefined): Turn {
    let finish = (): void => undefined
    atWork.set(name, new Promise((resolve) => (finish = resolve)))
    return {
      kept,
      end() {
        atWork.delete(name)
        finish()
      },
    }
  }

  /** Resolves when no other request under this name is at work; until its end, no other is. */
  async function turnOf(name: string, row: readonly string[]): Promise<Turn> {
    const patience = clock.monotonic() + limits.idempotentWaitMs
    for (;;) {
      const running = atWork.get(name)
      if (running !== undefined) {
        await running
        continue
      }
      const kept = view().get(idempotentAnswersTable, row)
      if (kept === undefined || kept.answered_at <= clock.now() - keptForMs) return takeTurn(name, kept)
      const { work } = kept
      if (work === undefined || !live.has(work.run) || work.owner === owner || work.owner === nobody)
        return takeTurn(name, kept)
      if (clock.monotonic() > patience)
        throw conflict('the first request under this Idempotency-Key is still at work', {
          retryAfterSeconds: 1,
        })
      await delay(lookEveryMs)
    }
  }

  return {
    async claim(request, caller) {
      const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
      const { repeats } = caller.callers
      if (key === undefined || repeats === undefined) return undefined
      if (key === '' || key.length > limits.idempotencyKeyCharacters)
        throw validationError('the Idempotency-Key header has 1 to 255 characters')
      const principal = callerName(caller)
      const sealing = repeats.sealing(caller.presented, caller.principal)
      const name = `${principal} ${key}`
      const row = [principal, key]
      const turn = await turnOf(name, row)
      const { kept } = turn
      const living = kept !== undefined && kept.answered_at > clock.now() - keptForMs ? kept : undefined
      const settled = answerOf(living, request, sealing, turn.end)
      if (settled !== undefined) return settled
      const hash = living?.request_sha256 ?? hashOf(request)
      const workId = living?.work?.id ?? services.newId('work')
      const { name: table } = idempotentAnswersTable
      let version = kept?.version ?? 0
      let isStored = kept !== undefined
      let isBegun = living !== undefined
      let isCarriedOut = living !== undefined
      const rowOf = (fields: Pick<IdempotentAnswer, 'status' | 'body' | 'answered_at' | 'work'>): Change =>
        putRow(idempotentAnswersTable, {
          principal,
          idempotency_key: key,
          version: version + 1,
          request_sha256: hash,
          ...fields,
        })
      const unanswered = (): Condition =>
        isStored ? { table, key: row, is: 'version', version } : { table, key: row, is: 'absent' }
      const forget = (): Change | undefined =>
        isBegun && !isCarriedOut ? removeRow(idempotentAnswersTable, row) : undefined
      /** Lets other fronts know where the store has not taken how this ended. */
      function letGo(): void {
        const left = isBegun ? view().get(idempotentAnswersTable, row) : undefined
        if (left?.version !== version || left.work?.owner !== owner) return
        const { status, body, answered_at } = left
        const change = forget() ?? rowOf({ status, body, answered_at, work: { ...left.work, owner: nobody } })
        unsettled.add(change, unanswered())
      }
      return {
        resumed: living !== undefined,
        newId: claimedIds(workId),
        unanswered,
        keep: (status, body, { secret, now: answeredAt }) =>
          rowOf({
            status,
            body: secret ? seal(body, sealing) : `plain:${body}`,
            answered_at: answeredAt,
          }),
        isBegun: () => isBegun,
        carriedOut() {
          isCarriedOut = true
        },
        forget,
        answered() {
          const other = view().get(idempotentAnswersTable, row)
          if (other === undefined || other.work !== undefined) throw new Outrun()
          requireSameRequest(other, request)
          return replay(other, sealing)
        },
        async begin() {
          if (isBegun) return
          const work = { id: workId, run: incarnation, owner }
          const begun = rowOf({ status: 0, body: '', answered_at: clock.now(), work })
          const result = await services.commit([begun], [unanswered()])
          if (!result.ok && result.reason === 'condition_failed') throw new Outrun()
          if (!result.ok) throw storageUnavailable('the store cannot take writes now; try again later')
          version++
          isStored = true
          isBegun = true
        },
        release() {
          letGo()
          turn.end()
        },
      }
    },
  }
}

/** What is kept, and the turn ended with it; undefined where there is no answer yet. */
function answerOf(
  kept: IdempotentAnswer | undefined,
  request: ApiRequest,
  sealing: string,
  end: () => void,
): Replay | undefined {
  let answer: Replay | undefined
  try {
    if (kept !== undefined) requireSameRequest(kept, request)
    if (kept !== undefined && kept.work === undefined) answer = replay(kept, sealing)
  } catch (error) {
    end()
    throw error
  }
  if (answer !== undefined) end()
  return answer
}

function requireSameRequest(kept: IdempotentAnswer, request: ApiRequest): void {
  if (kept.request_sha256 === hashOf(request) || kept.request_sha256 === hashOfBytes(request, request.body)) return
  throw idempotencyConflict('this Idempotency-Key was used with another request')
}

function replay(kept: IdempotentAnswer, sealing: string): Replay {
  const body = kept.body.startsWith('plain:') ? kept.body.slice('plain:'.length) : unseal(kept.body, sealing)
  if (body === undefined) throw idempotencyConflict('the answer can be given again only to the credential that got it')
  return { status: kept.status, body }
}

/** The same JSON is the same request, whatever the order of its fields. */
function hashOf(request: ApiRequest): string {
  const { body } = request
  return hashOfBytes(request, body === undefined || body === 'too-large' ? body : canonicalJson(body))
}

/** Answers of earlier versions are kept under the hash of the bytes. */
function hashOfBytes({ method, path, query }: ApiRequest, body: Uint8Array | string | undefined): string {
  const hash = createHash('sha256').update(`${method} ${path}?${query}\n`)
  if (body !== undefined) hash.update(body)
  return hash.digest('hex')
}
