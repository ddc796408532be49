// The overload ladder: from how late the loop runs and how full the window to the shards is, to what is refused.
// 0 nothing, 1 new sockets, 2 lists too, 3 commands too. Messages of connected charge points are never refused. HTTP requests of strangers
// stand back below the first step.

export type OverloadLevel = 0 | 1 | 2 | 3

export interface Load {
  /** How late the event loop ran in the last second, ms. */
  readonly loopDelayMs: number
  /** Share of the resend window in use, 0 to 1. */
  readonly windowShare: number
}

const rungs: readonly { readonly level: OverloadLevel; readonly loopDelayMs: number; readonly windowShare: number }[] =
  [
    { level: 3, loopDelayMs: 3_000, windowShare: 0.9 },
    { level: 2, loopDelayMs: 2_000, windowShare: 0.75 },
    { level: 1, loopDelayMs: 1_000, windowShare: 0.5 },
  ]
/** A rung is left only well below where it was reached, so that the level does not flutter. */
const leaveAt = 0.7

export function overloadLevel(load: Load, present: OverloadLevel): OverloadLevel {
  for (const rung of rungs) {
    const factor = present >= rung.level ? leaveAt : 1
    if (load.loopDelayMs >= rung.loopDelayMs * factor || load.windowShare >= rung.windowShare * factor)
      return rung.level
  }
  return 0
}

/** Whether HTTP requests of strangers have to stand back, long before a charge point is refused. */
export function shedsStrangers({ loopDelayMs, windowShare }: Load): boolean {
  return loopDelayMs >= 250 || windowShare >= 0.25
}
