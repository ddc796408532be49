// One process of the load tool: some of the charge points, with their connections and their traffic. It does what the
// parent says, tells every second how it goes, and in the end what it counted.

import { delay } from '../../src/runtime/delay.js'
import { createRandom } from '../client/random.js'
import { createTimetable } from '../client/timetable.js'
import { createAgenda } from '../generator/agenda.js'
import { createStation, stationUrl } from '../generator/station.js'
import { answerCommand, type CommandSurroundings } from './commands.js'
import { type Connections, createConnections, type Link } from './connections.js'
import { createOperator, type Operator } from './operator.js'
import type { Identity, LoadMessage, LoadRequest, Plan } from './protocol.js'
import { createRecorder, type Recorder } from './recorder.js'
import { createRole } from './scripts.js'
import { createTraffic, type Player, type Traffic } from './traffic.js'

/** A round of a storm that takes longer is told as it stands. */
const stormLimitMs = 120_000
const longestDrainMs = 10_000
const defaultHeartbeatMs = 300_000

interface Load {
  readonly recorder: Recorder
  readonly connections: Connections
  readonly traffic: Traffic
  readonly operator: Operator | undefined
  readonly plan: Plan
  readonly stopTicking: () => void
}

function tell(message: LoadMessage, then: () => void = () => undefined): void {
  process.send?.(message, then)
}

function prepare(plan: Plan): Load {
  const recorder = createRecorder(plan.startedAt)
  const agenda = createAgenda(recorder.lag)
  const timetable = createTimetable()
  const random = createRandom(plan.seed)
  const links = new Map<Player, Link>()
  const players: Player[] = []
  const connections = createConnections({
    recorder,
    traffic: () => traffic,
    agenda,
    timetable,
    random,
    connectors: plan.connectors,
    timeoutMs: plan.timeoutMs,
  })
  const surroundings: CommandSurroundings = {
    connectors: plan.connectors,
    // The answer to the command goes first.
    react: (player, ...steps) => setImmediate(() => traffic.react(player, ...steps)),
    restart: (player) => setImmediate(() => links.get(player)?.restart()),
  }

  function addPlayer(identity: Identity, index: number): void {
    const { sourceAddresses } = plan
    const station = createStation({
      id: identity.id,
      number: identity.number,
      connection: {
        url: stationUrl(plan.url, identity.id),
        subprotocols: ['ocpp1.6'],
        handshakeTimeoutMs: plan.timeoutMs,
        tls: plan.tls,
        ...(identity.password === undefined ? {} : { username: identity.id, password: identity.password }),
        ...(sourceAddresses.length === 0
          ? {}
          : { localAddress: sourceAddresses[index % sourceAddresses.length] as string }),
      },
      opened: () => link.opened(),
      closed: (reason, code, refusal) => link.closed(reason, code, refusal),
      command(action, payload) {
        recorder.command(action)
        return answerCommand(player, action, payload, surroundings)
      },
      unexpected: (kind) => recorder.error(kind),
    })
    const player: Player = {
      station,
      role: createRole({
        profile: plan.profile,
        connectors: plan.connectors,
        intervalMs: plan.intervalSeconds * 1000,
        meterValuesPerSession: plan.meterValuesPerSession,
        random: createRandom(plan.seed + 7919 * (identity.number + 1)),
        idTag: identity.idTag,
        heartbeatIntervalMs: () => player.heartbeatIntervalMs,
      }),
      booted: false,
      heartbeatIntervalMs: defaultHeartbeatMs,
      urgent: [],
      planned: [],
    }
    const link = connections.add(player)
    links.set(player, link)
    players.push(player)
  }
  plan.identities.forEach(addPlayer)

  const commanding = plan.api !== undefined && typeof plan.ratePerSecond === 'number'
  const traffic = createTraffic({
    players,
    recorder,
    agenda,
    // In the commands profile the rate is that of the operator.
    ratePerSecond: plan.profile === 'commands' ? undefined : plan.ratePerSecond,
    timeoutMs: plan.timeoutMs,
    random,
  })
  const operator = commanding
    ? createOperator({
        ...(plan.api as NonNullable<Plan['api']>),
        tls: plan.tls,
        chargePointIds: plan.identities.map(({ id }) => id),
        ratePerSecond: plan.ratePerSecond as number,
        agenda,
        recorder,
      })
    : undefined

  const tick = (): void => {
    const { connected, booted } = connections
    tell({ type: 'tick', tick: recorder.tick({ connected, booted, waiting: traffic.waiting() }) })
  }
  return { recorder, connections, traffic, operator, plan, stopTicking: everySecond(plan.startedAt, tick) }
}

/** At whole seconds since the run began, the same instants in all processes, so that their seconds can be added up. */
function everySecond(startedAt: number, task: () => void): () => void {
  let timer: NodeJS.Timeout
  function schedule(): void {
    const sinceMs = performance.timeOrigin + performance.now() - startedAt
    const nextMs = (Math.round(sinceMs / 1000) + 1) * 1000
    timer = setTimeout(() => {
      task()
      schedule()
    }, nextMs - sinceMs)
  }
  schedule()
  return () => clearTimeout(timer)
}

async function finish({ recorder, connections, traffic, operator, plan, stopTicking }: Load): Promise<void> {
  recorder.end()
  await traffic.stop(Math.min(plan.timeoutMs, longestDrainMs))
  const until = performance.now() + longestDrainMs
  while ((operator?.outstanding ?? 0) > 0 && performance.now() < until) {
    await delay(20)
  }
  operator?.close()
  const results = recorder.results()
  stopTicking()
  await connections.leave()
  tell({ type: 'results', results }, () => process.exit(0))
}

let load: Load | undefined

async function handle(request: LoadRequest): Promise<void> {
  if (request.type === 'plan') {
    load = prepare(request.plan)
    await load.connections.ramp(request.plan.rampPerSecond)
    tell({ type: 'connected', booted: load.connections.booted })
    return
  }
  if (load === undefined) return
  switch (request.type) {
    case 'talk':
      load.recorder.phase(request.phase)
      if (load.plan.profile !== 'storm') load.traffic.start()
      load.operator?.start()
      return
    case 'measure':
      load.recorder.phase('measured')
      return
    case 'storm':
      tell({ type: 'storm', round: await load.connections.storm(stormLimitMs) })
      return
    case 'finish':
      return finish(load)
  }
}

process.on('message', (request: LoadRequest) => void handle(request))
process.on('disconnect', () => process.exit(1))
// Signals go to the whole group of a terminal: the parent decides what they mean.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
