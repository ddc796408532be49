// What the actor of an organization's locations is told: by its wake-ups, and by itself.

import type { WakeUpMessage } from '../../runtime/actor/wake-ups.js'

export type OcpiLocationsMessage =
  | WakeUpMessage
  /** From itself: the next part of a walk over all places. */
  | { readonly type: 'step' }
