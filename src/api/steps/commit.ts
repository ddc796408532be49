// The commit behind an answer: what it promises is on disk, together with its idempotency record, before it is sent.

import { AmpshardError } from '../../runtime/errors.js'
import { limits } from '../../runtime/limits.js'
import type { CommitResult } from '../../runtime/store.js'
import type { Answer } from '../route.js'
import type { Services } from '../services.js'
import type { Claim } from './idempotency.js'
import { encodeBody } from './respond.js'

export interface Committed {
  readonly answer: Answer
  readonly body: string | Uint8Array
}

/**
 * Runs the handler and commits its answer; again, a few times, where it lost a race that it declared harmless.
 * Throws what the handler named for a failed precondition, `conflict`, or `storage_unavailable`.
 */
export async function handleAndCommit(
  handle: () => Answer | Promise<Answer>,
  claim: Claim | undefined,
  secret: boolean,
  services: Pick<Services, 'commit' | 'tell' | 'clock'>,
): Promise<Committed> {
  for (let attempt = 1; ; attempt++) {
    const handled = handle()
    const answer = handled instanceof Promise ? await handled : handled
    const body = encodeBody(answer)
    const changes = [...(answer.changes ?? [])]
    if (claim !== undefined && typeof body === 'string')
      changes.push(claim.keep(answer.status, body, { secret, now: services.clock.now() }))
    if (changes.length > 0) {
      const conditions = answer.conditions?.map((precondition) => precondition.condition)
      const error = failure(await services.commit(changes, conditions), answer)
      if (error === 'again' && attempt < limits.commitAttempts) continue
      if (error === 'again')
        throw new AmpshardError('conflict', 'somebody else changed this at the same time; try again')
      if (error !== undefined) throw error
    }
    for (const { to, message } of answer.tell ?? []) services.tell(to, message)
    return { answer, body }
  }
}

function failure(result: CommitResult, answer: Answer): AmpshardError | 'again' | undefined {
  if (result.ok) return undefined
  if (result.reason === 'condition_failed') return answer.conditions?.[result.condition]?.otherwise ?? 'again'
  return new AmpshardError('storage_unavailable', 'the store cannot take writes now; try again later')
}
