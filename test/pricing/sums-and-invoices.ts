// What broken-sums.test.ts looks at, as one file that its mistake is planted into.

export { addItem, invoicesOf, itemOf } from '../../src/actors/billing/month.js'
export { periodAround } from '../../src/actors/billing/periods.js'
export { addAmounts, amountsOf, newSums } from '../../src/pricing/cost-sums.js'
export { priceSession } from '../../src/pricing/price-session.js'
export { charging, minuteMs } from '../actors/charge-point/charge.js'
export { component, session, snapshot, start } from './examples.js'
