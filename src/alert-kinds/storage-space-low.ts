// The disk of a node's store fills up.

import { defineAlertKind, detail } from './define-kind.js'

/** Each node has a disk of its own, and raises and resolves the alert about that one alone. */
export function storageSubject(node: number): string {
  return `storage/${node}`
}

interface SpaceFacts {
  readonly freeBytes: number
  readonly lowBytes: number
}

export const storageSpaceLow = defineAlertKind({
  name: 'storage_space_low',
  severity: 'critical',
  meaning: "The disk of the store has little free space. Sent to the operator's own organization.",
  lasts: true,
  resolution: 'the disk of the store has free space again',
  nextStep:
    'Free or add disk space. When less is left, the service refuses changes, and at last accepts transactions only.',
  details: {
    free_bytes: detail.count('Free space, bytes'),
    low_bytes: detail.count('Low from, bytes'),
  },
  find: ({ freeBytes, lowBytes }: SpaceFacts) => ({
    message: 'the disk has little free space: of meter values, only the energy register is kept',
    details: { free_bytes: freeBytes, low_bytes: lowBytes },
  }),
})
