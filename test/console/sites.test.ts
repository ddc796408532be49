// Sites in the console: created, changed and deleted, with their charge points, the sharing of their power and their energy assets.

import { test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { operator } from './operator.js'
import { installationStage } from './stage.js'

test('sites - one is created, changed and deleted, with what is wrong said at its field', needsBrowser, async (t) => {
  const { page, goTo, press, read, complaints } = await operator(t)
  await goTo('/sites')
  await page.getByText('There is no site yet').waitFor()
  await press('New site')
  await page.getByLabel('Name', { exact: true }).fill('Station Street')
  await page.getByLabel('Address', { exact: true }).fill('Station Street 1')
  await page.getByLabel('Grid connection, kW').fill('50,5')
  await page.getByLabel('Latitude').fill('120')
  await page.getByLabel('Longitude').fill('4.9')
  await press('Create the site')
  await page.getByRole('alert').first().waitFor()
  t.ok(await page.getByLabel('Latitude').getAttribute('aria-invalid'))
  t.equal((await read('/api/v1/sites')).total, 0)
  await page.getByLabel('Latitude').fill('52.37')
  await press('Create the site')
  await page.waitForURL(/\/sites\/site_/)
  const [site] = (await read('/api/v1/sites')).data
  t.match(site, { name: 'Station Street', max_grid_power_kw: 50.5, latitude: 52.37, time_zone: null })

  await press('Change')
  await page.getByLabel('Time zone of its schedules (optional)').fill('Europe/Lisbon')
  await press('Save')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.match(await read(`/api/v1/sites/${site?.site_id}`), { time_zone: 'Europe/Lisbon', max_grid_power_kw: 50.5 })
  await press('Delete')
  await press('Delete the site')
  await page.getByText('There is no site yet').waitFor()
  t.equal((await read('/api/v1/sites')).total, 0)
  t.same(complaints, [])
})

test(
  'sites - what all sites drew together is a chart, whose figures are read with the pointer',
  needsBrowser,
  async (t) => {
    const { page, complaints } = await (await installationStage()).open('/sites')
    const plot = page.getByRole('figure', { name: /^Power of all sites that share it/ }).locator('.plot')
    const box = await plot.boundingBox()
    if (box === null) throw new Error('the chart is not on the screen')
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2)
    await page.getByText(/drawn 3\d\.\d kW {2}· {2}given 50\.0 kW {2}· {2}might draw 90\.0 kW$/).waitFor()
    t.same(complaints, [])
    await page.close()
  },
)

test('sites - a charge point is linked, moved from another site, and unlinked', needsBrowser, async (t) => {
  const { service, page, goTo, press, read } = await operator(t)
  const make = async (name: string): Promise<string> => {
    const site = { name, address: 'Quay 1', max_grid_power_kw: 100, latitude: 52.4, longitude: 4.9 }
    return (await service.request('POST', '/api/v1/sites', site)).body.site_id
  }
  const [one, other] = [await make('Harbour'), await make('Dunes')]
  const id = 'LINKED-0001'
  await service.register(id)
  const siteNow = async () => (await read(`/api/v1/chargepoints/${id}`)).site_id
  const link = async (site: string) => {
    await goTo(`/sites/${site}/charge-points`)
    await page.getByText('No charge point is linked').waitFor()
    await press('Link a charge point')
    await page.getByRole('combobox', { name: 'Charge point' }).fill('LINKED')
    await page.getByRole('option', { name: id }).click()
    await press('Link it')
  }
  await link(one)
  await page.getByRole('link', { name: id }).waitFor()
  t.equal(await siteNow(), one)
  await link(other)
  await page.getByText('It is linked to Harbour now').waitFor()
  t.equal(await siteNow(), one, 'nothing moves before it is said')
  await press('Move it here')
  await page.getByRole('link', { name: id }).waitFor()
  t.equal(await siteNow(), other)
  await press(`Unlink ${id}`)
  await press('Unlink it')
  await page.getByText('No charge point is linked').waitFor()
  t.equal(await siteNow(), null)

  await service.request('POST', `/api/v1/sites/${one}/chargers/${id}/link`)
  await goTo(`/charge-points/${id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Move it to another site' }).click()
  await page.getByLabel('Site', { exact: true }).selectOption(other)
  await press('Move')
  await page.getByText('Moved.').waitFor()
  t.equal(await siteNow(), other, 'from one site to another in one go')
  await goTo(`/sites/${other}`)
  await press('Delete')
  t.ok(await page.getByRole('button', { name: 'Delete the site' }).isDisabled(), 'its name has to be typed')
  await page.getByLabel('Type Dunes to go on').fill('Dunes')
  await press('Delete the site')
  await page.waitForURL(/\/sites$/)
  t.equal(await siteNow(), null)
})

test('sites - power is shared by a schedule, an asset adds to it, and sharing ends', needsBrowser, async (t) => {
  const { service, page, goTo, press, read } = await operator(t)
  const site = { name: 'Harbour', address: 'Quay 1', max_grid_power_kw: 100, latitude: 52.4, longitude: 4.9 }
  const { site_id } = (await service.request('POST', '/api/v1/sites', site)).body
  await goTo(`/sites/${site_id}/power`)
  await page.getByText('The power of this site is not shared').waitFor()
  await press('Share the power')
  await page.getByLabel('Power for charging, kW').fill('400')
  await press('Share the power')
  await page.getByRole('alert').getByText('exceeds_grid_capacity').waitFor()
  await page.getByLabel('Power for charging, kW').fill('80')
  await page.getByLabel('How the power is shared').selectOption('scheduled')
  t.ok(await page.getByRole('button', { name: 'Share the power' }).isDisabled(), 'a schedule has an entry')
  await press('Add an entry')
  await press('Sun')
  await page.getByLabel('From').fill('17:00')
  await page.getByLabel('To', { exact: true }).fill('21:00')
  await page.getByLabel('Power, kW', { exact: true }).fill('30')
  await press('Share the power')
  await page.getByRole('button', { name: 'Save' }).waitFor()
  t.match(await read(`/api/v1/smart-charging/sites/${site_id}/config`), {
    max_power_kw: 80,
    strategy: 'scheduled',
    max_current_per_phase_a: null,
    schedule: [
      { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], start_time: '17:00', end_time: '21:00', max_power_kw: 30 },
    ],
  })
  await page.getByLabel('Current of each phase, A').fill('0')
  await press('Save')
  await page.getByText('No car can charge').waitFor()
  await press('I have read it')
  await page.getByText('No car can charge').waitFor({ state: 'detached' })

  await press('Add an asset')
  await page.getByLabel('Name', { exact: true }).fill('Cellar battery')
  await page.getByLabel('Rated power, kW').fill('30')
  await press('Add it')
  await page.getByText('Cellar battery').waitFor()
  const assets = async () => (await read(`/api/v1/sites/${site_id}/energy-assets`)).data
  t.match(await assets(), [{ type: 'battery', rated_capacity_kw: 30, available_kw: 30 }])
  await press('Change Cellar battery')
  await page.getByLabel('Power that it can give now').fill('12.5')
  await press('Save')
  await page.getByText('12.5 kW').waitFor()
  t.match(await assets(), [{ available_kw: 12.5 }])
  await press('Delete Cellar battery')
  await press('Delete it')
  await page.getByText('The site has no energy asset').waitFor()
  t.same(await assets(), [])

  await press('Stop sharing')
  await page.getByLabel('Type Harbour to go on').fill('Harbour')
  await press('Stop sharing')
  await page.getByText('The power of this site is not shared').waitFor()
  t.equal((await service.request('GET', `/api/v1/smart-charging/sites/${site_id}/config`)).status, 404)
})
