// Journey 5: a customer doubts a bill. From the id of the session to every step of its bill, with the amounts that the API has; what can be done with a
// session; and what a driver disputes.

import type { Page } from 'playwright-core'
import { type Test, test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint, secondsAgo } from '../support/charge-point.js'
import { tenantOf } from '../support/organization.js'
import type { Service } from '../support/service.js'
import { consoleStage, goTo } from './stage.js'

const chargePointId = 'BILLED-1'

interface Billed {
  readonly service: Service
  readonly page: Page
  /** That has ended. */
  readonly sessionId: string
}

const energy = { type: 'energy', price: 0.49 }

/** A charge with idle time, rules and a fee, of an organization of its own, and another that runs. */
async function billed(t: Test): Promise<Billed> {
  const stage = await consoleStage()
  const service = await tenantOf(stage.installation)
  const id = `${chargePointId}-${t.name.length}`
  const client = await bootChargePoint(service, id)
  t.teardown(() => client.close())
  const make = async (method: string, path: string, body: unknown) => {
    const answer = await service.request(method, path, body)
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const components = [energy, { type: 'idle', price: 6, grace_minutes: 15 }, { type: 'flat', price: 0.5 }]
  const tariff = { name: 'Public AC', currency: 'EUR', tax_percentage: 19, components }
  const { tariff_id } = await make('POST', '/api/v1/billing/tariffs', tariff)
  await make('PUT', `/api/v1/chargepoints/${id}/tariff`, { tariff_id })
  await make('POST', '/api/v1/billing/tariffs', { ...tariff, name: 'Dearer', components: [{ ...energy, price: 0.7 }] })
  const rule = (name: string, kwh: number, priority: number) => ({
    name,
    priority,
    conditions: [{ field: 'energy_kwh', operator: 'gte', value: kwh }],
    actions: [{ type: 'discount_percent', value: 5 }],
  })
  await make('POST', '/api/v1/billing/rules', rule('Five percent less', 1, 1))
  await make('POST', '/api/v1/billing/rules', rule('Large charges', 100, 2))
  const status = (name: string, seconds: number) =>
    client.call('StatusNotification', {
      connectorId: 1,
      status: name,
      errorCode: 'NoError',
      timestamp: secondsAgo(seconds),
    })
  const { payload } = await client.call('StartTransaction', {
    connectorId: 1,
    idTag: 'TAG-1',
    meterStart: 1_000,
    timestamp: secondsAgo(6_000),
  })
  await status('Charging', 5_990)
  const { transactionId } = payload
  const metered = (seconds: number, wh: number, watts: number) => ({
    timestamp: secondsAgo(seconds),
    sampledValue: [{ value: `${wh}` }, { value: `${watts}`, measurand: 'Power.Active.Import', unit: 'W' }],
  })
  for (const [seconds, wh, watts] of [
    [5_400, 3_000, 11_000],
    [4_800, 5_000, 11_000],
    [4_200, 6_317, 0],
  ] as const)
    await client.call('MeterValues', { connectorId: 1, transactionId, meterValue: [metered(seconds, wh, watts)] })
  await status('SuspendedEV', 4_200)
  const end = { meterStop: 6_317, timestamp: secondsAgo(60), reason: 'EVDisconnected' }
  await client.call('StopTransaction', { transactionId, ...end })
  await client.call('StartTransaction', {
    connectorId: 1,
    idTag: 'TAG-2',
    meterStart: 6_317,
    timestamp: secondsAgo(30),
  })
  const { sessions } = (await service.request('GET', '/api/v1/sessions?status=completed')).body
  const { page } = await stage.signedIn(t, service.key)
  return { service, page, sessionId: sessions[0].session_id }
}

const digits = (text: string | null): string => (text ?? '').replace('−', '-').replaceAll(/[^\d.-]/g, '')

test(
  'journey 5 - from the id of a session to every step of its bill, with the exact amounts of the API',
  needsBrowser,
  async (t) => {
    const { service, page, sessionId } = await billed(t)
    await goTo(page, '/sessions')
    const begun = performance.now()
    await page.getByRole('row', { name: /completed/ }).click()
    await page.locator('.bill .total').waitFor()
    const milliseconds = Math.round(performance.now() - begun)
    t.match(new URL(page.url()).pathname, `/console/sessions/${sessionId}`)
    const { body } = await service.request('GET', `/api/v1/sessions/${sessionId}/cost-explanation`)
    const shown = await page.locator('.bill [data-step] .amount').allTextContents()
    const wanted = body.steps.map(({ amount }: { amount: string }) => amount)
    t.ok(wanted.length >= 5, 'a bill of several steps')
    t.same(shown.map(digits), wanted)
    t.equal(digits(await page.locator('.bill .total .amount').textContent()), body.total)
    const text = (await page.locator('.bill').textContent()) ?? ''
    for (const { exact_amount } of body.steps)
      t.ok(text.includes(exact_amount) || text.includes(exact_amount.replace('-', '−')), exact_amount)
    t.ok(text.includes(body.rules_not_applied[0].words[0]), 'why a rule did not run')
    const cost = (await service.request('GET', `/api/v1/sessions/${sessionId}`)).body.cost
    t.equal(Number(body.total), cost)
    t.comment(
      `journey 5: 1 click, ${milliseconds} ms to the bill, ${shown.length} of ${wanted.length} amounts equal the API's`,
    )

    await goTo(page, '/sessions')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(sessionId)
    await page.getByRole('option', { name: sessionId }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.bill .total').waitFor()
    t.pass('and without a click, by the palette')
  },
)

test(
  'session page - what happened, what was metered, and what it would have cost under another tariff',
  needsBrowser,
  async (t) => {
    const { page, sessionId } = await billed(t)
    await page.goto(`/console/sessions/${sessionId}`)
    await page.locator('.what-if tbody tr').nth(2).waitFor()
    const rows = await page.locator('.what-if tbody tr').allInnerTexts()
    t.match(
      rows.find((row) => row.startsWith('Dearer')),
      /\d\.\d\d/,
    )
    t.match(
      rows.find((row) => row.startsWith('Without billing rules')),
      /\+0\.\d\d/,
    )
    const story = await page.locator('.story li').allInnerTexts()
    t.match(
      story.join('\n'),
      /The session started[\s\S]*The vehicle is charging[\s\S]*The vehicle takes no energy[\s\S]*The session ended/,
    )
    await page.getByRole('img', { name: /at most 11 kW, 5\.317 kWh/ }).waitFor()
    await page.locator('.story').getByRole('button', { name: 'States' }).click()
    await page.waitForURL(/source=status/)
    t.equal(await page.locator('.story li:not([data-source=status])').count(), 0)
  },
)

test(
  'session page - a running session is closed, after a question; a cost is disputed and the dispute accepted',
  needsBrowser,
  async (t) => {
    const { service, page } = await billed(t)
    await goTo(page, '/sessions?status=active')
    await page.getByRole('row', { name: /charging/ }).click()
    await page.getByText('charging now', { exact: true }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    await page.getByRole('button', { name: 'What can be done with the session' }).click()
    await page.getByRole('menuitem', { name: 'Close by estimate' }).click()
    t.equal((await service.request('GET', `/api/v1/sessions/${id}`)).body.status, 'active', 'it asks first')
    await page.getByRole('button', { name: 'Close the session', exact: true }).click()
    await page.getByText('closed by estimate', { exact: true }).waitFor()
    t.match((await service.request('GET', `/api/v1/sessions/${id}`)).body, { status: 'estimated', cost: 0.6 })

    await page.getByRole('button', { name: 'What can be done with the session' }).click()
    await page.getByRole('menuitem', { name: 'Dispute the cost' }).click()
    await page.getByLabel('What is wrong').fill('The charger had failed.')
    await page.getByRole('button', { name: 'Open the dispute' }).click()
    await page.getByRole('link', { name: 'Open it' }).click()
    await page.getByText('The charger had failed.').first().waitFor()
    await page.getByRole('button', { name: 'Accept', exact: true }).click()
    await page.getByLabel('What the session is to cost').fill('0.2')
    await page.getByRole('button', { name: 'Accept, and correct the cost' }).click()
    await page.getByText('0.20 EUR').waitFor()
    t.match((await service.request('GET', `/api/v1/sessions/${id}`)).body, {
      cost: 0.2,
      dispute: { status: 'accepted' },
    })
    await page.getByRole('link', { name: 'Its session and bill' }).click()
    await page.locator('.bill [data-step=dispute]').waitFor()
    t.equal(digits(await page.locator('.bill .total .amount').textContent()), '0.20')
    await page.getByRole('row', { name: /As it was priced .*0\.60/ }).waitFor()
    await page.getByRole('row', { name: /As it was agreed in a dispute .*0\.20/ }).waitFor()
    const story = await page.locator('.story').textContent()
    t.match(story, /The cost was calculated: 0\.60 EUR[\s\S]*corrected to what was agreed: 0\.20 EUR/)
    t.notMatch(story, /api_key:/, 'who it was stands there by name')
  },
)

test('session page - where there is nothing to compare with, it says so', needsBrowser, async (t) => {
  const stage = await consoleStage()
  const service = await tenantOf(stage.installation)
  const client = await bootChargePoint(service, 'ONLY-TARIFF-1')
  t.teardown(() => client.close())
  const tariff = { name: 'Public AC', currency: 'EUR', components: [energy] }
  const { tariff_id } = (await service.request('POST', '/api/v1/billing/tariffs', tariff)).body
  await service.request('PUT', '/api/v1/chargepoints/ONLY-TARIFF-1/tariff', { tariff_id })
  const started = { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp: secondsAgo(600) }
  const { transactionId } = (await client.call('StartTransaction', started)).payload
  await client.call('StopTransaction', { transactionId, meterStop: 5_000, timestamp: secondsAgo(5) })
  const { body } = await service.request('GET', '/api/v1/sessions')
  const { page } = await stage.signedIn(t, service.key)
  await goTo(page, `/sessions/${body.sessions[0].session_id}`)
  await page.getByText('There is no other tariff in this currency').waitFor()
})
