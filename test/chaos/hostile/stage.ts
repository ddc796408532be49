// Where an attack happens: the built service, two organizations, the neighbours of one in their process and the attackers of the other
// in theirs.

import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Tenant, tenantOf } from '../../support/organization.js'
import type { Service } from '../../support/service.js'
import { registerAll } from '../fleet.js'
import type { ChaosContext } from '../scenario.js'
import type { Attack } from './attack.js'
import { type Attackers, startAttackers } from './attackers.js'
import { sellEverywhere } from './ground.js'
import { type Neighbours, startNeighbours } from './neighbours.js'

export interface Stage {
  readonly service: Service
  readonly neighbours: Neighbours
  readonly attackers: Attackers
  readonly hostile: Tenant
  /** Of the attack's charge points, which are all registered. */
  chargePointIds(attack: Attack): string[]
  /** What the data directory takes. */
  keptBytes(): number
  end(): Promise<void>
}

export interface StageSize {
  readonly chargePoints: number
  readonly everyMs: number
}

/** One service for attacks that want the same flags. */
export async function setStage(context: ChaosContext, attacks: readonly Attack[], size: StageSize): Promise<Stage> {
  const data = join(context.directory, `data-${attacks.map(({ name }) => name).join('-')}`.slice(0, 80))
  mkdirSync(data)
  const service = await context.service(attacks[0]?.flags ?? [], { data })
  const [honest, hostile] = [await tenantOf(service), await tenantOf(service)]
  const chargePointIds = Array.from({ length: size.chargePoints }, (_, index) => `NEIGHBOUR-${index}`)
  await registerAll(honest, chargePointIds)
  await sellEverywhere(honest)
  for (const attack of attacks) await registerAll(hostile, hostileIds(attack))
  const [neighbours, attackers] = [startNeighbours(), startAttackers()]
  const end = async () => void (await Promise.all([neighbours.end(), attackers.end()]))
  context.teardown(end)
  const neighbourhood = { port: service.port, key: honest.key, chargePointIds, everyMs: size.everyMs }
  await neighbours.ask({ type: 'begin', neighbourhood })
  return { service, neighbours, attackers, hostile, chargePointIds: hostileIds, keptBytes: () => bytesOf(data), end }
}

function hostileIds({ name, chargePoints = 0 }: Attack): string[] {
  return Array.from({ length: chargePoints }, (_, index) => `${name}-${index}`)
}

/** Blocks that the disk holds, not the size that a sparse file claims. */
function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + blocksOf(join(parentPath, name)) * 512, 0)
}

function blocksOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.blocks ?? 0
}
