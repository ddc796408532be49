// The weekly report: a mail on Monday morning with the sums of the week before, once, and for those who want it.

import { test } from 'tap'
import { lastWeek } from '../../src/actors/weekly-report/weeks.js'
import { mailOf } from '../../src/jobs/mail/templates/index.js'
import { tellDueOrganizations } from '../../src/process/period-clock.js'
import { alertsTable } from '../../src/records/alert.js'
import { type Mail, mailsTable } from '../../src/records/mail.js'
import { organizationsTable } from '../../src/records/organization.js'
import { lowestIdAt } from '../../src/runtime/ids.js'
import { component, snapshot } from '../pricing/examples.js'
import { billedSession } from './billed-sessions.js'
import { createTestApi, type TestApi } from './fixture.js'

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

/** At noon of the next Wednesday in UTC, in an organization that has been there for a year. */
async function onWednesday(): Promise<TestApi> {
  const api = await createTestApi()
  const { to } = lastWeek(api.now(), 'UTC')
  await api.pass(to + weekMs + 2.5 * 24 * hourMs - api.now())
  const { organizationId } = api.operator
  const organization = api.store.view().get(organizationsTable, [organizationId])
  if (organization === undefined) throw new Error('the operator has no organization')
  const created_at = new Date(api.now() - 52 * weekMs).toISOString()
  await api.put(organizationsTable, { ...organization, created_at })
  return api
}

async function look(api: TestApi): Promise<void> {
  await tellDueOrganizations({ view: api.store.view, tell: api.services.tell, now: api.now })
  for (let turn = 0; turn < 40; turn++) await api.settled()
}

const want = (api: TestApi, weekly_report = true) =>
  api.call('PUT', `/api/v1/organizations/${api.operator.organizationId}/settings`, {
    notification_preferences: { weekly_report },
  })

function reports(api: TestApi): Mail[] {
  const mails = api.store.view().list(mailsTable, [])
  return mails.filter(({ type }) => type === 'weekly-report')
}

async function charge(api: TestApi, endedAt: number, energyWh: number): Promise<void> {
  const { changes } = billedSession({
    organizationId: api.operator.organizationId,
    endedAt: new Date(endedAt).toISOString(),
    energyWh,
    tariff: snapshot([component('energy', 0.5)], 0),
  })
  await api.commit(...changes)
}

test('weekly report - tells the sums of the last whole week, once', async (t) => {
  const api = await onWednesday()
  const { from, to, monday } = lastWeek(api.now(), 'UTC')
  t.equal(new Date(from).getUTCDay(), 1)
  t.equal(monday, new Date(from).toISOString().slice(0, 10))
  for (let at = 0; at < 450; at++) await charge(api, from + at * 1_000, 10_000)
  for (const outside of [from - 1, to, api.now()]) await charge(api, outside, 10_000)
  const alert = {
    organization_id: api.operator.organizationId,
    kind: 'charge_point_offline',
    subject: 'CP-1',
    severity: 'warning',
    message: 'The charge point is offline',
    status: 'open',
  } as const
  for (const at of [from - hourMs, from + hourMs, from + 2 * hourMs, to + hourMs]) {
    const row = { ...alert, alert_id: lowestIdAt('alr', at), triggered_at: new Date(at).toISOString() }
    await api.put(alertsTable, row)
  }
  await look(api)
  t.same(reports(api), [], 'nobody wanted it')
  await want(api)
  await look(api)
  await look(api)
  t.match(reports(api), [
    {
      to: api.store.view().get(organizationsTable, [api.operator.organizationId])?.contact_email,
      content: {
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        sessions: 450,
        energy_kwh: 4_500,
        alerts: [{ name: 'charge point offline', raised: 2 }],
        openAlerts: 4,
      },
    },
  ])
  t.equal(reports(api).length, 1)
  const { content } = reports(api)[0] as Required<Mail>
  const { subject, text } = mailOf(content, { appUrl: undefined })
  t.equal(subject, 'Your week: 450 sessions, 4,500 kWh')
  t.match(text, 'Revenue: €2,250.00')
  t.match(text, 'Alerts: charge point offline: 2')

  await api.pass(weekMs)
  await look(api)
  t.match(reports(api).at(-1)?.content, { sessions: 2, energy_kwh: 20 }, 'the next week is a report of its own')
  await want(api, false)
  await api.pass(weekMs)
  await look(api)
  t.equal(reports(api).length, 2)
})

test('weekly report - weeks in which nobody could report are left out, and a new organization has none', async (t) => {
  const api = await onWednesday()
  await want(api)
  await look(api)
  await api.pass(5 * weekMs)
  await look(api)
  t.equal(reports(api).length, 2)
  const made = await api.call('POST', '/api/v1/organizations', {
    name: 'Young',
    country: 'NL',
    contact_email: 'young@example.com',
  })
  t.equal(made.status, 201)
  const young = api.store.view().get(organizationsTable, [made.body.id])
  if (young === undefined) throw new Error('the new organization is not there')
  const notification_preferences = { alert_emails: true, weekly_report: true }
  await api.put(organizationsTable, { ...young, notification_preferences })
  await look(api)
  t.equal(reports(api).length, 2)
  await api.pass(weekMs)
  await look(api)
  t.equal(reports(api).length, 4, 'its first week is reported, with nothing in it')
})

test('weekly report - a week is that of the wall clock, and over when its Monday morning comes', (t) => {
  const at = (text: string, zone: string) => lastWeek(Date.parse(text), zone)
  t.equal(at('2026-11-23T05:59:59Z', 'UTC').monday, '2026-11-09')
  t.equal(at('2026-11-23T06:00:00Z', 'UTC').monday, '2026-11-16')
  t.equal(at('2026-11-23T04:30:00Z', 'Europe/Amsterdam').monday, '2026-11-09')
  t.equal(at('2026-11-23T05:00:00Z', 'Europe/Amsterdam').monday, '2026-11-16')
  const change = at('2026-11-02T12:00:00Z', 'America/New_York')
  t.equal(change.monday, '2026-10-26')
  t.equal(change.to - change.from, weekMs + hourMs, 'with the hour that comes twice')
  t.end()
})
