// Streams that are behind what their front holds read the store, as long reads do: one stream of an organization at a time, in turn with
// the others of its organization, in slices that go round among organizations. However many catch up, the front waits for one slice.

import { AmpshardError } from '../../../runtime/errors.js'
import type { BeginRead, LongRead } from '../../pipeline/long-reads.js'

export interface CatchUp {
  readonly organizationId: string
  /** Reads the next part of what it has missed; does not throw. */
  read(read: LongRead): Promise<void>
}

export interface CatchUps {
  /** It reads one part when it has its turn. Has no effect while it waits. */
  add(catchUp: CatchUp): void
  remove(catchUp: CatchUp): void
  /** Once a second: organizations with too many other long reads try again. */
  tick(): void
}

interface Line {
  readonly waiting: Set<CatchUp>
  isUnderWay: boolean
}

export function createCatchUps(beginFor: (organizationId: string) => BeginRead): CatchUps {
  const lines = new Map<string, Line>()

  function start(organizationId: string, line: Line): void {
    if (line.isUnderWay) return
    line.isUnderWay = true
    void readAll(organizationId, line)
  }

  /** A long read for each part, so that lists of the organization have their turns in between. */
  async function readAll(organizationId: string, line: Line): Promise<void> {
    const { waiting } = line
    while (waiting.size > 0) {
      const read = await beginUnlessMany(beginFor(organizationId))
      if (read === undefined) break
      const [next] = waiting
      try {
        if (next === undefined) continue
        waiting.delete(next)
        await next.read(read)
      } finally {
        read.end()
      }
    }
    line.isUnderWay = false
    if (waiting.size === 0) lines.delete(organizationId)
  }

  return {
    add(catchUp) {
      const { organizationId } = catchUp
      const line = lines.get(organizationId) ?? { waiting: new Set(), isUnderWay: false }
      lines.set(organizationId, line)
      line.waiting.add(catchUp)
      start(organizationId, line)
    },
    remove: (catchUp) => void lines.get(catchUp.organizationId)?.waiting.delete(catchUp),
    tick() {
      for (const [organizationId, line] of lines) start(organizationId, line)
    },
  }
}

async function beginUnlessMany(begin: BeginRead): Promise<LongRead | undefined> {
  try {
    return await begin()
  } catch (error) {
    if (error instanceof AmpshardError) return undefined
    throw error
  }
}
