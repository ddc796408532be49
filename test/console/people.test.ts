// Those who work with the organization in the console: installers are reviewed, site owners approved, and organizations created.

import { test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { installerOf } from '../support/installer.js'
import { siteOwnerAt } from '../support/site-owner.js'
import { installationOperator, operator } from './operator.js'
import { consoleStage } from './stage.js'

test(
  'installers - documents are looked at, approved, rejected again, and the account is deleted',
  needsBrowser,
  async (t) => {
    const { service, page, goTo, press, read } = await installationOperator(t)
    const installer = await installerOf(service)
    const now = () => read(`/api/v1/installers/${installer.id}`)
    await goTo(`/installers/${installer.id}`)
    t.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0, 'there is nothing to approve yet')
    const documents = {
      document_type: 'passport',
      document_number: 'X1234567',
      document_expiry: '2031-05-01',
      selfie_url: 'https://files.example.com/selfie.jpg',
      document_front_url: 'https://files.example.com/front.jpg',
    }
    await installer.request('POST', '/api/v1/installer/verify-identity', documents)
    await goTo('/installers?status=under_review')
    await page.getByRole('row', { name: new RegExp(installer.email) }).click()
    await page.getByText('X1234567').waitFor()
    await press('Approve')
    await press('Approve')
    await page.getByText('Approved', { exact: true }).waitFor()
    t.match(await now(), { verification_status: 'approved' })
    await press('Take the approval back')
    await page.getByLabel('Why').fill('The passport has expired.')
    await press('Take it back')
    await page.getByText('The passport has expired.').waitFor()
    t.match(await now(), { verification_status: 'rejected', rejection_reason: 'The passport has expired.' })
    await press('Delete the account')
    await page.getByLabel('Type Example to go on').fill('Example')
    await press('Delete the account')
    await page.waitForURL(/\/installers$/)
    t.equal((await service.request('GET', `/api/v1/installers/${installer.id}`)).status, 404)
  },
)

test('site owners - one is invited, sent back, approved, and deleted', needsBrowser, async (t) => {
  const { service, page, goTo, press, read } = await operator(t)
  const site = { name: 'Harbour', address: 'Quay 1', max_grid_power_kw: 100, latitude: 52.4, longitude: 4.9 }
  const { site_id } = (await service.request('POST', '/api/v1/sites', site)).body
  await goTo('/site-owners')
  for (const email of ['revoked@example.com', 'owner@example.com']) {
    await press('Invite a site owner')
    await page.getByLabel('Email address', { exact: true }).fill(email)
    await page.getByLabel('Name', { exact: true }).fill('Anna')
    await page.getByLabel('Site', { exact: true }).selectOption({ label: 'Harbour' })
    await press('Send the invitation')
    await page.getByRole('row', { name: new RegExp(email) }).waitFor()
  }
  await press('Revoke the invitation of revoked@example.com')
  await press('Revoke it')
  await page.getByRole('row', { name: /revoked@/ }).waitFor({ state: 'detached' })
  t.match((await read('/api/v1/site-owner/invitations')).data, [{ email: 'owner@example.com', project_id: site_id }])

  const id = await siteOwnerAt((await consoleStage()).installation, 'owner@example.com')
  const now = () => read(`/api/v1/site-owners/${id}`)
  await goTo('/site-owners')
  await page.getByText('Anna Example').click()
  await press('Show in full')
  await page.getByText('NL91ABNA0417164300').waitFor()
  await page.keyboard.press('Escape')
  await press('Approve')
  await press('Approve')
  await page.getByText('Approved', { exact: true }).first().waitFor()
  t.match(await now(), { stage: 'complete' })
  await press('Send back')
  await page.getByLabel('Why').fill('The deed is of another year.')
  await press('Send it back')
  await page.getByText('The deed is of another year.').waitFor()
  t.match(await now(), { stage: 'approval_pending', rejection_reason: 'The deed is of another year.' })
  await press('Delete')
  await page.getByLabel('Type Anna Example to go on').fill('Anna Example')
  await press('Delete the site owner')
  await page.getByText('There is no site owner yet').waitFor()
  t.equal((await read('/api/v1/site-owners')).total, 0)
})

test('organizations - one is created with its key, has another plan, and another key', needsBrowser, async (t) => {
  const { service, page, goTo, press, read } = await installationOperator(t)
  const name = 'Created in the console'
  await goTo('/organizations')
  await press('New organization')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Country').fill('de')
  await page.getByLabel('Email address').fill('operations@example.com')
  await press('Create it')
  const key = page.locator('.shown-once')
  await key.waitFor()
  const first = (await key.textContent()) ?? ''
  await press('I have kept it')
  const own = await service.request('GET', '/api/v1/organizations', undefined, { authorization: `Bearer ${first}` })
  t.match(own.body.data ?? [{ name }], [{ name }], 'the key is of the organization')
  const made = async () => (await read('/api/v1/organizations?per_page=200')).data.find((one) => one.name === name)
  t.match(await made(), { country: 'DE', plan: 'free' })
  // The oldest come first, and other files create organizations as well.
  const { total, per_page } = await read('/api/v1/organizations?per_page=50')
  await goTo(`/organizations?page=${Math.ceil(Number(total) / Number(per_page))}`)
  await press(`Change the plan of ${name}`)
  await page.getByLabel('Plan', { exact: true }).selectOption('enterprise')
  await page.getByLabel('Requests an hour (optional)').fill('5000')
  await press('Save')
  await page.getByRole('row', { name: /5,000/ }).waitFor()
  t.match(await made(), { plan: 'enterprise', requests_per_hour: 5_000 })
  await press(`New key for ${name}`)
  await page.getByLabel(`Type ${name} to go on`).fill(name)
  await press('Create the key')
  await key.waitFor()
  t.not(await key.textContent(), first)
})
