// Between fronts, in the main thread: whoever asks for the frames of a charge point gets those of all fronts, and whoever follows one is handed what
// any of them sees. A front that does not answer is left out, and what it may have is not called complete.

import type { RecentFrames } from '../edge/frame-recorder.js'
import type { Remote } from '../runtime/link/control.js'
import { type FrameLinks, type FrameTapControl, joined } from './frame-taps.js'

const unknown: RecentFrames = { frames: [], completeSince: Number.POSITIVE_INFINITY, isCut: false }

export function createFrameLinks(
  fronts: readonly Remote<FrameTapControl>[],
  orUndefined: <Value>(asked: Promise<Value>) => Promise<Value | undefined>,
): FrameLinks {
  /** By front, what it follows. */
  const followed = new Map<number, ReadonlySet<string>>()

  return {
    async recentFrames(front, name, bounds) {
      const others = fronts.filter((_, index) => index !== front)
      const parts = await Promise.all(
        others.map(async (other) => (await orUndefined(other.recentFrames(name, bounds))) ?? unknown),
      )
      return joined(parts, bounds)
    },
    followFrames(front, names) {
      followed.set(front, new Set(names))
      for (const [index, other] of fronts.entries()) {
        const wanted = [...followed].filter(([by]) => by !== index).flatMap(([, ids]) => [...ids])
        void other.tapFrames([...new Set(wanted)])
      }
    },
    tappedFrames(front, frames) {
      for (const [index, other] of fronts.entries()) {
        const own = followed.get(index)
        if (index === front || own === undefined || own.size === 0) continue
        const wanted = frames.filter(({ name }) => own.has(name))
        if (wanted.length > 0) void other.takeTapped(wanted)
      }
    },
  }
}
