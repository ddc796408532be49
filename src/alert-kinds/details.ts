// Details that alerts of several kinds have.

import { detail } from './define-kind.js'

export const offline_since = detail.time()

/** Of the first of the failures that no success has followed. */
export const failing_since = detail.time()

/** Of roaming. */
export const partner_id = detail.text('Partner')

export const session_id = detail.text('Session')

export const guest_session_id = detail.text('Guest session')

/** What may be drawn at most, as far as can be known. */
export const counted_kw = detail.number('Counted, kW')
