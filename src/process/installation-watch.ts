// The last day of the installation, second by second, in the memory of the main thread: it outlives every thread but the process. Asked of
// all threads once a second; one that does not answer has a gap.

import type { InstallationPart } from '../api/pipeline/services.js'
import type { Clock } from '../runtime/clock.js'
import { handlingBoundsMs } from '../runtime/link/front-transport.js'
import { createSeriesRing, type SeriesQuery } from '../runtime/thread/series-ring.js'
import { createFigures } from './installation-figures.js'
import { limits } from './limits.js'
import type { ProcessStatistics } from './threads.js'

export interface InstallationSeries {
  read(query: SeriesQuery): InstallationPart
}

export interface InstallationWatch extends InstallationSeries {
  /** From now on, as long as the process lives. */
  follow(statistics: () => Promise<ProcessStatistics>): void
}

const everyMs = 1_000

export function createInstallationWatch(clock: Clock): InstallationWatch {
  const ring = createSeriesRing(handlingBoundsMs.length + 1, limits.installationSeries)
  const figures = createFigures(clock.monotonic())

  async function look(statistics: () => Promise<ProcessStatistics>): Promise<void> {
    try {
      const measured = await statistics()
      const at = clock.monotonic()
      ring.add(at, figures(measured, at))
    } catch {
      // The store is about to end, and with it the process: there is nothing to tell.
    }
    lookSoon(statistics)
  }

  /** In the middle of each second, so that a look that is a little late leaves none out. */
  function lookSoon(statistics: () => Promise<ProcessStatistics>): void {
    const into = (clock.monotonic() + everyMs / 2) % everyMs
    setTimeout(() => void look(statistics), everyMs - into).unref()
  }

  return {
    follow: lookSoon,
    read(query) {
      const { from, ...part } = ring.read(query)
      return { ...part, startsAt: clock.now() - clock.monotonic() + from }
    },
  }
}
