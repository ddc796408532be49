// Tariffs and billing rules in the console: written, tried on past sessions before they are saved, and saved as the API has them then.

import type { Page } from 'playwright-core'
import { type Test, test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint, secondsAgo, startRequest } from '../support/charge-point.js'
import { tenantOf } from '../support/organization.js'
import type { Service } from '../support/service.js'
import { consoleStage, goTo } from './stage.js'

/** A charge of 10 kWh at 0.50, of an organization of its own. */
async function charged(t: Test, chargePointId: string): Promise<{ service: Service; page: Page; tariffId: string }> {
  const stage = await consoleStage()
  const service = await tenantOf(stage.installation)
  const client = await bootChargePoint(service, chargePointId)
  t.teardown(() => client.close())
  const tariff = { name: 'Public', currency: 'EUR', components: [{ type: 'energy', price: 0.5 }] }
  const { tariff_id: tariffId } = (await service.request('POST', '/api/v1/billing/tariffs', tariff)).body
  await service.request('PUT', `/api/v1/chargepoints/${chargePointId}/tariff`, { tariff_id: tariffId })
  const { transactionId } = (await client.call('StartTransaction', startRequest())).payload
  await client.call('StopTransaction', { transactionId, meterStop: 11_000, timestamp: secondsAgo(60), reason: 'Local' })
  const { page } = await stage.signedIn(t, service.key)
  return { service, page, tariffId }
}

test(
  'tariffs - a changed price is tried on past sessions, and saved with a band and its hours',
  needsBrowser,
  async (t) => {
    const { service, page, tariffId } = await charged(t, 'TARIFFS-1')
    await goTo(page, '/tariffs')
    await page.getByRole('link', { name: 'Public', exact: true }).click()
    const price = page.getByLabel('Prices: Energy, a kWh, price', { exact: true })
    await price.fill('0.6')
    await page.getByRole('button', { name: 'Preview' }).click()
    const result = page.getByRole('status').filter({ hasText: 'would have cost' })
    await result.waitFor()
    t.match(await result.textContent(), /1 of 1 sessions .* 6\.00 EUR instead of 5\.00 EUR, \+1\.00 EUR/)
    const stored = async () => (await service.request('GET', `/api/v1/billing/tariffs/${tariffId}`)).body
    t.match(await stored(), { components: [{ price: 0.5 }] }, 'a preview changes nothing')

    await page.getByRole('button', { name: 'Band', exact: true }).click()
    await page.getByLabel('Name of the band').fill('night')
    await page.getByRole('group', { name: 'Band night' }).getByLabel('Energy, a kWh', { exact: true }).check()
    await page.getByLabel('Band night: Energy, a kWh, price', { exact: true }).fill('0.2')
    await page.getByRole('button', { name: 'Entry', exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Save it' }).click()
    await page.getByText('The tariff is saved.').waitFor()
    t.match(await stored(), { components: [{ price: 0.6 }] })
    t.match((await service.request('GET', `/api/v1/tariffs/${tariffId}/rates`)).body, {
      bands: [{ band: 'night', components: [{ type: 'energy', price: 0.2 }] }],
    })
    t.match((await service.request('GET', `/api/v1/tariffs/${tariffId}/schedule`)).body, {
      entries: [{ band: 'night', start_time: '22:00', end_time: '06:00', days: null }],
    })

    const always = [{ band: 'night', start_time: '00:00', end_time: '00:00' }]
    await service.request('PUT', `/api/v1/tariffs/${tariffId}/schedule`, always)
    await page.goto('/console/charge-points/TARIFFS-1/money')
    const now = page.getByRole('region', { name: 'A session that starts now' })
    await now.getByText('It has the prices of the rate band night.').waitFor()
    await now.getByText('0.2 EUR a kWh').waitFor()
  },
)

test(
  'tariffs - what the service refuses is told where it is wrong, and a tariff in use is not deleted',
  needsBrowser,
  async (t) => {
    const { service, page, tariffId } = await charged(t, 'TARIFFS-2')
    await page.goto(`/console/tariffs/${tariffId}`)
    const saved = page.getByRole('button', { name: 'Save', exact: true })
    await page.getByLabel('Currency').fill('EURO')
    await page.getByLabel('Prices: Energy, a kWh, price', { exact: true }).fill('0,x')
    await saved.click()
    await page.getByText('2 fields have to be changed: each says why.').waitFor()
    t.match(await page.getByRole('dialog').count(), 0, 'nobody is asked whether that is to be saved')
    await page.getByRole('alert').getByText('Write it with three letters, as EUR.').waitFor()
    await page.locator('input[aria-invalid=true]:focus').waitFor()
    await page.getByLabel('Currency').fill('EUR')
    await page.getByLabel('Prices: Energy, a kWh, price', { exact: true }).fill('0.5')
    await page.getByLabel('Tax, %').fill('150')
    await saved.click()
    await page.getByRole('button', { name: 'Save it' }).click()
    await page.getByText('One field has to be changed: it says why.').waitFor()
    await page
      .locator('.field', { has: page.getByLabel('Tax, %') })
      .getByText(/must be/)
      .waitFor()

    const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await leave.getByRole('button', { name: 'Cancel' }).click()
    t.equal(await page.getByLabel('Tax, %').inputValue(), '150', 'what was typed is there')
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await leave.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    await page.goBack()
    t.equal(await page.getByLabel('Tax, %').inputValue(), '0')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete the tariff' }).click()
    await page
      .getByRole('alert')
      .getByText(/assigned to at least one charge point/)
      .waitFor()
    t.equal((await service.request('GET', `/api/v1/billing/tariffs/${tariffId}`)).status, 200)
  },
)

test(
  'tariffs - a new one of which a part is refused is there once, when the part has been mended',
  needsBrowser,
  async (t) => {
    const { service, page } = await charged(t, 'TARIFFS-4')
    await goTo(page, '/tariffs/new')
    await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).click({ force: true })
    await page.getByText('Nothing has been changed.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('In parts')
    for (const at of [0, 1]) {
      await page.getByRole('button', { name: 'Band', exact: true }).click()
      await page.getByLabel('Name of the band').nth(at).fill('night')
      await page.getByRole('group', { name: 'Band night' }).nth(at).getByLabel('Energy, a kWh', { exact: true }).check()
      await page.getByLabel('Band night: Energy, a kWh, price', { exact: true }).nth(at).fill('0.2')
    }
    await page.getByRole('button', { name: 'Entry', exact: true }).click()
    const entry = page.getByRole('group', { name: 'Entry 1' })
    await entry.getByLabel('Until').fill('22:00')
    await entry.getByText('It lasts all day.').waitFor()
    await entry.getByLabel('Until').fill('24:00')
    await entry.getByLabel('First day').fill('2026-02-02')
    await entry.getByLabel('Last day').fill('2026-02-01')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await entry.getByText('Write midnight as 00:00.').waitFor()
    await entry.getByText('The last day is before the first.').waitFor()
    await entry.getByLabel('Until').fill('00:00')
    await entry.getByText('At midnight.').waitFor()
    await entry.getByLabel('Last day').fill('2026-02-28')
    const save = async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Create it' }).click()
    }
    await save()
    await page.getByText('A part of what you have changed is saved. What is here now is not.').waitFor()
    await page.getByLabel('Tax, %').fill('19')
    await page.getByLabel('Name of the band').nth(1).fill('noon')
    await save()
    await page.getByText('The tariff is there.', { exact: false }).waitFor()
    const { data } = (await service.request('GET', '/api/v1/billing/tariffs')).body
    const made = data.filter(({ name }: { name: string }) => name === 'In parts')
    t.equal(made.length, 1)
    t.equal(made[0].tax_percentage, 19, 'what was changed after a part had been saved is saved as well')
    t.match((await service.request('GET', `/api/v1/tariffs/${made[0].tariff_id}/rates`)).body, {
      bands: [{ band: 'night' }, { band: 'noon' }],
    })
    t.match((await service.request('GET', `/api/v1/tariffs/${made[0].tariff_id}/schedule`)).body, {
      entries: [{ band: 'night', end_time: '00:00', from_date: '2026-02-02', to_date: '2026-02-28' }],
    })
  },
)

test('billing rules - a rule is tried on past sessions, and saved', needsBrowser, async (t) => {
  const { service, page } = await charged(t, 'TARIFFS-3')
  await goTo(page, '/rules')
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Half from 5 kWh')
  await page.getByRole('button', { name: 'Condition', exact: true }).click()
  await page.getByLabel('Value of condition 1', { exact: true }).fill('5')
  await page.getByLabel('Value of action 1', { exact: true }).fill('50')
  await page.mouse.click(5, 300)
  t.equal(await page.getByRole('dialog').count(), 1, 'a press beside it does not take away what was typed')
  await page.getByRole('button', { name: /^Preview/ }).click()
  const result = page.getByRole('status').filter({ hasText: 'would have cost' })
  await result.waitFor()
  t.match(await result.textContent(), /2\.50 EUR instead of 5\.00 EUR, −2\.50 EUR/)
  t.equal((await service.request('GET', '/api/v1/billing/rules')).body.total, 0)
  await page.getByRole('button', { name: 'Save the rule' }).click()
  await page.getByRole('row', { name: /Half from 5 kWh/ }).waitFor()
  t.match((await service.request('GET', '/api/v1/billing/rules')).body.data, [
    {
      name: 'Half from 5 kWh',
      conditions: [{ field: 'energy_kwh', operator: 'gte', value: 5 }],
      actions: [{ type: 'discount_percent', value: 50 }],
      active: true,
    },
  ])

  await page.getByRole('row', { name: /Half from 5 kWh/ }).click()
  const energy = page.getByLabel('Energy (kWh)', { exact: true })
  await energy.fill('4')
  await page.getByRole('button', { name: 'Test the saved rule on it' }).click()
  await page.getByText(/The rule does not apply: it stays at 10\.00/).waitFor()
  await energy.fill('6.5')
  await page.getByLabel('Cost before rules').fill('3,20')
  await page.getByRole('button', { name: 'Test the saved rule on it' }).click()
  const tested = page.getByRole('status').filter({ hasText: 'The rule applies' })
  await tested.waitFor()
  t.match(await tested.textContent(), /3\.20 EUR becomes 1\.60 EUR.*Energy \(kWh\) is at least 5: holds, it is 6\.5/)
})
