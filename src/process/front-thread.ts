// A front thread: its program over uWebSockets.js.

import { workerData } from 'node:worker_threads'
import { openFiles } from '../edge/open-files.js'
import { builtInCommissioningTemplates } from '../records/commissioning-template.js'
import { builtInTemplates } from '../records/configuration-template.js'
import { tables } from '../records/index.js'
import { exposeControl, remoteControl } from '../runtime/link/control.js'
import { createSealer } from '../runtime/sealing.js'
import { openView } from '../runtime/store/lmdb-store.js'
import { measureLoopDelay } from '../runtime/thread/loop-delay.js'
import { loadUWebSockets } from '../runtime/thread/uwebsockets.js'
import { readCommissioningTemplates } from './commissioning-templates.js'
import { readTemplateFiles } from './configuration-templates.js'
import { fail } from './fail.js'
import { createFrontProgram } from './front-program.js'
import { listenerAuthority } from './listener-authority.js'
import { outsideOf } from './machine.js'
import { readSealingKeys } from './sealing-keys.js'
import type { FrontStart, MainControl } from './threads.js'

const start = workerData as FrontStart
const { index, settings } = start
const main = remoteControl<MainControl>(start.main)

const outside = outsideOf(`front/${index}`, settings)

const { control } = createFrontProgram(start, {
  ...outside,
  sealer: createSealer(readSealingKeys(settings.data)),
  view: openView(settings.data, tables),
  main: {
    runJob: (job, input) => main.runJob(job, input),
    health: () => main.health(),
    surroundings: () => main.surroundings(),
    statistics: () => main.statistics(),
    installationSeries: (query) => main.installationSeries(query),
    noteLoadRun: (run) => main.noteLoadRun(run),
    runningLoadRuns: () => main.runningLoadRuns(),
    endLoadRun: (runId, how) => main.endLoadRun(runId, how),
    confirmClock: () => main.confirmClock(),
    recentFrames: (...asked) => main.recentFrames(...asked),
    followFrames: (...followed) => void main.followFrames(...followed),
    tappedFrames: (...frames) => void main.tappedFrames(...frames),
  },
  commissioningTemplates: [...builtInCommissioningTemplates, ...readCommissioningTemplates(settings.data, outside.log)],
  configurationTemplates: [...builtInTemplates, ...readTemplateFiles(settings.data, outside.log)],
  listenerAuthority: () => listenerAuthority(settings),
  uws: loadUWebSockets(),
  openFiles: openFiles(),
  loopDelay: measureLoopDelay(),
  fail,
})
exposeControl(control, start.control)
