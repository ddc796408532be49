// A front thread: its program over uWebSockets.js.

import { workerData } from 'node:worker_threads'
import { openFiles } from '../edge/open-files.js'
import { tables } from '../records/index.js'
import { exposeControl, remoteControl } from '../runtime/link/control.js'
import { openView } from '../runtime/store/lmdb-store.js'
import { measureLoopDelay } from '../runtime/thread/loop-delay.js'
import { loadUWebSockets } from '../runtime/thread/uwebsockets.js'
import { fail } from './fail.js'
import { createFrontProgram } from './front-program.js'
import { outsideOf } from './machine.js'
import type { FrontStart, MainControl } from './threads.js'

const start = workerData as FrontStart
const { index, settings } = start
const main = remoteControl<MainControl>(start.main)

const { control } = createFrontProgram(start, {
  ...outsideOf(`front/${index}`, settings),
  view: openView(settings.data, tables),
  main: {
    runJob: (job, input) => main.runJob(job, input),
    health: () => main.health(),
    surroundings: () => main.surroundings(),
    statistics: () => main.statistics(),
  },
  uws: loadUWebSockets(),
  openFiles: openFiles(),
  loopDelay: measureLoopDelay(),
  fail,
})
exposeControl(control, start.control)
