// How far the bench is: a bar on a terminal, a line per step elsewhere.

import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  step<T>(label: string, total: number, work: (done: (value: number) => void) => Promise<T>): Promise<T>
}

export function createProgress(interactive: boolean): Progress {
  return {
    async step(label, total, work) {
      if (!interactive) {
        console.log(`  ${label}`)
        return work(() => undefined)
      }
      const bar = new SingleBar(
        { format: `  {bar} {percentage}% ${label}`, clearOnComplete: true, hideCursor: true },
        Presets.shades_classic,
      )
      bar.start(Math.max(1, total), 0)
      try {
        return await work((value) => bar.update(Math.min(value, total)))
      } finally {
        bar.stop()
      }
    },
  }
}
