// Issues that installers report of charge points: numbered without gaps, bounded, and seen by the organization that claims the charge point.

import { test } from 'tap'
import { limits } from '../../src/api/areas/commissioning/limits.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { type CommissioningIssue, commissioningIssuesTable } from '../../src/records/commissioning-issue.js'
import { documentNumbersTable } from '../../src/records/document-number.js'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { registrationOf } from '../support/registration.js'
import { createTestApi } from './fixture.js'

const registry = '/api/v1/installer/charge-points'
const pathOf = (id: string, what: string) => `/api/v1/installer/commissioning/${id}/${what}`
const cable = {
  category: 'site_issue',
  severity: 'high',
  description: 'The supply cable is protected with 16 A instead of 32 A.',
}

async function api() {
  const service = await createTestApi()
  const request = (method: string, target: string, body?: unknown, headers = {}) =>
    service.call(method, target, body, { headers }) as unknown as ReturnType<TestInstaller['request']>
  async function newInstaller(id: string) {
    const installer = await installerOf({ request })
    const box = { charge_point_id: id, model: 'M', vendor: 'V', serial_number: `SN-${id}`, project_id: 'P' }
    await installer.request('POST', registry, box)
    const report = (fields: object = {}) =>
      installer.request('POST', pathOf(id, 'report-issue'), { ...cable, ...fields })
    const issues = async () => (await installer.request('GET', pathOf(id, 'issues'))).body
    return { ...installer, box, report, issues }
  }
  return { service, newInstaller }
}

test('commissioning issues - each has the next number of the installation, whoever reports at the same time', async (t) => {
  const { service, newInstaller } = await api()
  const [ines, ivan] = [await newInstaller('CP-1'), await newInstaller('CP-2')]
  const first = await ines.report({ step: 'test_transaction', photo_urls: ['https://files.example.com/1.jpg'] })
  const year = new Date(service.now()).getUTCFullYear()
  t.match(first, {
    status: 201,
    body: {
      issue_id: /^iss_/,
      reference_number: `ISS-${year}-000001`,
      charge_point_id: 'CP-1',
      ...cable,
      status: 'open',
      step: 'test_transaction',
      session_id: null,
      photo_urls: ['https://files.example.com/1.jpg'],
    },
  })
  const refused = await ines.report({ description: 'Too short.' })
  t.match(refused, { status: 400, body: { error: { details: [{ path: '/description' }] } } })
  const answers = await Promise.all([ines, ivan, ines, ivan, ines].map(({ report }) => report()))
  const numbers = answers.map(({ body }) => body.reference_number).sort()
  t.same(
    numbers,
    [2, 3, 4, 5, 6].map((number) => `ISS-${year}-00000${number}`),
    'one that was refused takes none',
  )
  const own = await ines.issues()
  t.match(own, { total: 4, page: 1 })
  t.equal(own.issues.at(-1).issue_id, first.body.issue_id, 'the newest first')
  t.equal((await ivan.issues()).total, 2)
  t.equal((await ivan.request('GET', pathOf('CP-1', 'issues'))).status, 404)
  t.equal((await ivan.request('POST', pathOf('CP-1', 'report-issue'), cable)).status, 404)
})

test('commissioning issues - what cannot be taken is refused with the place of each fault', async (t) => {
  const { newInstaller } = await api()
  const { report, issues } = await newInstaller('CP-1')
  const photo_urls = ['https://files.example.com/1.jpg', 'http://files.example.com/2.jpg', 'https://a:b@example.com/']
  const faults = [
    [{ photo_urls }, ['/photo_urls/1', '/photo_urls/2']],
    [{ photo_urls: Array(limits.photos + 1).fill('https://example.com/') }, ['/photo_urls']],
    [{ category: 'weather' }, ['/category']],
    [{ severity: null }, ['/severity']],
    [{ step: 'lunch' }, ['/step']],
    [{ description: ' '.repeat(30) }, ['/description']],
    [{ description: 'x'.repeat(limits.descriptionLength + 1) }, ['/description']],
  ] as const
  for (const [fields, paths] of faults) {
    const { status, body } = await report(fields)
    t.equal(status, 400)
    t.same(
      body.error.details.map(({ path }: { path: string }) => path),
      paths,
    )
  }
  t.equal((await issues()).total, 0)
})

test('commissioning issues - a charge point, an installer and the installation have room for so many', async (t) => {
  const { service, newInstaller } = await api()
  const { report, request, box } = await newInstaller('CP-1')
  const { body } = await report()
  const [stored] = service.store.view().list(commissioningIssuesTable, []) as [CommissioningIssue]
  const copies = (count: number, fields: Partial<CommissioningIssue>) =>
    Array.from({ length: count }, (_, at) =>
      putRow(commissioningIssuesTable, {
        ...stored,
        ...fields,
        issue_id: `${body.issue_id}${fields.installer_id}${at}`,
      }),
    )
  const most = { status: 409, body: { error: { code: 'conflict' } } }
  await service.commit(...copies(limits.issuesOfChargePoint - 2, {}))
  t.equal((await report()).status, 201)
  t.match(await report(), { ...most, body: { error: { message: /^a charge point has at most 100 issues/ } } })
  await request('POST', registry, { ...box, charge_point_id: 'CP-2', serial_number: 'SN-2' })
  const other = () => request('POST', pathOf('CP-2', 'report-issue'), cable)
  t.equal((await other()).status, 201)
  const gone = limits.issuesOfInstaller - limits.issuesOfChargePoint - 1
  await service.commit(
    ...copies(gone, { charge_point_id: 'CP-GONE' }).map((put, at) => ({ ...put, key: [`gone-${at}`] })),
  )
  t.match(await other(), { ...most, body: { error: { message: /^an installer reports at most 2000 issues/ } } })
  const last = service.store.view().get(documentNumbersTable, ['installation', 'issue'])?.last
  t.equal(last, 3, 'a refused one takes no number')
})

test('commissioning issues - the organization that claims the charge point sees them and who installed it; a registration under the same id does not', async (t) => {
  const { service, newInstaller } = await api()
  const { report, request, box, issues, id, email } = await newInstaller('CP-1')
  const { body } = await report()
  const { body: worse } = await report({
    severity: 'critical',
    description: 'Connector 2 has no cable, and is not covered.',
  })
  const { body: later } = await report({ description: 'The network at the far bays does not hold for a minute.' })
  const seen = '/api/v1/chargepoints/CP-1/commissioning'
  t.equal((await service.call('GET', seen)).status, 404, 'before the claim')
  const claimed = await service.call('POST', '/api/v1/chargepoints', registrationOf('CP-1'))
  const installer = { company: 'Example Installations', name: 'Ines Example' }
  t.match(claimed, { status: 201, body: { handover: { installer, open_issue_count: 3 } } })
  const numbersOf = (issues: readonly { reference_number: string }[]) => issues.map((one) => one.reference_number)
  const worstFirst = numbersOf([worse, later, body])
  t.same(numbersOf(claimed.body.handover.open_issues), worstFirst, 'the most severe first')
  const { status, body: shown } = await service.call('GET', seen)
  t.equal(status, 200)
  t.match(shown, { charge_point_id: 'CP-1', installer, commissioned_at: null, session: null, open_issue_count: 3 })
  t.same(shown.issues, [later, worse, body])
  t.notMatch(JSON.stringify([claimed.body, shown]), new RegExp(`${id}|${email}`), 'by name alone')
  t.equal((await report()).status, 201, 'also after the claim')
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  await request('POST', registry, { ...box, serial_number: 'SN-NEW' })
  t.equal((await issues()).total, 0)
  t.equal((await service.call('POST', '/api/v1/chargepoints', registrationOf('CP-OWN'))).status, 201)
  const own = await service.call('GET', '/api/v1/chargepoints/CP-OWN/commissioning')
  t.match(own.body, { installer: null, commissioned_at: null, session: null, issues: [] })
})

test('commissioning issues - addresses of photos are not in the audit log', async (t) => {
  const { service, newInstaller } = await api()
  const { report } = await newInstaller('CP-1')
  await report({ photo_urls: ['https://files.example.com/1.jpg?signature=abcdef'] })
  const { body } = await service.call('GET', '/api/v1/org/audit-log')
  t.match(JSON.stringify(body), /reportCommissioningIssue|report-issue/)
  t.notMatch(JSON.stringify(body), /abcdef/)
})

test('commissioning issues - one that was put right is closed, by the installer until the claim and by the organization from then on', async (t) => {
  const { service, newInstaller } = await api()
  const [ines, ivan] = [await newInstaller('CP-1'), await newInstaller('CP-2')]
  const [first, second, other] = [await ines.report(), await ines.report(), await ivan.report()].map(({ body }) => body)
  t.match(first, { closed_at: null, closed_by: null })
  const close = (issue: { issue_id: string }) =>
    ines.request('POST', pathOf('CP-1', `issues/${issue.issue_id}/close`), undefined)
  const closed = await close(first)
  t.match(closed, { status: 200, body: { ...first, status: 'closed', closed_at: String, closed_by: 'installer' } })
  t.match(await close(first), { status: 409, body: { error: { code: 'issue_closed' } } })
  t.equal((await close(other)).status, 404, 'of another charge point')
  const closing = (issue: { issue_id: string }, id = 'CP-1') =>
    service.call('POST', `/api/v1/chargepoints/${id}/commissioning/issues/${issue.issue_id}/close`)
  t.equal((await closing(second)).status, 404, 'before the claim')
  const claim = await service.call('POST', '/api/v1/chargepoints', registrationOf('CP-1'))
  t.match(claim.body.handover, { open_issue_count: 1, open_issues: [{ reference_number: second.reference_number }] })
  t.match(await close(second), { status: 409, body: { error: { code: 'charge_point_claimed' } } })
  t.equal((await closing(other)).status, 404)
  t.match(await closing(second), { status: 200, body: { status: 'closed', closed_by: 'organization' } })
  const { body } = await service.call('GET', '/api/v1/chargepoints/CP-1/commissioning')
  t.match(body, { open_issue_count: 0, issues: [{ status: 'closed' }, { status: 'closed' }] })
  await service.register('CP-OWN')
  t.equal((await closing(second, 'CP-OWN')).status, 404)
})
