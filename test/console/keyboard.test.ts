// Journey 11: the journeys from 1 to 6 by the keyboard alone, the focus seen after every key; and journey 3 with it: a wave of faults, whose common cause is
// told to whoever looks at the fleet, without a question.

import type { Page } from 'playwright-core'
import { type Test, test } from 'tap'
import { soughtAt, soughtId, talkative } from '../../bench/client/yesterday.js'
import { inFullSuite } from '../runner/sample.js'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint, startRequest } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { refusedForItsPassword } from './charge-point-stage.js'
import { type Keyboard, keyboardOf } from './keyboard.js'
import { installationStage } from './stage.js'

const toldWithinMs = 30_000

/** Somebody of a new organization signs in by the keyboard, on the page. */
async function operatorAt(t: Test, path: string): Promise<{ service: Tenant; page: Page; keyboard: Keyboard }> {
  const stage = await installationStage()
  const service = await tenantOf(stage.service)
  const context = await stage.fresh()
  t.teardown(() => context.close())
  const { page } = await stage.open(path, { context })
  const keyboard = keyboardOf(page)
  await keyboard.tabTo(page.getByLabel('API key', { exact: true }))
  await keyboard.type(service.key)
  await keyboard.press('Enter')
  await page.waitForSelector('#page')
  return { service, page, keyboard }
}

/** Somebody of the first organization is signed in. */
async function signedInAt(path: string): Promise<{ page: Page; keyboard: Keyboard; complaints: readonly string[] }> {
  const stage = await installationStage()
  const { page, complaints } = await stage.open(path)
  return { page, complaints, keyboard: keyboardOf(page) }
}

async function jumpTo(page: Page, keyboard: Keyboard, id: string): Promise<void> {
  await keyboard.press('Control+k')
  await keyboard.type(id)
  await page.getByRole('option', { name: id }).first().waitFor()
  await keyboard.press('Enter')
}

test('journey 11 - 1 by the keyboard: why a charge point does not come online', needsBrowser, async (t) => {
  const stage = await installationStage()
  await refusedForItsPassword(stage.service, 'KEYBOARD-0001')
  const { page, keyboard, complaints } = await signedInAt('/api-keys')
  await jumpTo(page, keyboard, 'KEYBOARD-0001')
  await page.locator('.ladder .failed .title').waitFor()
  t.comment(`journey 11: 1 with ${keyboard.presses} keys`)
  await keyboard.tabTo(page.getByRole('button', { name: 'Make a new password' }))
  t.same(keyboard.unseen, [])
  t.same(complaints, [])
  await page.close()
})

/** Charge points of one firmware fault one after the other, beside others that do not. */
async function wave(t: Test, service: Tenant): Promise<{ fault(at: number): Promise<unknown> }> {
  const booted = async (id: string, model: string, firmwareVersion: string): Promise<OcppClient> => {
    await service.register(id)
    const client = await connectOcpp(`${service.ocppUrl}/${id}`)
    await client.boot({ chargePointVendor: 'Voltaris', chargePointModel: model, firmwareVersion })
    await client.call('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })
    t.teardown(() => client.close())
    return client
  }
  const bad = await Promise.all([1, 2, 3].map((at) => booted(`WAVE-${at}`, 'V22-S', '1.19.4')))
  await Promise.all([1, 2, 3, 4].map((at) => booted(`CALM-${at}`, 'A22', '4.2.1')))
  const fault = { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure' }
  return { fault: (at) => (bad[at] as OcppClient).call('StatusNotification', fault) }
}

test('journey 3 - the common cause of a wave of faults is told without a question, soon after the third; 2 and 3 by the keyboard', {
  ...needsBrowser,
  ...inFullSuite,
}, async (t) => {
  const { service, page, keyboard } = await operatorAt(t, '/fleet')
  const { fault } = await wave(t, service)
  await page.getByText('Nothing needs attention').waitFor()
  for (const at of [0, 1, 2]) await fault(at)
  const began = performance.now()
  const cause = page.getByRole('button', { name: /3 charge points are faulted: GroundFailure/ })
  await cause.waitFor({ timeout: 2 * toldWithinMs })
  const milliseconds = performance.now() - began
  t.match(await cause.textContent(), /They are Voltaris V22-S with firmware 1\.19\.4/)
  t.comment(`journey 3: told ${(milliseconds / 1_000).toFixed(1)} s after the third fault`)
  t.ok(milliseconds <= toldWithinMs, `${milliseconds} ms`)

  const hits = page.locator('.fleet-list .hits')
  const before = keyboard.presses
  await keyboard.tabTo(cause)
  await keyboard.press('Enter')
  await hits.filter({ hasText: /^3 of 7$/ }).waitFor()
  t.comment(`journey 11: 3 with ${keyboard.presses - before} keys`)

  await keyboard.press('g')
  await keyboard.press('f')
  const first = keyboard.presses
  await keyboard.press('/')
  await keyboard.press('Control+a')
  await keyboard.type('status:faulted ')
  await hits.filter({ hasText: /^3 of 7$/ }).waitFor()
  // Escape closes what is proposed, and the arrow leads to what was found.
  await keyboard.press('Escape')
  await keyboard.press('ArrowDown')
  await page.locator('.fleet-table .row.current').waitFor()
  t.comment(`journey 11: 2 with ${keyboard.presses - first} keys`)
  await keyboard.press('Enter')
  await page.waitForURL(/\/charge-points\/WAVE-/)
  t.same(keyboard.unseen, [])
})

test('journey 11 - 4 by the keyboard: the message of yesterday 14:51', needsBrowser, async (t) => {
  const { page, keyboard, complaints } = await signedInAt('/api-keys')
  await jumpTo(page, keyboard, talkative)
  await keyboard.tabTo(page.getByRole('link', { name: 'Messages', exact: true }))
  await keyboard.press('Enter')
  await keyboard.tabTo(page.getByLabel('Until'))
  // As a field for a time is typed into: the year goes on to six digits unless told otherwise.
  const day = new Date(soughtAt)
  const two = (part: number): string => String(part).padStart(2, '0')
  await keyboard.type(`${two(day.getMonth() + 1)}${two(day.getDate())}${day.getFullYear()}`)
  await keyboard.press('ArrowRight')
  await keyboard.type('0251P')
  const messages = page.getByRole('rowgroup', { name: 'Messages' })
  // The list without a bound has it as well, behind newer ones.
  await messages.getByRole('row').first().filter({ hasText: 'StartTransaction' }).waitFor()
  await keyboard.tabTo(messages)
  await keyboard.press('j')
  await keyboard.press('Enter')
  t.match(await page.getByRole('region', { name: 'Request' }).textContent(), new RegExp(soughtId))
  t.comment(`journey 11: 4 with ${keyboard.presses} keys`)
  t.same(keyboard.unseen, [])
  t.same(complaints, [])
  await page.close()
})

test('journey 11 - 5 by the keyboard: every step of a bill', needsBrowser, async (t) => {
  const { service, page, keyboard } = await operatorAt(t, '/sessions')
  const client = await bootChargePoint(service, 'KEYBOARD-0005')
  t.teardown(() => client.close())
  const tariff = { name: 'Public', currency: 'EUR', components: [{ type: 'energy', price: 0.49 }] }
  const { tariff_id } = (await service.request('POST', '/api/v1/billing/tariffs', tariff)).body
  await service.request('PUT', '/api/v1/chargepoints/KEYBOARD-0005/tariff', { tariff_id })
  const { transactionId } = (await client.call('StartTransaction', startRequest())).payload
  await client.call('StopTransaction', { transactionId, meterStop: 9_000, timestamp: new Date().toISOString() })
  const { sessions } = (await service.request('GET', '/api/v1/sessions')).body
  const before = keyboard.presses
  await jumpTo(page, keyboard, sessions[0].session_id)
  await page.locator('.bill .total').waitFor()
  t.comment(`journey 11: 5 with ${keyboard.presses - before} keys`)
  const { body } = await service.request('GET', `/api/v1/sessions/${sessions[0].session_id}/cost-explanation`)
  t.equal(await page.locator('.bill [data-step] .amount').count(), body.steps.length)
  await keyboard.tabTo(page.getByRole('button', { name: 'What can be done with the session' }))
  t.same(keyboard.unseen, [])
})
