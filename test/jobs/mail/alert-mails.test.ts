// What mails about alerts tell whoever is woken by them: what, where, since when, and what to do; also those that an earlier version
// has stored.

import { test } from 'tap'
import { type AlertKind, alertKindNames, alertKinds } from '../../../src/alert-kinds/index.js'
import { apiRoutes } from '../../../src/api/areas/index.js'
import { mailOf } from '../../../src/jobs/mail/templates/index.js'
import type { AlertNotice, MailContent } from '../../../src/records/mail.js'

const nowhere = { appUrl: undefined }

const before: AlertNotice = {
  organizationName: 'Example Charging',
  subject: 'charge point offline at CP-1',
  message: 'The charge point has been offline since 2026-11-20T10:00:00.000Z.',
  chargePointId: 'CP-1',
  time: '2026-11-20T10:15:00.000Z',
  timeZone: 'Europe/Amsterdam',
}

function fault(kind: string = 'connector_faulted'): AlertNotice {
  return {
    ...before,
    subject: 'connector faulted (GroundFailure) at CP-1, connector 2 (Car park)',
    message: 'Connector 2 of the charge point is Faulted.',
    alert: {
      alertId: 'alr_1',
      kind,
      severity: 'warning',
      lasts: true,
      since: '2026-11-20T10:14:00.000Z',
      connectorId: 2,
      details: {
        faulted_since: '2026-11-20T10:14:00.000Z',
        error_code: 'GroundFailure',
        vendor_error_code: 'E-12',
        info: 'relay <welded>',
      },
    },
    place: {
      name: 'Car park',
      address: 'Station Street 1, Amsterdam',
      coordinates: { latitude: 52.483799999999995, longitude: 4.9 },
      siteId: 'site_1',
      siteName: 'Station Street car park',
    },
  }
}

const raised = (notice: AlertNotice): MailContent => ({ type: 'alert-raised', ...notice })

test('alert mails - a fault tells its codes, its place, since when, and what to ask the API', (t) => {
  const { subject, text, html } = mailOf(raised(fault()), nowhere)
  t.equal(subject, 'Alert: connector faulted (GroundFailure) at CP-1, connector 2 (Car park)')
  t.match(
    text,
    [
      'Connector 2 of the charge point is Faulted.',
      '',
      'Charge point: CP-1',
      'Name: Car park',
      'Address: Station Street 1, Amsterdam',
      'Coordinates: 52.4838, 4.9',
      'Site: Station Street car park (site_1)',
      'Connector: 2',
      'Error code: GroundFailure',
      'Vendor error code: E-12',
      'Info: relay <welded>',
      'Since: 20 November 2026, 11:14 Europe/Amsterdam',
      'Organization: Example Charging',
      'Alert: alr_1',
      '',
      `What to do: ${alertKinds.connector_faulted.nextStep}`,
    ].join('\n'),
  )
  t.match(text, '    GET /api/v1/chargepoints/CP-1\n    Authorization: Bearer <your API key>\n')
  t.match(text, '    POST /api/v1/alerts/alr_1/acknowledge\n')
  t.match(html, 'relay &lt;welded&gt;')
  t.match(html, 'GET /api/v1/chargepoints/CP-1\nAuthorization: Bearer &lt;your API key&gt;')
  t.notMatch(text + html, /UTC|undefined/)
  t.end()
})

test('alert mails - with an application of the operator, they link to the alert and name no request', (t) => {
  const { text, html } = mailOf(raised(fault()), { appUrl: 'https://app.example.com/' })
  t.match(text, 'Open the alert: https://app.example.com/alerts/alr_1')
  t.match(html, 'href="https://app.example.com/alerts/alr_1"')
  t.notMatch(text, '/api/v1')
  t.end()
})

test('alert mails - the end tells since when, until when and how long', (t) => {
  const { subject, text } = mailOf({ type: 'alert-resolved', ...fault(), time: '2026-11-20T11:20:00.000Z' }, nowhere)
  t.match(subject, /^Resolved: connector faulted/)
  t.match(text, 'Error code: GroundFailure')
  t.match(text, 'Since: 20 November 2026, 11:14 Europe/Amsterdam\nResolved: 20 November 2026, 12:20 Europe/Amsterdam\n')
  t.match(text, 'Lasted: 1 h 6 min')
  t.notMatch(text, 'What to do')
  t.end()
})

test('alert mails - what is critical says so in the subject', (t) => {
  const { alert } = fault()
  const critical = { ...fault(), alert: { ...alert, severity: 'critical' } } as AlertNotice
  t.match(mailOf(raised(critical), nowhere).subject, /^Critical alert: /)
  t.end()
})

test('alert mails - one that an earlier version has stored is sent, with its times in the time zone of the organization', (t) => {
  const { subject, text } = mailOf(raised(before), nowhere)
  t.equal(subject, 'Alert: charge point offline at CP-1')
  t.equal(
    text,
    [
      'The charge point has been offline since 20 November 2026, 11:00 Europe/Amsterdam.',
      '',
      'Charge point: CP-1',
      'Time: 20 November 2026, 11:15 Europe/Amsterdam',
      'Organization: Example Charging',
      '',
      '-- ',
      'You get this mail because alerts of Example Charging are sent to this address.',
      '',
    ].join('\n'),
  )
  const summary = mailOf(
    {
      type: 'alert-summary',
      organizationName: 'Example Charging',
      kinds: [{ name: 'charge point offline', raised: 1, resolved: 0 }],
      first: [{ about: 'CP-1', text: 'the charge point has been offline since 2026-11-20T10:00:00.000Z' }],
      more: 0,
      time: before.time,
      timeZone: 'Europe/Amsterdam',
    },
    nowhere,
  )
  t.match(summary.text, 'CP-1: the charge point has been offline since 20 November 2026, 11:00 Europe/Amsterdam\n')
  t.notMatch(summary.text, 'Z')
  t.match(summary.text, '1 alert was raised at Example Charging.\n')
  t.end()
})

test('alert mails - a session without a tariff names the request that assigns one, and the charge points that have none', (t) => {
  const { text } = mailOf(raised(fault('charging_without_tariff')), nowhere)
  t.match(
    text,
    'What to do: Assign a tariff to the charge point (PUT /api/v1/chargepoints/CP-1/tariff), set default_tariff_id',
  )
  t.match(text, '    GET /api/v1/chargepoints?tariff=none\n')
  t.end()
})

test('alert mails - one of a kind that a later version has stored is sent, without a next step', (t) => {
  const { text } = mailOf(raised(fault('charge_point_stolen')), nowhere)
  t.notMatch(text, 'What to do')
  t.match(text, 'GET /api/v1/alerts/alr_1\n')
  t.end()
})

test('alert mails - every kind says what to do, and asks the API for what there is', (t) => {
  const paths = apiRoutes().map(({ method, path }) => `${method} ${path}`)
  const known = new RegExp(`^(${paths.map((path) => path.replace(/\{\w+\}/g, '[^/{}]+')).join('|')})$`)
  for (const kind of alertKindNames) {
    const { nextStep } = alertKinds[kind]
    t.match(nextStep, /^[A-Z].+\.$/, kind)
    t.ok(
      requestsIn(kind).every((request) => known.test(request)),
      `${kind}: ${requestsIn(kind)}`,
    )
  }
  t.end()
})

function requestsIn(kind: AlertKind): readonly string[] {
  const { alert } = fault(kind)
  const details = { session_id: 'ses_1' }
  const notice = { ...fault(), alert: { ...alert, webhookEndpointId: 'whe_1', details } } as AlertNotice
  const { text } = mailOf(raised(notice), nowhere)
  return [...text.matchAll(/^ {4}((GET|POST) [^?\n]+)/gm)].map(([, request]) => request as string)
}
