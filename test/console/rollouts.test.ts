// Rollouts, sites and settings in the console: made, taken from stage to stage, and changed, as the API has them then.

import { type Test, test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { consoleStage, goTo } from './stage.js'

async function signedIn(t: Test) {
  const stage = await consoleStage()
  const service = await tenantOf(stage.installation)
  return { service, ...(await stage.signedIn(t, service.key)) }
}

test('rollouts - one is made for what a filter finds, begun, paused, resumed and stopped', needsBrowser, async (t) => {
  const { service, page } = await signedIn(t)
  for (const id of ['ROLL-1', 'ROLL-2', 'OTHER-1']) await service.register(id)
  const client = await connectOcpp(`${service.ocppUrl}/ROLL-2`)
  t.teardown(() => client.close())
  await client.boot()
  await client.call('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })
  await goTo(page, '/rollouts')
  await page.getByRole('button', { name: 'New rollout' }).click()
  await page.getByLabel('Charge points', { exact: true }).fill('ROLL-')
  await page.getByLabel('Address of the firmware').fill('https://firmware.example/2.4.1.bin')
  await page.getByRole('button', { name: 'Make it, for 2' }).click()
  await page.waitForURL(/\/rollouts\/rol_/)
  const stored = async () => (await service.request('GET', '/api/v1/cpo/firmware/rollout')).body.data[0]
  t.match(await stored(), { charge_points: 2, strategy: 'canary', status: 'pending', not_while_charging: true })
  const { rollout_id } = await stored()
  const chargers = async () =>
    (await service.request('GET', `/api/v1/cpo/firmware/rollout/${rollout_id}`)).body.chargers.map(
      ({ charge_point_id: id }: { charge_point_id: string }) => id,
    )
  t.same(await chargers(), ['ROLL-2', 'ROLL-1'], 'the one that is connected comes first')
  await page.getByText('It waits until stage 2 begins.').first().waitFor()
  t.match(await page.getByRole('button', { name: 'Begin stage 1' }).getAttribute('class'), /primary/)
  await page.getByRole('button', { name: 'Begin stage 1' }).click()
  await page.getByRole('button', { name: 'Send it to 1' }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
  t.notMatch(await page.getByRole('button', { name: 'Begin stage 2' }).getAttribute('class'), /primary/)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByLabel('Why (optional)').fill('Wait for Monday.')
  await page.getByRole('button', { name: 'Pause it' }).click()
  await page.getByText('Wait for Monday.').waitFor()
  t.match(await stored(), { status: 'paused', pause_reason: 'Wait for Monday.' })
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await page.getByRole('button', { name: 'Resume it' }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor()
  t.match(await stored(), { status: 'in_progress' })
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('textbox').last().fill('stop')
  await page.getByRole('button', { name: 'Stop it' }).click()
  await page.getByText('Somebody has stopped it.').waitFor()
  t.equal(await page.locator('.page-head .tag').textContent(), 'stopped')
  t.match(await stored(), { status: 'failed', reason: 'stopped_by_request' })
})

test('rollouts - versions that run lead to their charge points, and to a rollout for them', needsBrowser, async (t) => {
  const { service, page } = await signedIn(t)
  const firmwareVersion = '1.4, beta 2'
  for (const [id, said] of [
    ['RUNS-1', { firmwareVersion }],
    ['RUNS-2', { firmwareVersion }],
    ['RUNS-3', {}],
    ['RUNS-4', undefined],
  ] as const) {
    await service.register(id)
    if (said === undefined) continue
    const client = await connectOcpp(`${service.ocppUrl}/${id}`)
    t.teardown(() => client.close())
    await client.boot(said)
  }
  await goTo(page, '/rollouts')
  await page.getByRole('row', { name: /1\.4, beta 2 Vendor 2/ }).waitFor()
  await page.getByRole('button', { name: 'Update those with Vendor without a version' }).click()
  await page.getByRole('button', { name: 'Make it, for 1', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Charge points with Vendor 1.4, beta 2' }).click()
  await page.waitForURL(/\/fleet\?q=/)
  await page.locator('.fleet-table').getByText('RUNS-2', { exact: true }).waitFor()
  t.equal(
    await page
      .locator('.fleet-table')
      .getByText(/^RUNS-/)
      .count(),
    2,
  )
})

test('settings - each has its explanation from the API, and only what is changed is sent', needsBrowser, async (t) => {
  const { service, page } = await signedIn(t)
  await goTo(page, '/settings')
  const field = page.getByLabel('Session silence hours')
  await field.waitFor()
  await page.getByText('closed by estimate. Empty means never.').waitFor()
  await field.fill('1.5')
  await page.getByText('This is not a whole number.').waitFor()
  await field.fill('9000')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByRole('alert').first().waitFor()
  await field.fill('12')
  await page.getByLabel('Unknown id tags').selectOption('reject')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('The settings are saved.').waitFor()
  const { body } = await service.request('GET', `/api/v1/organizations/${service.id}/settings`)
  t.match(body, { session_silence_hours: 12, unknown_id_tags: 'reject', concurrent_transactions: 'accept' })
})

test('sites - a site says how its power is shared, and what less would have meant', needsBrowser, async (t) => {
  const { service, page } = await signedIn(t)
  const site = { name: 'Harbour', address: 'Quay 1', max_grid_power_kw: 100, latitude: 52.4, longitude: 4.9 }
  const { site_id } = (await service.request('POST', '/api/v1/sites', site)).body
  const configuration = { max_power_kw: 40, strategy: 'equal' }
  await service.request('PUT', `/api/v1/smart-charging/sites/${site_id}/config`, configuration)
  await goTo(page, '/sites')
  await page.getByText('No car charged at them in this time.').waitFor()
  await page.getByText('Harbour').click()
  await page.getByText('No car charges here now').waitFor()
  await page.getByText('up to 40').waitFor()
  await page.getByLabel('What if the site had had so many kW').fill('20')
  await page.getByRole('button', { name: 'Work it out' }).click()
  await page.getByText('With 20 kW, every car would have had what it drew.').waitFor()
})
