// Alerts that no charge point's actor raises: many refused connections, and certificates of the installation.

import { test } from 'tap'
import { connectionAttemptsTable } from '../../../src/records/connection-attempt.js'
import { makeId } from '../../../src/runtime/ids.js'
import { createStage, minuteMs, organizationId, type Stage } from './stage.js'

const dayMs = 24 * 60 * minuteMs

async function refuse(stage: Stage, times: number, owner = organizationId, status = 401): Promise<void> {
  for (let time = 0; time < times; time++) {
    const now = stage.clock.now()
    await stage.put(connectionAttemptsTable, {
      attempt_id: makeId('att', now, Math.random),
      organization_id: owner,
      charge_point_id: `CP-${time}`,
      remote_address: '::1',
      reason: 'wrong_password',
      advice: '',
      http_status: status,
      attempted_at: new Date(now).toISOString(),
    })
  }
}

test('refused connections - many within an hour are an alert of whose charge points they are, until they are half as many', async (t) => {
  const stage = createStage()
  await stage.organization({ refused_connections_per_hour: 20 })
  await stage.organization({ refused_connections_per_hour: null }, 'org_2')
  await stage.organization({}, 'org_3')
  await refuse(stage, 19)
  await refuse(stage, 50, organizationId, 503)
  await refuse(stage, 50, 'org_2')
  await refuse(stage, 99, 'org_3')
  await stage.look()
  t.same(stage.told(), [], 'those that are told to come later do not count')
  stage.clock.advance(30 * minuteMs)
  await refuse(stage, 15)
  await stage.look()
  t.same(stage.open(), [`connections_refused ${organizationId}`])
  t.match(stage.alerts(), [{ message: 'at least 20 connections were refused within an hour' }])
  stage.clock.advance(35 * minuteMs)
  await stage.look()
  t.equal(stage.open().length, 1, 'fifteen are left of the last hour')
  await refuse(stage, 20)
  await stage.look()
  stage.clock.advance(61 * minuteMs)
  await refuse(stage, 9)
  await stage.look()
  t.same(stage.open(), [])
  t.equal(stage.told().length, 2)
  t.same([...stage.alerts('org_2'), ...stage.alerts('org_3')], [])
})

test('refused connections - an alert ends when it is switched off, or when the attempts are gone with time', async (t) => {
  const stage = createStage()
  await stage.organization({ refused_connections_per_hour: 5 })
  await refuse(stage, 5)
  await stage.look()
  t.equal(stage.open().length, 1)
  await stage.organization({ refused_connections_per_hour: null })
  await stage.look()
  t.same(stage.open(), [])
  await stage.organization({ refused_connections_per_hour: 5 })
  await stage.look()
  t.equal(stage.open().length, 1)
  for (const { attempt_id } of stage.view().list(connectionAttemptsTable, []))
    await stage.remove(connectionAttemptsTable, [attempt_id])
  await stage.look()
  t.same(stage.open(), [])
  t.equal(stage.told().length, 4)
})

test('certificates - of the installation are told its own organization, each once, until they are replaced', async (t) => {
  const stage = createStage()
  await stage.organization()
  const expiresAt = stage.clock.now() + 31 * dayMs
  stage.setCertificates([
    { name: 'listener', expiresAt },
    { name: 'client_authority', expiresAt: expiresAt + 365 * dayMs },
  ])
  await stage.look()
  t.same(stage.told(), [])
  for (let day = 0; day < 3; day++) {
    stage.clock.advance(dayMs)
    await stage.look()
  }
  t.same(stage.open(), ['certificate_expiring listener'])
  await stage.restart()
  await stage.look()
  t.equal(stage.alerts().length, 1)
  t.match(stage.alerts(), [{ details: { certificate: 'listener', expires_at: new Date(expiresAt).toISOString() } }])
  stage.setCertificates([{ name: 'listener', expiresAt: expiresAt + 90 * dayMs }])
  await stage.look()
  t.same(stage.open(), [])
  t.equal(stage.told().length, 2)
})

test('certificates - of several listeners the first one to end counts', async (t) => {
  const stage = createStage()
  await stage.organization()
  const far = { name: 'listener' as const, expiresAt: stage.clock.now() + 365 * dayMs }
  const near = { ...far, expiresAt: stage.clock.now() + 10 * dayMs }
  stage.setCertificates([far, near])
  await stage.look()
  t.match(stage.alerts(), [{ status: 'open', details: { expires_at: new Date(near.expiresAt).toISOString() } }])
  stage.setCertificates([far, far])
  await stage.look()
  t.same(stage.open(), [])
})

test('installation alerts - say why they are over, and stay where a threshold alone has changed', async (t) => {
  const stage = createStage()
  await stage.organization({ refused_connections_per_hour: 5, certificate_days: 30 })
  const listener = { name: 'listener' as const, expiresAt: stage.clock.now() + 20 * dayMs }
  const authority = { name: 'client_authority' as const, expiresAt: stage.clock.now() + 20 * dayMs }
  stage.setCertificates([listener, authority])
  await refuse(stage, 5)
  await stage.look()
  t.equal(stage.open().length, 3)
  await stage.organization({ certificate_days: 7 })
  await stage.look()
  t.equal(stage.open().length, 3, 'the certificates are the same')
  stage.setCertificates([listener])
  await stage.look()
  await stage.organization({ refused_connections_per_hour: null, certificate_days: null })
  await stage.look()
  t.same(stage.open(), [])
  const off = 'the organization has switched off alerts of this kind'
  t.same(
    stage.alerts().map(({ subject, resolution }) => [subject, resolution]),
    [
      [organizationId, off],
      ['listener', off],
      ['client_authority', 'the certificate is no longer in use'],
    ],
  )
})
