// The report of a commissioning on paper: what was tested, with which results, and places to sign.

import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'tap'
import { commissioningReportPdf } from '../../../src/jobs/documents/commissioning-report-pdf.js'
import type { Exchange } from '../../../src/records/commissioning.js'
import type { CommissioningReport } from '../../../src/records/commissioning-report.js'

const reader = { skip: spawnSync('pdftotext', ['-v']).error === undefined ? false : 'pdftotext is not installed' }

function exchange(more: Partial<Exchange> = {}): Exchange {
  return {
    sent: 'TriggerMessage',
    parameters: { requestedMessage: 'Heartbeat' },
    sent_at: '2026-11-22T09:00:03.000Z',
    ended_at: '2026-11-22T09:00:03.120Z',
    outcome: 'answered',
    answer: 'Accepted',
    response_time_ms: 120,
    ...more,
  }
}

function report(more: Partial<CommissioningReport> = {}): CommissioningReport {
  return {
    owner: 'ins_1',
    layout: 2,
    session: {
      session_id: 'com_01M7YW4E6G2T1X0Z8V7S5D6C4R',
      charge_point_id: 'CP-0042',
      status: 'failed',
      template_id: 'standard',
      configuration_template_id: 'quay',
      started_at: '2026-11-22T09:00:00.000Z',
      ended_at: '2026-11-22T09:04:10.000Z',
      steps: [
        { name: 'heartbeat', status: 'passed', detail: 'It sent one.', duration_ms: 1_400, evidence: [exchange()] },
        { name: 'configuration', status: 'passed', detail: 'One is left.', duration_ms: 61_000, evidence: [] },
        {
          name: 'test_transaction',
          status: 'failed',
          detail: 'No meter value came.',
          duration_ms: 180_000,
          evidence: [
            exchange({ sent: 'RemoteStartTransaction', parameters: { connectorId: 2, idTag: 'TEST1' } }),
            exchange({ outcome: 'error', answer: 'NotImplemented' }),
          ],
        },
      ],
    },
    installer: { name: 'Elektro Groß & Söhne', country: 'ZZ', contact_email: 'ines@example.com' },
    installer_name: 'Ines Example',
    operator: { name: 'Stadtwerke Müritz', country: 'DE', contact_email: 'laden@example.com' },
    place: { project_id: 'Marktplatz', address: 'Lange Straße 12' },
    registered: { vendor: 'Example', model: 'Wall Box 22', serial_number: 'WB-1' },
    tested: {
      vendor: 'Example',
      model: 'Wall Box 22',
      serial_number: 'WB-2',
      firmware_version: '2.1.7',
      booted_at: '2026-11-22T08:00:00.000Z',
    },
    connected_by: { security_profile: 3, over_tls: true },
    certificate: {
      type: 'issued',
      serial_number: '616d7073aa',
      valid_from: '2026-11-21T09:00:00.000Z',
      expires_at: '2027-11-21T09:00:00.000Z',
      status: 'active',
    },
    keys: [
      { key: 'HeartbeatInterval', value: '300', outcome: 'applied' },
      { key: 'MeterValueSampleInterval', value: '60', outcome: 'other_value', detail: '900' },
    ],
    charge: {
      transaction_id: 77,
      connector_id: 2,
      id_tag: 'TEST1',
      started_at: '2026-11-22T09:01:00.000Z',
      ended_at: '2026-11-22T09:03:30.000Z',
      energy_wh: 1_234,
      meter_start: 1_000,
      meter_stop: 2_234,
    },
    issues: [
      {
        reference_number: 'ISS-2026-000123',
        severity: 'high',
        status: 'open',
        description: 'The supply cable is protected with 16 A.',
        created_at: '2026-11-22T10:00:00.000Z',
      },
    ],
    ...more,
  }
}

async function textOf(printed: CommissioningReport): Promise<string> {
  const input = await commissioningReportPdf(printed)
  return execFileSync('pdftotext', ['-layout', '-', '-'], { input, encoding: 'utf8' })
}

test(
  'commissioning report - it says what was tested, when, by whom, with which results and versions',
  reader,
  async (t) => {
    const text = await textOf(report())
    for (const part of [
      'Elektro Groß & Söhne',
      'Ines Example',
      'Stadtwerke Müritz',
      'CP-0042',
      'Serial number WB-2',
      'Firmware 2.1.7',
      'From 22 November 2026, 09:00:00 (UTC)',
      'Lange Straße 12',
      'OCPP 1.6-J, security profile 3',
      'Over TLS, with a client certificate',
      'Serial number 616d7073aa',
      'From 21 November 2026 to 21 November 2027',
      '1.234 kWh in 2 min 30 s',
      'Connector 2, transaction 77',
      '1 of 2 keys are set and read back, with the template quay.',
      'Its installer has registered Example, Wall Box 22, serial number WB-1.',
      'For the installer',
      'For the operator',
    ])
      t.ok(text.replace(/\s+/g, ' ').includes(part), part)
    t.match(text, /Sign of life +Passed +It sent one\. +1 ?s/)
    t.match(text, /Test transaction +Failed +No meter value came\. +3 min 0 s/)
    t.match(text, /Test transaction +09:00:03 +RemoteStartTransaction/)
    t.match(text, /Error \(NotImplemented\)/)
    t.match(text, /MeterValueSampleInterval +60 +Other value +900/)
    t.match(text, /ISS-2026-000123 +high +open +The supply cable is protected with 16 A\./)
    t.notMatch(text, /HeartbeatInterval/)
    t.equal(text.match(/Place and date/g)?.length, 2)
  },
)

test('commissioning report - what nobody knows is not invented, and any script is printed', reader, async (t) => {
  const {
    tested: _,
    operator: __,
    installer_name: ___,
    keys: ____,
    charge: _____,
    connected_by: ______,
    ...known
  } = report()
  const place = { project_id: '充电站 東京', address: 'שדרות 5' }
  const text = await textOf({ ...known, place, certificate: { type: 'none' } })
  t.match(text, /Firmware version not reported/)
  t.match(text, /OCPP 1\.6-J/)
  t.match(text, /Its security profile was not noted\./)
  t.match(text, /Not claimed by an organization yet/)
  t.match(text, /An installer whose account is deleted/)
  t.match(text, /The charge point has never connected with one\./)
  t.match(text, /充电站 東京/)
  t.notMatch(text, /TEST TRANSACTION|\u{fffd}/u)
})

test(
  'commissioning report - evidence of many pages has its header on each, and the signatures stay together',
  reader,
  async (t) => {
    const { session, ...rest } = report()
    const steps = session.steps.map((step) => ({ ...step, evidence: Array.from({ length: 40 }, () => exchange()) }))
    const pages = (await textOf({ ...rest, session: { ...session, steps } })).split('\f').filter((page) => page !== '')
    t.ok(pages.length >= 4)
    t.ok(pages.slice(1, -2).every((page) => /Step +Time +Sent +Answer/.test(page)))
    const signed = pages.filter((page) => page.includes('For the operator'))
    t.equal(signed.length, 1)
    t.equal(signed[0]?.match(/Signature\b/g)?.length, 2)
    t.ok(pages.every((page, at) => page.includes(`Page ${at + 1} of ${pages.length}`)))
  },
)

test('commissioning report - the longest description of an issue is printed whole', reader, async (t) => {
  const { issues, ...rest } = report()
  const description = Array.from({ length: 2_000 }, (_, at) => String.fromCodePoint(0x4e00 + (at % 40))).join('')
  const text = await textOf({ ...rest, issues: issues.map((issue) => ({ ...issue, description })) })
  t.equal(text.match(/[\u4e00-\u4e27]/g)?.length, 2_000)
  const pages = text.split('\f').filter((page) => page !== '')
  t.ok(
    pages.every((page) => !/[\u4e00-\u4e27]/.test(page.slice(page.indexOf('Page ')))),
    'above the footer',
  )
})

test(
  'commissioning report - of many issues, the first are printed in full, and of the others how they begin',
  reader,
  async (t) => {
    const { issues, ...rest } = report()
    const description = `Begins. ${'word '.repeat(100)} Ends.`
    const many = Array.from({ length: 100 }, () => issues.map((issue) => ({ ...issue, description }))).flat()
    const text = await textOf({ ...rest, issues: many })
    t.equal(text.match(/Begins\./g)?.length, 100)
    t.equal(text.match(/Ends\./g)?.length, 20)
  },
)

test('commissioning report - the same report gives the same bytes', async (t) => {
  t.ok((await commissioningReportPdf(report())).equals(await commissioningReportPdf(report())))
})
