// Whatever one charge point, key or stranger does, the others do not feel it: each attack against the built service, with neighbours
// beside it.

import { type ChaosContext, defineScenario } from '../scenario.js'
import type { Attack } from './attack.js'
import { attacks } from './attacks/index.js'
import { type Bounds, promised, roughly } from './bounds.js'
import { type Durations, measureAttack, measureCalm, measureEnd } from './measure.js'
import { type StageSize, setStage } from './stage.js'
import { calmRow, heading, row } from './table.js'

interface HostileSize extends StageSize, Durations {
  readonly rounds: number
  readonly bounds: Bounds
  /** A service for each attack, so that what is left of one is not taken for another's; or one for some of them. */
  readonly stages: (wanted: readonly Attack[]) => readonly (readonly Attack[])[]
}

/** Of each kind of party and way: what a few seconds show. */
const shortOnes = new Set(['ping-flood'])

export const hostile = defineScenario<HostileSize>({
  name: 'hostile',
  promise: 'whatever one charge point, key or stranger does, the others do not feel it',
  sizes: {
    small: {
      ...{ rounds: 1, chargePoints: 40, everyMs: 500, settleMs: 1_000, calmMs: 1_000, attackMs: 2_000, afterMs: 500 },
      bounds: roughly,
      stages: (wanted) => [wanted.filter(({ name }) => shortOnes.has(name))],
    },
    full: {
      ...{
        rounds: 1,
        chargePoints: 200,
        everyMs: 1_000,
        settleMs: 2_000,
        calmMs: 3_000,
        attackMs: 6_000,
        afterMs: 2_000,
      },
      bounds: promised,
      stages: (wanted) => wanted.map((attack) => [attack]),
    },
  },
  async run(context, size) {
    const wanted = attacks.filter(({ name }) => context.parts === undefined || context.parts.includes(name))
    const figures: Record<string, string> = { ...heading }
    for (const together of size.stages(wanted)) Object.assign(figures, await runTogether(context, together, size))
    return figures
  },
})

async function runTogether(context: ChaosContext, together: readonly Attack[], size: HostileSize) {
  const figures: Record<string, string> = {}
  const stage = await setStage(context, together, size)
  const calm = await measureCalm(stage, size)
  figures[`calm, before ${together[0]?.name}`] = calmRow(calm)
  for (const [what, count] of Object.entries(calm.felt.wrongs)) context.violation(`calm: ${count} times: ${what}`)
  for (const [at, attack] of together.entries()) {
    context.progress(attack.name)
    const measured = await measureAttack(stage, attack, calm, size, size.bounds)
    for (const violation of measured.violations) context.violation(violation)
    const endedMs = at === together.length - 1 ? await measureEnd(stage, attack) : undefined
    if (endedMs !== undefined && endedMs > size.bounds.endsWithinMs)
      context.violation(`${attack.name}: the process took ${Math.round(endedMs)} ms to end while it was attacked`)
    figures[attack.name] = row(measured, endedMs)
  }
  await stage.service.stop('SIGKILL')
  await stage.end()
  return figures
}
