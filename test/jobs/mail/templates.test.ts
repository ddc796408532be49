// What mails say: the same in text and in HTML, with nothing of it escaped too little.

import fc from 'fast-check'
import { test } from 'tap'
import { mailOf } from '../../../src/jobs/mail/templates/index.js'
import type { AlertNotice } from '../../../src/records/mail.js'

const nowhere = { appUrl: undefined }

const notice: AlertNotice = {
  organizationName: 'Example Charging',
  subject: 'CP-1 is offline',
  message: 'CP-1 has not been heard of for 10 minutes.',
  chargePointId: 'CP-1',
  time: '2026-11-20T10:00:00.000Z',
  timeZone: 'Europe/Amsterdam',
}

/** What a reader of the HTML sees. */
function shown(html: string): string {
  return html
    .replace(/<title>.*<\/title>/s, '')
    .replace(/<[^>]*>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

test('mail templates - an alert tells what, where and when, raised and resolved', (t) => {
  const raised = mailOf({ type: 'alert-raised', ...notice }, nowhere)
  t.equal(raised.subject, 'Alert: CP-1 is offline')
  t.match(raised.text, 'CP-1 has not been heard of for 10 minutes.')
  t.match(
    raised.text,
    'Charge point: CP-1\nTime: 20 November 2026, 11:00 Europe/Amsterdam\nOrganization: Example Charging',
  )
  const resolved = mailOf({ type: 'alert-resolved', ...notice }, nowhere)
  t.equal(resolved.subject, 'Resolved: CP-1 is offline')
  t.notMatch(mailOf({ type: 'alert-raised', ...notice, chargePointId: undefined } as never, nowhere).text, 'undefined')
  t.end()
})

test('mail templates - a site owner is invited by name', (t) => {
  const content = { organizationName: 'Example', name: 'Anna', token: 'secret', expiresAt: notice.time }
  const mail = mailOf({ type: 'site-owner-invitation', ...content }, { appUrl: 'https://app.example.com/x' })
  t.match(mail.text, 'Hello Anna,')
  t.match(mail.text, 'https://app.example.com/x/site-owner/accept-invitation#token=secret')
  const { text } = mailOf({ type: 'site-owner-invitation', ...content, timeZone: 'Europe/Amsterdam' }, nowhere)
  t.match(text, '    POST /api/v1/site-owner/accept-invitation/secret\n    Authorization: Bearer <your API key>\n')
  t.match(text, 'until 20 November 2026, 11:00 Europe/Amsterdam')
  t.end()
})

test('mail templates - a site owner who is sent back reads why, and how to submit it again', (t) => {
  const content = { organizationName: 'Example', name: 'Anna', reason: 'The deed is of another year.' }
  const { subject, text } = mailOf({ type: 'site-owner-sent-back', ...content }, nowhere)
  t.equal(subject, 'Example asks you for changes')
  t.match(text, 'Hello Anna,')
  t.match(text, 'The deed is of another year.')
  t.match(text, '    POST /api/v1/site-owner/onboarding/complete\n')
  const linked = mailOf({ type: 'site-owner-sent-back', ...content }, { appUrl: 'https://app.example.com' })
  t.match(linked.text, 'https://app.example.com/site-owner/onboarding\n')
  t.end()
})

test('mail templates - an installer confirms an address and sets a password with a token, and needs no key for it', (t) => {
  const content = { organizationName: 'Example', token: 'secret', expiresAt: notice.time }
  const signedUpAt = '2026-11-19T10:00:00.000Z'
  const confirmation = mailOf({ type: 'installer-confirmation', ...content, signedUpAt }, nowhere)
  t.match(confirmation.text, '    POST /api/v1/installer/confirm\n    Content-Type: application/json\n')
  t.match(confirmation.text, '    {"token":"secret"}')
  t.match(confirmation.text, 'until 20 November 2026, 10:00 UTC')
  const page = { appUrl: 'https://app.example.com' }
  const reset = mailOf({ type: 'installer-password-reset', ...content }, page)
  t.notMatch(reset.text, 'Hello', 'nothing in the words of whoever signed up')
  t.match(reset.text, 'https://app.example.com/installer/reset-password#token=secret')
  t.match(
    mailOf({ type: 'installer-password-reset', ...content }, nowhere).text,
    '{"token":"secret","new_password":"your new password"}',
  )
  t.end()
})

test('mail templates - whatever the values are, they are shown as they are, and are no markup and no line', (t) => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom(
      '<script>x</script>',
      '"><img src=x>',
      '&lt;',
      'a\r\nBcc: b@c',
      "' onclick='x",
      '</title><b>',
      '\u2028x',
      'a\u202eb\u2066c',
    ),
  )
  fc.assert(
    fc.property(hostile, hostile, hostile, (subject, message, organizationName) => {
      const plain = mailOf({ type: 'alert-raised', ...notice }, nowhere)
      const mail = mailOf({ type: 'alert-raised', ...notice, subject, message, organizationName }, nowhere)
      const tags = (html: string): string => (html.match(/<[^>]*>/g) ?? []).join('')
      const turning = /[\u202a-\u202e\u2066-\u2069]/
      const said = message.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
      return (
        tags(mail.html) === tags(plain.html) &&
        mail.text.split('\n').length === plain.text.split('\n').length &&
        !/[\r\n]/.test(mail.subject) &&
        !turning.test(mail.subject + mail.text + mail.html) &&
        mail.text.includes(said) &&
        shown(mail.html).includes(said)
      )
    }),
    { numRuns: 200 },
  )
  t.end()
})

test('mail templates - a dispute tells what was charged, what was expected, and how to answer', (t) => {
  const dispute = {
    type: 'dispute-opened',
    organizationName: 'Example Charging',
    disputeId: 'dsp_1',
    sessionId: 'ses_1',
    chargePointId: 'CP-1',
    reason: 'The <charger> had failed.',
    cost: 7.5,
    expectedCost: 4,
    currency: 'EUR',
    minorUnits: 2,
    startedAt: '2026-11-20T10:00:00.000Z',
  } as const
  const { subject, text, html } = mailOf(dispute, nowhere)
  t.match(subject, /7\.50/)
  t.match(text, /The <charger> had failed\./)
  t.match(text, /Expected cost: .*4\.00/)
  t.match(text, '    PATCH /api/v1/billing/disputes/dsp_1\n')
  t.match(text, '    {"status":"accepted","amount":4}\n')
  t.match(text, /^ {4}\{"status":"rejected","note":".+"\}$/m)
  t.notMatch(html, '<charger>')
  t.end()
})

test('mail templates - a mail of a later version fails with words that name it, so that it is tried again for its time', (t) => {
  const later = { type: 'site-inspected', organizationName: 'X' } as unknown as Parameters<typeof mailOf>[0]
  t.throws(() => mailOf(later, nowhere), { message: 'this version has no mails of type site-inspected' })
  t.end()
})

test('mail templates - an invitation leads to the console where there is no other application', (t) => {
  const content = { organizationName: 'Example', role: 'viewer', token: 'secret', expiresAt: notice.time } as const
  const consoleUrl = 'https://charging.example.com/console'
  const own = mailOf({ type: 'member-invitation', ...content }, { appUrl: undefined, consoleUrl })
  t.match(own.text, 'https://charging.example.com/console/invitation#token=secret')
  const other = mailOf({ type: 'member-invitation', ...content }, { appUrl: 'https://app.example.com', consoleUrl })
  t.match(other.text, 'https://app.example.com/accept-invitation#token=secret')
  const { text } = mailOf({ type: 'member-invitation', ...content }, { appUrl: undefined, hasConsole: true })
  t.match(text, 'open the page /console/invitation of the service and enter this token')
  t.match(text, '\n    secret\n')
  t.notMatch(text, 'Authorization')
  t.end()
})

test('mail templates - a code to sign in stands alone, with how long it is good', (t) => {
  const content = { organizationName: 'Example', code: '012345', expiresAt: notice.time }
  const { subject, text } = mailOf({ type: 'console-sign-in-code', ...content }, nowhere)
  t.equal(subject, 'Your code to sign in to Example')
  t.notMatch(subject, '012345', 'a locked screen shows subjects')
  t.match(text, /^ {4}012345$/m)
  t.match(text, 'until 20 November 2026, 10:00 UTC')
  t.end()
})
