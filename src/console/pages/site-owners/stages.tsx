// How far a site owner is on the way to being approved.

import type { Schema } from '../../client/api.js'
import { Tag, type TagKind } from '../../parts/chip.js'

export type SiteOwner = Schema<'SiteOwner'>
export type Stage = SiteOwner['stage']

export const stages: readonly { readonly value: Stage; readonly name: string; readonly kind: TagKind }[] = [
  { value: 'approval_pending', name: 'To be approved', kind: 'info' },
  { value: 'complete', name: 'Approved', kind: 'ok' },
  { value: 'profile_pending', name: 'Profile missing', kind: 'plain' },
  { value: 'bank_details_pending', name: 'Bank details missing', kind: 'plain' },
  { value: 'documents_pending', name: 'Documents missing', kind: 'plain' },
]

/** Whoever has given everything and has not submitted it yet is not to be approved yet. */
export function StageTag({ of }: { readonly of: Pick<SiteOwner, 'stage' | 'submitted_at' | 'rejection_reason'> }) {
  if (of.stage === 'approval_pending' && of.submitted_at === null)
    return <Tag kind="warn">{of.rejection_reason === null ? 'Not submitted yet' : 'Sent back'}</Tag>
  const found = stages.find(({ value }) => value === of.stage)
  return <Tag kind={found?.kind ?? 'plain'}>{found?.name ?? of.stage}</Tag>
}
