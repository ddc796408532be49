// One world: a service, its charge points, its operators and its troubles, all out of one seed. It runs for a while with
// everything going wrong, then heals, and by its end everything that was begun must have ended well.

import type { PaymentRequest } from '../../src/actors/guest-session/payment.js'
import { paymentJob } from '../../src/actors/guest-session/payment.js'
import { type SendMailRequest, sendMailJob } from '../../src/actors/mail/messages.js'
import { type OcpiCall, ocpiCallJob } from '../../src/ocpi/call.js'
import { schemaVersion, tables } from '../../src/records/index.js'
import type { JobOutcome } from '../../src/runtime/actor/actor.js'
import { partitionCount } from '../../src/runtime/actor/partition-table.js'
import { isBroken } from '../../src/runtime/assert.js'
import type { OutboundRequest } from '../../src/runtime/outbound-jobs.js'
import { memoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import { unowned } from '../../src/runtime/store/store.js'
import { createAdministrators } from './administrators.js'
import { type Aspect, aspectsOf } from './aspects.js'
import { makeBoxes } from './boxes.js'
import { beginningOf, leavesALook, planLeaps } from './calendar.js'
import { createChargePoint } from './charge-point/charge-point.js'
import { createStallPhysics } from './charge-point/stall-physics.js'
import { drawFaults, type FaultRates } from './faults.js'
import { createGuests } from './guests.js'
import { createInstallers } from './installers.js'
import { createMailServer } from './mail-server.js'
import { createNetwork } from './network.js'
import { createOperators } from './operators.js'
import { createOracle } from './oracle/oracle.js'
import type { Invariant, Violation } from './oracle/verdict.js'
import { organizations } from './organizations.js'
import { createPaymentProvider } from './payments.js'
import { createReceivers, receivers } from './receivers.js'
import { registrationRows } from './registration.js'
import { createRoamingPartner, roamingPartnerId } from './roaming-partner.js'
import { type SimulatedFront, type SimulatedService, startService } from './service.js'
import { settings } from './settings.js'
import { noteIfBroken, takeBroken } from './silent-log.js'
import { createSiteOperators } from './site-operators.js'
import { makeStalls } from './stalls.js'
import { openStore, type SimulatedDisk } from './store.js'
import { sellsAtTariff } from './tariff.js'
import { createTime, newThread, type SimulatedThread, takeTimers } from './time.js'

export interface WorldOptions {
  readonly seed: number
  readonly chargePoints: number
  readonly minutes: number
  /** Only these troubles, of those that the seed has. */
  readonly faults?: readonly string[]
  /** What it has beside charge points, operators and troubles, instead of what its seed decides. */
  readonly aspects?: readonly Aspect[]
  /** Its troubles, instead of those that its seed draws. */
  readonly rates?: Partial<FaultRates>
  /** What its store is on, where somebody wants it afterwards. */
  readonly disk?: SimulatedDisk
  /** Told of every frame and trouble, for reading along. */
  readonly trace?: (line: string) => void
}

export interface WorldResult {
  readonly seed: number
  readonly violations: readonly Violation[]
  /** When the first of them was seen, simulated ms. */
  readonly atMs: number
  readonly counts: ReadonlyMap<Invariant, number>
  readonly steps: number
  readonly frames: number
  readonly charges: number
  readonly commands: number
  readonly shardDeaths: number
  readonly processKills: number
  readonly partitionMoves: number
  readonly rates: FaultRates
}

/** Of the whole: after it nothing goes wrong any more. */
const troubledShare = 0.7
/** Of the whole: after it no charge begins. */
const windDownShare = 0.72
/** Of the whole: what need not wait for an hour or a day has come to rest by then. */
const calmShare = 0.85
const guestsEveryMs = 4_000
const administratorsEveryMs = 3_000
const operatorsEveryMs = 1_500
const installersEveryMs = 800
const siteOperatorsEveryMs = 1_500
/** Limits run out, and budgets change, with time alone. */
const sitesEveryMs = 1_000
/** Long enough for a jump of the clock to hold something back, and shorter than the rest of a world after its last leap. */
const clockLookedAtEveryMs = 5_000
/** Of the connectors of sites: they are all busy, or there would be nothing to share. */
const stallsBusyShare = 1
/** Queues are looked at now and then: they do not come and go within so few steps. */
const stepsBetweenLooks = 200
/** Not by whole seconds: what happens by a timetable would meet the very millisecond of what happened before. */
const clockStepsMs = [-86_400_137, -3_600_251, -60_083, 60_071, 3_600_113, 86_400_029]

export async function runWorld(options: WorldOptions): Promise<WorldResult> {
  const time = createTime(beginningOf(aspectsOf(options.seed, options.aspects)))
  const restoreTimers = takeTimers(time)
  const strays: unknown[] = []
  const stray = (error: unknown) => void strays.push(error)
  process.on('unhandledRejection', stray)
  try {
    return await runIn(time, options, strays)
  } finally {
    process.off('unhandledRejection', stray)
    restoreTimers()
  }
}

async function runIn(
  time: ReturnType<typeof createTime>,
  options: WorldOptions,
  strays: unknown[],
): Promise<WorldResult> {
  const { seed, minutes } = options
  const wholeMs = minutes * 60_000
  const troubledMs = wholeMs * troubledShare
  const faults = drawFaults(seed, { only: options.faults, rates: options.rates })
  const { random } = faults
  const aspects = aspectsOf(seed, options.aspects)
  const endpoints = aspects.webhooks ? receivers : []
  const disk: SimulatedDisk = options.disk ?? { rows: memoryDisk(), full: false }
  const boxes = aspects.installers ? makeBoxes() : []
  const stalls = aspects.sites ? makeStalls(random) : []
  const physics = stalls.map((stall) => createStallPhysics(stall, random, time, () => oracle.sitesChanged()))
  const clockIsSet = faults.rates.clockSteps > 0
  const oracle = createOracle({
    disk,
    clock: time,
    receivers: endpoints,
    clockIsSet,
    boxes,
    stalls: physics,
    roamingPartnerId: aspects.partners ? roamingPartnerId : undefined,
  })
  const outside = newThread('outside')
  /** Worlds are calm or busy: a few busy ones find what many calm ones do not, and the other way round. */
  const activity = 0.05 + 0.75 * random() ** 3
  const numbers = Array.from({ length: options.chargePoints }, (_, number) => number)
  const idOf = (number: number): string => `CP-${number}`
  /** Every third has two outlets. */
  const connectorsOf = (number: number): number => (number % 3 === 0 ? 2 : 1)
  const chargePoints = numbers.map((number) => ({
    id: idOf(number),
    organization: number % organizations.length,
    connectors: connectorsOf(number),
  }))
  /** Nobody has anything to do with the one that sends more than it may. */
  const excessive = { id: idOf(numbers.length), organization: 0, connectors: 1 }
  const all = [...chargePoints, ...(aspects.excess ? [excessive] : [])]
  const trace = (text: string) => options.trace?.(`${(time.monotonic() / 1_000).toFixed(3)} ${text}`)
  const receiving = createReceivers({ time, faults, outside, observer: oracle.deliveries })
  const provider = createPaymentProvider({ time, faults, outside, observer: oracle.guests })
  const mailServer = createMailServer({ time, faults, outside, observer: oracle.mails })
  const roamingPartner = createRoamingPartner({ time, faults, outside, observer: oracle.roaming })
  let service: SimulatedService | undefined
  let frames = 0
  let charges = 0
  let commands = 0
  let shardDeaths = 0
  let processKills = 0
  let partitionMoves = 0

  register()
  start()
  const network = createNetwork({
    time,
    faults,
    chargePoints: outside,
    service: () => service,
    observer: {
      toService(line, text) {
        frames++
        trace(`${line.chargePointId} > ${text}`)
        oracle.frames.toService(line, text)
        if (aspects.administrators) removeAtStart(line.chargePointId, text)
      },
      toChargePoint(line, text) {
        frames++
        trace(`${line.chargePointId} < ${text}`)
        oracle.frames.toChargePoint(line, text)
      },
      opened(line) {
        trace(`${line.chargePointId} opened`)
        oracle.frames.opened(line)
      },
      closed(line, by) {
        trace(`${line.chargePointId} closed by the ${by}`)
        oracle.frames.closed(line, by)
      },
    },
  })
  const operators = createOperators({
    faults,
    organizations: organizations.length,
    chargePointIds: (organization) =>
      chargePoints.filter((one) => one.organization === organization).map(({ id }) => id),
    oracle: {
      ...oracle.commands,
      asked(...command) {
        commands++
        oracle.commands.asked(...command)
      },
    },
  })
  const someFront = (): SimulatedFront | undefined => service?.fronts[Math.floor(random() * service.fronts.length)]
  const guests = createGuests({
    time,
    faults,
    outside,
    chargePoints: chargePoints.filter(({ id }) => sellsAtTariff(id)),
    front: someFront,
    observer: oracle.guests,
  })
  const administrators = createAdministrators({
    time,
    faults,
    outside,
    chargePoints,
    front: someFront,
    observer: oracle.repeats,
  })
  const installers = createInstallers({
    time,
    faults,
    outside,
    boxes,
    front: someFront,
    observer: oracle.commissioning,
  })
  const siteOperators = createSiteOperators({ time, faults, outside, stalls, front: someFront })
  const put = [
    ...all.map((one) => ({ ...one, busyShare: one === excessive ? 0 : activity, endsUnknown: one === excessive })),
    ...boxes.map((box) => ({ ...box, busyShare: 0, endsUnknown: false, box })),
    ...physics.map((one) => ({
      id: one.stall.id,
      organization: one.stall.organization,
      connectors: one.stall.connectors,
      busyShare: stallsBusyShare,
      endsUnknown: false,
      physics: one,
    })),
  ]
  const fleet = put.map(({ organization, ...one }) =>
    createChargePoint({
      ...one,
      organizationNumber: organization,
      time,
      thread: outside,
      faults,
      network,
      observer: {
        ...oracle,
        charged(charge) {
          charges++
          oracle.charged(charge)
        },
      },
    }),
  )
  for (const chargePoint of fleet) time.after(random() * 20_000, outside, chargePoint.start)
  time.after(troubledMs, outside, heal)
  time.after(wholeMs * windDownShare, outside, () => {
    for (const chargePoint of fleet) chargePoint.windDown()
    installers.windDown()
  })
  const leaps = aspects.guests || aspects.periods || aspects.administrators
  time.after(wholeMs * calmShare, outside, oracle.calm)
  operate()
  if (aspects.guests) often(guestsEveryMs, guests.come)
  if (aspects.administrators) often(administratorsEveryMs, administrators.act)
  if (aspects.installers) often(installersEveryMs, installers.act)
  if (aspects.sites) {
    often(siteOperatorsEveryMs, siteOperators.act)
    watchSites()
  }
  if (leaps)
    planLeaps(time, outside, wholeMs, (ms, what) => {
      service?.passSteady(ms)
      trace(what)
    })
  watchClock()
  const someone = () => fleet[Math.floor(random() * fleet.length)]
  const each = (rate: number) => rate * fleet.length
  plan(each(faults.rates.socketDrops), 'a socket breaks', () => network.breakOne())
  plan(each(faults.rates.powerLosses), 'a charge point loses power', () => someone()?.losePower())
  plan(each(faults.rates.doubleConnections), 'a second socket', () => someone()?.connectTwice())
  plan(faults.rates.deaths, 'a charge point is gone for good', () => someone()?.die())
  plan(faults.rates.processKills, 'the process is killed', kill)
  plan(faults.rates.clockSteps, 'the clock is set', () =>
    time.stepWall(clockStepsMs[Math.floor(random() * clockStepsMs.length)] as number),
  )
  plan(faults.rates.receiversAway, 'a receiver of webhooks is away', () => receiving.goAway(random() * 60_000))
  if (aspects.partners)
    plan(faults.rates.receiversAway, 'the roaming partner is away', () => roamingPartner.goAway(random() * 60_000))
  plan(faults.rates.partitionMoves, 'partitions move', movePartitions)
  plan(faults.rates.diskFull, 'the disk is full', () => {
    disk.full = true
    time.after(5_000 + random() * 15_000, outside, () => {
      disk.full = false
    })
  })

  let atMs = 0
  const { violations } = oracle.verdict
  for (let minute = 0; minute < minutes && violations.length === 0; minute++) {
    await time
      .run(60_000, () => {
        if (time.steps % stepsBetweenLooks === 0) oracle.look(service)
        if (violations.length > 0 && atMs === 0) atMs = time.monotonic()
      })
      .catch(brokenOrThrow)
    for (const error of strays.splice(0)) unexpected(error)
    const broken = takeBroken()
    oracle.verdict.check('asserted', broken.length === 0, () => broken.join('; '))
  }
  if (violations.length === 0)
    oracle.settled({
      clockSet: leaps || clockIsSet,
      waited: leaps,
      periods: aspects.periods && leavesALook(wholeMs),
      accounts: provider.accounts,
    })
  shardDeaths += service?.shardDeaths ?? 0
  partitionMoves += service?.partitionMoves ?? 0
  return {
    seed,
    violations,
    atMs: atMs || time.monotonic(),
    counts: oracle.verdict.counts,
    steps: time.steps,
    frames,
    charges,
    commands,
    shardDeaths,
    processKills,
    partitionMoves,
    rates: faults.rates,
  }

  /** Spreads about `times` troubles of a kind over the troubled part. */
  function plan(times: number, name: string, happen: () => void): void {
    const whole = Math.floor(times) + (random() < times % 1 ? 1 : 0)
    for (let n = 0; n < whole; n++) {
      time.after(random() * troubledMs, outside, () => {
        trace(name)
        happen()
      })
    }
  }

  function register(): void {
    const thread = newThread('registration')
    const calm = { ...faults, happens: () => false }
    const options = { schemaVersion, clock: time, onBroken: noteIfBroken }
    const store = openStore(tables, options, { disk, thread, time, faults: calm, written: () => {} })
    void store.commit(unowned(registrationRows(all, endpoints, aspects, stalls, time.now())))
  }

  /** Now and then, until everything heals. */
  function often(everyMs: number, happen: () => void): void {
    time.after(random() * 2 * everyMs, outside, () => {
      if (time.monotonic() > troubledMs) return
      happen()
      often(everyMs, happen)
    })
  }

  /** An operator who looks at the alert now and then. */
  function watchClock(): void {
    time.after(clockLookedAtEveryMs, outside, () => {
      service?.confirmClock()
      watchClock()
    })
  }

  /** To the end, also once everything has healed. */
  function watchSites(): void {
    time.after(sitesEveryMs, outside, () => {
      oracle.sitesChanged()
      watchSites()
    })
  }

  /** A charge point is removed just when a charge begins there. */
  function removeAtStart(chargePointId: string, text: string): void {
    if (!text.includes('"StartTransaction"') || !faults.happens('removals')) return
    trace(`${chargePointId} is removed`)
    time.after(random() * 20, outside, () => administrators.remove(chargePointId))
  }

  /** What the service asks of others. */
  function runJob(job: string, input: unknown, thread: SimulatedThread): Promise<JobOutcome> {
    if (job === paymentJob) return provider.ask(input as PaymentRequest, thread)
    if (job === sendMailJob) return mailServer.send(input as SendMailRequest, thread)
    if (job === ocpiCallJob) return roamingPartner.call(input as OcpiCall, thread)
    return receiving.post(input as OutboundRequest, thread)
  }

  function start(): void {
    time.after(20, outside, () => {
      service = startService({
        time,
        faults,
        disk,
        observer: oracle.inside,
        runJob,
        began(run) {
          oracle.began(run)
          trace(`run ${run} begins`)
        },
        gaveUp(reason) {
          trace(`the process ends: ${reason}`)
          kill()
        },
      })
    })
  }

  function kill(): void {
    if (service === undefined) return
    processKills++
    shardDeaths += service.shardDeaths
    partitionMoves += service.partitionMoves
    service.kill()
    service = undefined
    network.cut()
    operators.orphan()
    time.after(500 + random() * 3_000, outside, start)
  }

  /** Some of all partitions, or very many, by two moves of which one follows the other at once. */
  function movePartitions(): void {
    const share = random() ** 2
    const some = Array.from({ length: partitionCount }, (_, partition) => partition).filter(() => random() < share)
    const to = Math.floor(random() * settings.shards)
    const half = some.length / 2
    service?.movePartitions(some.slice(0, half), to)
    service?.movePartitions(some.slice(half), to)
  }

  function heal(): void {
    trace('everything heals')
    faults.heal()
    disk.full = false
  }

  function operate(): void {
    time.settleAfter((random() * 2 * operatorsEveryMs) / activity, outside, () => {
      // A command needs the rest of the time to end in, also in a calm world, where the next one is far off.
      if (time.monotonic() > wholeMs * 0.85) return
      const front = someFront()
      if (front !== undefined) time.settleAfter(0, front.thread, () => operators.act(front))
      operate()
    })
  }

  /** A shard or a store that breaks a rule of its own ends its thread: here, the world. */
  function brokenOrThrow(error: unknown): void {
    if (!isBroken(error)) throw error
    noteIfBroken(error)
  }

  function unexpected(error: unknown): void {
    if (isBroken(error)) return void noteIfBroken(error)
    const wrong = error instanceof Error ? (error.stack ?? error.message) : String(error)
    if (error instanceof Error && error.constructor.name === 'SimulatedDeath') return
    oracle.verdict.check('answered', false, () => `a promise was rejected and nobody took it: ${wrong}`)
  }
}
