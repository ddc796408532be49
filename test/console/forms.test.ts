// Forms in dialogs: what the service refuses stands at the field that it is about.

import type { Page } from 'playwright-core'
import { test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import type { Tenant } from '../support/organization.js'
import { operator } from './operator.js'

const register = (service: Tenant, id: string) =>
  service.request('POST', '/api/v1/chargepoints', {
    charge_point_id: id,
    name: id,
    address: '',
    latitude: 52,
    longitude: 5,
    connector_count: 1,
    max_power_kw: 22,
  })

/** What stands below the field, or below the group, of this name. */
async function faultAt(page: Page, label: string): Promise<string | null> {
  const field = page.locator('dialog[open]').last().getByLabel(label, { exact: true })
  await page.locator('dialog .refusal').waitFor()
  const id = await field.getAttribute('aria-describedby')
  return id === null ? null : await page.locator(`[id="${id}"][role=alert]`).textContent()
}

/** What the refusal says, without the code and the id of the request. */
const refusal = async (page: Page): Promise<string> =>
  (await page.locator('dialog .refusal > :not(.mono)').allTextContents()).join('\n')

test('forms - what the service refuses stands at the fields that it is about', needsBrowser, async (t) => {
  const { service, page, goTo, press } = await operator(t)
  await register(service, 'FORMS-1')
  const say = async (label: string, text: string) => {
    await page.locator('dialog').getByLabel(label, { exact: true }).fill(text)
  }
  const fault = (label: string) => faultAt(page, label)
  const oneField = 'One field has to be changed: it says why.'

  await goTo('/rules')
  await press('New rule')
  await say('Name', 'Long stays')
  await press('Condition')
  await page.getByLabel('How, of condition 1').selectOption({ label: 'is one of' })
  await say('Value of condition 1', '5, x, y')
  await say('Value of action 1', '150')
  for (const does of ['Preview on the last 30 days', 'Save the rule']) {
    await press(does)
    t.equal(await fault('Value of action 1'), 'must be at most 100 percent', does)
    t.equal(await fault('Value of condition 1'), 'No. 2: must be a number\nNo. 3: must be a number')
    t.equal(await refusal(page), '2 fields have to be changed: each says why.')
    await say('Order; lower runs first', '0')
    await press(does)
    await page.getByText(oneField).waitFor()
    t.equal(await fault('Order; lower runs first'), 'must be at least 1')
    await say('Order; lower runs first', '1')
  }
  for (let count = 1; count < 21; count++) await press('Condition')
  await press('Save the rule')
  await page.getByRole('group', { name: 'All of these hold' }).getByText('must have at most 20 items').waitFor()
  await page.keyboard.press('Escape')

  await goTo('/webhooks')
  await press('New endpoint')
  await say('Address', 'https://hooks.example.com/')
  await say('Events', 'session.*, nonsense, more.nonsense')
  await press('Make it')
  t.match(await fault('Events'), /^No\. 2: must be .+\nNo\. 3: must be .+$/)
  t.equal(await refusal(page), oneField)
  await page.keyboard.press('Escape')

  await goTo('/rollouts')
  await press('New rollout')
  await say('Charge points', 'FORMS-1')
  await say('Address of the firmware', 'https://localhost/2.4.1.bin')
  await press('Make it, for 1')
  t.match(await fault('Address of the firmware'), /^must not be a loopback/)
  await say('Address of the firmware', 'https://firmware.example/2.4.1.bin')
  await say('Minutes until the next stage begins by itself (optional)', 'soon')
  await press('Make it, for 1')
  await page.getByText('must be a whole number').waitFor()
  t.equal(await fault('Minutes until the next stage begins by itself (optional)'), 'must be a whole number')
  t.equal(await refusal(page), oneField)
  await page.keyboard.press('Escape')

  await goTo('/alerts')
  await press('Rules and mails')
  await say('Seconds that a clock is off', '123456789')
  await press('Save')
  t.match(await fault('Seconds that a clock is off'), /^must be at most /)
  t.equal(await refusal(page), oneField)
  await page.keyboard.press('Escape')

  const site = { name: 'Harbour', address: 'Quay 1', max_grid_power_kw: 100, latitude: 52.4, longitude: 4.9 }
  const { site_id } = (await service.request('POST', '/api/v1/sites', site)).body
  await goTo(`/sites/${site_id}/power`)
  await press('Add an asset')
  await say('Name', 'Cellar battery')
  await say('Rated power, kW', '10')
  await say('Power that it can give now, kW (optional)', '-1')
  await press('Add it')
  t.equal(
    await fault('Power that it can give now, kW (optional)'),
    'must be a number of kilowatts, 0 or more',
    'also where the request has it elsewhere',
  )
})
