import { type Test, test } from 'tap'
import { limits as mailLimits } from '../../src/actors/mail/limits.js'
import { mailsTable } from '../../src/records/mail.js'
import { billedSession, tariff } from './billed-sessions.js'
import { createTestApi, type TestApi } from './fixture.js'

const list = '/api/v1/billing/disputes'

interface Disputed {
  readonly sessionId: string
  readonly disputeId: string
  /** The path of the dispute. */
  readonly path: string
}

/** A session of 6.25 EUR (19 % tax) that a driver disputes; its charge point is registered no more. */
async function disputed(api: TestApi, currency = 'EUR', minorUnits = 2): Promise<Disputed> {
  const { organizationId } = api.operator
  const endedAt = new Date(api.now() - 3_600_000).toISOString()
  const used = { ...tariff, currency, minor_units: minorUnits }
  const { session, changes } = billedSession({ organizationId, endedAt, tariff: used })
  await api.commit(...changes)
  const { session_id: sessionId } = session
  const body = { reason: 'it was idle', expected_cost: 4.5 }
  const opened = await api.call('POST', `/api/v1/portal/sessions/${sessionId}/dispute`, body)
  const { dispute_id: disputeId } = opened.body
  return { sessionId, disputeId, path: `${list}/${disputeId}` }
}

async function sessionIn(api: TestApi, { sessionId }: Disputed) {
  return (await api.call('GET', `/api/v1/sessions/${sessionId}`)).body
}

async function refused(api: TestApi, t: Test, path: string, body: object, code: string, field?: string): Promise<void> {
  const answer = await api.call('PATCH', path, body)
  t.equal(answer.body.error?.code, code, JSON.stringify(body))
  if (field !== undefined) t.equal(answer.body.error.details[0].path, field)
}

test('disputes - the operator lists and reads what drivers have opened', async (t) => {
  const api = await createTestApi()
  const first = await disputed(api)
  const second = await disputed(api)
  const all = await api.call('GET', list)
  t.match(all.body, { total: 2, disputes: [{ dispute_id: second.disputeId }, { dispute_id: first.disputeId }] })
  const expected = { status: 'open', reason: 'it was idle', expected_cost: 4.5, disputed_cost: 6.25, note: null }
  t.match((await api.call('GET', first.path)).body, { ...expected, session_id: first.sessionId, currency: 'EUR' })
  await api.call('PATCH', first.path, { status: 'under_review' })
  t.match((await api.call('GET', `${list}?status=open`)).body, { total: 1, data: [{ dispute_id: second.disputeId }] })
  t.match((await api.call('GET', `${list}?status=under_review`)).body, { total: 1 })
  const another = await api.addOrganization()
  t.match((await api.call('GET', list, undefined, another)).body, { total: 0 })
  t.equal((await api.call('GET', first.path, undefined, another)).status, 404)
  t.equal((await api.call('PATCH', first.path, { status: 'rejected' }, another)).status, 404)
})

test('disputes - an accepted amount corrects the session, its breakdown, its receipt and the revenue', async (t) => {
  const api = await createTestApi()
  const dispute = await disputed(api)
  const { sessionId, disputeId, path } = dispute
  const receipt = () => api.api.handle(request(api, `/api/v1/portal/sessions/${sessionId}/receipt`))
  const before = await receipt()
  const answered = await api.call('PATCH', path, { status: 'accepted', amount: 4.5, note: 'The charger had failed.' })
  t.match(answered, { status: 200, body: { status: 'accepted', accepted_amount: 4.5, disputed_cost: 6.25 } })
  t.match(answered.body, { opened_by: /^api_key:/, updated_by: /^api_key:/ })
  const { name } = (await api.call('GET', '/api/v1/console/me')).body.key
  t.match(answered.body, { opened_by_name: name, updated_by_name: name })
  const session = await sessionIn(api, dispute)
  t.match(session, {
    cost: 4.5,
    subtotal: 5.25,
    adjustments: -1.47,
    tax: 0.72,
    dispute: { dispute_id: disputeId, status: 'accepted', accepted_amount: 4.5 },
  })
  const { body } = await api.call('GET', `/api/v1/portal/sessions/${sessionId}/cost-breakdown`)
  // 4.50 with 19 % is 3.78 and 0.72; it was 5.25 and 1.00.
  t.match(body, { subtotal: 5.25, tax: 0.72, total: 4.5, adjustments: [{ rule_id: disputeId, amount: -1.47 }] })
  const after = await receipt()
  t.equal(after.headers['Content-Disposition'], before.headers['Content-Disposition'], 'the same number')
  t.notOk(Buffer.from(after.body).equals(Buffer.from(before.body)), 'another revision')
  t.match((await api.call('GET', '/api/v1/billing/revenue')).body.totals, [{ total: 4.5, tax: 0.72 }])
  const { body: story } = await api.call('GET', `/api/v1/sessions/${sessionId}/story`)
  const told = story.entries.filter(({ source }: { source: string }) => source === 'billing')
  t.match(told, [
    { name: 'priced', title: 'The cost was calculated: 6.25 EUR' },
    { name: 'agreed', title: 'The cost was corrected to what was agreed: 4.50 EUR' },
  ])
  const { body: portal } = await api.call('GET', '/api/v1/portal/sessions')
  t.match(portal.data[0], { cost: 4.5, dispute: { status: 'accepted', note: 'The charger had failed.' } })
})

test('disputes - an answer is final, and may be repeated', async (t) => {
  const api = await createTestApi()
  const { path } = await disputed(api)
  for (const status of ['under_review', 'open', 'under_review'])
    t.match(await api.call('PATCH', path, { status }), { status: 200, body: { status } })
  await api.call('PATCH', path, { status: 'accepted', amount: 5 })
  t.equal((await api.call('PATCH', path, { status: 'accepted', amount: 5 })).status, 200, 'the same again')
  await refused(api, t, path, { status: 'accepted', amount: 4 }, 'dispute_decided')
  await refused(api, t, path, { status: 'rejected' }, 'dispute_decided')
  await refused(api, t, path, { status: 'open' }, 'dispute_decided')
  t.match((await api.call('PATCH', path, { note: 'Sorry.' })).body, { status: 'accepted', note: 'Sorry.' })
  const other = await disputed(api)
  await api.call('PATCH', other.path, { status: 'rejected', note: 'It was full.' })
  t.match(await sessionIn(api, other), { cost: 6.25, dispute: { status: 'rejected', note: 'It was full.' } })
  const again = await api.call('POST', `/api/v1/portal/sessions/${other.sessionId}/dispute`, { reason: 'I insist' })
  t.equal(again.status, 201, 'a session can be disputed again once the dispute is decided')
})

test('disputes - of two answers at the same time one counts', async (t) => {
  const api = await createTestApi()
  const dispute = await disputed(api)
  const bodies = [{ status: 'accepted', amount: 1 }, { status: 'rejected' }, { status: 'accepted', amount: 2 }]
  const answers = await Promise.all(bodies.map((body) => api.call('PATCH', dispute.path, body)))
  t.same(answers.map(({ status }) => status).sort(), [200, 409, 409])
  const { body } = answers.find(({ status }) => status === 200) as { body: Record<string, unknown> }
  t.equal((await sessionIn(api, dispute)).cost, body.accepted_amount ?? 6.25)
})

test('disputes - an amount is whole minor units, and at most what the session costs', async (t) => {
  const api = await createTestApi()
  const { path } = await disputed(api)
  await refused(api, t, path, { status: 'accepted' }, 'validation_error', '/amount')
  await refused(api, t, path, { status: 'accepted', amount: 6.26 }, 'validation_error', '/amount')
  await refused(api, t, path, { status: 'accepted', amount: 4.501 }, 'validation_error', '/amount')
  await refused(api, t, path, { status: 'accepted', amount: -1 }, 'validation_error', '/amount')
  await refused(api, t, path, { status: 'rejected', amount: 1 }, 'validation_error', '/amount')
  await refused(api, t, path, {}, 'validation_error')
  t.match((await api.call('GET', path)).body, { status: 'open', accepted_amount: null })
  const yen = await disputed(api, 'JPY', 0)
  await refused(api, t, yen.path, { status: 'accepted', amount: 4.5 }, 'validation_error', '/amount')
  await api.call('PATCH', yen.path, { status: 'accepted', amount: 0 })
  t.equal((await sessionIn(api, yen)).cost, 0)
})

test('disputes - are events, and a mail to the billing address unless the organization wants none', async (t) => {
  const api = await createTestApi()
  const settings = `/api/v1/organizations/${api.operator.organizationId}/settings`
  await api.call('PUT', settings, { billing_email: 'billing@example.com' })
  const { path, disputeId } = await disputed(api)
  await api.call('PATCH', path, { status: 'accepted', amount: 4.5 })
  await api.call('PUT', settings, { notification_preferences: { dispute_emails: false } })
  await disputed(api)
  t.match(await eventsIn(api), [
    { event: 'dispute.opened', data: { dispute_id: disputeId, status: 'open', cost: 6.25, reason: 'it was idle' } },
    { event: 'dispute.updated', data: { dispute_id: disputeId, status: 'accepted', cost: 4.5, accepted_amount: 4.5 } },
    { event: 'dispute.opened', data: { status: 'open' } },
  ])
  const mails = api.store.view().list(mailsTable, [])
  t.match(mails, [{ to: 'billing@example.com', content: { type: 'dispute-opened', disputeId, cost: 6.25 } }])
})

test('disputes - so many of an hour are a mail; the others are opened all the same', async (t) => {
  const api = await createTestApi()
  const { path, sessionId } = await disputed(api)
  let last = path
  for (let at = 0; at < mailLimits.mailsToOneAtOnce + 2; at++) {
    await api.call('PATCH', last, { status: 'rejected' })
    const opened = await api.call('POST', `/api/v1/portal/sessions/${sessionId}/dispute`, { reason: 'again' })
    t.equal(opened.status, 201)
    last = `${list}/${opened.body.dispute_id}`
  }
  t.equal(api.store.view().list(mailsTable, []).length, mailLimits.mailsToOneAtOnce)
  t.match((await api.call('GET', list)).body, { total: mailLimits.mailsToOneAtOnce + 3 })
})

async function eventsIn(api: TestApi): Promise<readonly unknown[]> {
  const { body } = await api.call('GET', '/api/v1/events?types=dispute.opened,dispute.updated')
  return body.data
}

function request(api: TestApi, path: string) {
  const headers = { authorization: `Bearer ${api.operator.key}` }
  return { method: 'GET', path, query: '', headers, body: undefined, remoteAddress: '127.0.0.1' }
}
