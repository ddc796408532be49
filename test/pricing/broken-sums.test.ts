// Where the arithmetic itself is wrong: the session ends without a cost, and says so; nobody is sent an amount that does not add up.
// The mistake is planted into the source, since no facts lead to one.

import { test } from 'tap'
import type { PlantedBug } from '../simulation/mutants/mutant.js'
import { createPlanter } from '../simulation/mutants/plant.js'

const mistake: PlantedBug = {
  name: 'one-too-many',
  bug: 'a line gets two minor units of what is left over, and not one',
  file: 'src/pricing/money.ts',
  find: 'parts[index] = (parts[index] as number) + 1',
  replace: 'parts[index] = (parts[index] as number) + 2',
}
const planter = await createPlanter([mistake], 'test/pricing/sums-and-invoices.ts')
const planted: typeof import('./sums-and-invoices.js') = await planter.with(mistake, (file) => import(file))
await planter.end()
const { addAmounts, addItem, amountsOf, charging, component, invoicesOf, itemOf } = planted
const { minuteMs, newSums, periodAround, priceSession, session, snapshot, start } = planted

test('broken sums - a session whose lines do not add up ends without a cost, and is flagged', async (t) => {
  // 10 kWh at 0.33337: 333.37 cents are exact, and have no remainder at 0.33; at 0.3337 one cent is left over.
  const charge = await charging({ components: [{ type: 'energy', price: 0.33337 }], tax_percentage: 20 })
  const good = await charge.start()
  charge.pass(60 * minuteMs)
  await charge.stop(good)
  t.match(charge.session(good), { status: 'completed', flags: [] })
  const wrong = await charging({ components: [{ type: 'energy', price: 0.3337 }], tax_percentage: 20 })
  const transactionId = await wrong.start()
  wrong.pass(60 * minuteMs)
  await wrong.stop(transactionId)
  const ended = wrong.session(transactionId)
  t.match(ended, { status: 'completed', energy_wh: 10_000, flags: ['not_priced'] })
  t.notOk('cost' in ended)
  t.equal(wrong.cost(transactionId), undefined)
})

test('broken sums - an amount whose parts are not its total is not written down', (t) => {
  const sums = newSums()
  addAmounts(sums, { energy_wh: 1, subtotal: 4, tax: 1, total: 5 })
  t.match(amountsOf(sums), { subtotal: 4, tax: 1, total: 5 })
  sums.total += 1n
  t.throws(() => amountsOf(sums), { message: /subtotal, adjustments and tax are the total/ })
  t.end()
})

test('broken sums - an invoice whose lines are not its total is not made', (t) => {
  const drafts = new Map()
  const priced = priceSession(session(10), snapshot([component('energy', 1)], 20), [])
  const period = periodAround(start, 'UTC')
  const endedAt = new Date(start).toISOString()
  const cost = { session_id: 'ses_1', organization_id: 'org_1', charge_point_id: 'CP-1', ended_at: endedAt }
  const item = itemOf({ ...cost, tariff_snapshot: '', priced, rules: [], priced_at: endedAt }, [], period)
  if (item === undefined) throw new Error('the session is not billed')
  addItem(drafts, item, priced)
  const party = { name: '', country: '', contact_email: '' }
  const facts = { organizationId: 'org_1', period, timeZone: 'UTC', issuerId: 'org_1', issuer: party, recipient: party }
  t.match(invoicesOf(drafts, facts), [{ total: 12 }])
  for (const draft of drafts.values()) draft.sums.total += 1n
  t.throws(() => invoicesOf(drafts, facts), { message: /the lines add up to the invoice/ })
  t.end()
})
