// A day of an installer, on the built service with TLS and a mail server that we did not write: from signing up to the handover. In each step the
// process is killed when the step is half done. What was answered is kept, and the same call again, or nothing at all, completes the step.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { chargePointsTable, isUnclaimed } from '../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../src/records/charge-point-state.js'
import { configurationOverridesTable } from '../../src/records/configuration.js'
import { tables } from '../../src/records/index.js'
import { installersTable, tokenSecretsTable } from '../../src/records/installer.js'
import { openView } from '../../src/runtime/store/lmdb-store.js'
import type { ReadView } from '../../src/runtime/store/store.js'
import { type Box, type BoxOptions, commissioningOf, commissioningPath, connectBox } from '../support/commissioning.js'
import { installerPassword, logIn, requestWith } from '../support/installer.js'
import { headersOf, startMailServer, tokenIn } from '../support/mail-server.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { opensslFolder } from '../support/openssl.js'
import { registrationOf } from '../support/registration.js'
import { type Answer, type Service, startService } from '../support/service.js'
import { ca, tlsFlags } from '../support/signing-service.js'
import { until } from '../support/until.js'

const key = 'a-key-of-the-operator-for-this-test-alone'
const email = 'ines@example.com'
const person = { email, first_name: 'Ines', last_name: 'Example', company: 'Example', password: installerPassword }
const id = 'DAY-1'
const serial_number = 'WB22-000123'
const registry = '/api/v1/installer/charge-points'
const own = `${registry}/${id}`
const halfDoneWithinMs = 30_000

type Ask = (at: Service, headers: Readonly<Record<string, string>>) => Promise<Answer>

test('installers - a day from signing up to the handover, with the process killed in the middle of each step', {
  timeout: 180_000,
}, async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(async () => rmSync(data, { recursive: true, force: true }))
  /** What happens when a mail has arrived, and its sender waits for the answer. */
  let arrived: (() => Promise<unknown>) | undefined
  const mails = await startMailServer(t, { arrived: async () => void (await arrived?.()) })
  const flags = [...tlsFlags(opensslFolder()), '--installer-signup', 'confirmed', '--shards', '1']
  const environment = { AMPSHARD_SMTP_URL: mails.url, AMPSHARD_MAIL_FROM: 'noreply@example.com' }
  let starts = 0
  const start = (): Promise<Service> => {
    starts++
    return startService(t, { data, key, authority: ca, flags, environment })
  }
  let service = await start()
  const kill = () => service.stop('SIGKILL')

  /** Kills the process as soon as the disk shows that the step is half done. It looks in every turn: the answer may be under way. */
  async function killOnce(isHalfDone: (view: ReadView) => boolean): Promise<void> {
    const view = openView(data, tables)
    const deadline = Date.now() + halfDoneWithinMs
    while (!isHalfDone(view)) {
      if (Date.now() > deadline) throw new Error(`it did not come to that: ${isHalfDone.toString()}`)
      await new Promise(setImmediate)
    }
    await kill()
    await view.close()
  }

  /** The answer of the process that is killed over a request, if there was one, and that of the next to the same request. */
  async function cutOff(ask: Ask, isHalfDone: (view: ReadView) => boolean) {
    const headers = { 'idempotency-key': `day-${starts}` }
    const asked = ask(service, headers).catch(() => undefined)
    await killOnce(isHalfDone)
    const before = await asked
    service = await start()
    return { before, after: await ask(service, headers) }
  }

  /** Of a request that an Idempotency-Key makes the same. */
  async function cutOffOnce(ask: Ask, isHalfDone: (view: ReadView) => boolean): Promise<Answer> {
    const { before, after } = await cutOff(ask, isHalfDone)
    if (before !== undefined) t.same(after.body, before.body, 'what was answered is answered again')
    return after
  }
  const byAnybody = (at: Service, path: string, body: object): Promise<Answer> =>
    at.request('POST', `/api/v1/installer/${path}`, body, { authorization: '' })

  // Signing up: the mail server has the mail, and the service does not learn that it was taken.
  arrived = kill
  await byAnybody(service, 'signup-with-confirmation', person).catch(() => undefined)
  await until(() => mails.taken.length === 1)
  await kill()
  arrived = undefined
  service = await start()
  await until(() => mails.taken.length === 2)
  const [first, again] = mails.taken.map(({ raw }) => ({ token: tokenIn(raw), id: headersOf(raw).get('message-id') }))
  t.same(again, first, 'it is sent once more as the same mail, with the same token')
  t.match(await logIn(service, email), { status: 403, body: { error: { code: 'account_pending' } } })

  // Confirming: the account is on disk.
  const confirmed = await cutOff(
    (at) => byAnybody(at, 'confirm', { token: again?.token }),
    (view) => view.list(installersTable, []).length === 1,
  )
  t.equal(confirmed.after.status, 404, 'the token has been used')

  // Logging in: the secret that signs the tokens has been made.
  const login = await cutOff(
    (at) => logIn(at, email),
    (view) => view.list(tokenSecretsTable, []).length === 1,
  )
  t.equal(login.after.status, 200)
  const { access_token: token, installer_id } = login.after.body
  const as = (at: Service) => requestWith(at, token)
  const request: Service['request'] = (...one) => as(service)(...one)
  const installer = { id: installer_id, email, token, request }
  const profile = await as(service)('GET', '/api/v1/installer/profile')
  t.match(profile, { status: 200, body: { email } })
  if (login.before !== undefined)
    t.same(
      (await requestWith(service, login.before.body.access_token)('GET', '/api/v1/installer/profile')).body,
      profile.body,
    )
  t.equal((await installer.request('POST', '/api/v1/installer/accept-terms', { terms_version: '2026-11' })).status, 200)

  // Registering: the charge point is on disk.
  const said = { vendor: 'Example', model: 'Wall Box 22', serial_number, project_id: 'Quayside' }
  const registered = await cutOffOnce(
    (at, headers) => as(at)('POST', registry, { charge_point_id: id, ...said }, headers),
    (view) => view.get(chargePointsTable, [id]) !== undefined,
  )
  t.match(registered, { status: 201, body: { charge_point_id: id } })

  // Its certificate: the authority of the installation has been made, and nothing issued by it.
  const authority = join(data, 'authority')
  const made = await cutOffOnce(
    (at, headers) => as(at)('POST', `${own}/certificates/generate`, undefined, headers),
    () => existsSync(authority) && readdirSync(authority).some((name) => name.endsWith('.pem')),
  )
  t.equal(made.status, 201)
  t.equal(readdirSync(authority).filter((name) => name.endsWith('.pem')).length, 1, 'there is one authority')
  const certificates = async () => (await installer.request('GET', `${own}/certificates`)).body.certificates
  t.match(await certificates(), [{ certificate_id: made.body.certificate_id, status: 'active' }])
  t.equal((await certificates()).length, 1)

  // Connecting: its BootNotification has been accepted, which it may not know.
  const boot = { chargePointSerialNumber: serial_number }
  const tls = { ca, key: made.body.private_key_pem, cert: made.body.certificate_pem }
  const client = await connectOcpp(`${service.ocppUrl}/${id}`, { tls })
  void client.boot(boot)
  await killOnce((view) => view.get(chargePointStatesTable, [id])?.registration === 'Accepted')
  service = await start()
  const keys = new Map<string, string>()
  const boxes: Box[] = []
  async function connect(options: BoxOptions = {}): Promise<Box> {
    const box = await connectBox(service, id, { keys, tls, boot, ...options })
    boxes.push(box)
    return box
  }
  await connect()
  await t.rejects(connectOcpp(`${service.ocppUrl}/${id}`, { tls: { ca } }), { message: 'HTTP 403' })

  // Its configuration: what is to differ from the template is on disk.
  const parameters = { MeterValueSampleInterval: 30 }
  const customized = await cutOffOnce(
    (at, headers) => as(at)('POST', `${own}/config/customize`, { parameters }, headers),
    (view) => view.get(configurationOverridesTable, [id]) !== undefined,
  )
  t.match(customized, { status: 200, body: { updated_parameters: ['MeterValueSampleInterval'] } })

  /** Connects the charge point, and kills the process when the charge point has done what it was asked and not answered yet. */
  async function connectUntil(wanted: string, does: (payload: Record<string, string>) => void) {
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    await connect({
      answer(action, payload) {
        if (action !== wanted) return undefined
        does(payload)
        isAsked()
        return null
      },
    })
    return { killed: asked.then(kill) }
  }

  // Commissioning: the charge point has taken the first key, and has not said so.
  const configuring = await connectUntil('ChangeConfiguration', ({ key: name = '', value = '' }) =>
    keys.set(name, value),
  )
  const begun = await installer.request('POST', commissioningPath(id, 'start'))
  t.match(begun, { status: 202, body: { status: 'running' } })
  await configuring.killed
  service = await start()

  // The test transaction: the charge point has taken the remote start, has not said so, and begins when it has connected again.
  let tag = ''
  const testing = await connectUntil('RemoteStartTransaction', ({ idTag = '' }) => {
    tag = idTag
  })
  await testing.killed
  service = await start()
  await (await connect()).start(tag)
  const session = await commissioningOf(installer, id, ({ status }) => status !== 'running')
  t.match(session, { session_id: begun.body.session_id, status: 'completed', result: 'passed' })
  t.match(session.steps[4], { name: 'test_transaction', status: 'passed', detail: /it took 12 Wh/ })
  const asked = boxes.flatMap((box) => box.asked)
  const times = (action: string) => asked.filter((one) => one.startsWith(`${action} `))
  t.equal(times('RemoteStartTransaction').length, 1, 'the test transaction is begun once')
  t.equal(asked.filter((one) => one === 'RemoteStopTransaction').length, 1)
  t.ok(times('ChangeConfiguration').length > 1)
  t.same([...new Set(times('ChangeConfiguration'))], times('ChangeConfiguration'), 'no key is set twice')
  t.equal(keys.get('MeterValueSampleInterval'), '30')

  // The report: it is being printed. Others wait for their turn behind it, so that this is not over before it is seen.
  const print = (at: Service) => as(at)('GET', commissioningPath(id, 'report'))
  for (let times = 0; times < 3; times++) void print(service).catch(() => undefined)
  const isPrinting = /^ampshard_jobs\{[^}]*lane="documents"[^}]*\} 1$/m
  await until(async () => isPrinting.test((await service.request('GET', '/metrics')).body))
  await kill()
  service = await start()
  t.match(await print(service), { status: 200, body: /^%PDF-/ })
  await connect()

  // Declaring that it is ready: that is on disk.
  const commissioned = await cutOffOnce(
    (at, headers) => as(at)('POST', `${own}/commission`, undefined, headers),
    (view) => view.get(chargePointsTable, [id])?.installed?.commissioned_at !== undefined,
  )
  t.match(commissioned, { status: 200, body: { status: 'commissioned' } })
  await connect()

  // The handover: the charge point is the organization's on disk.
  const claim = registrationOf(id, { serial_number })
  const claimed = await cutOffOnce(
    (at, headers) => at.request('POST', '/api/v1/chargepoints', claim, headers),
    (view) => view.list(chargePointsTable, []).every((row) => !isUnclaimed(row)),
  )
  t.match(claimed, { status: 201, body: { handover: { commissioned_at: commissioned.body.commissioned_at } } })
  const { client: last } = await connect()
  t.match(await service.request('GET', `/api/v1/chargepoints/${id}`), { status: 200, body: { online: true } })
  const { body: events } = await service.request('GET', '/api/v1/events?types=handover.completed')
  t.match(events.data, [{ data: { charge_point_id: id } }])
  t.equal(events.data.length, 1)
  t.equal((await service.request('GET', '/api/v1/sessions')).body.total, 0, 'nobody pays for the test transaction')
  t.match((await installer.request('GET', own)).body, {
    status: 'commissioned',
    claimed: true,
    identity_verified: true,
  })
  t.equal((await service.request('GET', '/api/v1/installers')).body.total, 1, 'there is one account')
  await last.close()
})
