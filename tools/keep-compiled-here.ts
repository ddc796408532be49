// Is loaded into each thread of a service that tools/keep-compiled.ts has started: when a file is there that the service knows of, the thread
// keeps what V8 has compiled of the program.

import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import { isMainThread, Worker } from 'node:worker_threads'
import { keptFileOf, lastLineOf } from '../src/runtime/load-bundle.js'
import { replace } from './replace.js'

/** They run when there are jobs: what they need in order to wait for one is kept. */
export const jobThreads = ['job-thread', 'outbound-thread']

const lookEveryMs = 10
const when = process.env.KEEP_COMPILED_WHEN

if (when !== undefined) {
  const keep: (() => void)[] = []
  const { Script } = vm
  class KeptScript extends Script {
    constructor(text: string, options: vm.ScriptOptions) {
      super(text, options)
      const { filename = '' } = options
      if (filename.endsWith('.cjs'))
        keep.push(() =>
          replace(keptFileOf(fileURLToPath(filename)), (path) => {
            writeFileSync(path, Buffer.concat([Buffer.from(lastLineOf(text)), this.createCachedData()]))
            // The service writes for its owner alone.
            chmodSync(path, 0o644)
          }),
        )
    }
  }
  Object.assign(vm, { Script: KeptScript })
  const timer = setInterval(() => {
    if (!existsSync(when)) return
    clearInterval(timer)
    for (const one of keep) one()
  }, lookEveryMs)
  if (isMainThread)
    for (const name of jobThreads) new Worker(new URL(`../program/${name}.js`, import.meta.url), { workerData: {} })
}
