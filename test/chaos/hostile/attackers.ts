// The processes that attack, together: as many as there are processors to fill.

import type { Target } from './attacker.js'
import type { AttackerReply, AttackerRequest } from './attacker-process.js'
import { type HelperProcess, startHelper } from './helper-process.js'

export interface Attackers {
  begin(name: string, target: Omit<Target, 'index' | 'processes'>): Promise<void>
  /** The same processors are as busy, and nobody is attacked. */
  idle(): Promise<void>
  /** Returns what was counted, in all processes together. */
  stop(): Promise<Readonly<Record<string, number>>>
  end(): Promise<void>
}

const processes = 2
const program = new URL('./attacker-process.js', import.meta.url)

export function startAttackers(): Attackers {
  const helpers: HelperProcess<AttackerRequest, AttackerReply>[] = Array.from({ length: processes }, () =>
    startHelper(program),
  )
  const askAll = (request: (index: number) => AttackerRequest): Promise<AttackerReply[]> =>
    Promise.all(helpers.map((helper, index) => helper.ask(request(index))))
  return {
    async begin(name, target) {
      await askAll((index) => ({ type: 'attack', name, target: { ...target, index, processes } }))
    },
    async idle() {
      await askAll(() => ({ type: 'idle' }))
    },
    async stop() {
      const sum: Record<string, number> = {}
      for (const counts of await askAll(() => ({ type: 'stop' })))
        for (const [what, count] of Object.entries(counts)) sum[what] = (sum[what] ?? 0) + count
      return sum
    },
    async end() {
      await Promise.all(helpers.map((helper) => helper.end()))
    },
  }
}
