// A draft whose commit has to be on disk before the route goes on: before anybody's money is touched, or a document is printed. All other
// routes answer with their draft, and the pipeline commits it.

import { type AmpshardError, storageUnavailable } from '../../runtime/errors.js'
import { type Draft, openDraft } from './draft.js'
import type { Services } from './services.js'

export interface DraftCommit<Result> {
  /** It runs again, on what is stored then, where others were first: so many times in all. */
  readonly attempts: number
  decide(draft: Draft): Result
  /** Thrown when others were first each time. */
  readonly otherwise: () => AmpshardError
}

/** Resolves with what was decided, once it is on disk. Throws what the draft has for a failed condition, and `storage_unavailable`. */
export async function commitDraft<Result>(
  { attempts, decide, otherwise }: DraftCommit<Result>,
  services: Pick<Services, 'view' | 'commit' | 'tell' | 'clock'>,
): Promise<Result> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const draft = openDraft(services.view(), services.clock.now())
    const decided = decide(draft)
    const { changes = [], conditions = [], tell = [] } = draft.close()
    if (changes.length > 0) {
      const own = conditions.map(({ condition }) => condition)
      const result = await services.commit(changes, own)
      if (!result.ok) {
        if (result.reason !== 'condition_failed')
          throw storageUnavailable('the store cannot take writes now; try again later')
        const failed = conditions[result.condition]?.otherwise
        if (failed !== undefined) throw failed
        continue
      }
    }
    for (const { to, message } of tell) services.tell(to, message)
    return decided
  }
  throw otherwise()
}
