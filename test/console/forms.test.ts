// Forms in dialogs: what the service refuses stands at the field that it is about, and what was typed is not thrown away without a question.

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
  await press('Close it')

  await goTo('/webhooks')
  await press('New endpoint')
  await say('Address', 'https://hooks.example.com/')
  await say('Events', 'session.*, nonsense, more.nonsense')
  await press('Make it')
  t.match(await fault('Events'), /^No\. 2: must be .+\nNo\. 3: must be .+$/)
  t.equal(await refusal(page), oneField)
  await page.keyboard.press('Escape')
  await press('Close it')

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
  await press('Close it')

  await goTo('/alerts')
  await press('Rules and mails')
  await say('Seconds that a clock is off', '123456789')
  await press('Save')
  t.match(await fault('Seconds that a clock is off'), /^must be at most /)
  t.equal(await refusal(page), oneField)
  await page.keyboard.press('Escape')
  await press('Close it')

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

/** Whether the browser would ask before it closes the tab. */
const isHeldUp = (page: Page) =>
  page.evaluate<boolean>('!dispatchEvent(new Event("beforeunload", { cancelable: true }))')

test('forms - a dialog in which something was typed asks before it is closed', needsBrowser, async (t) => {
  const { service, page, goTo, press, read } = await operator(t)
  const { keyboard } = page
  const dialogs = page.getByRole('dialog')
  const question = page.getByRole('dialog', { name: 'Close without saving?' })
  const gone = () => page.locator('dialog').waitFor({ state: 'detached' })
  const name = page.getByLabel('Name', { exact: true })

  await goTo('/api-keys')
  await press('Make a key')
  t.notOk(await isHeldUp(page))
  await name.fill('Export')
  t.ok(await isHeldUp(page), 'also before the tab is closed')
  await name.fill('')
  t.notOk(await isHeldUp(page))
  await keyboard.press('Escape')
  await gone()

  await press('Make a key')
  await keyboard.type('Export')
  const scope = page.getByRole('checkbox', { name: 'read:billing', exact: true })
  await scope.focus()
  // Without a touch of the page between them, a browser lets Escape through at last.
  for (const round of [1, 2, 3]) {
    await keyboard.press('Escape')
    await question.waitFor()
    t.equal(await dialogs.count(), 2, `round ${round}`)
    await keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    t.equal(await name.inputValue(), 'Export')
    await page.locator('[aria-label="read:billing"]:focus').waitFor()
  }
  for (const way of ['Close', 'Cancel']) {
    await press(way)
    await press('Keep it open')
    await question.waitFor({ state: 'detached' })
    t.equal(await name.inputValue(), 'Export', way)
  }
  await page.evaluate('document.querySelector("dialog[open]").close()')
  await press('Keep it open')
  t.equal(await name.inputValue(), 'Export', 'also where the browser has closed it, as the button Back of a phone does')
  await press('Cancel')
  await press('Close it')
  await gone()
  await page.locator('button:focus', { hasText: 'Make a key' }).waitFor()
  t.notOk(await isHeldUp(page))

  await press('Make a key')
  await scope.check()
  await keyboard.press('Escape')
  await press('Keep it open')
  await scope.uncheck()
  await keyboard.press('Escape')
  await gone()

  const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
  await goTo('/rules')
  await press('New rule')
  await page.getByRole('checkbox', { name: 'Active' }).uncheck()
  await page.evaluate('history.back()')
  await leave.getByRole('button', { name: 'Cancel' }).click()
  t.notOk(
    await page.getByRole('checkbox', { name: 'Active' }).isChecked(),
    'what the address opens is left by it as well',
  )
  await name.fill('Left')
  await keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('Tariffs')
  await keyboard.press('Enter')
  await leave.getByRole('button', { name: 'Cancel' }).click()
  t.equal(await name.inputValue(), 'Left')
  await page.evaluate('history.back()')
  await leave.getByRole('button', { name: 'Leave' }).click()
  await gone()

  await press('New rule')
  await name.fill('Kept')
  await press('Save the rule')
  await page.getByRole('row', { name: /Kept/ }).click()
  await press('Delete')
  await press('Cancel')
  await page.getByLabel('Cost before rules').fill('3')
  await keyboard.press('Escape')
  await gone()
  t.match((await read('/api/v1/billing/rules')).data, [{ name: 'Kept' }], 'what was done is closed without a question')

  await register(service, 'FORMS-2')
  await goTo('/charge-points/FORMS-2')
  await press('More')
  await page.getByRole('menuitem', { name: 'Remove the charge point' }).click()
  await page.getByLabel('Type FORMS-2 to go on').fill('FORMS-2')
  await keyboard.press('Escape')
  await gone()
})
