// The list of alerts, and what an organization sets for them.

import { test } from 'tap'
import { endedAlert, newAlert } from '../../src/alerts/alert.js'
import { type Alert, alertsTable } from '../../src/records/alert.js'
import { organizationsTable } from '../../src/records/organization.js'
import { createTestApi, type TestApi } from './fixture.js'

const finding = (organizationId: string, chargePointId: string) => ({
  kind: 'charge_point_offline' as const,
  organizationId,
  subject: chargePointId,
  chargePointId,
  message: 'the charge point has been offline',
})

async function put(api: TestApi, alert: Alert): Promise<Alert> {
  await api.put(alertsTable, alert)
  return alert
}

async function withAlerts() {
  const api = await createTestApi()
  const { organizationId } = api.operator
  const make = (chargePointId: string, more: object = {}) =>
    newAlert({ ...finding(organizationId, chargePointId), ...more }, api.newId('alr'), api.now())
  const first = await put(api, make('CP-1'))
  const over = await put(api, endedAlert(make('CP-1'), api.now()))
  const fault = await put(api, make('CP-2', { kind: 'connector_faulted', subject: 'CP-2/1', connectorId: 1 }))
  const notice = await put(api, make('CP-2', { kind: 'security_event' }))
  return { api, first, over, fault, notice }
}

test('alerts - lists are newest first, of what is open unless asked for others, by kind and by charge point', async (t) => {
  const { api, first, over, fault, notice } = await withAlerts()
  const ids = async (query: string) => {
    const { body } = await api.call('GET', `/api/v1/alerts${query}`)
    t.equal(body.total, body.alerts.length, query)
    return body.alerts.map(({ alert_id }: Alert) => alert_id)
  }
  t.same(await ids(''), [notice.alert_id, fault.alert_id, first.alert_id])
  t.same(await ids('?kind=security_event'), [notice.alert_id])
  t.same(await ids('?status=open'), [fault.alert_id, first.alert_id])
  t.same(await ids('?status=resolved'), [over.alert_id])
  t.same(await ids('?status=notice'), [notice.alert_id])
  t.same(
    await ids('?status=all'),
    [notice, fault, over, first].map(({ alert_id }) => alert_id),
  )
  t.same(await ids('?status=all&kind=charge_point_offline'), [over.alert_id, first.alert_id])
  t.same(await ids('?kind=charge_point_offline'), [first.alert_id])
  t.same(await ids('?status=all&charge_point_id=CP-2'), [notice.alert_id, fault.alert_id])
  t.same(await ids('?charge_point_id=CP-1&kind=connector_faulted'), [])
  const page = await api.call('GET', '/api/v1/alerts?status=all&page=2&per_page=3')
  t.match(page.body, { total: 4, page: 2, per_page: 3, alerts: [{ alert_id: first.alert_id }] })
  await api.call('POST', `/api/v1/alerts/${notice.alert_id}/acknowledge`)
  t.same(await ids(''), [fault.alert_id, first.alert_id], 'a notice that somebody has seen is history')
  t.same(await ids('?status=notice'), [notice.alert_id])
  for (const query of ['?status=closed', '?kind=none', '?per_page=201', '?charge_point_id=a%20b'])
    t.equal((await api.call('GET', `/api/v1/alerts${query}`)).status, 400, query)
})

test('alerts - those of a site are its own, and those of the charge points that are in it now', async (t) => {
  const { api, first, over, fault, notice } = await withAlerts()
  const place = { name: 'Car park', address: '', max_grid_power_kw: 50, latitude: 52, longitude: 5 }
  const { site_id } = (await api.call('POST', '/api/v1/sites', place)).body
  const ids = async (query = '') => {
    const { body } = await api.call('GET', `/api/v1/alerts?site_id=${site_id}${query}`)
    t.equal(body.total, body.alerts.length, query)
    for (const alert of body.alerts) t.equal(alert.site_id, site_id)
    return body.alerts.map(({ alert_id }: Alert) => alert_id)
  }
  t.same(await ids(), [])
  for (const id of ['CP-1', 'CP-2']) await api.register(id)
  await api.call('POST', `/api/v1/sites/${site_id}/chargers/CP-2/link`)
  t.same(await ids(), [notice.alert_id, fault.alert_id], 'also from before it was linked')
  t.same(await ids('&kind=connector_faulted'), [fault.alert_id])
  await api.call('POST', `/api/v1/sites/${site_id}/chargers/CP-1/link`)
  t.same(await ids('&status=all&charge_point_id=CP-1'), [over.alert_id, first.alert_id])
  for (const id of ['CP-1', 'CP-2']) await api.call('DELETE', `/api/v1/sites/${site_id}/chargers/${id}`)
  t.same(await ids('&status=all'), [])
  t.equal((await api.call('GET', `/api/v1/alerts/${first.alert_id}`)).body.site_id, null)
  const { organizationId } = api.operator
  const about = { ...finding(organizationId, site_id), chargePointId: undefined, siteId: site_id }
  const own = await put(api, newAlert(about as never, api.newId('alr'), api.now()))
  t.same(await ids(), [own.alert_id])
})

test('alerts - one is read and acknowledged, by whoever was first; another organization has none of it', async (t) => {
  const { api, first, over } = await withAlerts()
  const path = `/api/v1/alerts/${first.alert_id}`
  t.match((await api.call('GET', path)).body, {
    status: 'open',
    severity: 'warning',
    connector_id: null,
    details: {},
    resolved_at: null,
    acknowledged_at: null,
  })
  t.match((await api.call('GET', `/api/v1/alerts/${over.alert_id}`)).body, {
    status: 'resolved',
    resolution: 'the charge point is connected again',
  })
  const both = await Promise.all([1, 2].map(() => api.call('POST', `${path}/acknowledge`)))
  t.same(
    both.map(({ status }) => status),
    [200, 200],
  )
  const other = await api.addKey(api.operator.organizationId, ['write:charge_points'])
  const again = await api.call('POST', `${path}/acknowledge`, undefined, { key: other })
  t.match(again.body, { status: 'open', acknowledged_by: both[0]?.body.acknowledged_by })
  t.notMatch(again.body.acknowledged_by, /null/)
  t.match((await api.call('GET', '/api/v1/alerts')).body.alerts[2], { acknowledged_at: again.body.acknowledged_at })
  const stranger = await api.addOrganization()
  for (const [method, at] of [
    ['GET', path],
    ['POST', `${path}/acknowledge`],
  ] as const) {
    const theirs = await api.call(method, at, undefined, { key: stranger.key })
    const absent = await api.call(method, at.replace(first.alert_id, 'alr_none'), undefined, { key: stranger.key })
    t.equal(theirs.status, 404)
    t.match(absent.body.error, { code: 'not_found', message: theirs.body.error.message })
  }
  const reader = await api.addKey(api.operator.organizationId, ['read:charge_points'])
  t.equal((await api.call('POST', `${path}/acknowledge`, undefined, { key: reader })).status, 403)
})

test('alert thresholds - have defaults and bounds, are changed one at a time, and null switches a kind off', async (t) => {
  const api = await createTestApi()
  const path = `/api/v1/organizations/${api.operator.organizationId}/settings`
  const defaults = {
    charge_point_offline_minutes: 15,
    connector_faulted_minutes: 1,
    refused_connections_per_hour: 100,
    webhook_failing_minutes: 60,
    roaming_partner_failing_minutes: 60,
    certificate_days: 30,
    clock_skew_seconds: 300,
  }
  t.same((await api.call('GET', path)).body.alert_thresholds, defaults)
  await api.call('PUT', path, { alert_thresholds: { charge_point_offline_minutes: 5, certificate_days: null } })
  const changed = await api.call('PUT', path, { alert_thresholds: { clock_skew_seconds: 60, somebody_elses: 1 } })
  const expected = { ...defaults, charge_point_offline_minutes: 5, certificate_days: null, clock_skew_seconds: 60 }
  t.same(changed.body.alert_thresholds, expected)
  t.same((await api.call('PUT', path, { timezone: 'UTC' })).body.alert_thresholds, expected)
  const stored = api.store.view().get(organizationsTable, [api.operator.organizationId])
  t.same(stored?.alert_thresholds, {
    charge_point_offline_minutes: 5,
    certificate_days: null,
    clock_skew_seconds: 60,
  })
  for (const alert_thresholds of [
    { charge_point_offline_minutes: 0 },
    { charge_point_offline_minutes: 10_081 },
    { refused_connections_per_hour: 1 },
    { clock_skew_seconds: 29 },
    { connector_faulted_minutes: -1 },
    { certificate_days: 1.5 },
    { webhook_failing_minutes: '5' },
  ])
    t.match(await api.call('PUT', path, { alert_thresholds }), {
      status: 400,
      body: {
        error: {
          code: 'validation_error',
          details: [{ path: `/alert_thresholds/${Object.keys(alert_thresholds)[0]}` }],
        },
      },
    })
})
