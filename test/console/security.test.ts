// How a charge point proves who it is, in the console: certificates are issued and revoked, a password is removed, and a higher security profile is begun and
// followed; and what its installer has left, of which issues are closed.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint } from '../support/charge-point.js'
import { commissioningOf, commissioningPath, connectBox, installedBox } from '../support/commissioning.js'
import { installerOf } from '../support/installer.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { securityBox } from '../support/security-box.js'
import { operator } from './operator.js'

const apiOf = (id: string): string => `/api/v1/chargepoints/${id}`
const statusOf = (page: Page, serial: string) =>
  page.getByRole('row', { name: new RegExp(`…${serial.slice(-16)}`) }).locator('.tag')

/** What somebody has who keeps the file. */
async function saved(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return readFileSync(await download.path(), 'utf8')
}

test(
  'security page - a certificate is issued with a key that is shown once, is listed, and revoked alone and with all',
  needsBrowser,
  async (t) => {
    const { service, page, goTo, press, read, complaints } = await operator(t)
    const id = 'SECURE-0001'
    await service.register(id)
    const listed = async () => (await read(`${apiOf(id)}/certificates`)).certificates
    await goTo(`/charge-points/${id}/security`)
    await page.getByText('The service has issued none').waitFor()
    for (const days of ['30', '400']) {
      await press('Issue one')
      await page.getByLabel('Good for so many days').fill(days)
      await page.getByLabel('Kind of key').selectOption('p-256')
      await press('Issue it')
      await page.locator('.shown-once').waitFor()
      if (days === '30') {
        const key = createPrivateKey((await page.locator('.shown-once').textContent()) ?? '')
        const certificate = new X509Certificate(await saved(page, () => press('Save the certificate')))
        const authority = new X509Certificate(await saved(page, () => press('Save the authority')))
        t.equal(certificate.subject, `CN=${id}`)
        t.ok(certificate.checkPrivateKey(key), 'the key that is shown is that of the certificate')
        t.ok(certificate.verify(authority.publicKey))
        t.equal(createPrivateKey(await saved(page, () => press('Save the key'))).asymmetricKeyType, 'ec')
      }
      await press('I have kept it')
    }
    const [newer, older] = (await listed()) as { serial_number: string }[]
    const [serial, other] = [older?.serial_number ?? '', newer?.serial_number ?? '']
    t.match(await listed(), [
      { status: 'active', issued_by: /^api_key:/ },
      { status: 'active', issued_by: /^api_key:/ },
    ])
    t.equal(await statusOf(page, serial).textContent(), 'active')
    t.equal(await page.locator('.shown-once').count(), 0)

    await press(`Revoke ${serial}`)
    t.equal(await page.getByText('It is the last that is good').count(), 0)
    await press('Revoke it')
    await statusOf(page, serial).getByText('revoked').waitFor()
    t.match(await listed(), [
      { serial_number: other, status: 'active' },
      { serial_number: serial, status: 'revoked', revoked_at: String },
    ])
    await press(`Revoke ${other}`)
    t.match(
      await page.getByText('It is the last that is good').textContent(),
      /It can connect without one, by its id alone\./,
      'it has never come with one',
    )
    await press('Cancel')
    await press('Revoke all')
    t.ok(await page.getByRole('dialog').getByRole('button', { name: 'Revoke all' }).isDisabled())
    await page.getByLabel(`Type ${id} to go on`).fill(id)
    await press('Revoke all')
    await statusOf(page, other).getByText('revoked').waitFor()
    t.match(await listed(), [{ status: 'revoked' }, { status: 'revoked' }])
    t.same(complaints, [])
  },
)

test('security page - a password is made, and removed once the id was typed', needsBrowser, async (t) => {
  const { service, page, goTo, press, read } = await operator(t)
  const id = 'SECURE-0002'
  await service.register(id)
  const panel = page.getByRole('region', { name: 'How it proves who it is' })
  await goTo(`/charge-points/${id}/security`)
  t.equal(await panel.getByRole('button', { name: 'Remove the password' }).count(), 0, 'there is none')
  await panel.getByRole('button', { name: 'Make a new password' }).click()
  await press('Make a new password')
  await press('I have kept it')
  await panel.getByText('it has one').waitFor()
  t.match(await read(apiOf(id)), { password_set: true })
  await press('Remove the password')
  await page.getByText('whoever knows its id and the address can connect in its place').waitFor()
  await page.getByLabel(`Type ${id} to go on`).fill(id)
  await press('Remove the password')
  await panel.getByText('none', { exact: true }).waitFor()
  t.match(await read(apiOf(id)), { password_set: false })
})

test(
  'security page - a higher profile is begun, shown as refused with what to do, begun again, and followed until it is there',
  needsBrowser,
  async (t) => {
    const { service, page, goTo, press, read, complaints } = await operator(t)
    const id = 'SECURE-0003'
    await service.register(id)
    let answer = 'Rejected'
    const box = securityBox(id, {
      answer: (what) => (what === 'ChangeConfiguration SecurityProfile 1' ? { status: answer } : undefined),
    })
    await box.connect(service)
    const standing = () => read(`${apiOf(id)}/security-profile`)
    await goTo(`/charge-points/${id}/security`)
    await page.getByText('It can be taken to profile 1.').waitFor()
    await press('Begin')
    await page.getByText('Whoever is connected under this id now is sent the password').waitFor()
    await press('Begin')
    const at = (outcome: string) => page.locator(`.ladder .${outcome} .title`)
    await at('failed').waitFor()
    t.match(await at('failed').textContent(), /^It is told to use profile 1: failed/)
    await page.getByText('The charger has refused this step.').waitFor()
    t.match(await standing(), { status: 'failed', reason: 'refused', step: 'security_profile' })

    answer = 'Accepted'
    await press('Begin again')
    await press('Begin')
    await at('running').getByText('It comes back with profile 1').waitFor()
    t.match(await standing(), { status: 'running', step: 'reconnection', target_security_profile: 1 })
    t.ok(await page.getByRole('button', { name: 'Begin', exact: true }).isDisabled(), 'it is on its way')
    const password = Buffer.concat([Buffer.from(`${id}:`), Buffer.from(box.password() ?? '', 'hex')])
    const headers = { authorization: `Basic ${password.toString('base64')}` }
    const client = await connectOcpp(`${service.ocppUrl}/${id}`, { headers })
    await client.boot()
    await page.getByText(/^It has come to profile 1/).waitFor()
    t.match(await standing(), { status: 'completed', security_profile: 1 })
    await page.getByText('1: a password, which others on the network can read').waitFor()
    t.same(complaints, [])
    await client.close()
  },
)

test(
  'commissioning page - the steps with their evidence and the report, an issue is closed, and the part of the installer ends',
  needsBrowser,
  async (t) => {
    const { service, page, goTo, press, read, complaints } = await operator(t)
    const [installer, id] = [await installerOf(service), 'INSTALLED-0001']
    await installedBox(installer, id)
    const box = await connectBox(service, id)
    await installer.request('POST', commissioningPath(id, 'start'))
    await commissioningOf(installer, id, ({ status }) => status !== 'running')
    const description = 'The cover of the second connector does not close.'
    const issue = { category: 'hardware_defect', severity: 'high', description, step: 'connector_test' }
    t.equal((await installer.request('POST', commissioningPath(id, 'report-issue'), issue)).status, 201)
    t.equal((await service.register(id, { serial_number: `SN-${id}` })).status, 201)
    const now = () => read(`${apiOf(id)}/commissioning`)

    await goTo(`/charge-points/${id}/commissioning`)
    t.equal(await page.locator('.ladder .passed').count(), 5)
    await page.getByText('What was sent', { exact: true }).first().click()
    await page.getByText(/Ping answered/).waitFor()
    await page.getByText('Example Installations').waitFor()
    const link = page.getByRole('link', { name: 'Report (PDF)' })
    const asked = `fetch(${JSON.stringify(await link.getAttribute('href'))}).then(
      ({ status, headers }) => [status, headers.get('content-type')])`
    t.match(await page.evaluate(asked), [200, /^application\/pdf/])

    await page.getByText(description).waitFor()
    t.match(await now(), { open_issue_count: 1, ended_at: null })
    await page.getByRole('button', { name: /^Close ISS-/ }).click()
    await press('Close the issue')
    await page.getByText('0 of 1 open').waitFor()
    t.match(await now(), { open_issue_count: 0, issues: [{ status: 'closed', closed_by: 'organization' }] })

    await press('End its part')
    await press('End it')
    await page.getByRole('button', { name: 'End its part' }).waitFor({ state: 'detached' })
    t.match(await now(), { commissioned_at: null, ended_at: String })
    t.same(complaints, [])
    await box.client.close()
  },
)

test(
  'connection test - says in words what came of the ping, and that one is not connected',
  needsBrowser,
  async (t) => {
    const { service, page, goTo, press, complaints } = await operator(t)
    const id = 'TESTED-0001'
    const client = await bootChargePoint(service, id)
    await goTo(`/charge-points/${id}`)
    await press('Test the connection')
    const found = page.getByRole('dialog').getByRole('status')
    await found.getByText('It answered a ping.').waitFor()
    t.match(await found.textContent(), /ResultIt answersAnswered after[\d.]+ msSpeaksOCPP 1\.6/)
    await client.close()
    await press('Test again')
    await found.getByText('It is not connected').waitFor()
    t.equal(await found.getByText('Answered after').count(), 0)
    await page.keyboard.press('Escape')
    await page.locator('.to-do').getByRole('button', { name: 'Test the connection' }).click()
    await found.getByText('It is not connected').waitFor()
    t.same(complaints, [])
  },
)
