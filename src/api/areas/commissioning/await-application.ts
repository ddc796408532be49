// Requests that wait for the end of an application of a configuration. Each look reads the whole application, so that those that wait for
// the same one share their looks, and an installer has few of them at a time.

import { setTimeout as pause } from 'node:timers/promises'
import { type ConfigurationApplication, configurationApplicationsTable } from '../../../records/configuration.js'
import { conflict } from '../../../runtime/errors.js'
import type { Services } from '../../pipeline/services.js'
import { limits } from './limits.js'

const lookEveryMs = 250

type Seen = Pick<Services, 'view' | 'clock' | 'draining'>

interface Wait {
  readonly installerId: string
  readonly end: Promise<ConfigurationApplication>
}

/** Of this front, by the id of the application. */
const waits = new Map<string, Wait>()

/**
 * As it is at its end, when the time of the first that waits for it is over, or at once where the installer waits for too many others.
 * Throws `conflict` where another has taken its place.
 */
export function awaitApplication(
  begun: ConfigurationApplication,
  installerId: string,
  services: Seen,
): Promise<ConfigurationApplication> {
  const { application_id } = begun
  const known = waits.get(application_id)
  if (known !== undefined) return known.end
  const own = [...waits.values()].filter((wait) => wait.installerId === installerId)
  if (own.length >= limits.templateWaitsOfInstaller) return Promise.resolve(begun)
  const end = look(begun, services).finally(() => waits.delete(application_id))
  waits.set(application_id, { installerId, end })
  return end
}

async function look(begun: ConfigurationApplication, services: Seen): Promise<ConfigurationApplication> {
  const { charge_point_id, application_id } = begun
  const until = services.clock.monotonic() + limits.templateWaitsMs
  for (;;) {
    const now = services.view().get(configurationApplicationsTable, [charge_point_id])
    if (now?.application_id !== application_id)
      throw conflict('another configuration was applied meanwhile', { chargePointId: charge_point_id })
    if (now.status !== 'running' || services.draining() || services.clock.monotonic() >= until) return now
    await pause(lookEveryMs)
  }
}
