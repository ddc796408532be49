// What charge points and the service say to each other on one front, as it is said: kept in the ring for whoever asks later, and handed to those
// who follow a charge point now. Secrets are masked before anybody, the ring included, gets a frame.

import type { Logger } from 'pino'
import { keptFrame, maskFrame, secretsIn } from '../ocpp16/index.js'
import { limits as ocppLimits } from '../ocpp16/limits.js'
import type { ChargePoint } from '../records/charge-point.js'
import type { Clock } from '../runtime/clock.js'
import { createRareLines } from '../runtime/rare-lines.js'
import { afterTaking, type FullAt, type Rate } from '../runtime/token-bucket.js'
import {
  type Chain,
  countAt,
  createFrameRing,
  type RingBounds,
  type RingDirection,
  type RingFrame,
} from './frame-ring.js'
import { limits } from './limits.js'

export type FrameFollower = (frame: RingFrame) => void

/** What is recorded of one charge point; those of its sockets have one in common. */
export interface RecordedChain extends Chain {
  /** Its sockets that are open. */
  open: number
  followers: Set<FrameFollower> | undefined
  /** Secrets that it was sent lately: some charge points repeat them in their answers. */
  secrets: readonly string[]
  /** The bucket of what of its frames may still be searched for secrets. */
  searched: FullAt
}

export interface RecentFrames {
  /** Newest first. */
  readonly frames: readonly RingFrame[]
  /** Wall ms: every frame since then is among them, but for those that are newer than was asked for. Infinity where nothing is kept. */
  readonly completeSince: number
  /** There are older ones: ask again for those until `completeSince`. */
  readonly isCut: boolean
}

export type FrameBounds = Omit<RingBounds, 'passed'>

export interface FrameRecorder {
  /** A socket is open of the charge point of that name (`recordedName`); to be told with `closed` when it is gone. */
  opened(name: string): RecordedChain
  closed(chain: RecordedChain): void
  frame(chain: RecordedChain, direction: 'in' | 'out', text: string): void
  event(chain: RecordedChain, event: object): void
  recent(name: string, bounds: FrameBounds): RecentFrames
  /** Hands each frame on from now; returns what ends it. One that throws misses that frame, and nobody else does. */
  follow(name: string, listener: FrameFollower): () => void
  statistics(): RecorderStatistics
}

export interface RecorderStatistics {
  readonly ringBytes: number
  readonly ringFrames: number
}

const mebibyte = 1_048_576
const searchRate: Rate = { perSecond: limits.searchedCharactersPerSecond, burst: limits.searchedCharactersAtOnce }
/** Or too far away to be looked for. */
const nothingKept: RecentFrames = { frames: [], completeSince: Number.POSITIVE_INFINITY, isCut: false }

/** Names a registration: whoever registers the id of a charge point that was removed hears nothing of it. A claim keeps what was said. */
export function recordedName({ charge_point_id, created_at, installed, organization_id }: ChargePoint): string {
  return `${charge_point_id}/${created_at}/${installed?.installer_id ?? organization_id}`
}

/** What somebody who follows does with a frame must not keep it from whom it is for: it is handed on before that. */
export function createTeller({ monotonic }: Pick<Clock, 'monotonic'>, log: Pick<Logger, 'error'>) {
  const lines = createRareLines(1)
  return (followers: Iterable<FrameFollower>, frame: RingFrame): void => {
    for (const follower of followers)
      try {
        follower(frame)
      } catch (error) {
        const left_out = lines.leftOut('follower', monotonic())
        if (left_out !== undefined) log.error({ err: error, left_out }, 'a frame could not be shown to whom follows it')
      }
  }
}

export function createFrameRecorder(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  ringMegabytes: number,
  log: Pick<Logger, 'error'>,
): FrameRecorder {
  const tell = createTeller(clock, log)
  const ring =
    ringMegabytes === 0
      ? undefined
      : createFrameRing({ bytes: ringMegabytes * mebibyte, frameBytes: ocppLimits.keptFrameBytes, now: clock.now })
  const chains = new Map<string, RecordedChain>()
  let sweepAt: number = limits.fewChains

  function chainOf(name: string): RecordedChain {
    const known = chains.get(name)
    if (known !== undefined) return known
    if (chains.size >= sweepAt) sweep()
    const chain: RecordedChain = {
      name,
      at: Number.NEGATIVE_INFINITY,
      count: 0,
      last: undefined,
      open: 0,
      followers: undefined,
      secrets: [],
      searched: clock.monotonic(),
    }
    chains.set(name, chain)
    return chain
  }

  /** Forgets those that nobody has anything of any more: each time that there are twice as many as were left. */
  function sweep(): void {
    for (const [name, chain] of chains) {
      const isNeeded = chain.open > 0 || chain.followers !== undefined || ring?.holds(chain) === true
      if (!isNeeded) chains.delete(name)
    }
    sweepAt = Math.max(limits.fewChains, 2 * chains.size)
  }

  /** Long frames are searched one after the other, and all of a front's other work waits meanwhile. */
  function takeSearch(chain: RecordedChain, characters: number): boolean {
    const after = afterTaking(chain.searched, searchRate, clock.monotonic(), characters)
    if (after !== undefined) chain.searched = after
    return after !== undefined
  }

  function add(chain: RecordedChain, direction: RingDirection, text: string): void {
    const at = clock.now()
    const count = countAt(chain, at)
    ring?.add(chain, direction, text)
    if (chain.followers === undefined) return
    tell(chain.followers, { at, count, direction, ...keptFrame(text) })
  }

  return {
    opened(name) {
      const chain = chainOf(name)
      chain.open++
      return chain
    },
    closed(chain) {
      chain.open--
      if (chain.open === 0) chain.secrets = []
    },
    frame(chain, direction, text) {
      // An answer of ours holds no secret, and every request of a charge point has one.
      if (direction === 'out' && text.charCodeAt(1) !== 0x32) {
        add(chain, direction, text)
        return
      }
      const shown = maskFrame(text, chain.secrets, () => direction === 'out' || takeSearch(chain, text.length))
      if (direction === 'out' && shown !== text)
        chain.secrets = [...chain.secrets, ...secretsIn(text)].slice(-limits.secretsRemembered)
      add(chain, direction, shown)
    },
    event: (chain, event) => add(chain, 'event', JSON.stringify(event)),
    recent(name, bounds) {
      if (ring === undefined) return nothingKept
      const chain = chains.get(name)
      const completeSince = Math.max(ring.completeSince, bounds.since)
      if (chain === undefined) return { frames: [], completeSince, isCut: false }
      const { frames, isCut } = ring.read(chain, { ...bounds, passed: limits.framesPassed })
      if (!isCut) return { frames, completeSince, isCut }
      const oldest = frames.at(-1)
      return oldest === undefined ? nothingKept : { frames, completeSince: Math.max(completeSince, oldest.at), isCut }
    },
    follow(name, listener) {
      const chain = chainOf(name)
      chain.followers ??= new Set()
      chain.followers.add(listener)
      return () => {
        chain.followers?.delete(listener)
        if (chain.followers?.size === 0) chain.followers = undefined
      }
    },
    statistics: () => ({ ringBytes: ring?.bytes ?? 0, ringFrames: ring?.frames ?? 0 }),
  }
}
