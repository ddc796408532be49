// Health and load in the console: what the service measures second by second, the load test that runs, and those that have ended.

import { test } from 'tap'
import { startLoad } from '../bench/load-tool.js'
import { inFullSuite } from '../runner/sample.js'
import { needsBrowser } from '../support/browser.js'
import { bootChargePoint } from '../support/charge-point.js'
import { until } from '../support/until.js'
import { goTo, installationStage } from './stage.js'

test(
  'health - what charge points say shows within seconds, without another request of the page',
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const { page, complaints } = await stage.open('/health')
    await page.getByText('Nothing needs you').waitFor()
    await page.getByRole('rowheader', { name: 'Shard 0' }).waitFor()
    const client = await bootChargePoint(stage.service, 'HEALTH-1')
    t.teardown(() => client.close())
    const row = page.getByRole('row', { name: /^Heartbeat/ })
    for (let beat = 0; beat < 30; beat++) await client.call('Heartbeat', {})
    await row.waitFor()
    await page.getByRole('img', { name: /frames: half within .*, 99 of 100 within / }).waitFor()
    await page.getByRole('button', { name: '24 h' }).click()
    await page.waitForURL(/range=24h/)
    await row.waitFor()
    t.same(complaints, [])
    await page.close()
  },
)

test(
  'health - what charge points say before the stream begins is asked for once more, and is not missing',
  needsBrowser,
  async (t) => {
    const stage = await installationStage()
    const asked: string[] = []
    const { page } = await stage.open('/api-keys', { onRequest: (url) => asked.push(url) })
    let letIn: () => void = () => undefined
    const isLetIn = new Promise<void>((resolve) => {
      letIn = resolve
    })
    await page.route('**/installation/stream*', async (route) => {
      await isLetIn
      await route.continue()
    })
    const seriesAsked = () => asked.filter((url) => url.includes('/installation/series')).length
    await goTo(page, '/health')
    await page.getByRole('rowheader', { name: 'Shard 0' }).waitFor()
    const client = await bootChargePoint(stage.service, 'HEALTH-2')
    t.teardown(() => client.close())
    const action = 'DiagnosticsStatusNotification'
    for (let time = 0; time < 3; time++) await client.call(action, { status: 'Idle' })
    // The newest second, with which the stream begins, tells nothing of it.
    await until(async () => {
      const { body } = await stage.service.request('GET', '/api/v1/installation/series?seconds=60&points=60')
      const said: readonly (number | null)[] | undefined = body.actions[action]
      return said?.slice(-3).every((rate) => rate === 0 || rate === null) === true
    })
    t.equal(seriesAsked(), 1)
    letIn()
    await page.getByRole('row', { name: new RegExp(`^${action}`) }).waitFor()
    t.equal(seriesAsked(), 2)
    await page.close()
  },
)

test('health - a shard that is replaced is told in words, with what it means', needsBrowser, async (t) => {
  const stage = await installationStage()
  const { page } = await stage.open('/health')
  stage.service.fail(0, 'throw')
  const finding = page.getByRole('listitem').filter({ hasText: 'A shard was replaced' })
  await finding.waitFor()
  t.match(await finding.textContent(), /No connection was closed/)
  await page.close()
})

test('health - a load test is shown while it runs, ended early, and then found among the runs', {
  ...needsBrowser,
  ...inFullSuite,
}, async (t) => {
  const stage = await installationStage()
  const { service } = stage
  const { page, complaints } = await stage.open('/health')
  const load = startLoad(
    t,
    [
      ...['--url', service.ocppUrl, '--register', '--charge-points', '3', '--rate', '30', '--profile', 'heartbeat'],
      ...['--duration', '5m', '--report-to', service.url],
    ],
    { AMPSHARD_API_KEY: service.key },
  )
  await page.getByText('Load test “heartbeat”').waitFor()
  await page.getByRole('img', { name: 'Messages answered a second since the start, beside the target' }).waitFor()
  // Some seconds of it, or there is nothing to draw of them later.
  await until(async () => (await service.request('GET', '/api/v1/load-runs')).body.running[0]?.figures.answered > 90)
  await page.getByRole('button', { name: 'End early' }).click()
  await page.getByRole('button', { name: 'End it' }).click()
  const { code } = await load.ended
  t.equal(code, 0)
  const ended = await until(async () => (await service.request('GET', '/api/v1/load-runs')).body.data[0])
  await page.getByRole('link', { name: 'All runs' }).click()
  const row = page.getByRole('row', { name: /heartbeat/ }).first()
  await row.waitFor()
  t.match(await row.textContent(), /ended early/)
  await page.goto(`/console/load-runs/${ended.run_id}`)
  await page.getByRole('heading', { name: 'Load run “heartbeat”' }).waitFor()
  await page.getByRole('figure', { name: 'Latency of each second' }).waitFor()
  t.same(complaints, [])
  await page.close()
})

test('health - another organization has no such pages', needsBrowser, async (t) => {
  const stage = await installationStage()
  const { page } = await stage.open('/health', { context: await stage.other() })
  await page.getByRole('heading', { name: 'Not here' }).waitFor()
  t.equal(await page.getByRole('link', { name: 'Health and load' }).count(), 0)
  await page.close()
})
