// The commit behind an answer: what it promises is on disk, together with its idempotency record and its entry in the audit
// log, before it is sent.

import { AmpshardError, conflict, storageUnavailable } from '../../../runtime/errors.js'
import { Interrupted } from '../../../runtime/link/asks.js'
import type { Change, CommitResult } from '../../../runtime/store/store.js'
import { limits } from '../limits.js'
import type { Answer, Precondition } from '../route.js'
import type { Services } from '../services.js'
import type { Surface } from '../surface.js'
import { type AuditTrail, mayHaveActed } from './audit.js'
import { type Claim, Outrun, type Replay } from './idempotency.js'
import { encodeBody, encodeError, errorAnswer } from './respond.js'

export interface Committed {
  readonly answer: Answer
  readonly body: string | Uint8Array
}

/** What is kept of a request beside what it changes. */
export interface Records {
  readonly surface: Surface
  readonly claim: Claim | undefined
  readonly trail: AuditTrail | undefined
  /** Whether the answer shows a secret once. */
  readonly secret: boolean
}

/**
 * Runs the handler and commits its answer; again, a few times, where it lost a race that it declared harmless. Of what another
 * front has answered meanwhile, under the same Idempotency-Key, nothing is committed: it resolves with that answer. Throws what
 * the handler named for a failed precondition, `conflict`, or `storage_unavailable`.
 */
export async function handleAndCommit(
  handle: (attempt: number) => Answer | Promise<Answer>,
  { surface, claim, trail, secret }: Records,
  services: Pick<Services, 'commit' | 'tell' | 'clock'>,
): Promise<Committed | Replay> {
  for (let attempt = 1; ; attempt++) {
    const handled = handle(attempt)
    const answer = handled instanceof Promise ? await handled : handled
    if (answer.changes === undefined) claim?.carriedOut()
    const body = encodeBody(answer, surface, services.clock)
    const changes = [...(answer.changes ?? [])]
    if (claim !== undefined && typeof body === 'string')
      changes.push(claim.keep(answer.status, body, { secret, now: services.clock.now() }))
    if (trail !== undefined) changes.push(...trail.entries(answer))
    if (changes.length > 0) {
      const result = await commitClaimed(changes, answer.conditions ?? [], claim, services)
      if (isAnswered(result, claim)) {
        // What an actor has done is in the log, whoever answers for it.
        if (trail !== undefined && answer.changes === undefined) await commitEntries(trail.entries(answer), services)
        return claim.answered()
      }
      const error = failure(result, answer, claim)
      if (error === 'again' && attempt < limits.commitAttempts) continue
      if (error === 'again') throw conflict('others changed this at the same time; try again', { retryAfterSeconds: 1 })
      if (error !== undefined) throw error
    }
    for (const { to, message } of answer.tell ?? []) services.tell(to, message)
    return { answer, body }
  }
}

/** The claim's own condition is the first. */
function commitClaimed(
  changes: readonly Change[],
  preconditions: readonly Precondition[],
  claim: Claim | undefined,
  { commit }: Pick<Services, 'commit'>,
): Promise<CommitResult> {
  const own = preconditions.map(({ condition }) => condition)
  return commit(changes, claim === undefined ? own : [claim.unanswered(), ...own])
}

function isAnswered(result: CommitResult, claim: Claim | undefined): claim is Claim {
  return claim !== undefined && !result.ok && result.reason === 'condition_failed' && result.condition === 0
}

async function commitEntries(entries: readonly Change[], { commit }: Pick<Services, 'commit'>): Promise<void> {
  if (!(await commit(entries)).ok) throw unavailable(true)
}

function failure(result: CommitResult, answer: Answer, claim: Claim | undefined): AmpshardError | 'again' | undefined {
  if (result.ok) return undefined
  if (result.reason === 'condition_failed') {
    const failed = result.condition - (claim === undefined ? 0 : 1)
    return answer.conditions?.[failed]?.otherwise ?? 'again'
  }
  return unavailable(answer.changes === undefined)
}

/** What an actor has done is done, whether or not it could be recorded after. */
function unavailable(isDone: boolean): AmpshardError {
  const message = isDone ? 'the request may have been carried out, but the store cannot take writes now' : notNow
  return storageUnavailable(message)
}

const notNow = 'the store cannot take writes now; try again later'

/** Whether another try would get it again, too. */
function isFinal(error: unknown): error is AmpshardError {
  if (!(error instanceof AmpshardError) || error.extras.retryAfterSeconds !== undefined) return false
  const { status, temporary } = error.kind
  return status !== 400 && status !== 500 && !temporary
}

/** Whether a charge point may have been sent something: a repeat must not send it again. */
function mayHaveSent(error: unknown): boolean {
  if (!(error instanceof AmpshardError)) return true
  if (error.kind.status === 429) return false
  if (error.extras.commandId !== undefined || error.code === 'timeout') return true
  const { cause } = error
  return (
    [error, cause].some((one) => one instanceof Interrupted) ||
    (cause instanceof AmpshardError && cause.code === 'timeout')
  )
}

/**
 * Keeps a refusal that another try would get again, which is an answer like any other: a command that timed out was sent.
 * One that may have done something is in the audit log as well. Throws `storage_unavailable` where it cannot be. Resolves with the
 * answer of another front, where that was sooner.
 */
export async function commitRefusal(
  error: unknown,
  { surface, claim, trail }: Omit<Records, 'secret'>,
  requestId: string,
  services: Pick<Services, 'commit' | 'clock'>,
): Promise<Replay | undefined> {
  if (error instanceof Outrun) return undefined
  const changes: Change[] = []
  if (mayHaveSent(error)) claim?.carriedOut()
  const forgotten = claim?.forget()
  if (claim !== undefined && (isFinal(error) || (claim.isBegun() && mayHaveSent(error)))) {
    const now = services.clock.now()
    const answer = errorAnswer(error, surface, requestId, now)
    changes.push(claim.keep(answer.status, encodeError(answer), { secret: false, now }))
  } else if (forgotten !== undefined) changes.push(forgotten)
  const entry = mayHaveActed(error) ? trail?.refusal(error) : undefined
  if (entry !== undefined) changes.push(entry)
  if (changes.length === 0) return undefined
  const keeping = changes.length > (entry === undefined ? 0 : 1) ? claim : undefined
  const result = await commitClaimed(changes, [], keeping, services)
  if (isAnswered(result, keeping)) {
    if (entry !== undefined) await commitEntries([entry], services)
    return keeping.answered()
  }
  if (!result.ok && entry !== undefined) throw unavailable(true)
  return undefined
}
