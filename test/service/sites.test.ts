// A day of a site over the built service: what is linked, what it draws, and what is left of it after its end.

import { test } from 'tap'
import { bootChargePoint, secondsAgo, sessionsOf, startRequest } from '../support/charge-point.js'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const carPark = { name: 'Car park', address: 'Station Street 1', max_grid_power_kw: 50, latitude: 52.4, longitude: 4.9 }

test('sites - a charge point that is linked while it is connected charges for its site from the next session on', async (t) => {
  const tenant = await tenantOf(await sharedService())
  const { body: site, status } = await tenant.request('POST', '/api/v1/sites', carPark)
  t.equal(status, 201)
  const path = `/api/v1/sites/${site.site_id}`
  const client = await bootChargePoint(tenant, 'SITE-DAY-1', { phases: 3, phase_rotation: 'STR' })
  await client.call('StartTransaction', startRequest({ connectorId: 1 }))
  const linked = await tenant.request('POST', `${path}/chargers/SITE-DAY-1/link`)
  t.match(linked, { status: 200, body: { site_id: site.site_id, charge_point_id: 'SITE-DAY-1' } })
  const second = startRequest({ connectorId: 2, timestamp: secondsAgo(60) })
  const { transactionId } = (await client.call('StartTransaction', second)).payload
  const sessions = await sessionsOf(tenant, 'SITE-DAY-1')
  t.same(
    sessions.map(({ connector_id, site_id }) => [connector_id, site_id]),
    [
      [2, site.site_id],
      [1, null],
    ],
  )
  const sampledValue = [{ value: '11000', measurand: 'Power.Active.Import', unit: 'W' }]
  const meterValue = [{ timestamp: secondsAgo(1), sampledValue }]
  await client.call('MeterValues', { connectorId: 2, transactionId, meterValue })
  const drawn = await until(async () => {
    const { body } = await tenant.request('GET', `${path}/summary`)
    return body.current_draw_kw > 0 ? body : undefined
  })
  t.match(drawn, { current_draw_kw: 11, charger_statuses: { charging: 1 }, active_sessions: 2, budget_kw: null })
  t.equal((await tenant.request('DELETE', path)).status, 204)
  const shown = (await tenant.request('GET', '/api/v1/chargepoints/SITE-DAY-1')).body
  t.match(shown, { site_id: null, online: true, phase_rotation: 'STR' })
  t.match((await tenant.request('GET', `/api/v1/sessions?site_id=${site.site_id}`)).body, { total: 1 })
  client.close()
})

test('sites - a repeated request under an Idempotency-Key makes one site, and links once', async (t) => {
  const tenant = await tenantOf(await sharedService())
  await tenant.register('SITE-DAY-2')
  const once = (path: string, body?: unknown) => tenant.request('POST', path, body, { 'idempotency-key': path })
  const [first, again] = [await once('/api/v1/sites', carPark), await once('/api/v1/sites', carPark)]
  t.same(again.body, first.body)
  t.match((await tenant.request('GET', '/api/v1/sites')).body, { total: 1 })
  const link = `/api/v1/sites/${first.body.site_id}/chargers/SITE-DAY-2/link`
  t.same(
    [(await once(link)).status, (await once(link)).status, (await tenant.request('POST', link)).status],
    [200, 200, 409],
  )
})
