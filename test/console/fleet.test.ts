// The fleet in a browser: its list, map, filter, stream and commands to many. TEST_FULL=1 has 15,000 charge points and every theme and
// width; a commit has 2,000, and one theme and width by its seed. AMPSHARD_TEST_FLEET sets another size.

import type { BrowserContext, Page } from 'playwright-core'
import { t, test } from 'tap'
import { fleetId } from '../../bench/client/large-fleet.js'
import { createSocketChargePoint } from '../../bench/client/socket-charge-point.js'
import { createTimetable } from '../../bench/client/timetable.js'
import { startGenerator } from '../../bench/generator/generator.js'
import { isFullRun } from '../runner/results.js'
import { inFullSuite, sample } from '../runner/sample.js'
import { needsBrowser } from '../support/browser.js'
import { connectOcpp } from '../support/ocpp-client.js'
import type { Service, Teardowns } from '../support/service.js'
import { until } from '../support/until.js'
import { serviceWithFleet, visitor } from './fleet-stage.js'
import { desktop, resize, sharedBrowser } from './stage.js'

const count = Number(process.env.AMPSHARD_TEST_FLEET ?? (isFullRun ? 15_000 : 2_000))
const faulted = 20
/** Of what takes milliseconds on a machine of one's own. */
const patienceMs = 10_000

const looks = (['dark', 'light'] as const).flatMap((colorScheme) =>
  [{ width: 1280, height: 800 }, desktop].map((size) => ({ colorScheme, size })),
)

interface FleetStage {
  readonly service: Service
  readonly context: BrowserContext
  open(query?: string): Promise<{ readonly page: Page; readonly complaints: string[]; readonly streams: string[] }>
}

let staged: Promise<FleetStage> | undefined

/** Begun by the first test that needs it. */
function fleetStage(): Promise<FleetStage> {
  staged ??= makeStage()
  return staged
}

async function makeStage(): Promise<FleetStage> {
  const browser = await sharedBrowser()
  const service = await serviceWithFleet(t, { count, faulted })
  const context = await visitor(browser, service)
  return {
    service,
    context,
    async open(query = '') {
      const page = await context.newPage()
      const complaints: string[] = []
      const streams: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => {
        if (request.url().includes('/cpo/fleet/stream')) streams.push(request.url())
        if (!request.url().startsWith(service.url) && !request.url().startsWith('blob:')) complaints.push(request.url())
      })
      await page.goto(`/console/fleet${query}`)
      return { page, complaints, streams }
    },
  }
}

const grouped = (number: number): string => number.toLocaleString('en-GB')
const hits = (page: Page) => page.locator('.fleet-list .hits')

async function shows(page: Page, number: number): Promise<void> {
  await page.locator('.fleet-list .hits', { hasText: new RegExp(`^${grouped(number)} of `) }).waitFor()
}

/** In the page: how long it takes from the next press, as the browser has it, until what shows begins with a text and is painted; ms. */
const untilPainted = (text: string): string => `new Promise((resolve) => {
  addEventListener('click', ({ timeStamp }) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now() - timeStamp)
    const look = () => {
      const isThere = document.querySelector('.fleet-list .hits')?.textContent.startsWith(${JSON.stringify(text)})
      // A message that is sent in a frame arrives when the frame has been drawn.
      requestAnimationFrame(isThere ? () => port2.postMessage('') : look)
    }
    look()
  }, { capture: true, once: true })
})`

const firstIds = (page: Page): Promise<string[]> =>
  page.locator('.fleet-table [role=row] .mono:not(.dim)').allTextContents()

test(
  'fleet page - it paints and shows all charge points, with nothing that its policy refuses',
  needsBrowser,
  async (t) => {
    const stage = await fleetStage()
    const { page, complaints } = await stage.open()
    const began = Date.now()
    await shows(page, count)
    await page.locator('.fleet-table [role=row]').nth(5).waitFor()
    const paint = await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime`)
    t.comment(`journey 10: first paint ${Math.round(Number(paint))} ms; rows ${Date.now() - began} ms after the load`)
    await page.reload()
    await shows(page, count)
    t.comment(`warm: ${Math.round(Number(await page.evaluate('performance.now()')))} ms until all rows are there`)
    t.ok(Number(paint) < patienceMs)
    t.match(await page.locator('.kpis').textContent(), /Online\D*9\d\.\d+/)
    const lines = await page
      .locator('.kpis canvas')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    t.equal(lines.length, 5)
    t.equal(lines[0], 'Watts over the last 24 hours: from 1,000 to 1,095')
    for (const { colorScheme, size } of sample('looks of the fleet', looks, { comment: (text) => t.comment(text) })) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
      await resize(page, size)
      const cut = await page
        .locator('.kpis, .ribbon, .fleet-table .table-head')
        .evaluateAll((all) =>
          all.flatMap(({ className, clientHeight, scrollHeight, clientWidth, scrollWidth }) =>
            scrollHeight > clientHeight || scrollWidth > clientWidth ? [className] : [],
          ),
        )
      t.same(cut, [], `nothing is cut at ${size.width} px, ${colorScheme}`)
    }
    t.same(complaints, [])
    await page.close()
  },
)

test(
  'fleet page - the map is drawn when somebody scrolls to it, also where nothing changes',
  needsBrowser,
  async (t) => {
    // Of its own: a clock is that of all pages of a context.
    const context = await visitor(await sharedBrowser(), (await fleetStage()).service)
    const page = await context.newPage()
    await page.clock.install()
    await page.route('**/cpo/fleet/stream*', (route) => route.fulfill({ status: 503 }))
    await page.setViewportSize({ width: 390, height: 300 })
    await page.goto('/console/fleet')
    await shows(page, count)
    const isDrawn = () =>
      page.evaluate<boolean>(`(() => {
      const canvas = document.querySelector('.fleet-map canvas')
      return canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3] === 255
    })()`)
    // All that it was going to do by itself is done, and what it asks for now and then is not asked for again.
    await page.clock.pauseAt(Date.now() + 1_000)
    await page.clock.runFor(3_000)
    t.notOk(await isDrawn(), 'what is not seen costs nothing')
    await page.locator('.fleet-map canvas').scrollIntoViewIfNeeded()
    let tries = 0
    const isSoonDrawn = async () => {
      await page.clock.runFor(50)
      return (await isDrawn()) || ++tries > 40
    }
    await until(isSoonDrawn)
    t.ok(await isDrawn(), 'and is there as soon as it is')
    await context.close()
  },
)

test('fleet page - the faulted are one press away, and the address says so', needsBrowser, async (t) => {
  const stage = await fleetStage()
  const { page, complaints } = await stage.open()
  await shows(page, count)
  const painted = page.evaluate<number>(untilPainted(`${faulted} of `))
  await page.getByRole('button', { name: /^Faulted \d/ }).click()
  const spent = Math.round(await painted)
  const own = await hits(page).getAttribute('data-milliseconds')
  t.comment(
    `journey 2: ${faulted} of ${grouped(count)} in ${spent} ms from the press to the pixels, of which ${own} ms are the filter's`,
  )
  t.ok(spent < patienceMs)
  t.match(page.url(), /\?q=status%3Afaulted/)
  t.equal((await page.locator('.fleet-table [role=row]').count()) > 5, true)

  const [first = '', second = ''] = await firstIds(page)
  await page.locator('.fleet-table .table-rows').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByText(`1 of ${faulted} with status:faulted`).waitFor()
  await page.keyboard.press(']')
  await page.getByRole('heading', { name: second }).waitFor()
  await page.keyboard.press('[')
  await page.getByRole('heading', { name: first }).waitFor()
  await page.getByRole('link', { name: 'Fleet', exact: true }).click()
  await page.getByRole('button', { name: /^Faulted \d/ }).click()
  await shows(page, faulted)

  await page.getByRole('button', { name: /^Faulted \d/ }).click()
  await shows(page, count)
  await page.goBack()
  await shows(page, faulted)
  const { page: linked } = await stage.open(new URL(page.url()).search)
  await shows(linked, faulted)
  t.same(complaints, [])
  await linked.close()
  await page.close()
})

test('fleet page - the common cause of faults is told without a question', needsBrowser, async (t) => {
  const stage = await fleetStage()
  const { page } = await stage.open()
  const cause = page.getByRole('button', { name: new RegExp(`${faulted} charge points are faulted: GroundFailure`) })
  await cause.waitFor()
  t.match(await cause.textContent(), /They are Voltaris V22-S with firmware 1\.19\.4\./)
  await cause.click()
  await shows(page, faulted)
  await page.close()
})

test('fleet page - the filter shows what its words say', needsBrowser, async (t) => {
  const stage = await fleetStage()
  const { page } = await stage.open()
  await shows(page, count)
  const { body } = await stage.service.request('GET', '/api/v1/cpo/fleet/snapshot?limit=50000')
  const { columns, dictionaries } = body
  const all = columns.charge_point_id.map((_: string, at: number) => ({
    id: columns.charge_point_id[at] as string,
    isOnline: columns.status[at] !== 0,
    power: columns.power_watts[at] as number,
    model: dictionaries.models[columns.model[at]]?.model as string,
    firmware: dictionaries.firmwares[columns.firmware[at]] as string,
    site: dictionaries.sites[columns.site[at]]?.name as string,
    connectors: columns.connectors[at] as string,
  }))
  type Row = (typeof all)[number]
  const expected: readonly (readonly [string, (row: Row) => boolean])[] = [
    ['model:K300', ({ model }) => model === 'K300'],
    ['model:k300 city:leipzig', ({ model, site }) => model === 'K300' && site.startsWith('Leipzig')],
    ['-status:offline power>100', ({ isOnline, power }) => isOnline && power > 100_000],
    ['status:offline,faulted', ({ isOnline, connectors }) => !isOnline || connectors.includes('X')],
    ['fw:<4.2', ({ firmware }) => ['2.8.0', '3.3.2', '1.18.0', '1.19.4', '4.1.7'].includes(firmware)],
    ['fw:1.*', ({ firmware }) => firmware.startsWith('1.')],
    ['model:"V22-S" error:groundfailure', ({ model, connectors }) => model === 'V22-S' && connectors.includes('X')],
    ['AMP-1000', ({ id }) => id.startsWith('AMP-1000')],
    ['id:AMP-10001,AMP-10002', ({ id }) => id === 'AMP-10001' || id === 'AMP-10002'],
    ['offline>15m', ({ isOnline }) => !isOnline],
  ]
  const field = page.getByRole('combobox', { name: 'Filter' })
  let slowest = 0
  for (const [text, holds] of expected) {
    await field.fill(text)
    const wanted = all.filter(holds).length
    await shows(page, wanted).catch(() => undefined)
    t.match(await hits(page).textContent(), new RegExp(`^${grouped(wanted)} of `), text)
    slowest = Math.max(slowest, Number(await hits(page).getAttribute('data-milliseconds')))
  }
  t.comment(`the slowest filter took ${slowest} ms`)
  await field.fill('colour:red')
  await page.getByText('colour:red means nothing here').waitFor()
  await field.fill('sta')
  await page.getByRole('option', { name: /^status:/ }).waitFor()
  await page.close()
})

test('fleet page - what happens shows, in every tab, over one stream', needsBrowser, async (t) => {
  const stage = await fleetStage()
  const { service } = stage
  const first = await stage.open('?q=LIVE')
  const second = await stage.open('?q=LIVE')
  for (const { page } of [first, second]) await page.locator('.live:not(.cut):not(.waiting)').waitFor()
  await service.register('LIVE-1')
  const client = await connectOcpp(`${service.ocppUrl}/LIVE-1`)
  await client.boot({ firmwareVersion: '1.2\u202egnp' })
  const said = { connectorId: 1, errorCode: 'NoError' }
  await client.call('StatusNotification', { ...said, status: 'Available' })
  for (const { page } of [first, second]) {
    await page.locator('.fleet-table .state-label.state-available').waitFor()
    await page.locator('.fleet-table').getByText('1.2\\u202egnp').waitFor()
  }
  await client.call('StatusNotification', { ...said, status: 'Faulted', errorCode: 'HighTemperature' })
  const began = Date.now()
  await first.page.locator('.fleet-table').getByText('HighTemperature').waitFor()
  t.comment(`journey 8: it shows ${Date.now() - began} ms after the charge point was answered`)
  await second.page.locator('.fleet-table').getByText('HighTemperature').waitFor()
  t.same(
    [first.streams.length > 0, second.streams.length > 0].filter(Boolean),
    [true],
    `one tab reads the stream: ${first.streams} ${second.streams}`,
  )
  await client.close()
  for (const { page } of [first, second]) await page.locator('.fleet-table .state-label.state-offline').waitFor()
  await service.request('DELETE', '/api/v1/chargepoints/LIVE-1')
  for (const { page, complaints } of [first, second]) {
    await page.getByText('No charge point matches').waitFor()
    t.same(complaints, [])
    await page.close()
  }
})

test(
  'fleet page - a charge point that is opened from it is asked about when it changes, not every few seconds',
  needsBrowser,
  async (t) => {
    const stage = await fleetStage()
    const { service } = stage
    await service.register('FOLLOWED-1')
    const client = await connectOcpp(`${service.ocppUrl}/FOLLOWED-1`)
    await client.boot()
    const said = { connectorId: 1, errorCode: 'NoError' }
    await client.call('StatusNotification', { ...said, status: 'Available' })
    const page = await stage.context.newPage()
    await page.clock.install()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/chargepoints/FOLLOWED-1/state')) asked++
    })
    await page.goto('/console/fleet?q=FOLLOWED')
    await page.locator('.fleet-table .state-label.state-available').click()
    await page.locator('.charge-point-head .state-label.state-available').waitFor()
    const before = asked
    await page.clock.runFor(20_000)
    await page.evaluate(`fetch('/api/v1/console/me').then((answer) => answer.text())`)
    // That it was heard is stored some time after it was.
    t.ok(asked - before <= 1, `asked ${asked - before} times in 20 seconds in which nothing happened`)
    await client.call('StatusNotification', { ...said, status: 'Faulted', errorCode: 'HighTemperature' })
    const head = page.locator('.charge-point-head .state-label')
    await head.filter({ hasText: /^Faulted at 1 of 2$/ }).waitFor()
    // A connector that can be used does not hide one that cannot: the API's status is charging, and what needs eyes is told first.
    const second = { connectorId: 2, errorCode: 'NoError' }
    await client.call('StatusNotification', { ...second, status: 'Charging' })
    await page.locator('#page .state-label.state-charging').first().waitFor()
    t.equal(await head.textContent(), 'Faulted at 1 of 2')
    t.match((await service.request('GET', '/api/v1/chargepoints/FOLLOWED-1')).body, {
      status: 'charging',
      faulted_connectors: 1,
    })
    await client.call('StatusNotification', { ...said, status: 'SuspendedEV' })
    await head.filter({ hasText: /^Charging at 1 of 2$/ }).waitFor()
    await client.close()
    await page.close()
    await service.request('DELETE', '/api/v1/chargepoints/FOLLOWED-1')
  },
)

test('fleet page - while its stream is refused, the snapshot is read again', needsBrowser, async (t) => {
  const { context } = await fleetStage()
  const page = await context.newPage()
  await page.clock.install()
  const stream = '**/cpo/fleet/stream*'
  await page.route(stream, (route) => route.fulfill({ status: 503 }))
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/cpo/fleet/snapshot')) asked++
  })
  await page.goto('/console/fleet')
  await page.locator('.live.cut').waitFor()
  const before = asked
  await page.clock.runFor(91_000)
  await until(() => asked > before)
  await page.unroute(stream)
  const isFollowed = (): Promise<boolean> =>
    page
      .locator('.live:not(.cut):not(.waiting)')
      .waitFor({ timeout: 2_000 })
      .then(
        () => true,
        () => false,
      )
  await until(async () => {
    // It may just have asked once more, and waits again.
    await page.clock.runFor(31_000)
    return isFollowed()
  })
  t.pass('it is followed again once there is room')
  await page.close()
})

test(
  'fleet page - a charge point is registered, chosen, exported and removed, and a view is kept',
  needsBrowser,
  async (t) => {
    const stage = await fleetStage()
    const { page, complaints } = await stage.open(`?q=${encodeURIComponent('NEW-1 city:"example street"')}`)
    await page.getByRole('button', { name: 'Register' }).click()
    const dialog = page.getByRole('dialog', { name: 'Register a charge point' })
    await dialog.getByLabel('Id', { exact: true }).fill('NEW-1')
    await dialog.getByLabel('Name').fill('=Bay; new')
    const register = dialog.getByRole('button', { name: 'Register' })
    t.ok(await register.isDisabled(), 'it waits for the place')
    await dialog.getByLabel('Latitude').fill('152.37')
    await dialog.getByLabel('Longitude').fill('4.9')
    await dialog.getByLabel('Address').fill('Example street 1')
    await register.click()
    await dialog.getByText('must be', { exact: false }).first().waitFor()
    await dialog.getByLabel('Latitude').fill('52.37')
    await register.click()
    await page.getByText('/ocpp16/NEW-1').waitFor()
    await page.keyboard.press('Escape')
    await shows(page, 1)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('example str')
    await page.getByRole('option', { name: /NEW-1/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.fleet-table .table-rows').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('1 chosen').waitFor()
    await page.keyboard.press('Space')
    await page.getByText('1 chosen').waitFor({ state: 'detached' })
    await page.keyboard.press('Space')
    await page.getByText('1 chosen').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export 1' }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    t.match(
      Buffer.concat(chunks).toString(),
      /^charge_point_id,name,[^\r]*\r\nNEW-1,"'=Bay; new",[^\r]*\r\n$/,
      'what begins like a formula is none, and a semicolon separates nothing',
    )
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await shows(page, count + 1)
    await page.reload()
    await page.getByRole('button', { name: 'Mine', exact: true }).click()
    await shows(page, 1)
    t.same(complaints, [])
    await stage.service.request('DELETE', '/api/v1/chargepoints/NEW-1')
    await page.close()
  },
)

test('fleet page - the table scrolls a row a frame', needsBrowser, async (t) => {
  const stage = await fleetStage()
  const { page } = await stage.open()
  await shows(page, count)
  const cost = await stage.context.newCDPSession(page)
  // Of the processor: how long it took depends on who else is on the machine.
  await cost.send('Performance.enable', { timeDomain: 'threadTicks' })
  const milliseconds = async (): Promise<number> => {
    const { metrics } = await cost.send('Performance.getMetrics')
    const of = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0
    return 1_000 * (of('ScriptDuration') + of('RecalcStyleDuration') + of('LayoutDuration'))
  }
  const before = await milliseconds()
  const measured = (await page.evaluate(`new Promise((resolve) => {
    const rows = document.querySelector('.fleet-table .table-rows')
    const tasks = []
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)))
    observer.observe({ type: 'longtask' })
    const began = performance.now()
    let frames = 0
    const step = () => {
      rows.scrollTop += 28
      if (++frames < 150) requestAnimationFrame(step)
      else resolve({ perSecond: (frames * 1000) / (performance.now() - began), longest: Math.max(0, ...tasks), tasks: tasks.length })
    }
    requestAnimationFrame(step)
  })`)) as { readonly perSecond: number; readonly longest: number; readonly tasks: number }
  const ofFrame = ((await milliseconds()) - before) / 150
  t.comment(
    `journey 7: ${ofFrame.toFixed(1)} ms of script, style and layout a frame; ${measured.perSecond.toFixed(1)} frames a second of ${grouped(count)} rows; ${measured.tasks} tasks over 50 ms, the longest ${Math.round(measured.longest)} ms`,
  )
  t.ok(ofFrame <= 8, `${ofFrame.toFixed(1)} ms a frame`)
  t.equal(await page.evaluate(`Math.round(document.querySelector('.fleet-table .table-rows').scrollTop / 28)`), 150)
  t.not((await firstIds(page))[0], undefined, 'rows are there where it has come')
  await page.close()
})

/** Charge points of the fleet, connected and with a firmware that no other has; `answers` are those of one that answers otherwise. */
async function connected(
  t: Teardowns,
  service: Service,
  ids: readonly string[],
  firmwareVersion: string,
  answers: Readonly<Record<string, () => 'Accepted' | 'Rejected'>>,
) {
  const resets = new Map<string, string[]>()
  const timetable = createTimetable()
  let accepted = 0
  const all = ids.map((id) => {
    const answer = answers[id]
    const commands = answer && { Reset: () => ({ status: answer() }) }
    return createSocketChargePoint(
      {
        id,
        url: service.ocppUrl,
        timetable,
        firmwareVersion,
        misbehaviour: { description: '', ...(commands && { commands }) },
      },
      {
        booted: () => accepted++,
        command: (_, { type }) => resets.set(id, [...(resets.get(id) ?? []), String(type)]),
      },
    )
  })
  for (const one of all) one.start()
  await until(() => accepted >= ids.length)
  t.teardown(async () => {
    for (const one of all) one.stop()
  })
  return resets
}

test('fleet page - journey 6: 340 charge points of one firmware are reset, and what each of them has answered is told', {
  ...needsBrowser,
  ...inFullSuite,
}, async (t) => {
  const stage = await fleetStage()
  const { service } = stage
  const ids = Array.from({ length: 340 }, (_, at) => fleetId(at))
  const [refusing = '', late = '', ...others] = ids
  let refusals = 0
  const answers = { [refusing]: () => (refusals++ === 0 ? ('Rejected' as const) : ('Accepted' as const)) }
  const resets = await connected(t, service, [refusing, ...others], '9.9.9', answers)
  const slow = await connectOcpp(`${service.ocppUrl}/${late}`)
  await slow.boot({ firmwareVersion: '9.9.9' })
  t.teardown(() => slow.close())
  const { page, complaints } = await stage.open()
  const calls: { readonly key: string; readonly count: number }[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/cpo/commands/bulk'))
      calls.push({
        key: String(request.headers()['idempotency-key']),
        count: request.postDataJSON().charge_point_ids.length,
      })
  })
  // The answer to the second call is lost on its way: it is asked for again, and nothing is carried out twice.
  await page.route('**/cpo/commands/bulk', async (route) => {
    if (calls.length !== 2) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await shows(page, count)
  const began = performance.now()
  let actions = 0
  await page.getByRole('combobox', { name: 'Filter' }).fill('fw:9.9.9')
  actions++
  await shows(page, 340)
  await page.getByRole('button', { name: 'Choose all' }).click()
  actions++
  await page.getByRole('button', { name: 'Command', exact: true }).click()
  actions++
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Command', { exact: true }).selectOption('hard_reset')
  actions++
  const send = dialog.getByRole('button', { name: 'Restart at once' })
  await dialog.getByLabel(/^Type 340/).fill('34')
  t.ok(await send.isDisabled(), 'another number is not the number')
  await dialog.getByLabel(/^Type 340/).fill('340')
  actions++
  await send.click()
  actions++
  await dialog.getByText(/^[123]00 of 340/).waitFor()
  const [, , action] = await slow.nextFrame()
  t.equal(action, 'Reset')
  await dialog.getByRole('button', { name: 'Close' }).click()

  // It goes on elsewhere, and the browser asks before the tab is closed.
  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  t.equal((await asked).type(), 'beforeunload')
  await (await asked).dismiss()
  const sign = page.locator('.under-way')
  await page.locator('.under-way.ended', { hasText: '340 of 340' }).waitFor()
  t.comment(`journey 6: ${actions} actions; all 340 are done after ${Math.round(performance.now() - began)} ms`)
  t.ok(actions <= 6)
  t.match(await sign.textContent(), /2 not accepted/)
  t.same(
    calls.map(({ count }) => count),
    [100, 100, 100, 100, 40],
  )
  t.equal(new Set(calls.map(({ key }) => key)).size, 4, 'the one that was repeated has the key that it had')
  t.same(
    [...resets].filter(([, types]) => types.join() !== 'Hard'),
    [],
    'each is asked once',
  )
  t.equal(resets.size, 339)

  await sign.click()
  await page.getByRole('button', { name: /^Refused 1$/ }).click()
  t.same(await page.locator('.command-run .row .mono').allTextContents(), [refusing])
  await page.getByRole('button', { name: 'Send again to 1' }).click()
  await page.getByRole('button', { name: /^Refused 0$/ }).waitFor()
  await page.getByRole('button', { name: /^Accepted 339$/ }).click()
  t.match(await page.locator('.progress-of').textContent(), /339 accepted it, 1 did not/)

  await page.getByRole('button', { name: /^No answer 1$/ }).click()
  slow.raw(JSON.stringify([3, await lastReset(service, late), { status: 'Accepted' }]))
  await page.getByRole('button', { name: /^Answered late 1$/ }).click()
  await page.getByText('It has said {"status":"Accepted"} after its time.').waitFor()
  t.match(
    await page.locator('.progress-of').textContent(),
    /340 of 340 charge points are done: 340 accepted it, 0 did not/,
  )

  await page.getByRole('button', { name: /^All 340$/ }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const lines = Buffer.concat(chunks).toString().trim().split('\r\n')
  t.equal(lines.length, 341)
  t.match(
    lines.find((line) => line.startsWith(late)),
    /,hard_reset,late,timeout,,"\{""status"":""Accepted""\}",1,cmd_/,
  )
  t.match(
    lines.find((line) => line.startsWith(refusing)),
    /,hard_reset,accepted,,\d+,,2,cmd_/,
  )
  t.same(complaints, [])
  await page.close()
})

/** The id of the call is that of the command. */
async function lastReset(service: Service, id: string): Promise<string> {
  const { body } = await service.request('GET', `/api/v1/cpo/commands/${id}/history`)
  return body.commands[0].command_id
}

test(
  'fleet page - a command to many stops where somebody stops it, and sends to the others when asked to',
  needsBrowser,
  async (t) => {
    const stage = await fleetStage()
    const ids = Array.from({ length: 150 }, (_, at) => fleetId(400 + at))
    const resets = await connected(t, stage.service, ids, '9.9.8', {})
    const { page } = await stage.open('?q=fw:9.9.8+status:available')
    let letGo: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/cpo/commands/bulk', async (route) => {
      await held
      return route.continue()
    })
    await shows(page, 150)
    await page.getByRole('button', { name: 'Choose all' }).click()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Command', { exact: true }).selectOption('soft_reset')
    await dialog.getByRole('button', { name: 'Restart', exact: true }).click()
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click()
    await dialog.getByText('It stops when those that were asked have answered.').waitFor()
    letGo?.()
    await dialog.getByRole('button', { name: /^Not sent 50$/ }).click()
    await dialog.getByText('It was stopped.').waitFor()
    t.equal(resets.size, 100)
    await dialog.getByRole('button', { name: 'Send again to 50' }).click()
    await dialog.getByRole('button', { name: /^Accepted 150$/ }).waitFor()
    t.equal(resets.size, 150)
    await page.close()
  },
)

/** More than a stream follows one by one: it is told to read the fleet again. */
const storm = 3_500

test('fleet page - journey 9: when thousands reconnect at once, a tab goes on, and knows afterwards what is', {
  ...needsBrowser,
  ...inFullSuite,
}, async (t) => {
  const stage = await fleetStage()
  const { page, complaints } = await stage.open()
  await shows(page, count)
  await page.evaluate(`void (globalThis.tasks = [], new PerformanceObserver((list) =>
      globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' }))`)
  const generator = startGenerator()
  t.teardown(() => generator.stop())
  const connect = { type: 'connect', url: stage.service.ocppUrl, prefix: 'AMP-', inFlight: 500 } as const
  const report = await generator.ask({ ...connect, from: 10_000, count: storm })
  await stage.service.register('STORM-1')
  await shows(page, count + 1)
  const longest = await page.evaluate<number>('Math.max(0, ...globalThis.tasks)')
  const session = await stage.context.newCDPSession(page)
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const used = usedSize / 1e6
  t.comment(
    `journey 9: ${report.completed} of ${grouped(storm)} reconnected in ${report.seconds.toFixed(1)} s; the longest task of the tab ${Math.round(longest)} ms, ${Math.round(used)} MB of its memory in use`,
  )
  t.ok(report.completed > storm / 2)
  t.ok(used < 300, `${Math.round(used)} MB`)
  t.same(complaints, [])
  await page.close()
})
