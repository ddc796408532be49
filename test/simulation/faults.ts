// What may go wrong in one world, and how often: every seed draws its own mixture, so that some worlds have one trouble
// alone and others many at once. After `heal` nothing goes wrong any more, and everything that was begun has to end well.

import { createRandom, type Random } from '../../bench/client/random.js'

export interface FaultRates {
  /** Shares of the frames between charge points and the edge. */
  readonly frameLost: number
  readonly frameRepeated: number
  readonly frameReordered: number
  /** Shares of the envelopes and replies between threads. */
  readonly envelopeLost: number
  readonly envelopeRepeated: number
  readonly envelopeReordered: number
  /** Times in a run that the socket of a charge point breaks, and how many of these the edge hears of late. */
  readonly socketDrops: number
  readonly halfOpen: number
  /** Times in a run that a charge point loses power, or opens a second socket beside its first. */
  readonly powerLosses: number
  readonly doubleConnections: number
  /** Chance that a shard ends at one of its steps out: before it sends, after it has sent, or between two messages. */
  readonly shardCrash: number
  /** Times in a run that the whole process is killed. */
  readonly processKills: number
  /** Share of the store's groups that the disk refuses, and of those that take seconds. */
  readonly commitRefused: number
  readonly commitStalled: number
  /** Share of the batches that wait long before the store's thread reads them. */
  readonly storeBusy: number
  /** Times in a run that the disk is full for seconds. */
  readonly diskFull: number
  /** Times in a run that the machine's clock is set. */
  readonly clockSteps: number
  /** Share of the calls that a charge point answers late, twice, with an error, or never. */
  readonly oddAnswers: number
  /** Times in a run that a receiver of webhooks is away for a while, and share of the deliveries that it answers wrongly, late or never. */
  readonly receiversAway: number
  readonly deliveryTrouble: number
  /** Share of the requests that the payment provider, and of the mails that the mail server answers late, wrongly or never. */
  readonly paymentTrouble: number
  readonly mailTrouble: number
  /** Times in a run that a charge point is gone for good. */
  readonly deaths: number
  /** Share of the charges in whose first moment somebody removes their charge point. */
  readonly removals: number
  /** Times in a run that partitions move from shards to another, while all go on. */
  readonly partitionMoves: number
}

export type Fault = keyof FaultRates

/** The most that a world has of each. */
const worst: FaultRates = {
  frameLost: 0.02,
  frameRepeated: 0.02,
  frameReordered: 0.02,
  envelopeLost: 0.01,
  envelopeRepeated: 0.02,
  envelopeReordered: 0.02,
  socketDrops: 1.5,
  halfOpen: 0.5,
  powerLosses: 0.7,
  doubleConnections: 1,
  shardCrash: 1 / 2_000,
  processKills: 2,
  commitRefused: 0.02,
  commitStalled: 0.002,
  storeBusy: 0.2,
  diskFull: 2,
  clockSteps: 4,
  oddAnswers: 0.3,
  receiversAway: 3,
  deliveryTrouble: 0.2,
  paymentTrouble: 0.5,
  mailTrouble: 0.5,
  deaths: 8,
  removals: 0.1,
  partitionMoves: 12,
}

export const faultNames = Object.keys(worst) as Fault[]

export interface Faults {
  readonly rates: FaultRates
  readonly random: Random
  readonly healed: boolean
  /** Whether it happens this time; never after `heal`. */
  happens(fault: Fault): boolean
  heal(): void
}

export interface DrawnFaults {
  /** Keeps the faults of these names alone: for finding out which of them a failure needs. */
  readonly only?: readonly string[] | undefined
  /** The troubles of the world, instead of those that its seed draws. */
  readonly rates?: Partial<FaultRates> | undefined
}

export function drawFaults(seed: number, { only, rates: given }: DrawnFaults = {}): Faults {
  const random = createRandom(seed ^ 0x5eed)
  let healed = false
  const drawn = faultNames.map((name) => {
    // A third of the troubles stay away altogether, and small shares are more frequent than large ones.
    const share = random() < 1 / 3 ? 0 : random() ** 2
    const rate = given === undefined ? share * worst[name] : (given[name] ?? 0)
    return [name, only === undefined || only.includes(name) ? rate : 0]
  })
  const rates = Object.fromEntries(drawn) as unknown as FaultRates
  return {
    rates,
    random,
    get healed() {
      return healed
    },
    happens: (fault) => !healed && rates[fault] > 0 && random() < rates[fault],
    heal() {
      healed = true
    },
  }
}
