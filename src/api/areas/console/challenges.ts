// Random texts that somebody has to bring back, each good once, for one purpose and for a few minutes: a passkey signs one, the identity provider is
// sent what is made of one, and one comes back with the organization that was chosen. The store has their hashes alone.

import {
  type Challenge,
  type ChallengePurpose,
  challengeLifetimeMs,
  challengesTable,
} from '../../../records/challenge.js'
import { isYoungerThan } from '../../../records/lifetime.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Draft } from '../../pipeline/draft.js'
import { sha256Hex } from '../../pipeline/make-key.js'
import type { Services } from '../../pipeline/services.js'

const challengeBytes = 32

export function addChallenge(
  draft: Draft,
  services: Pick<Services, 'clock' | 'newId' | 'randomBytes'>,
  purpose: ChallengePurpose = { type: 'sign-in' },
): string {
  const challenge = services.randomBytes(challengeBytes).toString('base64url')
  draft.putPlain(challengesTable, {
    challenge_id: services.newId('cha'),
    made_at: services.clock.now(),
    challenge_sha256: sha256Hex(challenge),
    purpose,
  })
  return challenge
}

type PurposeOf<Type> = Extract<ChallengePurpose, { readonly type: Type }>

export interface OpenChallenge<Type extends ChallengePurpose['type']> {
  readonly challenge: string
  readonly row: Challenge & { readonly purpose: PurposeOf<Type> }
}

/** Undefined where it is over, was used, or is for another purpose. */
export function findChallenge<Type extends ChallengePurpose['type']>(
  challenge: string,
  type: Type,
  view: ReadView,
  now: number,
): OpenChallenge<Type> | undefined {
  const [row] = view.listBy(challengesTable, 'byChallenge', [sha256Hex(challenge)], { limit: 1 })
  if (row?.purpose.type !== type || !isYoungerThan(challengeLifetimeMs, row, now)) return undefined
  return { challenge, row: row as OpenChallenge<Type>['row'] }
}

/** False where another request was first. Of two at once, the commit of one goes through. */
export function useChallenge({ row }: { readonly row: Challenge }, draft: Draft): boolean {
  if (draft.view.get(challengesTable, [row.challenge_id]) === undefined) return false
  draft.remove(challengesTable, [row.challenge_id])
  return true
}
