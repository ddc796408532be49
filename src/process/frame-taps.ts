// The frames of all fronts, as one of them has them for its routes: its own, and those of the others, which it asks for over the main thread. Those
// that somebody follows are handed on in batches, so that a busy charge point costs a few calls a second.

import type { FrameBounds, FrameFollower, FrameRecorder, RecentFrames } from '../edge/frame-recorder.js'
import type { RingFrame } from '../edge/frame-ring.js'

export interface TappedFrame extends RingFrame {
  readonly name: string
}

/** What the main thread does for fronts. */
export interface FrameLinks {
  /** Of all fronts but this one. */
  recentFrames(front: number, name: string, bounds: FrameBounds): Promise<RecentFrames>
  /** What this front follows, by name (`recordedName`), from now on. */
  followFrames(front: number, names: readonly string[]): void
  tappedFrames(front: number, frames: readonly TappedFrame[]): void
}

/** What a front does for the others. */
export interface FrameTapControl {
  recentFrames(name: string, bounds: FrameBounds): RecentFrames
  /** What others follow, by name. */
  tapFrames(names: readonly string[]): void
  takeTapped(frames: readonly TappedFrame[]): void
}

export interface FrameTaps {
  /** As of one front, of all. */
  recent(name: string, bounds: FrameBounds): Promise<RecentFrames>
  follow(name: string, listener: FrameFollower): () => void
  readonly control: FrameTapControl
}

const handOnAfterMs = 100

export function createFrameTaps(
  front: number,
  fronts: number,
  recorder: FrameRecorder,
  main: Pick<FrameLinks, keyof FrameLinks>,
  tell: (followers: Iterable<FrameFollower>, frame: RingFrame) => void,
): FrameTaps {
  const listeners = new Map<string, Set<FrameFollower>>()
  /** What ends a tap, by charge point. */
  const tapped = new Map<string, () => void>()
  let waiting: TappedFrame[] = []

  function handOn(frame: TappedFrame): void {
    waiting.push(frame)
    if (waiting.length > 1) return
    setTimeout(() => {
      const batch = waiting
      waiting = []
      void main.tappedFrames(front, batch)
    }, handOnAfterMs)
  }

  const tellMain = (): void => {
    if (fronts > 1) void main.followFrames(front, [...listeners.keys()])
  }

  return {
    async recent(name, bounds) {
      const own = recorder.recent(name, bounds)
      if (fronts === 1) return own
      const others = await main.recentFrames(front, name, bounds)
      return joined([own, others], bounds)
    },
    follow(name, listener) {
      const end = recorder.follow(name, listener)
      const known = listeners.get(name)
      const own = known ?? new Set()
      own.add(listener)
      if (known === undefined) {
        listeners.set(name, own)
        tellMain()
      }
      return () => {
        end()
        own.delete(listener)
        if (own.size > 0 || listeners.get(name) !== own) return
        listeners.delete(name)
        tellMain()
      }
    },
    control: {
      recentFrames: recorder.recent,
      tapFrames(names) {
        const wanted = new Set(names)
        for (const [id, end] of tapped) {
          if (wanted.has(id)) continue
          end()
          tapped.delete(id)
        }
        for (const name of wanted) {
          if (tapped.has(name)) continue
          tapped.set(
            name,
            recorder.follow(name, (frame) => handOn({ ...frame, name })),
          )
        }
      },
      takeTapped(frames) {
        for (const { name, ...frame } of frames) tell(listeners.get(name) ?? [], frame)
      },
    },
  }
}

/** Newest first; complete since all of them are. */
export function joined(parts: readonly RecentFrames[], { limit, since }: FrameBounds): RecentFrames {
  const all = parts.flatMap(({ frames }) => frames).sort((one, other) => other.at - one.at)
  const frames = all.slice(0, limit)
  const isCut = all.length > limit || parts.some((part) => part.isCut)
  const oldest = all.length > limit ? (frames.at(-1)?.at ?? since) : since
  const completeSince = Math.max(since, oldest, ...parts.map((part) => part.completeSince))
  return { frames, completeSince, isCut }
}
