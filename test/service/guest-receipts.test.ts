// What a guest's receipt says once the provider has answered: what was paid and given back, and what of the cost is not paid.

import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'tap'
import { ask, authorize, begin, finish, guestPath, setUp, statusIs } from '../support/guest.js'
import type { Service } from '../support/service.js'
import { until } from '../support/until.js'

const reader = { skip: spawnSync('pdftotext', ['-v']).error === undefined ? false : 'pdftotext is not installed' }

async function receiptOf({ url, key }: Service, token: string): Promise<string> {
  const response = await fetch(`${url}${guestPath}/${token}/receipt`, { headers: { authorization: `Bearer ${key}` } })
  if (response.status !== 200) throw new Error(await response.text())
  const input = Buffer.from(await response.arrayBuffer())
  return execFileSync('pdftotext', ['-layout', '-', '-'], { input, encoding: 'utf8' })
}

test(
  'guest receipts - what was paid, and what was given back after a correction, by amount and day',
  reader,
  async (t) => {
    const { service, client } = await setUp()
    const { token, idTag } = await authorize(service, client)
    await finish(client, (await begin(client, idTag)).id)
    const { session_id } = (await statusIs(service, token, 'captured')).body
    const paid = await receiptOf(service, token)
    t.match(paid, /Paid on .* €4\.00/)
    t.notMatch(paid, /Not paid|Refunded|STATEMENT/)

    const opened = await service.request('POST', `/api/v1/portal/sessions/${session_id}/dispute`, {
      reason: 'too dear',
    })
    const dispute = `/api/v1/billing/disputes/${opened.body.dispute_id}`
    await service.request('PATCH', dispute, { status: 'accepted', amount: 3 })
    await until(async () => (await ask(service, 'GET', token, 'status')).body.refunded_amount === 1)
    const corrected = await receiptOf(service, token)
    t.match(corrected, /Paid on .* €4\.00/)
    t.match(corrected, /Refunded on .* −€1\.00/)
  },
)

test('guest receipts - characters that no font has are named in the log, once for each document', async (t) => {
  const { service, client } = await setUp()
  const address = 'ខេ Ω 充电 తె'
  t.equal((await service.request('PATCH', `/api/v1/chargepoints/${client.id}`, { address })).status, 200)
  const { token, idTag } = await authorize(service, client)
  await finish(client, (await begin(client, idTag)).id)
  await statusIs(service, token, 'captured')
  const receipt = async (): Promise<void> => {
    t.equal((await service.request('GET', `${guestPath}/${token}/receipt`)).status, 200)
  }
  await receipt()
  const lines = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes('characters that no font has') && line.includes('U+1781'))
  await until(() => lines().length > 0)
  await receipt()
  t.equal(lines().length, 1)
  const { document, characters, number } = JSON.parse(lines()[0] as string)
  t.match({ document, number }, { document: 'receipt', number: String })
  t.equal(characters, 'ខ U+1781, េ U+17C1, త U+0C24, ె U+0C46')
})

/** The receipt of a charge of 4.00. */
async function charged(method: string, payment: string, flags: readonly string[] = []): Promise<string> {
  const { service, client } = await setUp(flags)
  const { token, idTag } = await authorize(service, client, method)
  await finish(client, (await begin(client, idTag)).id)
  await statusIs(service, token, payment)
  return receiptOf(service, token)
}

test('guest receipts - what was not paid is a statement of charges, in part or as a whole', reader, async (t) => {
  const part = await charged('pm_card_ok', 'captured', ['--guest-preauthorisation-amount', '3'])
  t.match(part, /STATEMENT OF CHARGES/)
  t.match(part, /Paid on .* €3\.00/)
  t.match(part, /Not paid .* €1\.00/)
  const nothing = await charged('pm_card_capture_refused', 'failed')
  t.match(nothing, /STATEMENT OF CHARGES/)
  t.match(nothing, /Not paid .* €4\.00/)
  t.notMatch(nothing, /Paid on|RECEIPT/)
})
