// The ways into the console, as a browser takes them: an invitation, a passkey, a code by mail.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { t, test } from 'tap'
import { needsBrowser } from '../support/browser.js'
import { headersOf, startMailServer, textOf, tokenIn } from '../support/mail-server.js'
import { makeOrganization } from '../support/organization.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'
import { consoleStage, settled } from './stage.js'

const email = 'anna@example.com'

const mails = await startMailServer(t)
const service = await startService(t, {
  flags: ['--smtp-url', mails.url, '--mail-from', 'ampshard@example.com', '--public-url', 'ws://localhost:1'],
})
/** Passkeys are for names: not for 127.0.0.1. */
const origin = service.url.replace('127.0.0.1', 'localhost')

async function newestMail(count: number): Promise<{ readonly subject: string; readonly text: string }> {
  const { raw } = await until(() => mails.taken[count])
  return { subject: headersOf(raw).get('subject') ?? '', text: textOf(raw) }
}

/** A device with a fingerprint reader, whose owner is there. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** As the page itself asks. */
const post = (page: Page, path: string, body: unknown): Promise<number> =>
  page.evaluate(
    async ([path, body]) =>
      (
        await fetch(path as string, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-ampshard': 'console' },
          body: JSON.stringify(body),
        })
      ).status,
    [path, body] as const,
  )

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Anna/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForSelector('.sign-in')
}

test(
  'sign-in - somebody who is invited comes in, makes a passkey, and signs in with it or with a code',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const context = await stage.fresh({ baseURL: origin })
    const page = await context.newPage()
    await addAuthenticator(context, page)
    const invited = await service.request('POST', `/api/v1/organizations/${await organizationId()}/invitations`, {
      email,
      role: 'admin',
    })
    t.equal(invited.status, 201)
    const { text } = await newestMail(0)
    const [, token] = /http:\/\/localhost:1\/console\/invitation#token=([\w-]+)/.exec(text) ?? []
    t.ok(token, 'the mail leads to the console')

    await page.goto(`/console/invitation#token=${token}`)
    await page.getByLabel('Your name').fill('Anna Example')
    t.notMatch(page.url(), token as string, 'the token has left the address')
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await settled(page)
    t.match(await page.locator('#page').textContent(), 'anna@example.com')

    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Laptop')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('row', { name: /Laptop/ }).waitFor()

    await signOut(page)
    const sent = page.waitForRequest(
      (request) => request.url().endsWith('/console/session') && request.method() === 'POST',
    )
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    const body = (await sent).postDataJSON()
    await page.waitForSelector('#page')
    const me = await page.evaluate(async () => (await fetch('/api/v1/console/me')).json())
    t.match(me, { name: /^user:usr_/, member: { email, role: 'admin' }, session: { method: 'passkey' } })

    t.equal(await post(page, '/api/v1/console/session', body), 401, 'what a passkey has signed is good once')

    await signOut(page)
    await page.route('**/api/v1/console/session', async (route) => {
      const sent = route.request().postDataJSON()
      const { response } = sent.passkey
      response.authenticatorData = `${response.authenticatorData.slice(0, -4)}AAAA`
      await route.continue({ postData: JSON.stringify(sent) })
    })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('This passkey is not known here.').waitFor()
    t.pass('what was changed after it was signed is worth nothing')
    await page.unroute('**/api/v1/console/session')
    await page.getByLabel('Email address').fill('ANNA@example.com')
    await page.getByRole('button', { name: 'Mail me a code' }).click()
    const [, code] = /^ {4}(\d{6})\r?$/m.exec((await newestMail(1)).text) ?? []
    await page.getByLabel('Code', { exact: true }).fill(code === '111111' ? '222222' : '111111')
    await page.getByRole('button', { name: 'Sign in with the code' }).click()
    await page.getByText('This code is not valid').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(code as string)
    await page.getByRole('button', { name: 'Sign in with the code' }).click()
    await page.waitForSelector('#page')

    await page.goto('/console/account')
    await page.getByRole('button', { name: 'Remove the passkey Laptop' }).click()
    await page.getByText('You have no passkey yet').waitFor()
    await signOut(page)
    await page.getByLabel('Email address').waitFor()
    t.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0, 'nobody has one any more')

    const other = await makeOrganization(service, { name: 'Harbour Charging' })
    await other.request('POST', `/api/v1/organizations/${other.id}/invitations`, { email, role: 'viewer' })
    const [, invitation] = /#token=([\w-]+)/.exec((await newestMail(2)).text) ?? []
    await other.request('POST', '/api/v1/organizations/invitations/accept', { token: invitation })
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Mail me a code' }).click()
    const [, second] = /^ {4}(\d{6})\r?$/m.exec((await newestMail(3)).text) ?? []
    await page.getByLabel('Code', { exact: true }).fill(second as string)
    await page.getByRole('button', { name: 'Sign in with the code' }).click()
    await page.getByText('Choose the one to sign in to').waitFor()
    await page.getByRole('button', { name: 'Harbour Charging (viewer)' }).click()
    await page.waitForSelector('#page')
    const there = await page.evaluate(async () => (await fetch('/api/v1/console/me')).json())
    t.match(there, { organization: { id: other.id }, member: { email, role: 'viewer' } })
    await page.goto('/console/charge-points/NONE-0001/messages')
    await page.getByText('Your role, viewer, may not read this page. An admin or a member may.').waitFor()
    await context.close()
  },
)

/** From the mail that lies in the data directory, as no mail server is set. */
async function tokenWritten(data: string): Promise<string> {
  const folder = join(data, 'mail')
  const mail = await until(() => {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : []
    return names
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .find((raw) => raw.includes('ben@example.com'))
  })
  return tokenIn(mail)
}

async function organizationId(): Promise<string> {
  return (await service.request('GET', '/api/v1/console/me')).body.organization.id
}

test(
  'team - an admin makes a key, invites somebody, and is asked to sign in again where that was long ago',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const { page } = await stage.open('/api-keys')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Export')
    await page.getByLabel('read:sessions', { exact: true }).check()
    // As if the sign-in had been long ago: the service says so once.
    await page.route(
      '**/api/v1/org/api-keys',
      (route) => route.fulfill({ status: 403, json: { error: { code: 'sign_in_again', message: 'sign in again' } } }),
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Make the key' }).click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByLabel('API key', { exact: true }).fill(stage.service.key)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    const key = (await page.locator('.shown-once').textContent()) ?? ''
    t.match(key, /^ak_/)
    t.equal((await fetch(`${stage.service.url}/api/v1/sessions`, { headers: { 'x-api-key': key } })).status, 200)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('button', { name: 'Change the key Export' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Nightly export')
    await page.getByLabel('Ends (optional)').fill('2031-05-01T12:00')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const change = page.getByRole('button', { name: 'Change the key Nightly export' })
    await change.click()
    const keys = (await stage.service.request('GET', '/api/v1/org/api-keys?per_page=200')).body.data
    const changed = keys.find((one: { readonly name: string }) => one.name === 'Nightly export')
    t.equal(changed.expires_at, '2031-05-01T12:00:00.000Z')
    t.equal(await page.getByLabel('Ends (optional)').inputValue(), '2031-05-01T12:00')
    await page.getByRole('button', { name: 'Give it a new secret' }).click()
    await page.getByRole('button', { name: 'Make the new secret' }).click()
    t.match(await page.locator('.shown-once').textContent(), /^ak_/)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await change.click()
    await page.getByRole('button', { name: 'Revoke at once' }).click()
    await change.waitFor({ state: 'detached' })
    t.equal((await fetch(`${stage.service.url}/api/v1/sessions`, { headers: { 'x-api-key': key } })).status, 401)

    await page.goto('/console/team')
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const dialog = page.getByRole('dialog')
    // It has neither a mail server nor a public address, and says so before anybody relies on them.
    await dialog.getByText(/No mail leaves this installation/).waitFor()
    await dialog.getByText(`${stage.service.url}/console/invitation`).waitFor()
    await page.getByLabel('Email address').fill('ben@example.com')
    await page.getByRole('button', { name: 'Write the invitation' }).click()
    await page.getByRole('row', { name: /ben@example.com/ }).waitFor()
    const token = await tokenWritten(stage.service.data)
    const guest = await stage.fresh()
    const invitation = await guest.newPage()
    await invitation.goto('/console/invitation')
    await invitation.getByLabel('Token', { exact: true }).fill('no-such-token')
    await invitation.getByLabel('Your name').fill('Ben Example')
    await invitation.getByRole('button', { name: 'Accept the invitation' }).click()
    await invitation.getByRole('alert').waitFor()
    await invitation.getByLabel('Token', { exact: true }).fill(token)
    await invitation.getByRole('button', { name: 'Accept the invitation' }).click()
    await invitation.getByText('Make a passkey now: without one you cannot sign in again').waitFor()
    await guest.close()

    await page.goto('/console/team')
    await page.getByRole('button', { name: 'Change Ben Example' }).waitFor()
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    await page.getByLabel('Email address').fill('ben@example.org')
    await page.getByRole('button', { name: 'Write the invitation' }).click()
    await page.getByRole('row', { name: /ben@example.org/ }).waitFor()
    await page.getByRole('button', { name: 'Revoke the invitation of ben@example.org' }).click()
    await page.getByText('No invitation is open').waitFor()
    await page.close()
  },
)

test(
  'sign-in - where the ways in cannot be read it says so and asks again, and hides none of them',
  needsBrowser,
  async (t) => {
    const stage = await consoleStage()
    const context = await stage.fresh({ baseURL: origin })
    const page = await context.newPage()
    let cuts = 1
    await page.route('**/api/v1/console/ways-in', (route) => (cuts-- > 0 ? route.abort() : route.continue()))
    await page.goto('/console')
    await page.getByText('The service does not answer.').waitFor()
    t.equal(await page.getByLabel('API key', { exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Mail me a code' }).waitFor()
    await context.close()
  },
)
