// Which jobs wait for which: payments for nothing, papers for those of their own organization.

import { readdirSync, readFileSync } from 'node:fs'
import { type Test, test } from 'tap'
import type { PaymentJob, PaymentRequest } from '../../src/actors/guest-session/payment.js'
import { askProvider } from '../../src/jobs/payments/providers.js'
import { sandboxMethods } from '../../src/jobs/payments/sandbox.js'
import { createJobPools, type JobPools } from '../../src/process/job-pools.js'
import { limits } from '../../src/process/limits.js'
import type { Receipt } from '../../src/records/receipt.js'
import type { Settings } from '../../src/settings.js'
import { receipt, receiptDocument } from '../jobs/documents/examples.js'
import { makeRequest, opensslFolder } from '../support/openssl.js'

function settingsOf(t: Test): Settings {
  return { data: t.testdir({}), payment_provider: 'sandbox' } as Settings
}

function startPools(t: Test): JobPools {
  const pools = createJobPools(settingsOf(t), { error: () => undefined })
  t.teardown(() => pools.stop())
  return pools
}

function authorization(key: string, method: string = sandboxMethods.ok): PaymentRequest {
  return { operation: 'authorize', key, method, amountMinor: 5_000, currency: 'EUR' }
}

function paymentOf(organization_id: string, key: string, method?: string): PaymentJob {
  return { ...authorization(key, method), organization_id }
}

/** A receipt whose letters are in so many typeface files that it takes long to print. */
function slowReceipt(organizationId: string): Receipt {
  const address = Array.from({ length: 300 }, (_, at) => String.fromCodePoint(0x4e00 + at * 61)).join('')
  const place = { ...receiptDocument().place, address }
  return receipt(receiptDocument({}, { place }), { organization_id: organizationId })
}

test('job pools - a payment waits neither for papers nor for payments of another organization that the provider never answers', async (t) => {
  const { runJob } = startPools(t)
  for (let at = 0; at < limits.paymentsAtOnce; at++)
    void runJob('payment', paymentOf('org_1', `gst_${at}`, sandboxMethods.hangs))
  let printed = 0
  const papers = Array.from({ length: 10 }, () => runJob('receipt-pdf', slowReceipt('org_1')).then(() => printed++))
  t.match(await runJob('payment', paymentOf('org_2', 'gst_ok')), { ok: true, value: { type: 'done' } })
  t.ok(printed < papers.length / 2, `${printed} papers were printed before`)
})

test('job pools - the papers of an organization wait for each other, and are refused beyond a bound; those of another are not', async (t) => {
  const { runJob } = startPools(t)
  let printed = 0
  const own = Array.from({ length: limits.printsPerOrganization + 1 }, () =>
    runJob('receipt-pdf', slowReceipt('org_1')).then(() => printed++),
  )
  t.match(await runJob('receipt-pdf', slowReceipt('org_1')), { ok: false, isRefused: true })
  t.match(await runJob('receipt-pdf', receipt(undefined, { organization_id: 'org_2' })), { ok: true })
  t.ok(printed < own.length / 5, `${printed} papers of the other organization were printed before`)
})

test('job pools - passwords of one network wait for each other, and are refused beyond a bound; those of another have their turn', async (t) => {
  const { runJob } = startPools(t)
  const password = 'Ladestation 2026'
  let hashed = 0
  const own = Array.from({ length: limits.passwordsAtOnce + limits.passwordsPerNetwork }, () =>
    runJob('hash-password', { owner: '192.0.2.1', password }).then(() => hashed++),
  )
  t.match(await runJob('hash-password', { owner: '192.0.2.1', password }), { ok: false, isRefused: true })
  const other = await runJob('check-password', { owner: '198.51.100.1', password, hash: undefined })
  t.match(other, { ok: true, value: false })
  t.ok(hashed < own.length / 5, `${hashed} were hashed before`)
})

test('job pools - however many installers want certificates, a charge point gets its own at once, and an organization has the next turn', async (t) => {
  const { runJob } = startPools(t)
  const input = { registration: 'a'.repeat(16), validityDays: 30, keyType: 'rsa-2048' }
  const generate = (organization_id: string) =>
    runJob('generate-certificate', { ...input, organization_id, commonName: 'CP-1' })
  const { csr } = makeRequest(opensslFolder(), 'P-256', '/CN=CP-1')
  const request = { csr, registration: input.registration, names: ['CP-1'] }
  const sign = () => runJob('sign-certificate', { ...request, organization_id: 'org_1' })
  t.match(await sign(), { ok: true, value: { signed: true } }, 'the first makes the authority')
  let made = 0
  const accounts = Array.from({ length: limits.certificatesPerOrganization }, (_, at) => `ins_${at}`)
  const wanted = accounts.map((account) => generate(account).then(() => made++))
  wanted.push(generate('ins_another').then(() => made++))
  t.match(await generate('ins_one_more'), { ok: false, isRefused: true })
  const own = generate('org_1')
  t.match(await sign(), { ok: true, value: { signed: true } })
  t.ok(made < wanted.length / 5, `${made} of installers were made before it was signed`)
  t.match(await own, { ok: true, value: { made: true } })
  t.ok(made < wanted.length / 2, `${made} of installers were made before that of the organization`)
})

test('job pools - what prints has a lower priority than the threads that others wait for', {
  skip: process.platform !== 'linux' && 'priorities are those of the process',
}, async (t) => {
  const { runJob } = startPools(t)
  t.match(await runJob('receipt-pdf', receipt()), { ok: true })
  const priorities = readdirSync('/proc/self/task').map((thread) => {
    const [, fields = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
    return Number(fields.split(' ')[16])
  })
  t.equal(priorities.filter((priority) => priority === limits.jobNiceness).length, 1, priorities.join())
})

test('job pools - a provider that does not answer in time has an unknown outcome', async (t) => {
  const settings = settingsOf(t)
  await t.rejects(askProvider(authorization('gst_1', sandboxMethods.hangs), settings, 10), {
    message: 'the payment provider did not answer in time',
  })
  t.match(await askProvider(authorization('gst_2'), settings, 60_000), { type: 'done' })
})
