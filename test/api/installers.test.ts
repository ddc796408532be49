// Installers as the operator of the installation sees them, and what becomes of theirs.

import { test } from 'tap'
import { chargePointsTable, type InstalledChargePoint } from '../../src/records/charge-point.js'
import { tables } from '../../src/records/index.js'
import { mailsTable } from '../../src/records/mail.js'
import type { Table } from '../../src/runtime/store/table.js'
import { createTestApi, routes, type TestApi } from './fixture.js'

const person = { first_name: 'Ines', last_name: 'Example', company: 'Example Installations' }
const password = 'Ladestation 2026'
const anybody = { key: undefined }

async function installer(service: TestApi, email = 'ines@example.com') {
  await service.call('POST', '/api/v1/installer/signup', { email, password, ...person }, anybody)
  const { body } = await service.call('POST', '/api/v1/installer/login', { email, password }, anybody)
  const { access_token: key, installer_id: id } = body
  const call = (method: string, path: string, sent?: object) =>
    service.call(method, `/api/v1/installer/${path}`, sent, { key })
  await call('POST', 'accept-terms', { terms_version: '1' })
  return { id, key, call }
}

const documents = {
  document_type: 'national_id',
  document_number: 'NX-1234567',
  document_expiry: '2035-12-31',
  selfie_url: 'https://files.example.com/selfie.jpg',
  document_front_url: 'https://files.example.com/front.jpg',
  document_back_url: 'https://files.example.com/back.jpg',
}

const lastMail = (service: TestApi) => service.store.view().list(mailsTable, []).at(-1)

test('installers - the operator lists them, reads what they have submitted, and approves or rejects it', async (t) => {
  const service = await createTestApi()
  const { id, call } = await installer(service)
  await installer(service, 'other@example.com')
  const list = async (query = '') => {
    const { body } = await service.call('GET', `/api/v1/installers${query}`)
    return [body.total, ...body.data.map(({ email }: { email: string }) => email)]
  }
  t.same(await list(), [2, 'ines@example.com', 'other@example.com'])
  t.same(await list('?verification_status=under_review'), [0])
  t.equal((await service.call('GET', `/api/v1/installers/${id}/identity`)).status, 404)
  const { submitted_at } = (await call('POST', 'verify-identity', documents)).body
  t.same(await list('?verification_status=under_review'), [1, 'ines@example.com'])
  t.same(await list('?email=INES@example.com'), [1, 'ines@example.com'])
  t.same(await list('?email=ines@example.com&verification_status=approved'), [0])
  const shown = await service.call('GET', `/api/v1/installers/${id}/identity`)
  t.match(shown.body, { installer_id: id, first_name: 'Ines', ...documents, submitted_at })

  const decide = (body: object) => service.call('POST', `/api/v1/installers/${id}/verification`, body)
  t.match(await decide({ approved: false, submitted_at }), {
    status: 400,
    body: { error: { details: [{ path: '/reason' }] } },
  })
  const other = { approved: true, submitted_at: '2026-01-01T00:00:00.000Z' }
  t.match(await decide(other), { status: 409, body: { error: { code: 'conflict' } } })
  const rejected = await decide({ approved: false, submitted_at, reason: 'It cannot be read.' })
  t.match(rejected.body, { installer_id: id, verification_status: 'rejected', rejection_reason: 'It cannot be read.' })
  t.match(lastMail(service), { to: 'ines@example.com', content: { reason: 'It cannot be read.', name: 'Ines' } })
  t.match((await call('GET', 'verification-status')).body, { rejection_reason: 'It cannot be read.' })

  await service.pass(1_000)
  const again = (await call('POST', 'verify-identity', documents)).body
  t.match(await decide({ approved: true, submitted_at }), { status: 409 }, 'what was reviewed is not what is there')
  t.equal((await decide({ approved: true, submitted_at: again.submitted_at })).status, 200)
  t.match(lastMail(service), { content: { type: 'installer-identity-approved' } })
  t.match((await call('GET', 'profile')).body, { identity_verified: true })
  t.match(await call('POST', 'verify-identity', documents), { status: 409, body: { error: { code: 'conflict' } } })
})

test('installers - an account that is deleted is gone with everything that was its own, and its tokens', async (t) => {
  const service = await createTestApi()
  const { id, call } = await installer(service)
  await call('POST', 'verify-identity', documents)
  await service.call('POST', '/api/v1/installer/forgot-password', { email: 'ines@example.com' }, anybody)
  const { token } = (lastMail(service) as unknown as { content: { token: string } }).content
  t.equal((await service.call('DELETE', `/api/v1/installers/${id}`)).status, 204)
  t.match(await call('GET', 'profile'), { status: 401, body: { error: 'unauthorized' } })
  const log = { email: 'ines@example.com', password }
  t.match(await service.call('POST', '/api/v1/installer/login', log, anybody), { status: 401 })
  const reset = { token, new_password: password }
  t.equal((await service.call('POST', '/api/v1/installer/reset-password', reset, anybody)).status, 404)
  t.equal((await service.call('DELETE', `/api/v1/installers/${id}`)).status, 404)
  t.match(lastMail(service), { to: 'ines@example.com', content: { type: 'installer-removed' } })
  const own = ['installers', 'installer_addresses', 'installer_passwords', 'identity_documents', 'familiar_networks']
  const left = (tables as unknown as readonly Table<unknown>[]).filter(({ name }) => own.includes(name))
  t.equal(left.length, own.length)
  for (const table of left) t.same(service.store.view().list(table, []), [], table.name)
  t.equal((await installer(service)).id === id, false, 'the address is free again')
})

test('installers - the operator ends the tokens of all of them at once; then they log in again', async (t) => {
  const service = await createTestApi()
  const { call } = await installer(service)
  t.equal((await call('GET', 'profile')).status, 200)
  t.equal((await service.call('DELETE', '/api/v1/installers/access-tokens')).status, 204)
  t.match(await call('GET', 'profile'), { status: 401, body: { error: 'unauthorized' } })
  const { body } = await service.call(
    'POST',
    '/api/v1/installer/login',
    { email: 'ines@example.com', password },
    anybody,
  )
  const again = await service.call('GET', '/api/v1/installer/profile', undefined, { key: body.access_token })
  t.equal(again.status, 200)
})

test('installers - the operator lists and deletes what nobody has claimed, also of an account that is gone', async (t) => {
  const service = await createTestApi()
  const { id, call } = await installer(service)
  const { key } = await service.addOrganization()
  const box = (charge_point_id: string) => ({
    charge_point_id,
    model: 'Wall Box',
    vendor: 'Example',
    serial_number: `SN-${charge_point_id}`,
    project_id: 'Quayside',
  })
  for (const name of ['BOX-1', 'BOX-2', 'BOX-3']) t.equal((await call('POST', 'charge-points', box(name))).status, 201)
  await service.register('BOX-3', { serial_number: 'SN-BOX-3' }, key)
  const path = `/api/v1/installers/${id}/charge-points`
  const listed = async () =>
    (await service.call('GET', path)).body.charge_points.map((row: { charge_point_id: string }) => row.charge_point_id)
  t.same(await listed(), ['BOX-1', 'BOX-2'], 'not what an organization has claimed')
  t.equal((await service.call('DELETE', `${path}/BOX-3`)).status, 404)
  t.equal((await service.call('DELETE', `${path}/BOX-1`)).status, 204)
  t.equal((await service.call('DELETE', `/api/v1/installers/${id}`)).status, 204)
  t.same(await listed(), ['BOX-2'], 'also when the account is gone')
  t.equal((await service.call('DELETE', `${path}/BOX-2`)).status, 204)
  t.equal(service.store.view().total(chargePointsTable, 'unclaimed', []), 0)
  const { organizationId } = service.operator
  t.equal((await service.call('GET', `/api/v1/installers/${organizationId}/charge-points`)).status, 404)
})

test('installers - no other organization learns anything of them', async (t) => {
  const service = await createTestApi()
  const { id } = await installer(service)
  const { key } = await service.addOrganization()
  const own = routes.filter(({ path }) => path.startsWith('/api/v1/installers'))
  t.equal(own.length, 8)
  for (const { method, path } of own)
    for (const named of [id, 'ins_none']) {
      const { status, body } = await service.call(
        method,
        path.replace('{installer_id}', named).replace('{charge_point_id}', 'CP-1'),
        {},
        { key },
      )
      t.match({ status, body }, { status: 403, body: { error: { code: 'forbidden' } } }, `${method} ${path}`)
    }
})

test('installers - where the installation requires it, who is not verified does not commission', async (t) => {
  const service = await createTestApi({ requireIdentity: true })
  const { id, call } = await installer(service)
  const commission = () => call('POST', 'charge-points/NOWHERE/commission')
  const resume = () => call('POST', 'commissioning/NOWHERE/resume')
  t.match(await resume(), { status: 403, body: { error: { code: 'identity_required' } } })
  t.match(await commission(), { status: 403, body: { error: { code: 'identity_required' } } })
  const { submitted_at } = (await call('POST', 'verify-identity', documents)).body
  t.equal((await commission()).status, 403, 'submitted is not approved')
  await service.call('POST', `/api/v1/installers/${id}/verification`, { approved: true, submitted_at })
  t.equal((await commission()).status, 404, 'now it depends on the charge point')
  t.equal((await resume()).status, 404)
})

test('installers - what they do with a charge point is in the log of whoever owns it, or else of the operator', async (t) => {
  const service = await createTestApi()
  const { id, call } = await installer(service)
  const { key } = await service.addOrganization()
  const logged = async (reader?: string) => {
    const options = reader === undefined ? undefined : { key: reader }
    const { body } = await service.call('GET', '/api/v1/org/audit-log', undefined, options)
    const entries = body.data as { installer_id: string | null; action: string }[]
    return entries.filter(({ installer_id }) => installer_id === id).map(({ action }) => action)
  }
  const box = { charge_point_id: 'BOX-1', model: 'One', vendor: 'Example', serial_number: 'S-1', project_id: 'P' }
  t.equal((await call('POST', 'charge-points', box)).status, 201)
  t.equal((await call('PUT', 'charge-points/BOX-1', { model: 'Two' })).status, 200)
  t.same((await logged()).slice(0, 2), ['updateInstallerChargePoint', 'registerInstallerChargePoint'])
  await service.register('BOX-1', {}, key)
  service.connect('BOX-1')
  await service.settled()
  const row = service.store.view().get(chargePointsTable, ['BOX-1']) as InstalledChargePoint
  const configured_at = new Date(service.now()).toISOString()
  await service.put(chargePointsTable, { ...row, installed: { ...row.installed, configured_at } })
  t.equal((await call('POST', 'charge-points/BOX-1/commission')).status, 200)
  t.same(await logged(key), ['commissionInstallerChargePoint'])
  t.notOk((await logged()).includes('commissionInstallerChargePoint'))
})
