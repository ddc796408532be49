// The load report in a real browser: it draws, asks nobody for anything, and whatever a server said stays text.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { test } from 'tap'
import { launchBrowser, needsBrowser } from '../support/browser.js'
import { startCentralSystem } from './central-system.js'
import { startLoad } from './load-tool.js'

const hostile = '</script><script>document.title="taken"</script><img src=x onerror="document.title=1">'

interface Opened {
  readonly page: Page
  readonly requests: readonly string[]
  readonly complaints: readonly string[]
}

async function open(browser: Browser, path: string, colorScheme: 'light' | 'dark'): Promise<Opened> {
  const context = await browser.newContext({ offline: true, colorScheme, viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(pathToFileURL(path).href)
  await page.waitForSelector('body[data-drawn]')
  return { page, requests, complaints }
}

interface Drawn {
  readonly width: number
  readonly height: number
  /** Pixels that are not transparent. */
  readonly painted: number
}

/** Runs in the page: what is on its canvases. */
const canvases = `[...document.querySelectorAll('.chart canvas')].map((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  let painted = 0
  for (let at = 3; at < data.length; at += 4) if (data[at] > 0) painted++
  return { width: canvas.clientWidth, height: canvas.clientHeight, painted }
})`

test(
  'load report - it opens offline, draws every chart in light and dark, and runs nothing a server said',
  needsBrowser,
  async (t) => {
    const central = await startCentralSystem()
    t.teardown(() => central.close())
    central.errors.StatusNotification = hostile
    let meterValues = 0
    central.answers.MeterValues = () => {
      if (++meterValues === 5) central.connection().close(4000, hostile.slice(0, 100))
      return {}
    }
    const load = startLoad(t, [
      ...['--url', `${central.url}/'"><i>`, '--prefix', hostile.slice(0, 60), '--profile', 'charging'],
      ...['--charge-points', '5', '--rate', '60', '--duration', '3s', '--max-p99', '0.001ms'],
    ])
    await load.ended
    const html = readFileSync(load.reportPath, 'utf8')
    t.notMatch(html, /<img|<i>/, 'nothing from outside is an element')
    t.notMatch(html, /(src|href)="(?!data:)/, 'nothing is fetched')

    const browser = await launchBrowser(t)
    for (const scheme of ['light', 'dark'] as const) {
      const { page, requests, complaints } = await open(browser, load.reportPath, scheme)
      t.same(requests, [pathToFileURL(load.reportPath).href])
      t.same(complaints, [])
      t.match(await page.title(), /^Load report: charging, 5 charge points$/)
      const drawn = (await page.evaluate(canvases)) as Drawn[]
      t.equal(drawn.length, 6)
      t.ok(
        drawn.every(({ width, height, painted }) => width > 250 && height > 150 && painted > 500),
        JSON.stringify(drawn),
      )
      t.match(await page.textContent('main'), hostile.slice(0, 60), 'it is told as it was said')
      t.match(await page.textContent('main'), /Missed: latency p99/)
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      t.equal(background, scheme === 'light' ? 'rgb(245, 246, 248)' : 'rgb(15, 18, 23)')
      t.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, 'it fits')
    }
  },
)

test('load report - a run in which nobody connected has one too', needsBrowser, async (t) => {
  const refusing = createServer()
  refusing.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'))
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  t.teardown(() => refusing.close())
  const load = startLoad(t, [
    ...['--url', `ws://127.0.0.1:${(refusing.address() as AddressInfo).port}/ocpp`, '--charge-points', '2'],
  ])
  t.equal((await load.ended).code, 1)
  const { page, complaints } = await open(await launchBrowser(t), load.reportPath, 'light')
  t.same(complaints, [])
  t.match(await page.textContent('main'), /nobody connected.*connect: HTTP 404/s)
})
