// Events that nobody could read: no endpoint, feed or stream is an installer's. They are not stored, so that an installer, who may be anybody,
// fills no disk with them.

import type { Turn } from './state.js'

export function withoutUnread<Rest extends readonly unknown[]>(turn: Turn<Rest>): Turn<Rest> {
  return (state, ...rest) => {
    const effects = turn(state, ...rest)
    const installerId = state.registration?.installed?.installer_id
    if (installerId === undefined) return effects
    return effects.filter((one) => one.type !== 'event' || one.event.organizationId !== installerId)
  }
}
