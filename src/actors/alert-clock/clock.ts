// Looks, again and again, for alerts that are due, over all organizations. One thread does, the owner of a partition: so a list that is worked
// off here has one reader, and what it raises itself has one writer. Of charge points' alerts it only informs their actors, for as long as the
// list has them: what is lost on the way is sent again.

import { lookAtCertificates } from './certificates.js'
import { lookAtClock } from './clock-jump.js'
import { createDueWatches } from './due-watches.js'
import { sendLostPresences } from './lost-presences.js'
import type { AlertClockOptions } from './options.js'
import { lookAtRefusedConnections } from './refused-connections.js'
import { createSteadyTime } from './steady-time.js'
import { createUnsentAlerts } from './unsent.js'

export interface AlertClock {
  /** Looks once; call again when it has resolved. */
  look(): Promise<void>
}

export function createAlertClock(options: AlertClockOptions): AlertClock {
  const steady = createSteadyTime(options)
  const dueWatches = createDueWatches(options, steady)
  const unsent = createUnsentAlerts(options)
  return {
    async look() {
      steady.look()
      sendLostPresences(options)
      await dueWatches.send()
      await lookAtRefusedConnections(options)
      await lookAtCertificates(options)
      await lookAtClock(options)
      unsent.send()
    },
  }
}
