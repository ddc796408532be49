// Roaming in the console: a partner is invited, registers, is changed, looked at and deleted; and what partners see of the organization.

import { test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { operator } from './operator.js'

test(
  'roaming - a partner is invited with a token that is shown once, confined, and deleted',
  needsBrowser,
  async (t) => {
    const { page, goTo, press, read, complaints } = await operator(t)
    await goTo('/roaming')
    await page.getByText('No roaming partner is connected').waitFor()
    await press('New partner')
    await page.getByLabel('Name', { exact: true }).fill('Example Mobility')
    await press('Go on')
    const token = page.locator('.shown-once')
    await token.waitFor()
    const shown = (await token.textContent()) ?? ''
    t.ok(shown.length >= 32)
    await page.getByText('/ocpi/versions').waitFor()
    for (const _ of [1, 2]) await page.keyboard.press('Escape')
    t.equal(await token.textContent(), shown, 'Escape does not take it away')
    await press('I have kept it')
    await page.waitForURL(/\/roaming\/partners\/ptn_/)
    const [partner] = (await read('/api/v1/ocpi/partners')).data
    t.match(partner, { name: 'Example Mobility', status: 'invited', location_ids: null, commands: true })
    t.notOk((await page.content()).includes(shown), 'the token is gone')

    await press('Change')
    await page.getByLabel('Locations that it sees').selectOption('false')
    await page.getByLabel('Ids of the locations (optional)').fill('SITE-1\nSITE-2')
    await page.getByLabel('Commands of the partner').selectOption('false')
    await press('Save')
    await page.getByText('SITE-1, SITE-2').waitFor()
    t.match((await read('/api/v1/ocpi/partners')).data, [{ location_ids: ['SITE-1', 'SITE-2'], commands: false }])

    await press('New registration token')
    await press('Create it')
    await token.waitFor()
    t.not(await token.textContent(), shown)
    await press('I have kept it')
    for (const [tab, empty] of [
      ['Tokens', 'No token has been sent'],
      ['Parties', 'This partner is not a hub'],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).click()
      await page.getByText(empty).waitFor()
    }
    await press('Delete')
    await press('Delete the partner')
    await page.getByText('No roaming partner is connected').waitFor()
    t.equal((await read('/api/v1/ocpi/partners')).total, 0)
    t.same(complaints, [])
  },
)

test('roaming - a registration that fails leaves no partner, and says why', needsBrowser, async (t) => {
  const { page, goTo, press, read } = await operator(t)
  await goTo('/roaming')
  await press('New partner')
  await page.getByLabel('Name', { exact: true }).fill('Nobody')
  await page.getByLabel('How you become connected').selectOption('register')
  // Nobody can have this name.
  await page.getByLabel('Address of the partner’s versions').fill('https://emsp.invalid/ocpi/versions')
  await page.getByLabel('Registration token of the partner').fill('c0ffee-4dec-11ec-81d3-0242ac130003')
  await press('Go on')
  await page.getByRole('alert').getByText('ocpi_unable_to_use_client').waitFor()
  t.equal((await read('/api/v1/ocpi/partners')).total, 0)
})

test('roaming - the party, a location with what is missing, and a request to the operator', needsBrowser, async (t) => {
  const { service, page, goTo, press, read } = await operator(t)
  const site = { name: 'Harbour', address: 'Quay 1', max_grid_power_kw: 100, latitude: 52.4, longitude: 4.9 }
  const { site_id } = (await service.request('POST', '/api/v1/sites', site)).body
  await goTo('/roaming/party')
  await page.getByLabel('Party id').fill('AM')
  await press('Save')
  await page.getByRole('alert').first().waitFor()
  await page.getByLabel('Party id').fill('AMP')
  await page.getByLabel('Name that drivers see').fill('Example Charging')
  await press('Save')
  await page.getByText('Partners are told.').waitFor()
  t.match(await read('/api/v1/ocpi/party'), { party_id: 'AMP', business_details: { name: 'Example Charging' } })

  await page.getByRole('link', { name: 'Locations', exact: true }).click()
  await page.getByText('Harbour').click()
  await page.getByRole('list', { name: 'What is missing' }).waitFor()
  await page.getByLabel('City (optional)').fill('Amsterdam')
  await page.getByLabel('Kind of parking').selectOption('PARKING_GARAGE')
  await page.getByLabel('What is there besides (optional)').fill('train_station, hotel')
  await page.getByLabel('Opening times').selectOption('always')
  await press('Save')
  await page.getByText('"city": "Amsterdam"').waitFor()
  const details = await read(`/api/v1/sites/${site_id}/ocpi`)
  t.match(details, { city: 'Amsterdam', facilities: ['TRAIN_STATION', 'HOTEL'], publish: null, country: null })
  t.match(details, { opening_times: { twentyfourseven: true }, parking_type: 'PARKING_GARAGE' })
  await page.getByLabel('Postal code (optional)').fill('1012 AB')
  await press('Save')
  await page.getByText('"postal_code": "1012 AB"').waitFor()
  t.match(await read(`/api/v1/sites/${site_id}/ocpi`), {
    city: 'Amsterdam',
    postal_code: '1012 AB',
    opening_times: { twentyfourseven: true },
  })

  await service.register('ROAMED-0001')
  await goTo('/charge-points/ROAMED-0001/roaming')
  await press('Change connector 1')
  await page.getByLabel('Kind', { exact: true }).selectOption('IEC_62196_T2_COMBO')
  await page.getByLabel('Cable or socket').selectOption('CABLE')
  await press('Save')
  await page.getByRole('row', { name: /CCS, combo 2/ }).waitFor()
  t.match(await read('/api/v1/chargepoints/ROAMED-0001/ocpi'), {
    connectors: [{ connector_id: 1, standard: 'IEC_62196_T2_COMBO', format: 'CABLE', max_voltage: null }],
  })

  await goTo('/roaming/requests')
  await press('New request')
  await page.getByLabel('Name of the partner or platform').fill('Example Hub')
  await page.getByLabel('What it is').selectOption('roaming_hub')
  await press('Send the request')
  await page.getByRole('row', { name: /Example Hub/ }).waitFor()
  t.match((await read('/api/v1/integration-requests')).data, [{ partner_name: 'Example Hub', status: 'submitted' }])
})
