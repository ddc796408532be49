import fc from 'fast-check'
import { test } from 'tap'
import { totalBeforeAgreement, withAgreedTotal } from '../../src/pricing/agreed-total.js'
import { minorOf } from '../../src/pricing/money.js'
import { priceSession } from '../../src/pricing/price-session.js'
import { component, session, snapshot } from './examples.js'

test('pricing - a total that was agreed is met to the minor unit, and the parts still sum to it', (t) => {
  const given = fc.record({
    energyWh: fc.integer({ min: 0, max: 100_000 }),
    price: fc.integer({ min: 0, max: 200 }),
    tax: fc.constantFrom(0, 7, 19, 21, 25.5, 100),
    share: fc.double({ min: 0, max: 1.2, noNaN: true }),
  })
  fc.assert(
    fc.property(given, ({ energyWh, price, tax, share }) => {
      const priced = priceSession(session(energyWh / 1000), snapshot([component('energy', price / 100)], tax), [])
      const agreed = Math.round(minorOf(priced.total, 2) * share) / 100
      const after = withAgreedTotal(priced, { dispute_id: 'dsp_1', total: agreed })
      const minor = (amount: number): number => minorOf(amount, 2)
      const adjustments = after.adjustments.reduce((sum, { amount }) => sum + minor(amount), 0)
      return (
        totalBeforeAgreement(withAgreedTotal(after, { dispute_id: 'dsp_2', total: 0 })) === priced.total &&
        minor(after.total) === Math.min(minor(agreed), minor(priced.total)) &&
        minor(after.subtotal) + adjustments + minor(after.tax) === minor(after.total) &&
        after.tax >= 0
      )
    }),
  )
  t.end()
})
