// What charge points do against the standard: the tab of one, the page of all models, and the report that the maker of a model is sent.

import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { inFullSuite } from '../runner/sample.js'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint, startRequest } from '../support/charge-point.js'
import { until } from '../support/until.js'
import { consoleStage, phone } from './stage.js'

test('conformance page - what a charge point does against the standard is told, by model too, with a report for its maker', {
  ...needsBrowser,
  ...inFullSuite,
}, async (t) => {
  const stage = await consoleStage()
  const secret = 'PLANTED-5EC8E7'
  const client = await bootChargePoint(stage.service, 'DEVIATES-0001')
  const boot = { chargePointVendor: 'Example', chargePointModel: 'K300', firmwareVersion: '4.1.9' }
  await client.call('BootNotification', boot)
  await client.call('StartTransaction', { ...startRequest(), timestamp: '2026-11-21T12:51:09' }, 'deviates-1')
  await client.call('Heartbeat', { wifiPassword: secret })
  // It is written within half a minute, with what else the service notes.
  const path = '/api/v1/chargepoints/DEVIATES-0001/conformance'
  await until(async () => (await stage.service.request('GET', path)).body.deviations.length === 2, 45_000)

  const { page, complaints } = await stage.open('/charge-points/DEVIATES-0001')
  await page.getByRole('link', { name: 'Conformance', exact: true }).last().click()
  const row = page.getByRole('row').filter({ hasText: 'StartTransaction /timestamp' })
  t.match(await row.textContent(), /A time is not written as ISO 8601.*repaired.*this one alone/)
  await row.click()
  const detail = page.getByRole('region', { name: 'StartTransaction /timestamp' })
  t.match(
    await detail.textContent(),
    /OCPP 1\.6, 6\.45 \(StartTransaction\.req\) and OCPP 1\.6, 3\.15 expects a date and time as ISO 8601/,
  )
  t.match(await page.getByRole('region', { name: 'Example' }).textContent(), /"deviates-1","StartTransaction"/)
  t.match(page.url(), /deviation=timestamp-format/, 'a link shows a colleague the same')
  t.match(await page.locator('.conformance-score').first().textContent(), /messages since .* were as the standard says/)
  t.notMatch(await page.content(), secret)

  await page.getByRole('link', { name: /All charge points of this model/ }).click()
  await page.getByRole('heading', { name: 'Example K300, firmware 4.1.9' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Report for the maker' }).click()
  const file = await download
  t.match(file.suggestedFilename(), /^deviations-Example-K300-firmware-4\.1\.9\.txt$/)
  const report = readFileSync(await file.path(), 'utf8')
  t.match(report, /^Deviations from OCPP 1\.6: Example K300, firmware 4\.1\.9\n/)
  t.match(report, /\d\. StartTransaction \/timestamp\n {3}A time is not written as ISO 8601\./)
  t.match(report, /How often: once, by 1 charge point\.\n {3}Example: DEVIATES-0001, .*, message deviates-1: "2026-/)
  t.notMatch(report, secret)
  t.notMatch(report, 'TAG-1', 'who charges is not said')

  await page.getByRole('link', { name: 'All models that deviate' }).click()
  await page.getByRole('button', { name: 'Model', exact: true }).click()
  await page.waitForURL(/by=model/)
  await page.getByRole('row').filter({ hasText: 'Example K300' }).click()
  await page.getByRole('heading', { name: 'Example K300', exact: true }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Heartbeat /wifiPassword' }).waitFor()
  t.same(complaints, [])
  await page.close()

  const again = await stage.open('/conformance?vendor=Example&model=K300&firmware=4.1.9', { viewport: phone })
  await again.page.getByRole('row').filter({ hasText: 'StartTransaction' }).waitFor()
  const elsewhere = await stage.open('/conformance?vendor=Example&model=K300&firmware=4.1.9', {
    context: await stage.other(),
  })
  await elsewhere.page.getByText('No charge point of it deviates').waitFor()
  t.same([...again.complaints, ...elsewhere.complaints], [])
  await again.page.close()
  await elsewhere.page.close()
  await client.close()
})
