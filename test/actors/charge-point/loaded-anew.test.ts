// An actor is loaded anew whenever it has been idle, its shard has ended or the service was restarted: what a session has taken, and
// what it is billed, must not depend on when that was.

import fc from 'fast-check'
import { test } from 'tap'
import { energyDeliveredWh } from '../../../src/actors/charge-point/energy-delivered.js'
import { isFullRun } from '../../runner/results.js'
import { type Charging, charging, minuteMs } from './charge.js'

type Place = 'Outlet' | 'Inlet'

/** One MeterValues: what it shows of the register, and where; a message may tell the power alone. */
interface Told {
  readonly minutes: number
  /** It is of the instant of the message before, of one further back, or of now. */
  readonly of: 'now' | 'before' | 'long-before'
  readonly context: string
  readonly place: Place
  readonly shows: 'more' | 'power' | 'reset' | 'glitch' | 'zero' | 'less'
  readonly wh: number
  readonly thenLoaded: boolean
}

const meterStart = 800_000

function toldAt(place: fc.Arbitrary<Place>): fc.Arbitrary<Told> {
  return fc.record({
    minutes: fc.integer({ min: 1, max: 10 }),
    of: fc.oneof(
      { weight: 8, arbitrary: fc.constant('now' as const) },
      { weight: 2, arbitrary: fc.constantFrom('before' as const, 'long-before') },
    ),
    context: fc.constantFrom('Sample.Periodic', 'Sample.Clock', 'Transaction.End'),
    place,
    shows: fc.oneof(
      { weight: 6, arbitrary: fc.constant('more' as const) },
      { weight: 4, arbitrary: fc.constantFrom('power' as const, 'reset', 'glitch', 'zero', 'less') },
    ),
    wh: fc.integer({ min: 0, max: 3_000 }),
    thenLoaded: fc.boolean(),
  })
}

/** What the charge point sends, and what its meter really stands at then. */
function sampled(
  { place, shows, wh }: Told,
  meter: number,
): { readonly samples: readonly object[]; readonly meter: number } {
  const power = { measurand: 'Power.Active.Import', value: String(wh) }
  const register = (value: number) => ({ value: String(value), location: place })
  switch (shows) {
    case 'more':
      return { samples: [register(meter + wh), power], meter: meter + wh }
    case 'power':
      return { samples: [power], meter }
    case 'reset':
      return { samples: [register(wh % 100)], meter: wh % 100 }
    case 'glitch':
      return { samples: [register(meter + 5_000_000)], meter }
    case 'zero':
      return { samples: [register(0)], meter }
    case 'less':
      return { samples: [register(Math.max(0, meter - (wh % 900)))], meter }
  }
}

const behind = { now: -1, before: -1, 'long-before': -2 } as const

interface Lived {
  /** After each message, Wh. */
  readonly delivered: readonly number[]
  /** Closed by estimate, Wh. */
  readonly estimatedWh: number | undefined
  /** As its StopTransaction corrects it. */
  readonly energyWh: number | undefined
  readonly cost: number | undefined
  readonly flags: readonly string[]
}

async function lived(tellings: readonly Told[], isMetered: boolean, isLoaded: boolean): Promise<Lived> {
  const charge = await charging({ components: [{ type: 'energy', price: 1 }] })
  const transactionId = await charge.start(isMetered ? { meterStart } : { meterStart: undefined })
  let socket = 1
  let meter = meterStart
  const times: string[] = []
  const delivered: number[] = []
  for (const told of tellings) {
    charge.pass(told.minutes * minuteMs)
    const { samples, meter: now } = sampled(told, meter)
    meter = now
    if (told.of === 'now') times.push(charge.now())
    const timestamp = times.at(behind[told.of]) ?? charge.now()
    const sampledValue = samples.map((sample) => ({ ...sample, context: told.context }))
    const meterValue = [{ timestamp, sampledValue }]
    await charge.call(socket, 'MeterValues', { connectorId: 1, transactionId, meterValue })
    delivered.push(deliveredWh(charge, transactionId))
    if (!isLoaded || !told.thenLoaded) continue
    charge.restart()
    await charge.attach(++socket, socket * 100)
  }
  charge.pass(minuteMs)
  await charge.ask({ type: 'close-session', sessionId: charge.session(transactionId).session_id, reason: 'Other' })
  const { energy_wh: estimatedWh } = charge.session(transactionId)
  const stop = { transactionId, meterStop: meter, timestamp: charge.now() }
  await charge.call(socket, 'StopTransaction', stop)
  const { energy_wh, cost, flags } = charge.session(transactionId)
  return { delivered, estimatedWh, energyWh: energy_wh, cost, flags }
}

function deliveredWh(charge: Charging, transactionId: number): number {
  return energyDeliveredWh(charge.view(), charge.session(transactionId))
}

const places: Record<string, fc.Arbitrary<Place>> = {
  'the outlet': fc.constant('Outlet'),
  'the inlet': fc.constant('Inlet'),
  'both places': fc.constantFrom('Outlet', 'Inlet'),
}

for (const [where, place] of Object.entries(places)) {
  test(`loaded anew - what a session metered at ${where} has taken does not depend on when its actor was loaded`, async () => {
    const tellings = fc.array(toldAt(place), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(tellings, fc.boolean(), async (told, isMetered) => {
        const [stayed, loaded] = [await lived(told, isMetered, false), await lived(told, isMetered, true)]
        if (JSON.stringify(stayed) !== JSON.stringify(loaded))
          throw new Error(`${JSON.stringify(stayed)} in memory, ${JSON.stringify(loaded)} when loaded anew`)
      }),
      { numRuns: isFullRun ? 100 : 30 },
    )
  })
}

test('loaded anew - a charge that is metered at the inlet alone is billed in full', async (t) => {
  const inlet = (thenLoaded: boolean): Told => ({
    ...{ minutes: 5, of: 'now', context: 'Sample.Periodic', place: 'Inlet', shows: 'more', wh: 1_500 },
    thenLoaded,
  })
  const tellings = [false, true, false, false].map(inlet)
  t.match(await lived(tellings, true, true), { estimatedWh: 6_000, energyWh: 6_000, cost: 6 })
})

test('loaded anew - what a register showed once is not lost behind the hours of meter values that tell the power alone', async (t) => {
  const charge = await charging({ components: [{ type: 'energy', price: 1 }] })
  const transactionId = await charge.start({ meterStart })
  const tell = async (sampledValue: object, count: number): Promise<void> => {
    const meterValue = Array.from({ length: count }, () => {
      charge.pass(10_000)
      return { timestamp: charge.now(), sampledValue: [sampledValue] }
    })
    await charge.call(1, 'MeterValues', { connectorId: 1, transactionId, meterValue })
  }
  await tell({ value: String(meterStart + 4_000) }, 1)
  for (let told = 0; told < 1_100; told += 100) await tell({ measurand: 'Power.Active.Import', value: '3000' }, 100)
  t.equal(deliveredWh(charge, transactionId), 4_000)
  charge.restart()
  await charge.attach(1, 200)
  await charge.ask({
    type: 'close-session',
    sessionId: charge.session(transactionId).session_id,
    reason: 'Other',
  })
  t.match(charge.session(transactionId), { energy_wh: 4_000, cost: 4 })
})
