import { test } from 'tap'
import { numberOf } from '../../src/emsp/fraction.js'
import { invoiced, type PricedDimension, priceCdr, rounded } from '../../src/emsp/price-cdr.js'
import { tariffSchema } from '../../src/ocpi/schemas/tariff.js'
import { faultsOfSent } from '../../src/ocpi/validators.js'
import { charge, monday, ocpiTariff, price, vectors } from './vectors.js'

const minute = 60_000

for (const { name, cdr, excl_vat, incl_vat } of vectors)
  test(`price of a CDR - ${name}`, (t) => {
    t.same(rounded(priceCdr(cdr, 'UTC').total), { excl_vat, incl_vat })
    t.same(
      (cdr.tariffs ?? []).flatMap((tariff) => faultsOfSent(tariffSchema, tariff)),
      [],
    )
    t.end()
  })

const shown = ({ billed, ...exact }: PricedDimension) => ({ billed: numberOf(billed, 4), ...rounded(exact) })

test('price of a CDR - V12, what V11 is made of', (t) => {
  const { fixed, energy, time, parking } = priceCdr(
    (vectors.find(({ name }) => name.startsWith('V11')) as (typeof vectors)[number]).cdr,
    'UTC',
  )
  t.same(shown(fixed), { billed: 1, excl_vat: 2.5, incl_vat: 2.875 })
  t.same(shown(energy), { billed: 0, excl_vat: 0, incl_vat: 0 })
  t.same(shown(time), { billed: 2.75, excl_vat: 2.75, incl_vat: 3.3 })
  t.same(shown(parking), { billed: 0.75, excl_vat: 3.75, incl_vat: 4.125 })
  t.end()
})

test('price of a CDR - a day and a night rate change at the wall clock of the location, also when it is put forward', (t) => {
  const tariff = ocpiTariff([
    price('TIME', 6, 0, 1, { start_time: '22:00', end_time: '04:00' }),
    price('TIME', 60, 0, 1),
  ])
  const night = (at: string, charging: number) =>
    rounded(priceCdr(charge(tariff, { charging, at: Date.parse(at) }), 'Europe/Amsterdam').total).excl_vat
  // 21:30 to 23:30, in summer.
  t.equal(night('2026-06-01T19:30:00Z', 120), 30 + 9)
  // From 01:00 on the night on which 02:00 is 03:00: two hours until 04:00.
  t.equal(night('2026-03-29T00:00:00Z', 180), 12 + 60)
  // From 01:00 on the night on which 03:00 is 02:00: four hours.
  t.equal(night('2026-10-24T23:00:00Z', 300), 24 + 60)
  t.end()
})

test('price of a CDR - energy and duration change the price where they reach a threshold', (t) => {
  const byEnergy = ocpiTariff([price('ENERGY', 1, 0, 1, { max_kwh: 3.3333 }), price('ENERGY', 2, 0)])
  t.equal(rounded(priceCdr(charge(byEnergy, { kwh: 10 }), 'UTC').total).excl_vat, 16.6667)
  const timeByEnergy = ocpiTariff([price('TIME', 6, 0, 1, { min_kwh: 2.5 }), price('TIME', 60, 0)])
  t.equal(rounded(priceCdr(charge(timeByEnergy, { kwh: 10 }), 'UTC').total).excl_vat, 15 + 4.5)
  const byDuration = ocpiTariff([
    price('PARKING_TIME', 1, 0, 1, { min_duration: 5_400, max_duration: 7_200 }),
    price('FLAT', 3, 0),
  ])
  t.equal(rounded(priceCdr(charge(byDuration, { parked: 120 }), 'UTC').total).excl_vat, 3.5)
  t.end()
})

test('price of a CDR - dates and days of the week are those of the location, and the end date is not within', (t) => {
  const tariff = ocpiTariff([
    price('TIME', 60, 0, 1, { start_date: '2026-06-02', end_date: '2026-06-03' }),
    price('TIME', 6, 0, 1, { day_of_week: ['WEDNESDAY'] }),
  ])
  // From Tuesday 23:00 to Wednesday 01:00 in Amsterdam.
  const at = Date.parse('2026-06-02T21:00:00Z')
  t.equal(rounded(priceCdr(charge(tariff, { charging: 120, at }), 'Europe/Amsterdam').total).excl_vat, 66)
  t.equal(rounded(priceCdr(charge(tariff, { charging: 120, at }), 'UTC').total).excl_vat, 120)
  t.end()
})

test('price of a CDR - the first element that has the dimension counts, for each dimension on its own', (t) => {
  const tariff = ocpiTariff([
    {
      price_components: [{ type: 'TIME', price: 6, step_size: 1 }],
      restrictions: { start_time: '00:00', end_time: '00:00' },
    },
    price('TIME', 60, 0),
    price('ENERGY', 1, 0),
  ])
  t.equal(rounded(priceCdr(charge(tariff, { kwh: 5 }), 'UTC').total).excl_vat, 11)
  t.end()
})

test('price of a CDR - two tariffs: the fee is of the first, and only the last rounds up', (t) => {
  const first = ocpiTariff([price('FLAT', 1, 0), price('TIME', 60, 0, 600)], { id: 'A' })
  const second = ocpiTariff([price('FLAT', 5, 0), price('TIME', 6, 0, 600)], { id: 'B' })
  const at = (minutes: number) => new Date(monday + minutes * minute).toISOString()
  const cdr = {
    start_date_time: at(0),
    end_date_time: at(14),
    charging_periods: [
      { start_date_time: at(0), dimensions: [{ type: 'TIME' as const, volume: 0.1166 }], tariff_id: 'a' },
      { start_date_time: at(7), dimensions: [{ type: 'TIME' as const, volume: 0.1166 }], tariff_id: 'B' },
    ],
    tariffs: [first, second],
  }
  t.equal(rounded(priceCdr(cdr, 'UTC').total).excl_vat, 1 + 7 + 1)
  t.end()
})

test('price of a CDR - a reservation has prices of its own, and one that expires others', (t) => {
  const tariff = ocpiTariff([
    price('FLAT', 1, 0, 1, { reservation: 'RESERVATION' }),
    price('TIME', 6, 0, 600, { reservation: 'RESERVATION' }),
    price('FLAT', 4, 0, 1, { reservation: 'RESERVATION_EXPIRES' }),
    price('TIME', 60, 0),
  ])
  const at = (minutes: number) => new Date(monday + minutes * minute).toISOString()
  const reserved = { start_date_time: at(0), dimensions: [{ type: 'RESERVATION_TIME' as const, volume: 0.25 }] }
  const charged = { start_date_time: at(15), dimensions: [{ type: 'TIME' as const, volume: 0.5 }] }
  const priced = (end: number, charging_periods: (typeof reserved | typeof charged)[]) =>
    priceCdr({ start_date_time: at(0), end_date_time: at(end), charging_periods, tariffs: [tariff] }, 'UTC')
  t.equal(rounded(priced(45, [reserved, charged]).reservation).excl_vat, 1 + 2)
  t.equal(rounded(priced(45, [reserved, charged]).total).excl_vat, 3 + 30)
  t.equal(rounded(priced(15, [reserved]).total).excl_vat, 4 + 2)
  t.end()
})

test('price of a CDR - free where no component, or no tariff, is there', (t) => {
  const tariff = ocpiTariff([price('FLAT', 0, 0)])
  t.same(rounded(priceCdr(charge(tariff, { kwh: 20 }), 'UTC').total), { excl_vat: 0, incl_vat: 0 })
  t.same(rounded(priceCdr({ ...charge(tariff, { kwh: 20 }), tariffs: [] }, 'UTC').total), { excl_vat: 0, incl_vat: 0 })
  t.end()
})

test('price of a CDR - without VAT, the price with VAT is the same', (t) => {
  const tariff = ocpiTariff([{ price_components: [{ type: 'ENERGY', price: 0.25, step_size: 1 }] }])
  t.same(rounded(priceCdr(charge(tariff, { kwh: 20 }), 'UTC').total), { excl_vat: 5, incl_vat: 5 })
  t.end()
})

test('price of a CDR - a bill rounds the net amount and takes the VAT of that', (t) => {
  const of = (kwh: number, vat: number) => priceCdr(charge(ocpiTariff([price('ENERGY', 0.25, vat)]), { kwh }), 'UTC')
  // Exactly 1.004 and 2.008.
  t.same(invoiced(of(4.016, 100), 2), { excl_vat: 1, incl_vat: 2 })
  t.same(invoiced(of(22.5, 20), 2), { excl_vat: 5.63, incl_vat: 6.76 })
  t.same(rounded(of(22.5, 20).total), { excl_vat: 5.625, incl_vat: 6.75 })
  t.end()
})
