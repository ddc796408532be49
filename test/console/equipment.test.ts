// Id tags, reservations, models and templates of configurations in the console: made, changed and removed, as the API has them then.

import { test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint, startRequest } from '../support/charge-point.js'
import { operator } from './operator.js'

test('id tags - one that was seen is registered, blocked, and deleted', needsBrowser, async (t) => {
  const { service, page, goTo, press, read, complaints } = await operator(t)
  await service.request('PUT', `/api/v1/organizations/${service.id}/settings`, { timezone: 'Asia/Tokyo' })
  await page.reload()
  const client = await bootChargePoint(service, 'TAGGED-0001')
  t.teardown(() => client.close())
  await client.call('StartTransaction', startRequest({ idTag: 'SEEN-1', timestamp: new Date().toISOString() }))
  await goTo('/id-tags')
  await page.getByText('No id tag is registered').waitFor()
  await page.getByRole('link', { name: 'Unknown', exact: true }).click()
  await press('Register SEEN-1')
  await page.getByLabel('Your name for it (optional)').fill('Fleet card 7')
  await page.getByLabel('May charge until (optional)').fill('2031-05-01T12:00')
  await press('Register it')
  await page.getByText('No unknown id tag was seen').waitFor()
  const [tag] = (await read('/api/v1/id-tags')).data
  t.match(tag, { id_tag: 'SEEN-1', label: 'Fleet card 7', status: 'Accepted', parent_id_tag: null })
  t.equal(Date.parse(String(tag?.expiry_date)), Date.parse('2031-05-01T03:00Z'), 'by the clock of the organization')

  await page.getByRole('link', { name: 'Registered', exact: true }).click()
  await page.getByText('Fleet card 7').click()
  await press('Change')
  await page.getByLabel('What charge points are answered').selectOption('Blocked')
  await press('Save')
  await page.getByText('SEEN-1 is changed.').waitFor()
  t.match((await read('/api/v1/id-tags')).data, [{ status: 'Blocked', expiry_date: tag?.expiry_date }])
  await press('Delete')
  await press('Delete it')
  await page.getByText('No id tag is registered').waitFor()
  t.same(complaints, [])
})

test('reservations - the charge point refuses one and accepts another, which is cancelled', needsBrowser, async (t) => {
  const { service, page, goTo, press, read } = await operator(t)
  const client = await bootChargePoint(service, 'KEPT-0001')
  t.teardown(() => client.close())
  await goTo('/reservations')
  await page.getByText('Nothing is reserved').waitFor()
  await press('Reserve a connector')
  await page.getByLabel('Charge point', { exact: true }).last().fill('KEPT-0001')
  await page.getByLabel('Card (id tag) that may use it').fill('TAG-1')
  await press('Reserve it')
  await client.answerNext({ status: 'Occupied' })
  await page.getByRole('alert').getByText('ocpp_rejected').waitFor()
  await press('Reserve it')
  await client.answerNext({ status: 'Accepted' })
  await page.getByRole('row', { name: /KEPT-0001 1/ }).waitFor()
  t.match((await read('/api/v1/reservations')).data, [{ status: 'active', connector_id: 1, id_tag: 'TAG-1' }])
  await press('Cancel the reservation at KEPT-0001')
  await press('Cancel the reservation')
  await client.answerNext({ status: 'Accepted' })
  await page.getByRole('row', { name: /Cancelled/ }).waitFor()
  t.match((await read('/api/v1/reservations')).data, [{ status: 'cancelled' }])
})

test('models - what is known of one is corrected, and the correction is deleted', needsBrowser, async (t) => {
  const { service, page, goTo, press, read } = await operator(t)
  const client = await bootChargePoint(service, 'MODEL-0001')
  t.teardown(() => client.close())
  await goTo('/models')
  const model = async () => (await read('/api/v1/charge-point-models')).data.find(({ vendor }) => vendor !== undefined)
  await page.getByRole('row').nth(1).click()
  await press('Correct')
  await page.getByLabel('Answers pings').selectOption('false')
  await page.getByLabel('Sends MeterValues when asked').selectOption('true')
  await page.getByLabel('Units of limits').selectOption('these')
  await page.getByLabel('Units of limits (optional)').fill('A, W')
  await page.getByLabel('Holds its limits over a boot').selectOption('unknown')
  await press('Save the correction')
  await page.getByText('corrected', { exact: true }).first().waitFor()
  t.same((await model())?.correction, {
    answers_pings: false,
    triggers: { MeterValues: true },
    charging_rate_units: ['A', 'W'],
    keeps_profiles: null,
  })
  await press('Correct')
  t.equal(await page.getByLabel('Answers pings').inputValue(), 'false', 'it begins with what was corrected')
  await press('Cancel')
  await press('Delete the correction')
  await press('Delete it')
  await page.getByText('corrected', { exact: true }).first().waitFor({ state: 'detached' })
  t.equal((await model())?.correction, null)
})

test('templates - one is made from a shared one, changed, and deleted', needsBrowser, async (t) => {
  const { page, goTo, press, read } = await operator(t)
  await goTo('/templates')
  await page.getByText('Your organization has no template').waitFor()
  await page.getByRole('grid', { name: 'Templates that all share' }).getByRole('row').nth(1).click()
  await press('Make one of your own from it')
  await page.getByLabel('Name', { exact: true }).fill('Example 22')
  await page.getByLabel('Model (optional)').fill('EX-22*')
  await page
    .getByLabel('Keys and values')
    .fill('HeartbeatInterval = 600\nStopTransactionOnEVSideDisconnect = true\nName = 007')
  await press('Create it')
  await page.getByText('EX-22*').waitFor()
  const templates = async () => (await read('/api/v1/configuration-templates')).data
  t.match(await templates(), [
    {
      name: 'Example 22',
      model: 'EX-22*',
      parameters: { HeartbeatInterval: 600, StopTransactionOnEVSideDisconnect: true, Name: '007' },
    },
  ])
  await page.getByText('Example 22').click()
  await page.getByLabel('Model (optional)').fill('X'.repeat(51))
  await press('Save')
  await page.getByRole('alert').first().waitFor()
  await page.getByLabel('Model (optional)').fill('')
  await page.getByLabel('Keys and values').fill('HeartbeatInterval = 300')
  await press('Save')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.match(await templates(), [{ model: null, parameters: { HeartbeatInterval: 300 } }])
  await page.getByText('Example 22').click()
  await press('Delete this template')
  await press('Delete it')
  await page.getByText('Your organization has no template').waitFor()
  t.same(await templates(), [])
})
