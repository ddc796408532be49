// The report of a commissioning, over the service as it is built: for the installer, and for the organization that has claimed the charge point.

import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'tap'
import { commissioningOf, commissioningPath, connectBox, installedBox } from '../support/commissioning.js'
import { installerOf } from '../support/installer.js'
import { tenantOf } from '../support/organization.js'
import { registrationOf } from '../support/registration.js'
import { sharedService } from '../support/shared-services.js'

const service = await sharedService()
const canRead = spawnSync('pdftotext', ['-v']).error === undefined

async function printed(path: string, token: string): Promise<{ status: number; type: string | null; text: string }> {
  const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const input = Buffer.from(await answer.arrayBuffer())
  const isPaper = answer.status === 200 && canRead
  const text = isPaper ? execFileSync('pdftotext', ['-layout', '-', '-'], { input, encoding: 'utf8' }) : ''
  return { status: answer.status, type: answer.headers.get('content-type'), text }
}

test('commissioning report - the installer has it once the commissioning has ended, and the organization that claims', async (t) => {
  const [installer, other] = [await installerOf(service), await installerOf(service)]
  const organization = await tenantOf(service)
  const id = 'REPORT-1'
  const path = commissioningPath(id, 'report')
  const operatorPath = `/api/v1/chargepoints/${id}/commissioning/report`
  await installedBox(installer, id)
  t.match(await installer.request('GET', path), {
    status: 409,
    body: { error: { code: 'commissioning_not_started' } },
  })
  const box = await connectBox(service, id)
  const { body: started } = await installer.request('POST', commissioningPath(id, 'start'))
  await installer.request('POST', commissioningPath(id, 'pause'))
  t.match(await installer.request('GET', path), { status: 409, body: { error: { code: 'commissioning_not_ended' } } })
  await installer.request('POST', commissioningPath(id, 'resume'))
  await commissioningOf(installer, id, ({ status }) => status !== 'running')

  const issue = { category: 'site_issue', severity: 'low', description: 'The lid is scratched.' }
  t.equal((await installer.request('POST', commissioningPath(id, 'report-issue'), issue)).status, 201)
  const report = await printed(path, installer.token)
  t.match(report, { status: 200, type: 'application/pdf' })
  t.equal((await other.request('GET', path)).status, 404)
  t.equal((await organization.request('GET', operatorPath)).status, 404)
  t.equal((await printed(`${path}?session_id=${started.session_id}`, installer.token)).status, 200)
  t.equal((await printed(`${path}?session_id=com_0`, installer.token)).status, 404)
  if (canRead) {
    t.match(report.text, /Passed/)
    t.match(report.text, new RegExp(started.session_id))
    t.match(report.text, /Ines Example/)
    t.match(report.text, /OCPP 1\.6-J, security profile 0/)
    t.match(report.text, /Without TLS, by its id alone/)
    t.match(report.text, /ISS-\d{4}-\d{6} +low +open +The lid is scratched\./)
    t.match(report.text, /0\.012 kWh in/)
    t.match(report.text, /Test transaction +Passed/)
    t.match(report.text, /Not claimed by an organization yet/)
  }

  const claimed = await organization.request('POST', '/api/v1/chargepoints', registrationOf(id, { connector_count: 1 }))
  t.equal(claimed.status, 201)
  const after = await printed(operatorPath, organization.key)
  t.match(after, { status: 200, type: 'application/pdf' })
  if (canRead) t.match(after.text, /0\.012 kWh in/, 'the transaction was of the installer')
  await box.client.close()
})

test('commissioning report - what the charge point was at the time is printed, also when it says otherwise later', async (t) => {
  const installer = await installerOf(service)
  const id = 'REPORT-2'
  await installedBox(installer, id)
  const box = await connectBox(service, id)
  const boot = { chargePointVendor: 'V', chargePointModel: 'M' }
  await box.client.call('BootNotification', { ...boot, firmwareVersion: 'as-tested' })
  await installer.request('POST', commissioningPath(id, 'start'), { template_id: 'quick' })
  await commissioningOf(installer, id, ({ status }) => status !== 'running')
  await box.client.call('BootNotification', { ...boot, firmwareVersion: 'later' })
  const { status, text } = await printed(commissioningPath(id, 'report'), installer.token)
  t.equal(status, 200)
  if (canRead) t.match(text, /Firmware as-tested/)
  await box.client.close()
})
