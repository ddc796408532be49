// The stage of console tests. All files of a process share one service and one Chromium, which end with the process. Each file has
// its own organization and browser contexts, which end with the file. Files of the installation's own pages use that organization.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { type Test, t } from 'tap'
import { writeYesterday } from '../../bench/client/yesterday.js'
import { launchBrowser } from '../support/browser.js'
import { bootChargePoint, startRequest } from '../support/charge-point.js'
import { makeOrganization, type Tenant, tenantOf } from '../support/organization.js'
import { type Service, startService, type Teardowns } from '../support/service.js'
import { setUpStore } from '../support/set-up-store.js'
import { patienceMs } from '../support/until.js'
import { wholeProcess } from '../support/whole-process.js'
import { stagedChargePoint } from './identifiers.js'

export interface Stage<Seen extends Service = Tenant> {
  /** The service with the key of the stage's organization. */
  readonly service: Seen
  /** The service with the key of the installation's own organization, which may create organizations. */
  readonly installation: Service
  /** A connected charge point of the organization; it has one session that has ended and one that runs. */
  readonly chargePoint: string
  readonly browser: Browser
  /** Signed in as the organization of the stage. */
  readonly context: BrowserContext
  /** Opens a path below /console, in a page of its own, and waits until it has what it asks for. */
  open(path: string, options?: OpenOptions): Promise<Opened>
  /** Signed in with a key of another organization, which has nothing. */
  other(): Promise<BrowserContext>
  /** A page in a context of its own, in which this key is signed in. It shows nothing yet. */
  signedIn(t: Test, key: string, options?: BrowserContextOptions): Promise<Opened>
  /** A context of its own, in which nobody is signed in. */
  fresh(options?: BrowserContextOptions): Promise<BrowserContext>
  /** A phone with a touch screen, signed in as the organization of the stage. */
  onPhone(): Promise<BrowserContext>
  /** What pages have asked of other machines, whichever page it was. */
  readonly left: readonly string[]
}

interface OpenOptions {
  readonly context?: BrowserContext
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Told of each request that reads from the API, by path and query. */
  readonly onRequest?: (path: string) => void
}

export interface Opened {
  readonly page: Page
  /** Errors of its scripts, what its policy has refused, and requests that would leave its origin. */
  readonly complaints: string[]
}

const sources = fileURLToPath(new URL('../../../src/console/pages', import.meta.url))

/** The paths that pages declare, as the router has them: `/sessions/:session_id`. */
export function declaredPaths(): readonly string[] {
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:^|\/)(?:page|[a-z-]+-tab)\.ts$/.test(name))
    .flatMap((name) => [...readFileSync(join(sources, name), 'utf8').matchAll(/^ {2}path: '([^']+)',$/gm)])
    .map(([, path]) => path as string)
    .sort()
}

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** Nothing that it has asked for is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('#page, .sign-in')
  await page.waitForSelector('[aria-busy=true]', { state: 'detached' })
}

/** As whoever follows a link, or, where nothing of the console is shown yet or this is shown already, has opened it by its address. */
export async function goTo(page: Page, path: string): Promise<void> {
  const url = `/console${path}`
  const shown = page.url()
  if (shown === 'about:blank' || shown.endsWith(url)) await page.goto(url)
  else await follow(page, path)
  await settled(page)
}

/** A frame has been drawn, and what depends on it has been done: what the address or the width of the page has changed. */
const frameIsDrawn =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))'

/** Goes there as a link of the console does: nothing but the page itself is loaded anew, which takes a tenth of the time. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)})`)
  await page.evaluate(frameIsDrawn)
}

/** The page has been laid out for it, and has what it asks for there. */
export async function resize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(frameIsDrawn)
  await settled(page)
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForSelector('#page')
}

/** One for all files of the process. */
interface Shared {
  readonly service: Service
  readonly browser: Browser
  readonly outside: Outside
}

let shared: Promise<Shared> | undefined
let ofFile: Promise<Stage> | undefined
let ofInstallation: Promise<Stage<Service>> | undefined
let stages = 0

t.afterEach(async (test) => {
  if (test.passing() || shared === undefined) return
  const { browser } = await shared
  for (const context of browser.contexts()) await printAll(context)
})

async function printAll(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await Promise.race([print(page).catch(() => undefined), delay(10_000)])
}

/** The stage of the file that calls it, with an organization of its own. */
export function consoleStage(): Promise<Stage> {
  if (ofFile === undefined) {
    t.teardown(() => {
      ofFile = undefined
    })
    ofFile = makeStageOfFile()
  }
  return ofFile
}

/** A stage in the installation's own organization: for its pages, and for what was written before the service started. */
export function installationStage(): Promise<Stage<Service>> {
  if (ofInstallation === undefined) {
    t.teardown(() => {
      ofInstallation = undefined
    })
    ofInstallation = makeStageOfInstallation()
  }
  return ofInstallation
}

/** For files that start a service with other flags. */
export async function sharedBrowser(): Promise<Browser> {
  return (await share()).browser
}

/** A Chromium with windows asks what the fields of any page may be. */
const askedByItself = 'CONNECT content-autofill.googleapis.com:443'

interface Outside {
  readonly port: number
  readonly asked: readonly string[]
}

/** What pages ask of other machines goes through it, and so no farther: what it was asked for. */
async function startOutside(): Promise<Outside> {
  const asked: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (data) => {
      const [line = ''] = data.toString('latin1').split('\r\n', 1)
      if (!line.startsWith(askedByItself)) asked.push(line)
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  wholeProcess.teardown(() => void server.close())
  return { port: (server.address() as AddressInfo).port, asked }
}

/** A service that has run since yesterday. */
async function startStagedService(): Promise<Service> {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-console-'))
  const key = 'c'.repeat(40)
  const { store, organizationId } = await setUpStore(data, key)
  await writeYesterday(store, organizationId)
  await store.close()
  const service = await startService(wholeProcess, { data, key })
  wholeProcess.teardown(async () => {
    await service.stop('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  })
  return service
}

function share(): Promise<Shared> {
  shared ??= Promise.all([startStagedService(), launchBrowser(wholeProcess), startOutside()]).then(
    ([service, browser, outside]) => ({ service, browser, outside }),
  )
  return shared
}

async function makeStageOfFile(): Promise<Stage> {
  const all = await share()
  const service = await tenantOf(all.service)
  const chargePoint = `CONSOLE-${String(++stages).padStart(4, '0')}`
  await fill(service, chargePoint, t)
  return makeStage(all, service, chargePoint)
}

let installationIsFilled: Promise<void> | undefined

async function makeStageOfInstallation(): Promise<Stage<Service>> {
  const all = await share()
  installationIsFilled ??= fill(all.service, stagedChargePoint, wholeProcess)
  await installationIsFilled
  return makeStage(all, all.service, stagedChargePoint)
}

async function makeStage<Seen extends Service>(
  { service: installation, browser, outside }: Shared,
  service: Seen,
  chargePoint: string,
): Promise<Stage<Seen>> {
  const proxy = { server: `http://127.0.0.1:${outside.port}`, bypass: '127.0.0.1,localhost' }
  async function fresh(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    // Nothing moves: what is looked at is not on its way from one colour to another.
    const context = await browser.newContext({
      viewport: desktop,
      baseURL: service.url,
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      proxy,
      ...options,
    })
    // As for whatever a test waits for: a machine may be busy.
    context.setDefaultTimeout(patienceMs)
    watchAnswers(context)
    t.teardown(() => context.close())
    return context
  }
  const context = await fresh()

  async function newPage(of: BrowserContext): Promise<Opened> {
    const page = await of.newPage()
    return { page, complaints: watched(page, service.url) }
  }

  async function open(path: string, options: OpenOptions = {}): Promise<Opened> {
    const { page, complaints } = await newPage(options.context ?? context)
    const { onRequest } = options
    if (onRequest !== undefined)
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (request.method() === 'GET' && pathname.startsWith('/api/v1/')) onRequest(pathname + search)
      })
    if (options.viewport !== undefined) await page.setViewportSize(options.viewport)
    await page.goto(`/console${path}`)
    await settled(page)
    return { page, complaints }
  }

  /** Without its form, which has tests of its own. */
  async function enter(into: BrowserContext, key: string): Promise<BrowserContext> {
    const headers = { 'x-ampshard': 'console', 'sec-fetch-site': 'same-origin' }
    const answer = await into.request.post('/api/v1/console/session', { data: { api_key: key }, headers })
    if (answer.status() !== 201) throw new Error(`nobody has come in: ${answer.status()} ${await answer.text()}`)
    return into
  }

  async function signedIn(t: Test, key: string, options?: BrowserContextOptions): Promise<Opened> {
    const own = await fresh(options)
    t.teardown(async () => {
      // It is closed before `afterEach`.
      if (!t.passing()) await printAll(own)
      await own.close()
    })
    return await newPage(await enter(own, key))
  }

  await enter(context, service.key)
  let others: Promise<BrowserContext> | undefined
  async function enterAsOther(): Promise<BrowserContext> {
    return enter(await fresh(), (await makeOrganization(installation, { name: 'Elsewhere' })).key)
  }
  const other = (): Promise<BrowserContext> => {
    others ??= enterAsOther()
    return others
  }
  const onPhone = async (): Promise<BrowserContext> =>
    fresh({ viewport: phone, hasTouch: true, isMobile: true, storageState: await context.storageState() })
  const left = outside.asked
  return { service, installation, chargePoint, browser, context, open, other, signedIn, fresh, onPhone, left }
}

const answersOf = new WeakMap<BrowserContext, string[]>()

/** The last of what the service has answered to its pages, without the scripts that came. */
function watchAnswers(context: BrowserContext): void {
  const answers: string[] = []
  answersOf.set(context, answers)
  const note = (request: Request, became: unknown): void => {
    const { pathname } = new URL(request.url())
    answers.push(`${request.method()} ${pathname} ${became}`)
    if (answers.length > 20) answers.shift()
  }
  context.on('response', (response) => {
    if (!response.ok() || response.url().includes('/api/')) note(response.request(), response.status())
  })
  context.on('requestfailed', (request) => note(request, request.failure()?.errorText))
}

/** What a test that has failed was looking at, each line marked for `.ci/run`. A page that hangs has nothing to tell. */
async function print(page: Page): Promise<void> {
  const parts = (await Promise.all(['dialog[open]', '.toasts', 'main'].map((what) => page.locator(what).all()))).flat()
  const shown = await Promise.all(parts.map((part) => part.ariaSnapshot({ timeout: 5_000 }).catch(String)))
  const lines = [page.url(), ...(answersOf.get(page.context()) ?? []), ...shown].join('\n').split('\n')
  console.error(lines.map((line) => `# page: ${line}`).join('\n'))
}

function watched(page: Page, origin: string): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // Of what the policy refuses, Chromium writes the rule. That an answer was an error is for the page to tell.
    const isAnswer = message.text().startsWith('Failed to load resource: the server responded')
    if (message.type() === 'error' && !isAnswer) complaints.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) complaints.push(`left the origin: ${url}`)
  })
  return complaints
}

/** A charge point that is connected, with a session that has ended and one that runs. */
async function fill(service: Service, id: string, end: Teardowns): Promise<void> {
  const client = await bootChargePoint(service, id)
  const status = { errorCode: 'NoError', timestamp: new Date().toISOString() }
  await client.call('StatusNotification', { connectorId: 1, status: 'Available', ...status })
  const { payload } = await client.call('StartTransaction', startRequest())
  await client.call('StopTransaction', {
    transactionId: payload.transactionId,
    meterStop: 12_310,
    timestamp: new Date().toISOString(),
    reason: 'Local',
  })
  await client.call('StartTransaction', startRequest({ meterStart: 12_310, timestamp: new Date().toISOString() }))
  await client.call('StatusNotification', { connectorId: 1, status: 'Charging', ...status })
  end.teardown(() => client.close())
}
