// Charge points that nobody has claimed end by themselves, with the account of their installer or when they were away for long; and strangers leave
// room for others.

import { test } from 'tap'
import { limits as installedLimits } from '../../src/api/areas/installer-charge-points/limits.js'
import { limits } from '../../src/api/areas/installers/limits.js'
import { createUnclaimedSweep } from '../../src/api/areas/installers/unclaimed-sweep.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { chargePointsTable, type InstalledChargePoint } from '../../src/records/charge-point.js'
import { commissioningIssuesTable } from '../../src/records/commissioning-issue.js'
import { installersTable } from '../../src/records/installer.js'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { registrationOf } from '../support/registration.js'
import { createTestApi } from './fixture.js'

const registry = '/api/v1/installer/charge-points'
const box = (id: string) => ({
  charge_point_id: id,
  model: 'M',
  vendor: 'V',
  serial_number: `SN-${id}`,
  project_id: 'P',
})

async function stage() {
  const service = await createTestApi()
  const installer = await installerOf({
    request: (method, target, body, headers = {}) =>
      service.call(method, target, body, { headers }) as unknown as ReturnType<TestInstaller['request']>,
  })
  const register = (id: string) => installer.request('POST', registry, box(id))
  const ids = () =>
    service.store
      .view()
      .list(chargePointsTable, [])
      .map(({ charge_point_id }) => charge_point_id)
  return { service, installer, register, ids }
}

test('unclaimed charge points - those of an account that is gone are removed page by page, when they are offline, with their issues', async (t) => {
  const { service, installer, register, ids } = await stage()
  for (const id of ['BOX-1', 'BOX-2', 'BOX-3']) t.equal((await register(id)).status, 201)
  const connection = service.connect('BOX-2')
  await service.settled()
  await service.call('POST', '/api/v1/chargepoints', registrationOf('BOX-3'))
  const issue = { category: 'other', severity: 'low', description: 'The door of the cabinet does not close.' }
  for (const id of ['BOX-1', 'BOX-3'])
    await installer.request('POST', `/api/v1/installer/commissioning/${id}/report-issue`, issue)
  const first = service.store.view().get(chargePointsTable, ['BOX-1']) as InstalledChargePoint
  const copies = Array.from({ length: limits.unclaimedAtOnce * 2 }, (_, at) =>
    putRow(chargePointsTable, { ...first, charge_point_id: `A-${at}`, serial_number: `SN-A-${at}` }),
  )
  await service.commit(...copies)
  const sweep = createUnclaimedSweep(service.services)
  await sweep.look()
  t.equal(ids().length, 3 + copies.length, 'their account is there')
  t.equal((await service.call('DELETE', `/api/v1/installers/${installer.id}`)).status, 204)
  const before = ids().length
  await createUnclaimedSweep(service.services).look()
  t.equal(before - ids().length, limits.unclaimedAtOnce, 'a page at a time')
  const [another, beside] = [createUnclaimedSweep(service.services), createUnclaimedSweep(service.services)]
  for (let looks = 0; looks < 3; looks++) await Promise.all([another.look(), beside.look()])
  t.same(ids(), ['BOX-2', 'BOX-3'], 'the connected one and the claimed one stay')
  t.match(service.store.view().list(commissioningIssuesTable, []), [{ charge_point_id: 'BOX-3' }])
  service.disconnect(connection)
  await service.settled()
  for (let looks = 0; looks < 2; looks++) await another.look()
  t.same(ids(), ['BOX-3'])
})

test('unclaimed charge points - one that was not connected for 30 days is removed', async (t) => {
  const { service, register, ids } = await stage()
  for (const id of ['BOX-1', 'BOX-2']) await register(id)
  const sweep = createUnclaimedSweep(service.services)
  await service.pass(limits.unclaimedAwayMs - 60_000)
  const connection = service.connect('BOX-2')
  await service.settled()
  service.disconnect(connection)
  await service.settled()
  await sweep.look()
  t.same(ids(), ['BOX-1', 'BOX-2'])
  await service.pass(120_000)
  await sweep.look()
  t.same(ids(), ['BOX-2'])
  await service.pass(limits.unclaimedAwayMs)
  await sweep.look()
  t.same(ids(), [])
  t.same(sweep.removed, { account_deleted: 0, not_connected: 2 })
})

test('unclaimed charge points - the audit log of the operator says which were removed and why, and they are counted', async (t) => {
  const { service, installer, register } = await stage()
  const other = await service.addOrganization()
  const removals = async (key = service.operator.key) => {
    const target = '/api/v1/org/audit-log?action=removeUnclaimedChargePoint'
    return (await service.call('GET', target, undefined, { key })).body.data
  }
  await register('BOX-1')
  const [sweep, beside] = [createUnclaimedSweep(service.services), createUnclaimedSweep(service.services)]
  const looks = () => Promise.all([sweep.look(), beside.look()])
  const counted = () => sweep.removed.account_deleted + beside.removed.account_deleted
  await looks()
  t.same([await removals(), counted()], [[], 0], 'nothing of one that stays')
  await service.call('DELETE', `/api/v1/installers/${installer.id}`)
  await looks()
  t.match(await removals(), [
    {
      action: 'removeUnclaimedChargePoint',
      path: 'the account of its installer is deleted',
      resources: { charge_point_id: 'BOX-1', installer_id: installer.id },
      key_id: null,
      installer_id: null,
      status: 204,
    },
  ])
  t.equal((await removals()).length, 1, 'once, also of two that look')
  t.equal(counted(), 1)
  t.same(await removals(other.key), [])
})

test('unclaimed charge points - who is not verified has room for few, and all of them together for half', async (t) => {
  const { service, installer, register } = await stage()
  await register('BOX-1')
  const row = service.store.view().get(chargePointsTable, ['BOX-1']) as InstalledChargePoint
  const copies = (count: number, fields: Partial<InstalledChargePoint> = {}) =>
    Array.from({ length: count }, (_, at) => {
      const id = `${fields.organization_id ?? 'A'}-${at}`
      const installed = { ...row.installed, installer_id: fields.organization_id ?? installer.id }
      return putRow(chargePointsTable, { ...row, ...fields, installed, charge_point_id: id, serial_number: `SN-${id}` })
    })
  await service.commit(...copies(installedLimits.unclaimedOfUnverified - 2))
  t.equal((await register('BOX-2')).status, 201)
  t.match(await register('BOX-3'), {
    status: 409,
    body: { error: { message: /^an installer whose identity is not approved has at most 20 / } },
  })
  const account = service.store.view().get(installersTable, [installer.id])
  if (account === undefined) throw new Error('there is no account')
  const verify = (status: 'approved' | 'under_review') =>
    service.put(installersTable, {
      ...account,
      version: account.version + 1,
      verification: { status, submitted_at: account.created_at },
    })
  await verify('approved')
  t.equal((await register('BOX-3')).status, 201)
  t.equal((await installer.request('DELETE', `${registry}/BOX-1`)).status, 204)
  for (const id of ['A-0', 'A-1', 'A-2']) await installer.request('DELETE', `${registry}/${id}`)
  await service.commit(...copies(installedLimits.unclaimedOfAllUnverified, { organization_id: 'ins_other' }))
  t.equal((await register('BOX-4')).status, 201, 'not who is verified')
  await verify('under_review')
  t.match(await register('BOX-5'), { status: 409, body: { error: { message: /have at most 5000 .* together/ } } })
})
