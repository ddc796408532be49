// The store thread: its program over LMDB and the disk that the data is on.

import { statfsSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { exposeControl } from '../runtime/link/control.js'
import { openWriter } from '../runtime/store/lmdb-store.js'
import { measureLoopDelay } from '../runtime/thread/loop-delay.js'
import { outsideOf } from './machine.js'
import { createStoreProgram } from './store-program.js'
import type { StoreStart } from './threads.js'

const { settings, control } = workerData as StoreStart

const program = createStoreProgram(settings, {
  ...outsideOf('store', settings),
  open: (tables, options) => openWriter(settings.data, tables, options),
  loopDelay: measureLoopDelay(),
  measureDisk() {
    const { bavail, bsize, blocks } = statfsSync(settings.data)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  },
})
exposeControl(program, control)
