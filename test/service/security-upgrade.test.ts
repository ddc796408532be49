// A charge point goes up the security profiles over the service as it is built: with and without TLS, with the process killed on the way.

import { type Test, test } from 'tap'
import { makeCertificate } from '../edge/certificates.js'
import { inFullSuite } from '../runner/sample.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { opensslFolder } from '../support/openssl.js'
import { securityBox } from '../support/security-box.js'
import { type Service, startService } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const authority = makeCertificate({ commonName: 'Server authority' })
const server = makeCertificate({ commonName: 'ampshard', issuer: authority, server: true })
const ca = authority.certificatePem
const folder = opensslFolder()
const flags = [
  ['--tls-key-file', folder.write('server.key', server.keyPem)],
  // As many files are: the chain ends with its root.
  ['--tls-certificate-file', folder.write('server.pem', server.certificatePem + ca)],
  ['--shards', '1'],
].flat()

const pathOf = (id: string) => `/api/v1/chargepoints/${id}/security-profile`
const raise = (service: Service, id: string, security_profile: number) =>
  service.request('POST', pathOf(id), { security_profile })

/** Where it stands once it is as `isSo` says. */
// biome-ignore lint/suspicious/noExplicitAny: the answer of the API
const standing = (service: Service, id: string, isSo: (standing: any) => boolean) =>
  until(async () => {
    const { body } = await service.request('GET', pathOf(id))
    return isSo(body) && body
  }, 60_000)

const basic = (id: string, key: string) => ({
  authorization: `Basic ${Buffer.concat([Buffer.from(`${id}:`), Buffer.from(key, 'hex')]).toString('base64')}`,
})

test(
  'security upgrade - from 0 to 3, the process killed in the middle of steps, and every lower way is closed then',
  inFullSuite,
  async (t) => {
    const id = 'UPGRADE-1'
    const first = await startService(t, { flags, authority: ca })
    await first.register(id)
    let service = first
    /** What it takes, but never answers, because the service is killed with it. */
    const kills = ['ChangeConfiguration AuthorizationKey', 'ChangeConfiguration SecurityProfile 2', 'CertificateSigned']
    let killed: Promise<unknown> | undefined
    let raised: Promise<unknown> = Promise.resolve()
    const box = securityBox(id, {
      ca,
      answer(what) {
        if (kills[0] !== what) return undefined
        kills.shift()
        killed = raised.then(() => service.stop('SIGKILL'))
        return null
      },
    })
    await box.connect(service)
    raised = raise(service, id, 3)
    t.match(await raised, {
      status: 202,
      body: { status: 'running', step: 'authorization_key', from_security_profile: 0, target_security_profile: 3 },
    })
    while (kills.length > 0) {
      await until(() => killed !== undefined)
      await killed
      killed = undefined
      service = await startService(t, { flags, authority: ca, data: first.data, key: first.key })
      await box.connect(service)
    }
    const done = await standing(service, id, ({ status }) => status !== 'running')
    t.match(done, { status: 'completed', security_profile: 3, step: null, missing: [], begun_by: String })
    t.equal(box.authority()?.trim(), ca.replaceAll('\r', '').trim(), 'it trusts the authority at the end of the chain')
    t.equal(box.profile(), 3)
    t.equal(box.asked.filter((what) => what === 'CertificateSigned').length, 2, 'the first answer was lost')
    const url = `${service.ocppUrl}/${id}`
    await t.rejects(connectOcpp(url, { tls: { ca } }), /HTTP 403/, 'by its id alone')
    const headers = basic(id, box.password() ?? '')
    await t.rejects(connectOcpp(url, { tls: { ca }, headers }), /HTTP 403/, 'with its password')
    t.match(await raise(service, id, 2), { status: 409, body: { error: { code: 'security_profile_downgrade' } } })
    t.match(await raise(service, id, 3), { status: 409, body: { error: { code: 'security_profile_reached' } } })
    t.match(await raise(service, id, 1), { status: 409, body: { error: { code: 'security_profile_not_served' } } })
    const { body } = await service.request('GET', '/api/v1/events?types=security_profile.upgrade_completed')
    t.match(body.data, [{ data: { charge_point_id: id, from_security_profile: 0, security_profile: 3 } }])
    await box.close()
    await t.test('one that refuses a step, at whichever, has failed there and is let in as before', (t) =>
      refusals(t, service),
    )
    await t.test('one that does not come in the new way is waited for, and let in as before', (t) =>
      fallback(t, service),
    )
  },
)

/** What it refuses, by the step that this ends. */
const refusable = [
  ['authorization_key', 'ChangeConfiguration AuthorizationKey'],
  ['authority_certificate', 'InstallCertificate'],
  ['security_profile', 'ChangeConfiguration SecurityProfile 2'],
  ['client_certificate', 'ExtendedTriggerMessage SignChargePointCertificate'],
  ['client_certificate', 'CertificateSigned'],
  ['security_profile', 'ChangeConfiguration SecurityProfile 3'],
] as const

async function refusals(t: Test, service: Service): Promise<void> {
  const each = refusable.map(async ([step, refused], at) => {
    const id = `REFUSES-${at}`
    await service.register(id)
    const answer = (what: string) => (what === refused ? { status: 'Rejected' } : undefined)
    const box = securityBox(id, { ca, answer })
    await box.connect(service)
    t.match(await raise(service, id, 3), { status: 202 })
    const failed = await standing(service, id, ({ status }) => status !== 'running')
    t.match(failed, { status: 'failed', reason: 'refused', step, target_security_profile: 3 }, refused)
    t.equal(box.asked.at(-1), refused)
    const again = await box.connect(service)
    t.match(await again.call('Heartbeat', {}), { error: undefined }, `as before, where it has refused ${refused}`)
    await box.close()
  })
  await Promise.all(each)
}

async function fallback(t: Test, service: Service): Promise<void> {
  const id = 'FALLS-BACK'
  await service.register(id)
  const box = securityBox(id, {
    ca,
    answer: (what) => (what === 'ChangeConfiguration SecurityProfile 2' ? { status: 'Accepted' } : undefined),
  })
  await box.connect(service)
  await raise(service, id, 2)
  await standing(service, id, ({ step }) => step === 'reconnection')
  const again = await box.connect(service)
  t.match(await again.call('Heartbeat', {}), { error: undefined })
  const waiting = await standing(service, id, ({ steps }) => steps.at(-1).detail !== null)
  t.match(waiting, { status: 'running', missing: ['reconnection'], since: String, until: String, security_profile: 0 })
  t.equal(Date.parse(waiting.until) - Date.parse(waiting.begun_at), 24 * 3_600_000)
  t.match(waiting.steps.at(-1), { detail: 'It has come back with security profile 0.' })
  await box.close()
}

test('security upgrade - without TLS, a charge point is let in without its password until it has come with it', async (t) => {
  const service = await sharedService()
  const id = 'UPGRADE-2'
  await service.register(id)
  t.match(await service.request('GET', pathOf(id)), { status: 200, body: { status: null, security_profile: null } })
  t.match(await raise(service, id, 1), { status: 422, body: { error: { code: 'charge_point_offline' } } })
  const url = `${service.ocppUrl}/${id}`
  // It takes the password, and the profile not before it is asked a second time.
  const box = securityBox(id, {
    answer: (what) =>
      what === 'ChangeConfiguration SecurityProfile 1' && box.asked.length < 3 ? { status: 'Rejected' } : undefined,
  })
  await box.connect(service)
  t.match(await raise(service, id, 2), { status: 409, body: { error: { code: 'security_profile_not_served' } } })
  t.match(await raise(service, id, 1), { status: 202 })
  const failed = await standing(service, id, ({ status }) => status !== 'running')
  t.match(failed, {
    status: 'failed',
    reason: 'refused',
    step: 'security_profile',
    missing: ['security_profile', 'reconnection'],
  })
  const { body } = await service.request('GET', '/api/v1/alerts?kind=security_profile_not_reached&status=notice')
  t.match(body.alerts, [{ charge_point_id: id, message: /the step security_profile: It answered Rejected/ }])
  const again = await box.connect(service)
  t.match(await again.call('Heartbeat', {}), { error: undefined }, 'as before')
  t.match(await raise(service, id, 1), { status: 202 })
  const done = await standing(service, id, ({ status }) => status === 'completed')
  t.match(done, { security_profile: 1, from_security_profile: 0 })
  await until(async () => {
    const refused = await connectOcpp(url).then(
      (client) => client.close().then(() => false),
      (error: Error) => /HTTP 401/.test(error.message),
    )
    return refused
  })
  const { body: row } = await service.request('GET', `/api/v1/chargepoints/${id}`)
  t.notOk('without_password' in row)
  await box.close()
})
