// A session was closed, because its charge point has been away for too long.

import { defineAlertKind } from './define-kind.js'
import { offline_since, session_id } from './details.js'

interface SilenceFacts {
  readonly sessionId: string
  readonly offlineSince: string
  readonly hours: number
}

export const sessionClosedAfterSilence = defineAlertKind({
  name: 'session_closed_after_silence',
  severity: 'warning',
  meaning:
    "A running session was closed with an estimate, because its charge point has been offline for the organization's `session_silence_hours`.",
  lasts: false,
  nextStep: 'Nothing, unless the charge point has been decommissioned: a late StopTransaction corrects the estimate.',
  look: '/api/v1/sessions/{session_id}',
  details: { session_id, offline_since },
  find: ({ sessionId, offlineSince, hours }: SilenceFacts) => ({
    message: `a running session was closed with an estimate, because its charge point has been offline for ${hours} hours`,
    details: { session_id: sessionId, offline_since: offlineSince },
  }),
})
