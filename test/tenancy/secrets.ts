// Every kind of secret that the service makes or is given: how one comes about and is used, rightly and wrongly, and who may
// show it. A new kind is one entry here.

import { randomBytes } from 'node:crypto'
import { installerOf } from '../support/installer.js'
import { type MailServer, tokenIn } from '../support/mail-server.js'
import { connectOcpp } from '../support/ocpp-client.js'
import type { Answer } from '../support/service.js'
import { until } from '../support/until.js'
import { connectCharger } from './charger.js'
import { createKit } from './kit.js'
import { invite, type Tenant } from './tenants.js'

export interface Run {
  readonly installation: Tenant
  readonly another: Tenant
}

export interface SecretKind {
  readonly name: string
  /** Resolves with the secrets' texts. */
  make(run: Run): Promise<readonly string[]>
  /** Operations that answer with the secret that they were sent. */
  readonly echoedBy?: readonly string[]
  /** Operations that are there to show it. */
  readonly shownBy?: readonly string[]
  /** Where it has to be, as the beginnings of places: for as long as it is needed, or in what stands for somebody else's system. */
  readonly knownTo?: readonly string[]
}

const made = (): string => randomBytes(20).toString('hex')
const basic = (id: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
})

async function send(tenant: Tenant, id: string, command: string, payload: unknown): Promise<Answer> {
  return tenant.request('POST', '/api/v1/ocpp16/send_command', { charge_point_id: id, command, payload })
}

export interface SecretSetting {
  readonly secret: string
  /** What the service is started with. */
  value(mailServer: MailServer): string
}

export const mailAccount = { user: 'ampshard', password: made() }
const authorityPassphrase = made()
const clientSecret = made()
const bootstrapKey = `${made()}+/=${made()}`

/** Settings that are secrets, by name. */
export const secretSettings: Readonly<Record<string, SecretSetting>> = {
  bootstrap_api_key: { secret: bootstrapKey, value: () => bootstrapKey },
  authority_passphrase: { secret: authorityPassphrase, value: () => authorityPassphrase },
  oidc_client_secret: { secret: clientSecret, value: () => clientSecret },
  smtp_url: {
    secret: mailAccount.password,
    value: ({ url }) => url.replace('//', `//${mailAccount.user}:${mailAccount.password}@`),
  },
}

export const secretKinds: readonly SecretKind[] = [
  { name: 'setting', make: async () => Object.values(secretSettings).map(({ secret }) => secret) },
  {
    name: 'session of the console',
    async make({ installation }) {
      const ofPage = { authorization: '', 'sec-fetch-site': 'same-origin', 'x-ampshard': 'console' }
      const path = '/api/v1/console/session'
      const signIn = async (api_key: string) =>
        (await installation.request('POST', path, { api_key }, ofPage)).headers.get('set-cookie')?.split(';')[0] ?? ''
      const [cookie, other] = [await signIn(installation.key), await signIn(installation.key)]
      const use = (text: string, method = 'GET', target = '/api/v1/console/me') =>
        installation.request(method, target, undefined, { ...ofPage, cookie: text })
      for (const text of [cookie, other, `${cookie}x`, `${cookie}; ${other}`]) await use(text)
      await installation.request('GET', `/api/v1/console/me?session=${cookie}`, undefined, { ...ofPage, cookie })
      await use(other, 'DELETE', path)
      await use(other)
      const absent = made()
      await signIn(absent)
      return [cookie, other].map((text) => text.split('=')[1] ?? '').concat(absent)
    },
  },
  {
    name: 'what a code to sign in is good with',
    async make({ installation }) {
      const ofPage = { authorization: '', 'sec-fetch-site': 'same-origin', 'x-ampshard': 'console' }
      const send = (path: string, body: unknown) =>
        installation.request('POST', `/api/v1/console/${path}`, body, ofPage)
      const { code_id } = (await send('codes', { email: 'nobody@example.com' })).body
      await send('session', { code_id, code: '123456' })
      await send('session', { code_id: `${code_id}x`, code: '123456' })
      const choice = `${made()}abc`
      await send('session', { choice, organization_id: 'org_nobody' })
      await send('session', { choice })
      return [code_id, choice]
    },
  },
  {
    name: 'API key',
    async make({ installation }) {
      const path = '/api/v1/org/api-keys'
      const body = { name: 'N', scopes: ['read:charge_points'] }
      const once = { 'idempotency-key': 'a-key' }
      const { id, key } = (await installation.request('POST', path, body, once)).body
      await installation.request('POST', path, body, once)
      const use = (headers: Readonly<Record<string, string>>, query = '') =>
        installation.request('GET', `/api/v1/chargepoints${query}`, undefined, { authorization: '', ...headers })
      await use({ authorization: `Bearer ${key}` })
      await use({ 'x-api-key': key })
      await use({}, `?api_key=${key}`)
      await use({ authorization: key })
      await use({ authorization: `Bearer ${key}x` })
      await use({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })
      const rotate = (overlap_seconds: number) => installation.make('POST', `${path}/${id}/rotate`, { overlap_seconds })
      const rotated = [(await rotate(60)).body.key, (await rotate(0)).body.key]
      for (const known of [key, ...rotated]) await use({ authorization: `Bearer ${known}` })
      await installation.make('DELETE', `${path}/${id}`)
      await use({ authorization: `Bearer ${key}` })
      return [key, ...rotated]
    },
  },
  {
    name: 'first API key of an organization',
    async make({ installation }) {
      const body = { name: 'N', country: 'NL', contact_email: 'operations@example.com' }
      return [(await installation.make('POST', '/api/v1/organizations', body)).body.api_key]
    },
  },
  {
    name: 'registration token of a roaming partner',
    shownBy: ['ocpiGetCredentials'],
    echoedBy: ['ocpiRegister'],
    async make({ another }) {
      const path = `/api/v1/ocpi/partners/${await createKit(another).id('partner_id')}`
      const { token: first } = (await another.make('POST', '/api/v1/ocpi/partners', { name: 'P' })).body
      const { token: second } = (await another.make('POST', `${path}/token`)).body
      const wrong = made()
      for (const token of [first, second, wrong]) {
        const authorization = `Token ${Buffer.from(token).toString('base64')}`
        for (const at of ['/ocpi/versions', '/ocpi/cpo/2.2.1/credentials'])
          await another.request('GET', at, undefined, { authorization })
        const credentials = { token, url: 'https://127.0.0.1/versions', roles: [] }
        await another.request('POST', '/ocpi/cpo/2.2.1/credentials', credentials, { authorization })
      }
      await another.request('POST', `${path}/register`, { versions_url: 'https://127.0.0.1/versions', token: wrong })
      return [first, second, wrong]
    },
  },
  {
    name: 'API key that the operator gives an organization',
    async make({ installation }) {
      const body = { name: 'N', country: 'NL', contact_email: 'operations@example.com' }
      const { id } = (await installation.make('POST', '/api/v1/organizations', body)).body
      return [(await installation.make('POST', `/api/v1/organizations/${id}/api-keys`, {})).body.key]
    },
  },
  {
    name: 'authorization key of a charge point',
    async make({ another, another: { service } }) {
      const kit = createKit(another)
      const { id, client } = await kit.charger()
      const path = `/api/v1/chargepoints/${id}/authorization-key`
      const pushed = (await another.make('POST', path, { push: true })).body
      const own = (await another.make('POST', path, {})).body
      await client.close()
      const wrong = made()
      for (const password of [pushed, wrong])
        await connectOcpp(`${service.ocppUrl}/${id}`, {
          headers: basic(id, password.authorization_key ?? wrong),
        }).catch(() => undefined)
      await connectCharger(service, id, { headers: basic(id, own.authorization_key) })
      return [pushed.authorization_key, own.authorization_key, wrong]
    },
  },
  {
    name: 'private key that is made for a charge point',
    async make({ another }) {
      const path = `/api/v1/chargepoints/${await createKit(another).id('charge_point_id')}/certificates/generate`
      const once = { 'idempotency-key': 'a-certificate' }
      const { private_key_pem } = (await another.request('POST', path, {}, once)).body
      await another.request('POST', path, {}, once)
      return [`${private_key_pem}`.split('\n')[5] ?? '']
    },
  },
  {
    name: 'password that an operator sends to a charge point',
    async make({ another }) {
      const [refused, failing, accepted, told] = [made(), made(), made(), made()]
      const [failingId, tellingId] = await Promise.all([1, 2].map(() => createKit(another).id('charge_point_id')))
      const answers = {
        ChangeConfiguration: new Error(`cannot set ${failing}`),
        GetConfiguration: { configurationKey: [{ key: 'AuthorizationKey', readonly: false, value: told }] },
      }
      await connectCharger(another.service, `${failingId}`, { answers })
      const change = (id: unknown, key: string, value: string) =>
        send(another, `${id}`, 'ChangeConfiguration', { key, value })
      await change(failingId, 'AuthorizationKey', failing)
      await change(tellingId, 'authorizationKEY', accepted)
      await change('ABSENT', 'AuthorizationKey', refused)
      await send(another, `${failingId}`, 'GetConfiguration', {})
      return [refused, failing, accepted, told]
    },
  },
  {
    name: 'password of a charge point for other systems',
    async make({ another }) {
      const id = await createKit(another).id('charge_point_id')
      const keys = ['ApnPassword', 'WifiPSK', 'BasicAuthPassword', 'Modem.Secret', 'WiFi.Passphrase']
      const passwords = keys.map(made)
      for (const [at, key] of keys.entries())
        await send(another, `${id}`, 'ChangeConfiguration', { key, value: passwords[at] })
      return passwords
    },
  },
  {
    name: 'password in the address of a file',
    async make({ another }) {
      const { id } = await createKit(another).charger()
      const [firmware, raw, log] = [made(), made(), made()]
      const at = (password: string): string => `ftp://user:${password}@files.example.com/file`
      const retrieveDate = '2030-01-01T00:00:00Z'
      const parameters = { firmware_url: at(firmware), retrieve_date: retrieveDate }
      await another.make('POST', `/api/v1/cpo/commands/${id}`, { command: 'update_firmware', parameters })
      await send(another, id, 'UpdateFirmware', { location: at(raw), retrieveDate })
      const remote = { requestId: 1, logType: 'DiagnosticsLog', log: { remoteLocation: at(log) } }
      await send(another, id, 'GetLog', remote)
      return [firmware, raw, log]
    },
  },
  {
    name: 'token of a guest',
    echoedBy: ['getGuestSession', 'stopGuestSession'],
    async make({ another }) {
      const kit = createKit(another)
      const token = `${await kit.id('session_token')}`
      const path = `/api/v1/sessions/guest/${token}`
      for (const what of ['status', 'receipt']) await another.make('GET', `${path}/${what}`)
      await another.make('POST', `${path}/stop`)
      return [token]
    },
  },
  {
    name: 'token of an invitation',
    // It is in the mail that waits to be sent; the page of a row that is gone is written over when it is used again.
    knownTo: ['file data.mdb'],
    async make({ another, installation }) {
      const [member, owner, unused] = [
        await invite(another, 'member'),
        await invite(another, 'site owner'),
        await invite(another, 'member'),
      ]
      const path = '/api/v1/organizations/invitations/accept'
      await installation.make('POST', path, { token: member.token })
      await installation.request('POST', path, { token: member.token })
      await another.request('POST', `/api/v1/site-owner/accept-invitation/${owner.token}`)
      await another.request('POST', path, { token: `${unused.token}x` })
      await another.request('POST', path, { token: [unused.token] })
      return [member.token, owner.token, unused.token]
    },
  },
  {
    name: 'password or token of an installer',
    // Of the token for a new password, as of that of an invitation.
    knownTo: ['file data.mdb'],
    async make({ installation }) {
      const anybody = { authorization: '' }
      const post = (path: string, body: object, headers: Readonly<Record<string, string>> = anybody) =>
        installation.request('POST', `/api/v1/installer/${path}`, body, headers)
      const [password, wrong, next] = [`Aa1${made()}`, `Aa1${made()}`, `Aa1${made()}`]
      const email = 'installer@example.com'
      const person = { email, first_name: 'I', last_name: 'E', company: 'E' }
      await post('signup', { ...person, password })
      await post('signup', { ...person, password })
      await post('login', { email, password: wrong })
      await post('login', { email, password: [wrong] })
      const { access_token: token } = (await post('login', { email, password })).body
      const authorization = `Bearer ${token}`
      await post('accept-terms', { terms_version: '1' }, { authorization, 'idempotency-key': 'terms' })
      await post('logout', {}, { authorization })
      await post('logout', {}, { authorization })
      await post('forgot-password', { email })
      const reset = await until(() => installation.mails().findLast((mail) => mail.includes(email)), 30_000)
      const mailed = tokenIn(reset)
      await post('reset-password', { token: `${mailed}x`, new_password: next })
      await post('reset-password', { token: mailed, new_password: next })
      return [password, wrong, next, token.split('.').at(-1), mailed]
    },
  },
  {
    name: 'number of an identity document',
    shownBy: ['getInstallerIdentity'],
    knownTo: ['row of identity_documents', 'file data.mdb'],
    async make({ installation }) {
      const { request, id } = await installerOf(installation)
      const number = made()
      const body = {
        document_type: 'passport',
        document_number: number,
        document_expiry: '2099-12-31',
        selfie_url: 'https://files.example.com/selfie.jpg',
        document_front_url: 'https://files.example.com/front.jpg',
      }
      const path = '/api/v1/installer/verify-identity'
      await request('POST', path, { ...body, document_type: 'visa' })
      await request('POST', path, body, { 'idempotency-key': 'identity' })
      await installation.make('GET', `/api/v1/installers/${id}/identity`)
      return [number]
    },
  },
  {
    name: 'account number of a site owner',
    shownBy: ['getSiteOwnerBankDetails'],
    knownTo: ['row of site_owners', 'file data.mdb'],
    async make({ another }) {
      const iban = 'NL91ABNA0417164300'
      await another.make('PUT', '/api/v1/site-owner/onboarding/bank-details', { account_holder: 'A', iban })
      return [iban]
    },
  },
  {
    name: 'secret of a webhook endpoint',
    // Deliveries are signed with it.
    knownTo: ['row of webhook_endpoints', 'file data.mdb'],
    async make({ another }) {
      const path = '/api/v1/webhooks/endpoints'
      const body = { url: another.receiverUrl, events: ['session.ended'] }
      const first = (await another.request('POST', path, body, { 'idempotency-key': 'a-webhook' })).body
      await another.request('POST', path, body, { 'idempotency-key': 'a-webhook' })
      const rotate = (wanted: object) => another.make('POST', `${path}/${first.id}/rotate-secret`, wanted)
      const [own, ownNext] = [made(), made()]
      const rotated = (await rotate({})).body.secret
      await rotate({ secret: ownNext })
      await another.make('POST', `${path}/${first.id}/test`)
      await another.make('POST', path, { ...body, secret: own })
      await another.request('POST', path, { ...body, events: ['no.such'], secret: own })
      return [first.secret, rotated, own, ownNext]
    },
  },
  {
    name: 'payment method of a guest',
    knownTo: ['file payments-sandbox/'],
    async make({ another }) {
      const kit = createKit(another)
      const [{ id }, tariff_id] = [await kit.charger(), await kit.id('tariff_id')]
      await another.make('PUT', `/api/v1/chargepoints/${id}/tariff`, { tariff_id })
      // The last keeps the connector.
      const methods = [`pm_${made()}`, 'pm_card_unreachable', 'pm_card_capture_fails_once']
      for (const [at, payment_method_id] of methods.entries()) {
        const body = { charge_point_id: id, connector_id: 1, payment_method_id }
        await another.request('POST', '/api/v1/sessions/guest/authorize', body, {
          'idempotency-key': `guest-${at}`,
        })
      }
      return methods
    },
  },
]

/** Fields of answers that are called like a secret, and why they are none. */
export const notSecret: Readonly<Record<string, string>> = {
  'getGuestSession.session_token': 'the caller has sent it',
  'ocpiGetCredentials.token': 'the caller has sent it',
  'ocpiListCdrs.public_key': 'it is public',
  'getChargePointConfiguration.key': 'the name of a configuration key',
  'applyChargePointConfiguration.key': 'the name of a configuration key',
  'stopChargePointConfiguration.key': 'the name of a configuration key',
  'getCommissioningDiagnostics.key': 'the name of a configuration key',
  'getCommissioningStatus.key': 'the name of a configuration key',
  'startCommissioning.key': 'the name of a configuration key',
  'restartCommissioning.key': 'the name of a configuration key',
  'getChargePointCommissioning.key': 'the name of a configuration key',
}
