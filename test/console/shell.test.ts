// The shell of the console, as somebody uses it: signing in and out, getting about by hand and by keyboard, and what is shown where there is nothing.

import { test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { makeOrganization } from '../support/organization.js'
import { consoleStage, desktop, follow, phone, resize, settled, signIn } from './stage.js'

test(
  'shell - a key signs in on the page that was asked for, is not kept, and signing out ends it',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const context = await stage.fresh()
    const { page } = await stage.open('/api-keys?a=b', { context })
    await page.getByLabel('API key', { exact: true }).fill('not-a-key-of-anybody-0123456789abcdef')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('This key is not valid').waitFor()
    await signIn(page, stage.service.key)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    t.match(page.url(), /\/console\/api-keys\?a=b$/)
    const kept = await page.evaluate<string>(
      'JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie })',
    )
    t.notMatch(kept, stage.service.key)
    t.notMatch(kept, /__Host/)
    const [cookie] = await context.cookies()
    t.match(cookie, { name: '__Host-ampshard', httpOnly: true, secure: true, sameSite: 'Strict' })
    await page.reload()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.locator('.menu-button').click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('API key', { exact: true }).waitFor()
    await page.reload()
    await page.getByLabel('API key', { exact: true }).waitFor()
    await context.close()
  },
)

test(
  'shell - a session that ends elsewhere says so, and signing in again goes on where one was',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const context = await stage.fresh()
    const { page } = await stage.open('/api-keys', { context })
    await signIn(page, stage.service.key)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await context.clearCookies()
    await page.getByRole('link', { name: 'ampshard' }).click()
    await page.getByText('Your session has ended').waitFor()
    const left = page.url()
    await signIn(page, stage.service.key)
    t.equal(page.url(), left)
    await context.close()
  },
)

test(
  'shell - the keyboard alone gets everywhere: the palette, the help, and pages by their letters',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const { page, complaints } = await stage.open('/disputes')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('no page of this name')
    await page.getByText('Nothing of this name').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'What keys do' }).waitFor()
    t.match(await page.getByRole('dialog').textContent(), /Search, or go to a page/)
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    t.equal(await page.locator(':focus').textContent(), 'Skip to the page')
    t.same(complaints, [])
    await page.close()
  },
)

test(
  'shell - after a dialog, however it is closed, the focus is where it was, and Tab goes on from there',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const { page } = await stage.open('/api-keys')
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    const opener = page.getByRole('button', { name: 'Make a key' })
    const gone = () => page.locator('dialog').waitFor({ state: 'detached' })
    for (const close of [
      () => page.getByRole('button', { name: 'Cancel' }).click(),
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await opener.focus()
      await page.keyboard.press('Enter')
      t.equal(await page.locator('dialog :focus').getAttribute('placeholder'), 'What uses it: Billing export')
      await close()
      await gone()
      t.equal(await focused(), 'Make a key')
      await page.keyboard.press('Tab')
      t.match(await page.evaluate('document.activeElement.className'), /table-rows/)
    }
    await opener.focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    await gone()
    t.equal(await focused(), 'Make a key')
    await page.close()
  },
)

test(
  'shell - the theme is that of the machine until somebody chooses, and then remembered',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const context = await stage.fresh({ colorScheme: 'light' })
    const { page } = await stage.open('', { context })
    const theme = () => page.locator('html').getAttribute('data-theme')
    t.equal(await theme(), 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-theme=dark]').waitFor()
    await signIn(page, stage.service.key)
    await page.getByRole('button', { name: 'Switch to the light theme' }).click()
    t.equal(await theme(), 'light')
    await page.reload()
    await settled(page)
    t.equal(await theme(), 'light')
    await context.close()
  },
)

test('shell - what there is not, and what is of another organization, are not here', needsBrowser, async (t) => {
  const stage = await consoleStage()
  const { page } = await stage.open('/there/is/no/such/page')
  await page.getByRole('heading', { name: 'Not here' }).waitFor()
  await page.close()
  const ours = { name: 'Ours alone', scopes: ['read:sessions'] }
  t.equal((await stage.service.request('POST', '/api/v1/org/api-keys', ours)).status, 201)
  const { page: theirs } = await stage.open('/api-keys', { context: await stage.other() })
  await theirs.getByText('Elsewhere').first().waitFor()
  t.notMatch(await theirs.locator('#page').textContent(), /Ours alone/)
  await theirs.close()
})

test(
  'shell - what is found leads to the page that shows it alone, and a search that fails says so',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const { page } = await stage.open('/api-keys')
    const tag = 'FOUND-TAG-1'
    await stage.service.request('POST', '/api/v1/id-tags', { id_tag: tag })
    await page.keyboard.press('Control+k')
    await page.keyboard.type(tag)
    await page.getByRole('option', { name: tag }).click()
    await page.waitForURL(`**/console/id-tags/${tag}`)
    await page.locator('#page').getByText(tag).first().waitFor()
    t.equal(new URL(page.url()).search, '', 'it needs no filter')
    await page.route('**/api/v1/search*', (route) => route.abort())
    await page.keyboard.press('Control+k')
    await page.keyboard.type(stage.chargePoint)
    await page.getByText('Not everything could be searched: The service does not answer. not_reached').waitFor()
    await page.close()
  },
)

test('shell - on a phone, the navigation is at the foot and the page has its whole width', needsBrowser, async (t) => {
  const stage = await consoleStage()
  const { page } = await stage.open('/api-keys', { viewport: phone })
  const main = await page.locator('#page').boundingBox()
  const navigation = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
  t.equal(main?.width, phone.width)
  t.ok((navigation?.y ?? 0) >= (main?.y ?? 0) + (main?.height ?? 0) - 1)
  await page.close()
})

/** The names of the pages to which something leads, under the names of their groups, as far as they are seen. */
const seenPages = `(within) => [...document.querySelectorAll(within + ' section')].map((group) => [
  group.getAttribute('aria-label'),
  ...[...group.querySelectorAll('a')].filter((link) => link.checkVisibility()).map((link) => link.title),
])`

test(
  'shell - on a phone, two taps lead to every page of the sidebar, and whether it is live is seen',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const { page } = await stage.open('/fleet', { context: await stage.onPhone(), viewport: desktop })
    const beside = await page.evaluate<readonly string[][]>(`(${seenPages})('.navigation')`)
    t.ok(beside.length === 3 && beside.flat().length > 25)
    await resize(page, phone)
    await page.locator('.live', { hasText: 'Live' }).waitFor()
    await page.getByRole('button', { name: 'More' }).tap()
    t.same(await page.evaluate(`(${seenPages})('.all-pages')`), beside)
    await page.getByRole('dialog').getByRole('link', { name: 'Account' }).tap()
    await page.waitForURL('**/console/account')
    t.equal(await page.getByRole('dialog').count(), 0, 'the sheet has gone')
    await page.context().close()
  },
)

test(
  'shell - what the service finds opens by keyboard alone, and the focus is always seen',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const { page, complaints } = await stage.open('/api-keys')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(stage.chargePoint.toLowerCase())
    // Who does not wait for what is found gets it all the same.
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/console/charge-points/${stage.chargePoint}`)
    await settled(page)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'What keys do' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    const unseen: string[] = []
    for (let count = 0; count < 30; count++) {
      await page.keyboard.press('Tab')
      const where = await page.evaluate<string>(`(() => {
      const at = document.activeElement
      const style = getComputedStyle(at)
      const { width, height } = at.getBoundingClientRect()
      const isSeen = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 && width > 1 && height > 1
      return isSeen ? '' : at.outerHTML.slice(0, 120)
    })()`)
      if (where !== '') unseen.push(where)
    }
    t.same(unseen, [])
    t.same(complaints, [])
    await page.close()
  },
)

const snapshot = '/api/v1/cpo/fleet/snapshot?limit=20000'

test('shell - the fleet is asked for once, while it is asked who is signed in', needsBrowser, async (t) => {
  const stage = await consoleStage()
  // It is asked for the session that the browser had last.
  const { page } = await stage.open('/account')
  const asked: string[] = []
  let answer = () => {}
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve
  })
  page.on('request', (request) => {
    asked.push(request.url().slice(stage.service.url.length))
    if (asked.at(-1) === snapshot) answer()
  })
  await page.route('**/api/v1/console/me', async (route) => {
    await isAsked
    await route.continue()
  })
  await page.goto('/console/fleet')
  await page.locator('.fleet-table').getByRole('row', { name: stage.chargePoint }).waitFor()
  await settled(page)
  t.equal(asked.filter((path) => path === snapshot).length, 1)
  await page.close()
})

test(
  'shell - a page is of the session that it was opened with, whoever signs in beside it',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const { key } = await makeOrganization(stage.installation, { name: 'Nobody else' })
    const context = await stage.fresh()
    const page = await context.newPage()
    await page.goto('/console/fleet')
    await signIn(page, stage.service.key)
    await page.locator('.fleet-table').getByRole('row', { name: stage.chargePoint }).waitFor()
    const late = await context.newPage()
    let goOn = () => {}
    const hasSignedIn = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await late.route('**/api/v1/console/me', async (route) => {
      await hasSignedIn
      await route.continue()
    })
    const own = late.waitForResponse((response) => response.url().endsWith(snapshot))
    await late.goto('/console/fleet')
    const { columns } = await (await own).json()
    t.ok(columns.charge_point_id.includes(stage.chargePoint))

    const other = await context.newPage()
    const answer = await context.request.post('/api/v1/console/session', {
      data: { api_key: key },
      headers: { 'x-ampshard': 'console', 'sec-fetch-site': 'same-origin' },
    })
    t.equal(answer.status(), 201)
    await other.goto('/console/fleet')
    await other.getByText('0 of 0').first().waitFor()
    await page.getByText('Your session has ended').waitFor()
    t.equal(await page.getByText(stage.chargePoint).count(), 0, 'what was there is taken away')
    goOn()
    await late.getByText('0 of 0').first().waitFor()
    t.equal(await late.getByText(stage.chargePoint).count(), 0, 'what was asked for ahead was of somebody else')
    await context.close()
  },
)

test('shell - a service that hangs is told, and followed again once it speaks', needsBrowser, async (t) => {
  const { context, service } = await consoleStage()
  const page = await context.newPage()
  await page.clock.install()
  await page.goto('/console/fleet')
  const live = page.locator('.live:not(.cut):not(.waiting)')
  await live.waitFor()
  await page.clock.runFor(15_000)
  t.equal(await page.locator('.live.cut').count(), 0, 'a while in which nothing happens is no silence')
  await follow(page, '/alerts')
  await page.getByRole('heading', { name: 'Alerts' }).waitFor()
  await settled(page)
  service.process.kill('SIGSTOP')
  try {
    await page.clock.runFor(25_000)
    await page.getByText('Cut, trying again').waitFor()
    await page.clock.runFor(15_000)
    await page.getByText(/What you see is of .* The service has not answered yet\./).waitFor()
    await follow(page, '/api-keys')
    await page.clock.runFor(9_000)
    await page.getByText('The service has not answered yet.').waitFor()
    await page.clock.runFor(75_000)
    await page.getByText('The service has not answered for 75 s.').waitFor()
    await follow(page, '/fleet')
  } finally {
    service.process.kill('SIGCONT')
  }
  await page.clock.runFor(31_000)
  await live.waitFor()
  t.pass('it is live again')
  await page.close()
})

test('shell - other tabs of somebody who signs in again go on', needsBrowser, async (t) => {
  const stage = await consoleStage()
  const context = await stage.fresh()
  const page = await context.newPage()
  await page.goto('/console/api-keys')
  await signIn(page, stage.service.key)
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  const again = await context.request.post('/api/v1/console/session', {
    data: { api_key: stage.service.key },
    headers: { 'x-ampshard': 'console', 'sec-fetch-site': 'same-origin' },
  })
  t.equal(again.status(), 201)
  await follow(page, '/account')
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  await page.getByRole('grid', { name: 'Sessions' }).waitFor()
  t.equal(await page.locator('.sign-in').count(), 0)
  await context.close()
})
