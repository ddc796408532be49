// The vehicles of simulated charge points: what their batteries take, what limits leave to them, and what meters show of it.

import { test } from 'tap'
import { batteryVehicle } from '../../bench/charge-point/vehicle.js'
import { callsOf, createWorld, type World } from './world.js'

const volts = 230
const full = { maximumAmperes: 32, capacityWh: 10_000, storedWh: 2_000 } as const

function charging(phases: 1 | 3): World {
  const world = createWorld({
    vehicleAt: () => batteryVehicle({ ...full, phases }),
    configuration: { MeterValueSampleInterval: '1' },
  })
  world.chargePoint.start()
  world.pass(1_000)
  world.chargePoint.connectors.start(1, 'TAG-1', false)
  world.pass(1_000)
  return world
}

function limit(world: World, unit: 'A' | 'W', limit: number, numberPhases?: number): void {
  const schedule = { startPeriod: 0, limit, ...(numberPhases !== undefined && { numberPhases }) }
  world.command('SetChargingProfile', {
    connectorId: 1,
    csChargingProfiles: {
      chargingProfileId: 7,
      stackLevel: 0,
      chargingProfilePurpose: 'TxProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule: { chargingRateUnit: unit, chargingSchedulePeriod: [schedule] },
    },
  })
}

const wattsOf = ({ chargePoint }: World): number => Number(chargePoint.connectors.find(1)?.powerWatts)

test('vehicles - a battery takes all that it can until it is 80 % full, then less and less, and ends', (t) => {
  const vehicle = batteryVehicle({ ...full, phases: 3 })
  const amperesAt = (takenWh: number): number =>
    vehicle.drawWatts(Number.POSITIVE_INFINITY, takenWh) / volts / vehicle.phases
  t.equal(vehicle.stateOfCharge(3_000), 0.5)
  t.same([0, 3_000, 6_000].map(amperesAt), [32, 32, 32])
  t.equal(Math.round(amperesAt(7_000)), 19, 'halfway between 32 A and 6 A')
  t.ok(amperesAt(7_999) >= 6)
  t.same([8_000, 9_000].map(amperesAt), [0, 0])
  t.equal(vehicle.drawWatts(10 * volts * 3, 0), 10 * volts * 3)
  t.equal(vehicle.drawWatts(5.9 * volts * 3, 0), 0, 'no car charges below 6 A')
  t.end()
})

test('vehicles - a limit is that of each phase on which the vehicle charges', (t) => {
  const [one, three] = [charging(1), charging(3)]
  limit(one, 'A', 10)
  limit(three, 'A', 10)
  t.equal(wattsOf(one), 10 * volts)
  t.equal(wattsOf(three), 10 * volts * 3)
  limit(one, 'A', 20, 1)
  limit(three, 'A', 20, 1)
  t.equal(wattsOf(one), 20 * volts)
  limit(one, 'W', 6_900)
  limit(three, 'W', 6_900)
  t.equal(wattsOf(one), 2_300, 'its part of 6900 W on three phases')
  t.equal(wattsOf(three), 6_900)
  limit(one, 'W', 4_600, 1)
  t.equal(wattsOf(one), 4_600)
  limit(one, 'A', 5)
  t.equal(wattsOf(one), 0)
  t.equal(one.chargePoint.connectors.find(1)?.status, 'SuspendedEVSE')
  t.end()
})

test('vehicles - meter values show power and current of each phase, and a full battery is told of', (t) => {
  for (const phases of [1, 3] as const) {
    const world = charging(phases)
    limit(world, 'A', 10)
    world.pass(3_000)
    const [{ meterValue: [{ sampledValue = [] } = {}] = [] } = {}] = callsOf(world, 'MeterValues')
      .slice(-1)
      .map(({ payload }) => payload as { meterValue?: { sampledValue?: Record<string, string>[] }[] })
    const valuesOf = (measurand: string) =>
      sampledValue.filter((sample) => sample.measurand === measurand).map(({ phase, value }) => [phase, value])
    const [amperes, watts] = phases === 1 ? ['0.0', '0'] : ['10.0', '2300']
    t.same(valuesOf('Current.Import'), [
      ['L1', '10.0'],
      ['L2', amperes],
      ['L3', amperes],
    ])
    t.same(valuesOf('Power.Active.Import'), [
      [undefined, String(phases * 2_300)],
      ['L1', '2300'],
      ['L2', watts],
      ['L3', watts],
    ])
  }
  const world = charging(3)
  world.pass(2 * 3_600_000)
  t.equal(world.chargePoint.connectors.takenWh(1) >= 8_000, true)
  t.equal(world.chargePoint.connectors.find(1)?.status, 'SuspendedEV')
  t.end()
})
