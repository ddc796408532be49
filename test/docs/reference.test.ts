// The reference as a running service serves it, and as a browser shows it.

import { test } from 'tap'
import { openApiDocument } from '../../src/api/openapi/openapi.js'
import { version } from '../../src/process/version.js'
import { createTestApi, routes } from '../api/fixture.js'
import { launchBrowser, needsBrowser } from '../support/browser.js'
import { startService } from '../support/service.js'

const strictPolicy =
  /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; .*require-trusted-types-for 'script'$/

test('reference - the document that is served is made of the routes that answer', async (t) => {
  const service = await createTestApi()
  const { body } = await service.call('GET', '/api/v1/openapi.json', undefined, { key: undefined })
  t.same(body, JSON.parse(JSON.stringify(openApiDocument(routes, { version }))))
})

test('reference - every operation, schema and event has its place, and every link leads somewhere', async (t) => {
  const service = await createTestApi()
  const get = (path: string) => service.call('GET', path, undefined, { key: undefined })
  const pages = new Map<string, string>()
  const waiting = ['/docs']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const { status, headers, body } = await get(path)
    t.equal(status, 200, path)
    pages.set(path, typeof body === 'string' ? body : JSON.stringify(body))
    if (!/^\/docs(\/api\/[^.]*(1\.6[^.]*)?)?$/.test(path)) continue
    t.match(headers['Content-Security-Policy'], strictPolicy, path)
    for (const [, link] of String(body).matchAll(/(?:href|src)="([^"#]+)/g))
      if (!(link as string).startsWith('http')) waiting.push(link as string)
  }
  const missing: string[] = []
  for (const [path, text] of pages)
    if (/^\/docs(\/api\/|$)/.test(path))
      for (const [, page, anchor] of text.matchAll(/href="(\/docs[^"#]*)?#([^"]+)"/g))
        if (page !== '/docs/try' && !pages.get(page ?? path)?.includes(`id="${anchor}"`))
          missing.push(`${path}: ${page ?? ''}#${anchor}`)
  t.same(missing, [], 'every anchor is there')
  const all = [...pages.values()].join('\n')
  for (const { operationId } of routes) t.ok(all.includes(`id="${operationId}"`), operationId)
  const index = (await get('/docs/api/search.json')).body as { readonly u: string }[]
  const found = new Set(index.map(({ u }) => u.split('#')[1]))
  for (const { operationId } of routes) t.ok(found.has(operationId), `the search finds ${operationId}`)
  t.equal((await get('/docs/api/openapi.json')).status, 404)
  t.equal((await get('/docs/api/..%2Fdocs%2Ftry')).status, 404)
  t.equal((await get('/docs/api/constructor')).status, 404)
})

/** How many names of fields may be new to `example-values.ts`. */
const fillers = 25

test('reference - examples have hardly a word that only fills a place', async (t) => {
  const service = await createTestApi()
  const { body } = await service.call('GET', '/api/v1/openapi.json', undefined, { key: undefined })
  const left = new Set<string>()
  const look = (value: unknown, name: string): void => {
    if (value === 'text') left.add(name)
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) look(part, Array.isArray(value) ? name : key)
  }
  for (const item of Object.values(body.paths as object))
    for (const { responses } of Object.values(item) as { responses: Record<string, { content?: object }> }[])
      for (const { content } of Object.values(responses))
        for (const { examples = {} } of Object.values(content ?? {}) as { examples?: object }[])
          for (const { value } of Object.values(examples) as { value: unknown }[]) look(value, '')
  t.ok(left.size <= fillers, `example-values.ts says how a field of this name looks: ${[...left].join(', ')}`)
})

/** What somebody types who knows the thing and not our word for it, and what they then look for. */
const lookedFor: Readonly<Record<string, string>> = {
  unlock: 'executeCommand',
  'unlock connector': 'executeCommand',
  unlock_connector: 'executeCommand',
  UnlockConnector: 'executeCommand',
  reboot: 'executeCommand',
  'hard reset': 'executeCommand',
  'remote start': 'remoteStartTransaction',
  'start session': 'executeCommand',
  rfid: 'createIdTag',
  'invite user': 'inviteMember',
  'rotate key': 'rotateApiKey',
  'webhook secret': 'rotateWebhookSecret',
  'idle fee': 'createTariff',
  receipt: 'getReceipt',
  'firmware update': 'createFirmwareRollout',
  opening_times: 'setSiteRoamingDetails',
  MeterValueSampleInterval: 'changeChargePointConfiguration',
  'power limit': 'executeCommand',
  'load balancing': 'putSmartChargingConfiguration',
  'stop reason': 'createBillingRule',
}

test(
  'reference - in a browser, it is read without a script, searched with the keyboard, and asks nobody else',
  needsBrowser,
  async (t) => {
    const service = await startService(t)
    const browser = await launchBrowser(t)
    const plain = await browser.newContext({ javaScriptEnabled: false })
    const silent = await plain.newPage()
    await silent.goto(`${service.url}/docs/api/sessions`)
    t.match(await silent.locator('main').textContent(), /List charging sessions[\s\S]*Answer 200/)
    await plain.close()

    const context = await browser.newContext()
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url)) complaints.push(request.url())
    })
    await page.goto(`${service.url}/docs`)
    await page.locator('h1').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('register charge point')
    await page.locator('#hits .chosen', { hasText: 'Register a charge point' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/api/charge-points#registerChargePoint')
    await page.locator('#registerChargePoint pre').first().waitFor()
    await page.goto(`${service.url}/docs`)
    for (const [asked, operationId] of Object.entries(lookedFor)) {
      await page.locator('#search').fill(asked)
      await page
        .locator(`#hits a[href$="#${operationId}"]`)
        .waitFor({ timeout: 5_000 })
        .catch(() => t.fail(`${asked} finds ${operationId}`))
    }
    await page.goto(`${service.url}/docs/api/charge-points#registerChargePoint`)
    await page.locator('a', { hasText: 'Try it out' }).first().click()
    await page.waitForURL('**/docs/try#/**')
    await page.locator('.swagger-ui .opblock.is-open').first().waitFor()
    await page.locator('#area').selectOption('Tariffs')
    await page.locator('.swagger-ui .opblock', { hasText: '/api/v1/billing/tariffs' }).first().waitFor()
    t.equal(await page.locator('.swagger-ui .opblock', { hasText: '/chargepoints' }).count(), 2, 'of its area alone')
    t.same(complaints, [])
  },
)
