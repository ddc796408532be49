// Whatever one charge point, key or stranger does, the others do not feel it: each attack against the built service, with neighbours
// beside it.

import { type ChaosContext, defineScenario } from '../scenario.js'
import type { Attack } from './attack.js'
import { attacks } from './attacks/index.js'
import { nothing } from './attacks/nothing.js'
import { type Bounds, promised, roughly } from './bounds.js'
import { markdownTable } from './markdown-table.js'
import { type Durations, measureAttack, measureCalm, measureEnd } from './measure.js'
import { type StageSize, setStage } from './stage.js'
import { type Table, textTable } from './table.js'

interface HostileSize extends StageSize, Durations {
  readonly rounds: number
  readonly bounds: Bounds
  /** A service for each attack, so that what is left of one is not taken for another's; or one for some of them. */
  readonly stages: (wanted: readonly Attack[]) => readonly (readonly Attack[])[]
}

/** Of each kind of party and way: what a few seconds show. */
const shortOnes = new Set(['ping-flood', 'frame-flood', 'request-flood', 'unmatched-stops', 'security-events'])

const shortTimes: Durations = { settleMs: 500, calmMs: 1_000, attackMs: 1_500, afterMs: 500, memoryWithinMs: 0 }
/** Of 100 Heartbeats a second, one in a hundred has to be more than one moment. */
const fullTimes: Durations = { settleMs: 500, calmMs: 4_000, attackMs: 10_000, afterMs: 4_000, memoryWithinMs: 60_000 }

export const hostile = defineScenario<HostileSize>({
  name: 'hostile',
  promise: 'whatever one charge point, key or stranger does, the others do not feel it',
  sizes: {
    small: {
      ...{ rounds: 1, chargePoints: 40, everyMs: 500, ...shortTimes },
      bounds: roughly,
      stages: (wanted) => [wanted.filter(({ name }) => shortOnes.has(name))],
    },
    full: {
      ...{ rounds: 1, chargePoints: 200, everyMs: 1_000, ...fullTimes },
      bounds: promised,
      stages: (wanted) => [nothing, ...wanted.filter((attack) => attack !== nothing)].map((attack) => [attack]),
    },
  },
  async run(context, size) {
    const wanted = attacks.filter(({ name }) => context.parts === undefined || context.parts.includes(name))
    const table = context.markdown ? markdownTable : textTable
    for (const text of table.heading) context.note(text)
    const stages = size.stages(wanted).filter((together) => together.length > 0)
    let agedMegabytes: number | undefined
    for (const together of stages) {
      const megabytes = await runTogether(context, together, size, table, agedMegabytes)
      if (together[0] === nothing) agedMegabytes = megabytes
    }
    return { attacks: stages.flat().length }
  },
})

/** Returns what the process took in the end, in MiB. */
async function runTogether(
  context: ChaosContext,
  together: readonly Attack[],
  size: HostileSize,
  table: Table,
  agedMegabytes?: number,
): Promise<number> {
  const stage = await setStage(context, together, size)
  const calm = await measureCalm(stage, size, agedMegabytes)
  let megabytes = 0
  for (const text of table.calmRows(calm)) context.note(text)
  for (const [what, count] of Object.entries(calm.felt.wrongs)) context.violation(`calm: ${count} times: ${what}`)
  for (const [at, attack] of together.entries()) {
    context.progress(attack.name)
    const measured = await measureAttack(stage, attack, calm, size, size.bounds)
    megabytes = measured.residentMegabytes
    for (const violation of measured.violations) context.violation(violation)
    const endedMs = at === together.length - 1 ? await measureEnd(stage, attack) : undefined
    if (endedMs !== undefined && endedMs > size.bounds.endsWithinMs)
      context.violation(`${attack.name}: the process took ${Math.round(endedMs)} ms to end while it was attacked`)
    for (const text of table.rows(measured, calm, endedMs)) context.note(text)
  }
  await stage.service.stop('SIGKILL')
  await stage.end()
  return megabytes
}
