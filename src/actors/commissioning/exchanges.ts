// What came of what a step has sent.

import type { Exchange } from '../../records/commissioning.js'
import { withoutUnprintable } from '../../runtime/one-line.js'

const answerLength = 100

export function lastOf(evidence: readonly Exchange[], action: string): Exchange | undefined {
  return evidence.findLast(({ sent }) => sent === action)
}

/** It may be made again: it was not answered. */
export function isLost({ outcome }: Exchange): boolean {
  return outcome === 'unsent' || outcome === 'timeout' || outcome === 'unknown'
}

/** It has accepted to send a message. */
export function isPromised({ outcome, answer }: Exchange): boolean {
  return outcome === 'answered' && answer === 'Accepted'
}

/** Whether a charge may yet begin by this remote start. */
export function isRefusedStart({ outcome, answer }: Exchange): boolean {
  return outcome === 'error' || (outcome === 'answered' && answer !== 'Accepted')
}

export function inWords({ outcome, answer }: Exchange): string {
  switch (outcome) {
    case 'answered':
      return `answered ${answer ?? 'nothing'}`
    case 'error':
      return `answered with the error ${answer ?? ''}`
    case 'timeout':
      return 'did not answer'
    case 'unsent':
      return 'could not be sent anything'
    case 'not_asked':
      return 'was not asked'
    case 'unknown':
      return 'lost the connection, or the service was interrupted,'
  }
}

/** What a charge point has said, as part of a line that people read. */
export function shown(text: string, length = answerLength): string {
  return withoutUnprintable(text).slice(0, length)
}
