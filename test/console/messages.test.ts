// The messages of a charge point: found by their time, with request and answer as they were sent, and followed live. The journey prints what it has cost.

import type { Page } from 'playwright-core'
import { test } from 'tap'
import { minuteText, soughtAt, soughtId, talkative } from '../../bench/client/yesterday.js'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint, startRequest } from '../support/charge-point.js'
import { installationStage, phone } from './stage.js'

/** Of the answer of the API, as the page has got it. */
const took = (page: Page): Promise<number> =>
  page.evaluate(`Math.round(performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/messages?'))
    .at(-1).duration)`)

test('messages page - journey 4: the message of yesterday 14:51 with its answer, raw', needsBrowser, async (t) => {
  const stage = await installationStage()
  const { page, complaints } = await stage.open(`/charge-points/${talkative}`)
  let clicks = 0
  await page.getByRole('link', { name: 'Messages', exact: true }).click()
  clicks++
  await page.getByLabel('Until').fill(minuteText(soughtAt))
  const row = page.getByRole('row').filter({ hasText: 'StartTransaction' })
  await row.waitFor()
  const milliseconds = await took(page)
  await row.click()
  clicks++
  const request = page.getByRole('region', { name: 'Request' })
  t.match(await request.textContent(), new RegExp(`"${soughtId}", "StartTransaction", \\{`))
  t.match(await page.getByRole('region', { name: 'Answer' }).textContent(), /"transactionId": 7/)
  t.match(await row.textContent(), /connector 1, card TAG-1, meter 1,000 Wh.*Accepted/)
  t.comment(`journey 4: ${clicks} clicks and a time, answered after ${milliseconds} ms`)
  t.ok(clicks <= 3)
  t.ok(milliseconds < 3_000, `${milliseconds} ms on a busy machine`)
  t.match(page.url(), new RegExp(`until=.*message=in-${soughtId}`), 'a link shows a colleague the same')
  t.same(complaints, [])
  const link = new URL(page.url())
  await page.close()

  const again = await stage.open(link.pathname.replace('/console', '') + link.search, { viewport: phone })
  t.match(await again.page.getByRole('region', { name: 'Request' }).textContent(), new RegExp(soughtId))
  t.match(await again.page.getByRole('row').filter({ hasText: 'StartTransaction' }).textContent(), /Accepted/)
  await again.page.close()
})

test('messages page - what was repaired in a message is marked in its frame', needsBrowser, async (t) => {
  const stage = await installationStage()
  const client = await bootChargePoint(stage.service, 'REPAIRED-0001')
  await client.call('StartTransaction', { ...startRequest(), timestamp: '2026-11-21T12:51:09' }, 'repaired-1')
  const { page, complaints } = await stage.open('/charge-points/REPAIRED-0001/messages?kind=transaction')
  await page.getByRole('row').filter({ hasText: 'StartTransaction' }).click()
  const request = page.getByRole('region', { name: 'Request' })
  t.match(await request.locator('mark').allTextContents(), [/2026-11-21T12:51:09/])
  const said = { connectorId: 1, errorCode: 'NoError', status: 'Available', info: 'turned \u202eround' }
  await client.call('StatusNotification', said)
  await page.goto('/console/charge-points/REPAIRED-0001/messages')
  await page.getByRole('row').filter({ hasText: 'StatusNotification' }).first().click()
  await request.getByText('"turned \\u202eround"').waitFor()
  t.same(complaints, [])
  await page.close()
  await client.close()
})

test('messages page - l follows what is said, and a recording is taken away as a script', needsBrowser, async (t) => {
  const stage = await installationStage()
  const client = await bootChargePoint(stage.service, 'JOURNEY-LIVE')
  const { page, complaints } = await stage.open('/charge-points/JOURNEY-LIVE/messages')
  await page.keyboard.press('l')
  await page.waitForURL(/live=1/)
  const seen = page.getByRole('row').filter({ hasText: 'LIVE-TAG' })
  let isSeen = false
  for (let time = 0; !isSeen && time < 50; time++) {
    await client.call('Authorize', { idTag: 'LIVE-TAG' }, `live-${time}`)
    isSeen = await seen
      .first()
      .waitFor({ timeout: 500 })
      .then(() => true)
      .catch(() => false)
  }
  t.ok(isSeen, 'it is there without being asked for')
  await seen.first().click()
  const detail = page.locator('.messages > .message')
  await detail.waitFor()
  await client.call('Authorize', { idTag: 'NEXT-TAG' }, 'live-next')
  await page.getByRole('row').filter({ hasText: 'NEXT-TAG' }).first().waitFor()
  t.match(await page.locator('.row.current').textContent(), /LIVE-TAG/, 'the message stays chosen, not its place')
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Record all…' }).click()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await page.getByText('recording', { exact: true }).waitFor()
  await client.call('Heartbeat', {}, 'recorded-1')
  await page.getByText(/[1-9] messages?,/).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Script' }).click()
  t.match((await download).suggestedFilename(), /^JOURNEY-LIVE-cap_.*\.jsonl$/)
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByText('ended', { exact: true }).waitFor()
  t.same(complaints, [])
  await page.close()
  await client.close()
})
