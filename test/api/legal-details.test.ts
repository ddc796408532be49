// What a legal receipt or invoice names of its parties: set by the organization, printed as it was when the document was made.

import { test } from 'tap'
import { tellDueOrganizations } from '../../src/process/period-clock.js'
import { invoicesTable } from '../../src/records/invoice.js'
import { receiptsTable } from '../../src/records/receipt.js'
import { billedSession } from './billed-sessions.js'
import { createTestApi } from './fixture.js'

const required = { name: 'Example Charging', country: 'NL', contact_email: 'operations@example.com' }
const details = {
  legal_name: 'Example Charging B.V.',
  street: 'Stationsplein 1',
  postal_code: '3511 ED',
  city: 'Utrecht',
  vat_id: 'NL001234567B01',
  registration_number: '12345678',
}
const none = {
  legal_name: null,
  street: null,
  postal_code: null,
  city: null,
  vat_id: null,
  registration_number: null,
}

test('organization - legal details are set, kept where they are left out, and removed by null', async (t) => {
  const api = await createTestApi()
  const path = `/api/v1/organizations/${api.operator.organizationId}`
  t.match((await api.call('GET', path)).body, none)
  t.match((await api.call('PUT', path, { ...required, ...details })).body, { ...required, ...details })
  t.match((await api.call('PUT', path, { ...required, country: 'DE' })).body, { country: 'DE', ...details })
  t.match((await api.call('PUT', path, { ...required, vat_id: null })).body, { ...details, vat_id: null })
  t.match((await api.call('GET', path)).body, { ...details, vat_id: null })
  t.equal((await api.call('PUT', path, { ...required, street: '' })).status, 400)
  const made = await api.call('POST', '/api/v1/organizations', { ...required, vat_id: 'NL009' })
  t.match(made, { status: 201, body: { ...none, vat_id: 'NL009' } })
  const other = await api.addOrganization()
  t.equal((await api.call('PUT', path, { ...required, ...details }, other)).status, 404)
})

test('organization - documents keep the details of both parties as they were when they were made', async (t) => {
  const api = await createTestApi()
  const path = `/api/v1/organizations/${api.operator.organizationId}`
  await api.call('PUT', path, { ...required, ...details })
  const customer = await api.addOrganization()
  await api.call(
    'PUT',
    `/api/v1/organizations/${customer.organizationId}`,
    { ...required, name: 'Customer', city: 'Ede' },
    customer,
  )
  const endedAt = new Date(api.now()).toISOString()
  const { session, changes } = billedSession({ organizationId: customer.organizationId, endedAt })
  await api.commit(...changes)
  const receiptPath = `/api/v1/portal/sessions/${session.session_id}/receipt`
  const receipt = await api.call('GET', receiptPath, undefined, customer)
  await api.pass(62 * 24 * 3_600_000)
  await tellDueOrganizations({ view: api.store.view, tell: api.services.tell, now: api.now })
  for (let turn = 0; turn < 40; turn++) await api.settled()
  const { data } = (await api.call('GET', '/api/v1/billing/invoices', undefined, customer)).body
  t.match(data, [{ issuer: { ...required, ...details }, recipient: { name: 'Customer', ...none, city: 'Ede' } }])
  const pdf = await api.call('GET', `/api/v1/billing/invoices/${data[0].invoice_id}/pdf`, undefined, customer)

  await api.call('PUT', path, { ...required, ...details, name: 'Renamed', street: 'Elsewhere 2' })
  await api.call(
    'PUT',
    `/api/v1/organizations/${customer.organizationId}`,
    { ...required, name: 'Renamed too', city: null },
    customer,
  )
  const again = await api.call('GET', `/api/v1/billing/invoices/${data[0].invoice_id}/pdf`, undefined, customer)
  t.equal(again.body, pdf.body)
  t.equal((await api.call('GET', receiptPath, undefined, customer)).body, receipt.body)
  t.match(api.store.view().get(receiptsTable, [session.session_id]), {
    revision: 1,
    document: { seller: { city: 'Ede' } },
  })
  t.match(api.store.view().list(invoicesTable, []), [{ issuer: details, issuer_id: api.operator.organizationId }])
})
