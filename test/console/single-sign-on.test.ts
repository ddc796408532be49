// Single sign-on at a provider that is not ours: who has a verified address of a member comes in, and nobody else.

import type { BrowserContext, Page } from 'playwright-core'
import { t, test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { startIdentityProvider } from '../support/identity-provider.js'
import { startMailServer, textOf } from '../support/mail-server.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'
import { consoleStage } from './stage.js'

const provider = await startIdentityProvider(t)
const mails = await startMailServer(t)
const service = await startService(t, {
  flags: [
    ...['--smtp-url', mails.url, '--mail-from', 'ampshard@example.com', '--public-url', 'ws://localhost:1'],
    ...['--oidc-issuer', provider.issuer, '--oidc-client-id', provider.clientId, '--oidc-name', 'Example Login'],
  ],
  environment: { AMPSHARD_OIDC_CLIENT_SECRET: provider.clientSecret },
})
const origin = service.url.replace('127.0.0.1', 'localhost')
provider.serve(`${origin}/console/signed-in`)

provider.accounts.set('anna', { email: 'Anna@example.com', email_verified: true })
provider.accounts.set('mallory', { email: 'anna@example.com', email_verified: false })
provider.accounts.set('nobody', { email: 'nobody@example.com', email_verified: true })

const ofPage = { authorization: '', 'sec-fetch-site': 'same-origin', 'x-ampshard': 'console', origin }

async function inviteAnna(): Promise<void> {
  const { organization } = (await service.request('GET', '/api/v1/console/me')).body
  const path = `/api/v1/organizations/${organization.id}/invitations`
  await service.request('POST', path, { email: 'anna@example.com', role: 'member' })
  const { raw } = await until(() => mails.taken[0])
  const [, invitation] = /#token=([\w-]+)/.exec(textOf(raw)) ?? []
  const answer = await service.request('POST', '/api/v1/console/session', { invitation, name: 'Anna' }, ofPage)
  if (answer.status !== 201) throw new Error(`nobody came in: ${answer.status}`)
}

async function signOn(context: BrowserContext, login: string) {
  const page = await context.newPage()
  await page.goto('/console/account')
  await page.getByRole('button', { name: 'Sign in with Example Login' }).click()
  return { page, ...(await answerAsked(page, login)) }
}

/** At the provider, which asks. Resolves with what the page sends to the service in the end, and how that is answered. */
async function answerAsked(page: Page, login: string) {
  await page.locator('input[name=login]').fill(login)
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/console/session') && response.request().method() === 'POST',
  )
  // It asks once what of somebody it may tell.
  const consent = page.getByRole('button', { name: 'Continue' })
  const isAsked = consent.waitFor().then(
    () => true,
    () => false,
  )
  // Not pressed where it is not asked: a press that goes on waiting is made in the next dialog that has such a button.
  if (await Promise.race([isAsked, answered.then(() => false)])) await consent.click()
  const response = await answered
  return { status: response.status(), body: response.request().postDataJSON() }
}

const me = (page: Page) => page.evaluate(async () => (await fetch('/api/v1/console/me')).json())

test(
  'single sign-on - a member comes in by the address that the provider has verified, and comes back to the page',
  needsBrowser,
  async (t) => {
    await inviteAnna()
    const stage = await consoleStage()
    const context = await stage.fresh({ baseURL: origin })
    const { page, status, body } = await signOn(context, 'anna')
    t.equal(status, 201)
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    t.equal(page.url(), `${origin}/console/account`, 'nothing of it is left in the address')
    t.match(await me(page), {
      member: { name: 'Anna', email: 'anna@example.com' },
      session: { method: 'single_sign_on' },
    })
    const replayed = await service.request('POST', '/api/v1/console/session', body, ofPage)
    t.equal(replayed.status, 401, 'what the provider has sent is good once')
    await context.close()
  },
)

test('single sign-on - an address that is not verified, or of no member, lets nobody in', needsBrowser, async (t) => {
  const stage = await consoleStage()
  for (const login of ['mallory', 'nobody']) {
    const context = await stage.fresh({ baseURL: origin })
    const { page, status } = await signOn(context, login)
    t.equal(status, 401, login)
    await page.getByText(/of no member, or not verified/).waitFor()
    await context.close()
  }
})

test(
  'single sign-on - to sign in again is to be asked again by the provider, which says when it did',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const context = await stage.fresh({ baseURL: origin })
    provider.askedEarlierBy(600)
    const { page, status } = await signOn(context, 'anna')
    t.equal(status, 201, 'whom the provider has known for a while comes in')
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    const signOnAgain = async () => {
      await page.getByRole('button', { name: 'Add a passkey' }).first().click()
      const name = page.getByRole('textbox', { name: 'Name' })
      await name.fill('Laptop')
      await name.press('Enter')
      await again.getByRole('button', { name: 'Sign in with Example Login' }).click()
      return answerAsked(page, 'anna')
    }
    t.equal((await signOnAgain()).status, 401, 'and is not let in again where it has only said so')
    await page.getByText('has not asked who you are again').waitFor()
    provider.askedEarlierBy(0)
    t.equal((await signOnAgain()).status, 201)
    await page.getByText('You have signed in again. Do once more what you were about to do.').waitFor()
    const options = await page.evaluate(async () => {
      const headers = { 'x-ampshard': 'console', 'idempotency-key': 'made-again' }
      return (await fetch('/api/v1/console/passkeys/options', { method: 'POST', headers })).status
    })
    t.equal(options, 201, 'what gives lasting access is there again')
    await context.close()
  },
)

test(
  'single sign-on - whom the provider has asked longer ago than a session lasts is not let in',
  needsBrowser,
  async (t) => {
    const context = await (await consoleStage()).fresh({ baseURL: origin })
    provider.askedEarlierBy(8 * 86_400)
    const { page, status } = await signOn(context, 'anna')
    t.equal(status, 401)
    await page.getByText('has not asked who you are for too long').waitFor()
    provider.askedEarlierBy(0)
    await context.close()
  },
)

test('single sign-on - what another browser has begun, or nobody has, is worth nothing', async (t) => {
  const begin = async () => (await service.request('POST', '/api/v1/console/single-sign-on', undefined, ofPage)).body
  const [one, other] = [await begin(), await begin()]
  const url = new URL(one.url)
  t.equal(url.searchParams.get('code_challenge_method'), 'S256')
  t.match(url.searchParams.get('nonce'), /^[\w-]{43}$/)
  t.notMatch(one.url, one.attempt, 'the provider does not learn what the browser keeps')
  const state = url.searchParams.get('state')
  const end = async (attempt: string, query: string, headers = ofPage) =>
    (await service.request('POST', '/api/v1/console/session', { single_sign_on: { attempt, query } }, headers)).status
  const query = `code=x&state=${state}&iss=${encodeURIComponent(provider.issuer)}`
  t.equal(await end(other.attempt, query), 401, 'the state is of another attempt')
  t.equal(await end('x'.repeat(43), query), 401)
  t.equal(await end(one.attempt, query), 401, 'the code is none')
  t.equal(await end(one.attempt, query, { ...ofPage, 'sec-fetch-site': 'cross-site' }), 403)
})
