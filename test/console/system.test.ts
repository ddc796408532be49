// The pages of alerts, events, webhooks and the audit log: what is found there, what can be done, and that a link shows the same.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { type Test, test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint, startRequest } from '../support/charge-point.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { consoleStage, goTo } from './stage.js'

/** Somebody of a new organization is signed in. */
async function operator(t: Test): Promise<{ readonly service: Tenant; readonly page: Page }> {
  const stage = await consoleStage()
  const service = await tenantOf(stage.installation)
  const { page } = await stage.signedIn(t, service.key, { acceptDownloads: true })
  return { service, page }
}

test(
  'alerts - what needs somebody is listed, taken care of, and found again by its filters',
  needsBrowser,
  async (t) => {
    const { service, page } = await operator(t)
    const client = await bootChargePoint(service, 'ALERTED-1')
    t.teardown(() => client.close())
    await client.call('StartTransaction', startRequest({ timestamp: new Date().toISOString() }))
    await goTo(page, '/alerts')
    await page
      .getByRole('row', { name: /ALERTED-1/ })
      .first()
      .waitFor()
    await page
      .getByRole('row', { name: /ALERTED-1/ })
      .first()
      .getByText('warning')
      .click()
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).click()
    await page.getByText('The alert is acknowledged, in your name.').waitFor()
    const { body } = await service.request('GET', '/api/v1/alerts?status=all')
    t.ok(body.alerts[0].acknowledged_at)
    const link = new URL(page.url())
    t.match(link.search, /alert=alr_/)
    await goTo(page, `/alerts?status=all&kind=${body.alerts[0].kind}`)
    await page.getByRole('row', { name: /acknowledged/ }).waitFor()
    const notice = () => service.request('GET', '/api/v1/alerts')
    for (const id of ['ALERTED-2', 'ALERTED-3']) {
      const other = await bootChargePoint(service, id)
      t.teardown(() => other.close())
      await other.call('StartTransaction', startRequest({ timestamp: new Date().toISOString() }))
    }
    const waiting = (await notice()).body.total
    await goTo(page, '/alerts')
    await page.getByRole('button', { name: `Acknowledge these ${waiting}` }).click()
    await page.getByRole('button', { name: `Acknowledge ${waiting}`, exact: true }).click()
    await page.getByText(`${waiting} alerts are acknowledged, in your name.`).waitFor()
    const { name } = (await service.request('GET', '/api/v1/console/me')).body.key
    for (const { acknowledged_by_name } of (await service.request('GET', '/api/v1/alerts?status=all')).body.alerts)
      t.equal(acknowledged_by_name, name)
    await goTo(page, '/alerts?status=resolved')
    await page.getByText('There are none').waitFor()
    await page.getByRole('button', { name: 'Rules and mails' }).click()
    await page.getByLabel('Minutes without a connection').fill('15-')
    await page.getByText('This is not a whole number.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click({ force: true })
    await page.getByText('One of the fields is not a whole number: it says so.').first().waitFor()
    await page.getByLabel('Minutes without a connection').fill('7')
    await page.getByLabel('Seconds that a clock is off').fill('')
    await page.getByText('Switched off.').first().waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Alerts are raised by these rules from now on.').waitFor()
    const settings = await service.request('GET', `/api/v1/organizations/${service.id}/settings`)
    t.match(settings.body.alert_thresholds, { charge_point_offline_minutes: 7, clock_skew_seconds: null })
  },
)

test('events - what happens comes by itself, and the payload of one is shown', needsBrowser, async (t) => {
  const { service, page } = await operator(t)
  await service.register('HAPPENED-1')
  await goTo(page, '/events')
  await page.getByRole('row', { name: /charge_point\.registered HAPPENED-1/ }).click()
  await page.getByRole('region', { name: 'Data of the event' }).getByText('HAPPENED-1').waitFor()
  t.match(page.url(), /event=evt_/)
  await service.register('HAPPENED-2')
  await page.getByRole('row', { name: /charge_point\.registered HAPPENED-2/ }).waitFor()
  await goTo(page, '/events?type=charge_point.removed')
  await page.getByText('Nothing has happened in the last minutes').waitFor()
  await goTo(page, `/events?from=${new Date(Date.now() - 3_600_000).toISOString().slice(0, 16)}`)
  await page.getByText('In their order, from a time on').waitFor()
})

test(
  'webhooks - an endpoint is made, tested, given another secret, paused and deleted; its deliveries are shown',
  needsBrowser,
  async (t) => {
    const { service, page } = await operator(t)
    await goTo(page, '/webhooks')
    await page.getByText('Nobody is sent events yet').waitFor()
    await page.getByRole('button', { name: 'New endpoint' }).click()
    // Nobody can have this name.
    await page.getByLabel('Address').fill('https://receiver.invalid/hook')
    await page.getByLabel('Events', { exact: true }).fill('charge_point.*')
    await page.getByRole('button', { name: 'Make it' }).click()
    const secret = page.locator('.shown-once')
    const first = (await secret.textContent()) ?? ''
    t.match(first, /^whsec_/)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    const { body } = await service.request('GET', '/api/v1/webhooks/endpoints')
    t.match(body.data, [{ url: 'https://receiver.invalid/hook', events: ['charge_point.*'], status: 'active' }])
    t.notOk((await page.content()).includes(first), 'the secret is gone')

    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/^The test has failed: /).waitFor()
    await page.getByText('Nothing has been sent').waitFor({ state: 'detached', timeout: 3_000 })
    await page.getByRole('row', { name: /webhook\.test/ }).waitFor({ timeout: 3_000 })
    await service.register('DELIVERED-1')
    await page.getByRole('row', { name: /charge_point\.registered/ }).waitFor()
    await page.getByRole('row', { name: /charge_point\.registered/ }).click()
    await page.getByRole('region', { name: 'The event that was sent' }).getByText('DELIVERED-1').waitFor()
    await page.getByText('1 is sent again later').waitFor()
    await page.getByRole('button', { name: 'Send it again' }).click()
    await page.getByText('It is being sent again.').waitFor()

    await page.getByRole('button', { name: 'Another secret' }).click()
    await page.getByRole('button', { name: 'Make another secret' }).click()
    t.not(await secret.textContent(), first)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('Nobody is sent events yet').waitFor()
    t.match((await service.request('GET', '/api/v1/webhooks/endpoints')).body, { total: 0 })
  },
)

test(
  'audit log - who did what is found by filters that stand in the address, and saved as a file',
  needsBrowser,
  async (t) => {
    const { service, page } = await operator(t)
    for (const id of ['AUDITED-1', 'AUDITED-2']) await service.register(id)
    await goTo(page, '/audit-log?action=registerChargePoint')
    t.equal(await page.getByRole('row', { name: /Register charge point AUDITED-/ }).count(), 2)
    await page.getByRole('row', { name: /AUDITED-1/ }).click()
    await page.getByRole('region', { name: 'Body of the request' }).getByText('AUDITED-1').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const text = readFileSync(await (await download).path(), 'utf8')
    t.match(text, /^occurred_at,action,/)
    t.equal(text.trim().split('\r\n').length, 3)
    await goTo(page, '/audit-log?action=nothing')
    await page.getByText('Nothing fits').waitFor()
    await service.request('PUT', `/api/v1/organizations/${service.id}/settings`, { timezone: 'Asia/Tokyo' })
    const asked = page.waitForRequest((request) => request.url().includes('/org/audit-log?'))
    await page.goto('/console/audit-log?from=2026-01-05&to=2026-01-05')
    const query = new URL((await asked).url()).searchParams
    t.same(
      [query.get('from'), query.get('to')],
      ['2026-01-04T15:00:00.000Z', '2026-01-05T15:00:00.000Z'],
      'days are those of the organization, wherever the browser is',
    )
  },
)
