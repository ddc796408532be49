// Mails about alerts: one each while they are few, one for all where they are many, so many an hour and no more.

import { test } from 'tap'
import { limits } from '../../../src/actors/alert-mail/limits.js'
import type { AlertKind } from '../../../src/alert-kinds/index.js'
import { alertChanges, newAlert } from '../../../src/alerts/alert.js'
import { mailOf } from '../../../src/jobs/mail/templates/index.js'
import { type UnsentAlert, unsentAlertsTable } from '../../../src/records/alert.js'
import { type ChargePoint, chargePointsTable } from '../../../src/records/charge-point.js'
import { sitesTable } from '../../../src/records/site.js'
import { encodeRow } from '../../../src/runtime/codec.js'
import { openMemoryStore } from '../../../src/runtime/store/memory-store.js'
import { unowned } from '../../../src/runtime/store/store.js'
import { createStage, minuteMs, organizationId, type Stage } from './stage.js'

async function stageOf(chargePoints: number, more = {}): Promise<Stage> {
  const stage = createStage()
  await stage.organization({ charge_point_offline_minutes: 1 }, organizationId, more)
  for (let at = 0; at < chargePoints; at++) await stage.register(`CP-${at}`)
  return stage
}

async function each(stage: Stage, count: number, what: 'connect' | 'disconnect'): Promise<void> {
  for (let at = 0; at < count; at++) await stage[what](`CP-${at}`)
}

const unsent = (stage: Stage) => stage.view().list(unsentAlertsTable, [])

test('alert mails - what is raised and what is resolved is told the contact', async (t) => {
  const stage = await stageOf(1, { time_zone: 'Europe/Amsterdam' })
  await stage.connect('CP-0')
  await stage.disconnect('CP-0')
  await stage.pass(2 * minuteMs)
  await stage.connect('CP-0')
  await stage.pass(2 * minuteMs)
  const [alert] = stage.alerts()
  t.match(stage.mails, [
    {
      to: 'operations@example.com',
      content: {
        type: 'alert-raised',
        organizationName: 'Example',
        subject: 'charge point offline at CP-0',
        message: /^The charge point has been offline since .*\.$/,
        chargePointId: 'CP-0',
        time: alert?.triggered_at,
        timeZone: 'Europe/Amsterdam',
        alert: {
          alertId: alert?.alert_id,
          kind: 'charge_point_offline',
          lasts: true,
          since: alert?.details?.offline_since,
        },
        place: { address: 'Somewhere 1', coordinates: { latitude: 52.5, longitude: 13.4 } },
      },
    },
    {
      content: {
        type: 'alert-resolved',
        message: 'The charge point is connected again.',
        time: alert?.resolved_at,
      },
    },
  ])
  t.same(unsent(stage), [])
})

test('alert mails - a fault is told with its codes, its place and its connector, alone and among many', async (t) => {
  const stage = await stageOf(5, { time_zone: 'Europe/Amsterdam' })
  await each(stage, 5, 'connect')
  const time = new Date(stage.clock.now()).toISOString()
  await stage.put(sitesTable, {
    site_id: 'site_1',
    organization_id: 'org_1',
    version: 1,
    name: 'Car park',
    address: '',
    max_grid_power_kw: 50,
    latitude: 52,
    longitude: 5,
    created_at: time,
    updated_at: time,
  })
  for (let at = 0; at < 5; at++) {
    const id = `CP-${at}`
    const row = stage.view().get(chargePointsTable, [id])
    if (row === undefined) throw new Error(`${id} is not registered`)
    const place = { name: `Car park, bay ${at}`, address: 'Station Street 1', site_id: 'site_1' }
    await stage.put(chargePointsTable, { ...row, ...place })
    await stage.call(id, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  }
  const broken = { vendorErrorCode: 'E-12', info: 'relay welded' }
  await stage.status('CP-0', 2, 'Faulted', broken)
  const since = new Date(stage.clock.now()).toISOString()
  await stage.pass(2 * minuteMs)
  t.match(stage.mails, [
    {
      content: {
        subject: 'connector faulted (GroundFailure) at CP-0, connector 2 (Car park, bay 0)',
        alert: {
          connectorId: 2,
          since,
          details: { error_code: 'GroundFailure', vendor_error_code: 'E-12', info: 'relay welded' },
        },
        place: { name: 'Car park, bay 0', address: 'Station Street 1', siteId: 'site_1', siteName: 'Car park' },
      },
    },
  ])
  for (let at = 1; at < 5; at++) await stage.status(`CP-${at}`, 1, 'Faulted', broken)
  await stage.pass(2 * minuteMs)
  const { subject, text } = mailOf(stage.mails.at(-1)?.content as never, { appUrl: undefined })
  t.equal(subject, 'Alerts: 4 raised (connector faulted)')
  t.match(
    text,
    /CP-1, connector 1 \(Car park, bay 1\): connector 1 of the charge point is Faulted \(GroundFailure, E-12, relay welded\); raised on .* Europe\/Amsterdam\n/,
  )
  t.notMatch(text, 'UTC')
  t.match(text, 'This request to the API lists all alerts:\n\n    GET /api/v1/alerts?status=all\n')
})

test('alert mails - where a charge point is, is told nobody but the organization that has it', async (t) => {
  const stage = await stageOf(1)
  await stage.connect('CP-0')
  await stage.disconnect('CP-0')
  await stage.pass(minuteMs + 5_000)
  t.same(stage.open(), ['charge_point_offline CP-0'])
  const row = stage.view().get(chargePointsTable, ['CP-0'])
  await stage.put(chargePointsTable, { ...row, organization_id: 'org_2', name: 'Elsewhere' } as ChargePoint)
  await stage.pass(minuteMs)
  t.match(stage.mails[0], { content: { type: 'alert-raised', subject: 'charge point offline at CP-0' } })
  t.notMatch(JSON.stringify(stage.mails), 'Elsewhere')
})

test('alert mails - an outage of many is one mail, and so is its end', async (t) => {
  const count = 40
  const stage = await stageOf(count)
  await each(stage, count, 'connect')
  await each(stage, count, 'disconnect')
  await stage.pass(2 * minuteMs)
  t.equal(stage.open().length, count)
  t.match(stage.mails, [
    {
      content: {
        type: 'alert-summary',
        kinds: [{ name: 'charge point offline', raised: count, resolved: 0 }],
        more: 20,
      },
    },
  ])
  await each(stage, count, 'connect')
  await stage.pass(2 * minuteMs)
  const [, end] = stage.mails
  t.equal(stage.mails.length, 2)
  const { subject, text } = mailOf(end?.content as never, { appUrl: undefined })
  t.equal(subject, 'Alerts: 40 resolved (charge point offline)')
  t.match(text, /^40 alerts were resolved at Example\.\n/)
  t.match(text, 'CP-0 (Somewhere 1): the charge point is connected again; resolved on ')
  t.match(text, 'The list of alerts has 20 more.')
})

test('alert mails - ten an hour, over restarts too; the last sums up, and what comes after waits for the next', async (t) => {
  const stage = await stageOf(1)
  const flap = async () => {
    await stage.connect('CP-0')
    await stage.pass(80_000)
    await stage.disconnect('CP-0')
    await stage.pass(80_000)
  }
  await stage.connect('CP-0')
  await stage.disconnect('CP-0')
  for (let times = 0; times < 12; times++) {
    await flap()
    if (times === 3) await stage.restart()
  }
  t.ok(stage.told().length > 20)
  t.equal(stage.mails.length, 10)
  t.equal(stage.mails.at(-1)?.content.type, 'alert-summary')
  t.ok(unsent(stage).length > 5)
  await stage.pass(60 * minuteMs)
  t.same(unsent(stage), [])
  t.equal(stage.mails.length, 11)
  t.match(stage.mails.at(-1), { content: { type: 'alert-summary' } })
})

/** As their actors raise them, with what their mail needs. */
async function raiseEach(stage: Stage, kind: AlertKind, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const finding = {
      kind,
      organizationId,
      subject: `${kind}-${at}`,
      chargePointId: `CP-${at}`,
      message: `it is ${kind}`,
    }
    const alertId = `alr_${String(++raised).padStart(6, '0')}`
    await stage.commit(...alertChanges(newAlert(finding, alertId, stage.clock.now()), stage.clock.now()))
  }
}
let raised = 0

/** The hour's mails are used up, and a warning waits. */
async function mailedOut(): Promise<Stage> {
  const stage = await stageOf(1)
  for (let mails = 0; mails < limits.alertMailsPerHour; mails++) {
    await raiseEach(stage, 'charge_point_offline', 1)
    await stage.pass(20_000)
  }
  await raiseEach(stage, 'charge_point_offline', 1)
  await stage.pass(20_000)
  return stage
}

test('alert mails - what is critical does not wait behind the mails of the hour, and what is not does', async (t) => {
  const stage = await mailedOut()
  t.equal(stage.mails.length, limits.alertMailsPerHour)
  await raiseEach(stage, 'guest_charge_not_stopped', 1)
  await stage.pass(20_000)
  t.equal(stage.mails.length, limits.alertMailsPerHour + 1)
  t.match(stage.mails.at(-1), { content: { type: 'alert-raised', alert: { kind: 'guest_charge_not_stopped' } } })
  t.match(unsent(stage), [{ kind: 'charge_point_offline' }])
})

test('alert mails - a storm of what is critical is bounded too, over restarts', async (t) => {
  const stage = await mailedOut()
  for (let times = 0; times < limits.criticalAlertMailsPerHour + 5; times++) {
    await raiseEach(stage, 'guest_charge_not_stopped', 1)
    await stage.pass(20_000)
    if (times === 4) await stage.restart()
  }
  t.equal(stage.mails.length, limits.alertMailsPerHour + limits.criticalAlertMailsPerHour)
  t.ok(unsent(stage).filter(({ kind }) => kind === 'guest_charge_not_stopped').length >= 5)
  await stage.pass(60 * minuteMs)
  t.same(unsent(stage), [])
})

test('alert mails - a summary has what is critical first, then the rarest kind, and its subject says so', async (t) => {
  const stage = await stageOf(1)
  await raiseEach(stage, 'charge_point_offline', 30)
  await raiseEach(stage, 'session_implausible', 1)
  await raiseEach(stage, 'guest_charge_not_stopped', 2)
  await stage.pass(20_000)
  t.equal(stage.mails.length, 1)
  const { subject, text } = mailOf(stage.mails[0]?.content as never, { appUrl: undefined })
  t.equal(subject, 'Critical alerts: 33 raised (guest charge not stopped, and 2 other kinds)')
  t.match(
    text,
    'guest charge not stopped (critical): 2 raised\nsession implausible: 1 raised\ncharge point offline: 30 raised\n',
  )
  const lines = text.split('\n').flatMap((line) => /: it is (\w+);/.exec(line)?.[1] ?? [])
  t.same(lines.slice(0, 4), [
    'guest_charge_not_stopped',
    'guest_charge_not_stopped',
    'session_implausible',
    'charge_point_offline',
  ])
})

test('alert mails - what is critical is in the next mail, however many others wait before it', async (t) => {
  const stage = await stageOf(1)
  await raiseEach(stage, 'charge_point_offline', limits.alertsPerMail)
  await raiseEach(stage, 'guest_charge_not_stopped', 1)
  await stage.pass(20_000)
  t.match(stage.mails[0], { content: { kinds: [{ name: 'guest charge not stopped', raised: 1 }, {}] } })
})

test('alert mails - nobody who does not want them gets one, and nothing is kept for them', async (t) => {
  const stage = await stageOf(1, { notification_preferences: { alert_emails: false, weekly_report: false } })
  await stage.connect('CP-0')
  await stage.disconnect('CP-0')
  await stage.pass(2 * minuteMs)
  t.equal(stage.open().length, 1)
  t.same(stage.mails, [])
  t.same(unsent(stage), [])
})

test('alert mails - what is critical is a matter of the row and not of the program, also for rows that do not say so', async (t) => {
  const row = (alert_id: string, kind: string, severity?: string) =>
    ({ organization_id: 'org_1', alert_id, status: 'open', kind, ...(severity && { severity }) }) as UnsentAlert
  const rows = [
    row('alr_1', 'charge_point_offline', 'critical'),
    row('alr_2', 'storage_space_low', 'warning'),
    row('alr_3', 'of_a_later_version', 'critical'),
    row('alr_4', 'storage_space_low'),
    row('alr_5', 'charge_point_offline'),
  ]
  const store = openMemoryStore([unsentAlertsTable] as never)
  const { name: table, key } = unsentAlertsTable
  await store.commit(unowned(rows.map((each) => ({ type: 'put', table, key: key(each), row: encodeRow(each) }))))
  t.same(
    store
      .view()
      .listBy(unsentAlertsTable, 'critical', ['org_1'])
      .map(({ alert_id }) => alert_id),
    ['alr_1', 'alr_3', 'alr_4'],
  )
  const stage = await stageOf(0)
  const raised = newAlert(
    { kind: 'storage_space_low', organizationId, subject: 'store', message: 'Space is low.' },
    'alr_1',
    0,
  )
  await stage.commit(...alertChanges(raised, 0))
  t.match(unsent(stage), [{ kind: 'storage_space_low', severity: 'critical' }])
})

test('alert mails - nobody is mailed about the charge point of an installer, whose alerts go by the usual thresholds', async (t) => {
  const stage = createStage()
  await stage.register('CP-0', 'ins_1')
  await stage.connect('CP-0')
  await stage.disconnect('CP-0')
  await stage.pass(60 * minuteMs)
  t.match(stage.alerts('ins_1'), [{ organization_id: 'ins_1', kind: 'charge_point_offline', status: 'open' }])
  await stage.connect('CP-0')
  await stage.pass(60 * minuteMs)
  t.match(stage.alerts('ins_1'), [{ status: 'resolved' }])
  t.same([stage.mails, unsent(stage)], [[], []])
})
