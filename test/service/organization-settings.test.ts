// What an organization sets for itself, over the built service.

import { test } from 'tap'
import { makeOrganization } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'

const service = await sharedService()

test('settings - of a new organization, changed in part, seen by no other', async (t) => {
  const other = await makeOrganization(service)
  const path = `/api/v1/organizations/${other.id}/settings`
  t.same((await other.request('GET', path)).body, {
    org_id: other.id,
    default_currency: 'EUR',
    default_tariff_id: null,
    free_charging: false,
    timezone: 'UTC',
    billing_email: 'operations@example.com',
    notification_preferences: { alert_emails: true, dispute_emails: true, weekly_report: false },
    session_silence_hours: 24,
    alert_thresholds: {
      charge_point_offline_minutes: 15,
      connector_faulted_minutes: 1,
      refused_connections_per_hour: 100,
      webhook_failing_minutes: 60,
      roaming_partner_failing_minutes: 60,
      certificate_days: 30,
      clock_skew_seconds: 300,
    },
    unknown_id_tags: 'accept',
    concurrent_transactions: 'accept',
  })
  const changed = await other.request('PUT', path, {
    timezone: 'Asia/Kathmandu',
    default_currency: 'NPR',
    notification_preferences: { weekly_report: true },
  })
  t.match(changed, {
    status: 200,
    body: {
      timezone: 'Asia/Kathmandu',
      notification_preferences: { alert_emails: true, dispute_emails: true, weekly_report: true },
    },
  })
  const billed = await other.request('PUT', path, { billing_email: 'billing@example.com' })
  t.same(billed.body, { ...changed.body, billing_email: 'billing@example.com' }, 'what is left out stays')
  t.same((await other.request('GET', path)).body, billed.body)
  t.match((await other.request('GET', `/api/v1/organizations/${other.id}`)).body, { timezone: 'Asia/Kathmandu' })
  t.equal((await service.request('GET', path)).status, 404)
  t.equal((await service.request('PUT', path, { timezone: 'UTC' })).status, 404)
})

test('settings - a change of one and a replacement of the organization at the same time lose nothing', async (t) => {
  const other = await makeOrganization(service)
  const path = `/api/v1/organizations/${other.id}`
  for (let round = 0; round < 10; round++) {
    const name = `Renamed ${round}`
    const billing_email = `billing-${round}@example.com`
    const requests: readonly [string, unknown][] = [
      [path, { name, country: 'DE', contact_email: 'new@example.com' }],
      [`${path}/settings`, { billing_email }],
    ]
    const inTurn = round % 2 === 0 ? requests : [...requests].reverse()
    const answers = await Promise.all(inTurn.map(([at, body]) => other.request('PUT', at, body)))
    t.same(
      answers.map(({ status }) => status),
      [200, 200],
    )
    t.match((await other.request('GET', path)).body, { name })
    t.match((await other.request('GET', `${path}/settings`)).body, { billing_email })
  }
})

test('time zones - IANA names alone, at the making of an organization and later', async (t) => {
  const zoned = await makeOrganization(service, { timezone: 'America/Argentina/Buenos_Aires' })
  const path = `/api/v1/organizations/${zoned.id}/settings`
  t.equal((await zoned.request('GET', path)).body.timezone, 'America/Argentina/Buenos_Aires')
  for (const timezone of ['Europe/Atlantis', '+02:00', 'CET-1', '', 'local']) {
    const refused = { status: 400, body: { error: { code: 'validation_error', details: [{ path: '/timezone' }] } } }
    t.match(await zoned.request('PUT', path, { timezone }), refused, timezone)
    const organization = { name: 'Another', country: 'NL', contact_email: 'operations@example.com', timezone }
    t.match(await service.request('POST', '/api/v1/organizations', organization), refused, timezone)
  }
  t.match(await zoned.request('PUT', path, { default_currency: 'XAU' }), {
    status: 400,
    body: { error: { details: [{ path: '/default_currency' }] } },
  })
})
