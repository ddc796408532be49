// The way of a charge point to a higher security profile, by a clock that only moves when told: what it is sent, what becomes of its
// answers, and which way in is open meanwhile.

import { type Test, test } from 'tap'
import type { Signing } from '../../../src/actors/charge-point/messages.js'
import { alertsTable } from '../../../src/records/alert.js'
import { certificatesTable } from '../../../src/records/certificate.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { securityUpgradesTable } from '../../../src/records/security-upgrade.js'
import { wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { issuedCertificate } from '../../support/issued.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const signs = { signed: true, certificate: issuedCertificate() } as const
const pem = '-----BEGIN CERTIFICATE-----'

async function booted(securityProfile: 0 | 1 | 2 | 3 = 0, signing: Signing = signs): Promise<ActorOverStore> {
  const actor = await actorOverStore(id, { signs: signing })
  await actor.attach(1, 1, { securityProfile })
  await boot(actor, 1)
  return actor
}

const boot = (actor: ActorOverStore, connection: number) =>
  actor.call(connection, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })

async function pass(actor: ActorOverStore, ms: number): Promise<void> {
  actor.clock.wall += ms
  actor.clock.monotonic += ms
  await actor.wake()
}

let asked = 0
const begin = (actor: ActorOverStore, to: number, authority: object = { pem }) =>
  actor.ask({
    type: 'begin-security-upgrade',
    upgradeId: `sup_${++asked}`,
    organizationId: 'org_1',
    to,
    begunBy: 'tester',
    authority,
  }) as Promise<{ type: string; securityProfile?: number }>

/** The newest call of the service that has no answer yet. */
function lastCall(actor: ActorOverStore): {
  connection: number
  id: string
  what: string
  payload: Record<string, string>
} {
  const line = actor.said.filter((one) => /^\d+ \[2,/.test(one)).at(-1) ?? ''
  const [, messageId, action, payload] = JSON.parse(line.slice(line.indexOf('[')))
  const what = [action, payload.key ?? payload.certificateType ?? payload.requestedMessage ?? payload.type].join(' ')
  return { connection: Number(line.slice(0, line.indexOf(' '))), id: messageId, what, payload }
}

/** Answers the newest call, which has to be this one. */
async function answer(t: Test, actor: ActorOverStore, what: string, payload: object): Promise<void> {
  const call = lastCall(actor)
  t.equal(call.what, what)
  await actor.frame(call.connection, [3, call.id, payload])
}

const accepts = (t: Test, actor: ActorOverStore, what: string) => answer(t, actor, what, { status: 'Accepted' })
const upgradeOf = (actor: ActorOverStore) => actor.view().get(securityUpgradesTable, [id])
const registration = (actor: ActorOverStore) => actor.view().get(chargePointsTable, [id])
const steps = (actor: ActorOverStore) =>
  upgradeOf(actor)?.steps.map(({ name, security_profile, status }) => `${name} ${security_profile} ${status}`)
const notices = (actor: ActorOverStore) =>
  actor
    .view()
    .list(alertsTable, [])
    .map(({ kind, message }) => `${kind}: ${message}`)

const changeKey = 'ChangeConfiguration AuthorizationKey'
const install = 'InstallCertificate CentralSystemRootCertificate'
const changeProfile = 'ChangeConfiguration SecurityProfile'
const askToSign = 'ExtendedTriggerMessage SignChargePointCertificate'

/** As the front does when it comes with its password. */
async function requirePassword(actor: ActorOverStore): Promise<void> {
  const { without_password: _, ...row } = registration(actor) ?? missing()
  await actor.put(chargePointsTable, row)
}

function missing(): never {
  throw new Error('there is no registration')
}

test('security upgrade - from 0 to 3 by 2: each step once it is due, and the old way is open until the new one was taken', async (t) => {
  const actor = await booted(0)
  t.equal((await begin(actor, 3)).type, 'begun')
  t.same(steps(actor), [
    'authorization_key 2 running',
    'authority_certificate 2 pending',
    'security_profile 2 pending',
    'reconnection 2 pending',
    'client_certificate 3 pending',
    'security_profile 3 pending',
    'reconnection 3 pending',
  ])
  t.match(lastCall(actor).payload.value, /^[0-9a-f]{40}$/)
  t.match(registration(actor), { authorization_key: Object, without_password: true })
  t.notOk(JSON.stringify(upgradeOf(actor)).includes(lastCall(actor).payload.value ?? ''), 'only its hash is stored')
  await accepts(t, actor, changeKey)
  await accepts(t, actor, install)
  await accepts(t, actor, changeProfile)
  await actor.detach(1)
  await actor.attach(2, 2, { securityProfile: 2 })
  await requirePassword(actor)
  await boot(actor, 2)
  await pass(actor, 1_000)
  await accepts(t, actor, askToSign)
  await actor.frame(2, [2, 'sign', 'SignCertificate', { csr: 'a request' }])
  await accepts(t, actor, 'CertificateSigned ')
  t.equal(lastCall(actor).payload.value, '3')
  await accepts(t, actor, changeProfile)
  await pass(actor, 30_000)
  t.match(upgradeOf(actor), { status: 'running' }, 'it is still there with the old connection')
  await actor.attach(3, 3, { securityProfile: 3 })
  await boot(actor, 3)
  await pass(actor, 1_000)
  t.match(upgradeOf(actor), { status: 'completed', from: 0, to: 3, ended_at: String })
  t.ok(steps(actor)?.every((step) => step.endsWith(' passed')))
  t.same(
    ['started', 'completed', 'failed'].map((what) => actor.events(`security_profile.upgrade_${what}`).length),
    [1, 1, 0],
  )
  t.same(notices(actor), [])
  t.match(actor.view().get(chargePointStatesTable, [id]), { security_profile: 3, is_upgrading: undefined })
  t.notOk(
    actor
      .view()
      .list(wakeUpsTable, [])
      .some(({ reason }) => reason === 'security-upgrade'),
  )
})

test('security upgrade - what is lower, there already, under way, or at nobody connected is refused', async (t) => {
  const actor = await booted(2)
  t.same(await begin(actor, 1), { type: 'reached', securityProfile: 2 })
  t.same(await begin(actor, 2), { type: 'reached', securityProfile: 2 })
  t.equal((await begin(actor, 3)).type, 'begun')
  t.same(await begin(actor, 3), { type: 'running' })
  const away = await booted(0)
  await away.detach(1)
  t.same(await begin(away, 1), { type: 'offline' })
})

test('security upgrade - a step that is refused ends it, says why, and leaves the charge point as it was', async (t) => {
  const rejected = { status: 'Rejected' }
  const cases = [
    { from: 0, to: 1, before: [], at: changeKey, step: 'authorization_key' },
    { from: 0, to: 1, before: [changeKey], at: changeProfile, step: 'security_profile' },
    { from: 2, to: 3, before: [], at: install, step: 'authority_certificate' },
    { from: 2, to: 3, before: [install], at: askToSign, step: 'client_certificate' },
  ] as const
  for (const { from, to, before, at, step } of cases) {
    const actor = await booted(from)
    await begin(actor, to)
    for (const what of before) await accepts(t, actor, what)
    await answer(t, actor, at, rejected)
    t.match(upgradeOf(actor), { status: 'failed', reason: 'refused' })
    t.same(notices(actor), [
      `security_profile_not_reached: the charge point has not come to security profile ${to}, because of the step ${step}: It answered Rejected.`,
    ])
    t.match(actor.events('security_profile.upgrade_failed'), [{ step, reason: 'refused', security_profile: to }])
    const { authorization_key: key, without_password: open } = registration(actor) ?? missing()
    if (at === changeKey) t.same([key, open], [undefined, undefined], 'as before')
    else if (from === 0) t.ok(key !== undefined && open === true, 'with the password, and without it')
    t.notOk(actor.said.some((line) => line.includes('closed')))
  }
  const actor = await booted(2)
  await begin(actor, 3)
  await accepts(t, actor, install)
  await accepts(t, actor, askToSign)
  await actor.frame(1, [2, 'sign', 'SignCertificate', { csr: 'a request' }])
  await answer(t, actor, 'CertificateSigned ', rejected)
  t.match(upgradeOf(actor), { status: 'failed', reason: 'refused' })
  t.match(notices(actor).join(), /because of the step client_certificate: It was sent its certificate/)
})

test('security upgrade - one that has no SecurityProfile key is restarted, and has come when it shows its password', async (t) => {
  const actor = await booted(0)
  await begin(actor, 1)
  await accepts(t, actor, changeKey)
  await answer(t, actor, changeProfile, { status: 'NotSupported' })
  await pass(actor, minuteMs - 1)
  t.equal(lastCall(actor).what, changeProfile, 'it may come by itself')
  await pass(actor, 1)
  await accepts(t, actor, 'Reset Soft')
  await actor.detach(1)
  await actor.attach(2, 2, { securityProfile: 1 })
  await boot(actor, 2)
  await pass(actor, 1_000)
  t.match(upgradeOf(actor), { status: 'completed' })
})

test('security upgrade - a charge point that charges is not restarted', async (t) => {
  const actor = await booted(0)
  await begin(actor, 1)
  const startTime = new Date(actor.clock.wall).toISOString()
  const { transactionId } = await actor.call(1, 'StartTransaction', {
    connectorId: 1,
    idTag: 'TAG',
    meterStart: 0,
    timestamp: startTime,
  })
  await accepts(t, actor, changeKey)
  await answer(t, actor, changeProfile, { status: 'RebootRequired' })
  await pass(actor, 10 * minuteMs)
  t.equal(lastCall(actor).what, changeProfile)
  t.match(upgradeOf(actor)?.steps.at(-1), { detail: 'It is restarted when no session runs.' })
  const stopped = { transactionId, meterStop: 10, timestamp: new Date(actor.clock.wall).toISOString() }
  await actor.call(1, 'StopTransaction', stopped)
  await pass(actor, 5 * minuteMs)
  t.equal(lastCall(actor).what, 'Reset Soft')
})

test('security upgrade - one that never comes back in the new way has failed after a day, and is let in as before', async (t) => {
  const actor = await booted(0)
  await begin(actor, 2)
  await accepts(t, actor, changeKey)
  await accepts(t, actor, install)
  await accepts(t, actor, changeProfile)
  await actor.detach(1)
  await pass(actor, 2 * 60 * minuteMs)
  await actor.attach(2, 2, { securityProfile: 0 })
  await boot(actor, 2)
  await pass(actor, 1_000)
  t.match(upgradeOf(actor)?.steps.at(-1), { status: 'running', detail: 'It has come back with security profile 0.' })
  await actor.detach(2)
  await pass(actor, dayMs)
  t.match(upgradeOf(actor), { status: 'failed', reason: 'deadline' })
  t.equal(registration(actor)?.without_password, true)
  t.match(notices(actor).join(), /because of the step reconnection: It has come back with security profile 0/)
})

test('security upgrade - it goes on after the end of its shard or of the service in each step, and asks before it sends again', async (t) => {
  for (const ended of ['shard', 'service'] as const) {
    const actor = await booted(0)
    await begin(actor, 2)
    const first = lastCall(actor).payload.value
    let connection = 1
    async function ends(): Promise<void> {
      actor.restart(ended)
      const isNew = ended === 'service'
      connection += isNew ? 1 : 0
      await actor.attach(connection, connection, { securityProfile: 0 })
      if (isNew) await boot(actor, connection)
      await pass(actor, 10_000)
    }
    await ends()
    t.equal(lastCall(actor).what, changeKey)
    t.not(lastCall(actor).payload.value, first, 'the first is stored nowhere')
    t.match(registration(actor), { authorization_key: Object, previous_authorization_key: Object })
    await accepts(t, actor, changeKey)
    await ends()
    await answer(t, actor, install, { status: 'Rejected' })
    t.equal(upgradeOf(actor)?.steps[1]?.status, 'skipped', 'it may have been installed the first time')
    await ends()
    await answer(t, actor, 'GetConfiguration SecurityProfile', {
      configurationKey: [{ key: 'SecurityProfile', readonly: false, value: '2' }],
    })
    await ends()
    t.match(upgradeOf(actor), { status: 'running' })
    await actor.attach(connection + 1, connection + 1, { securityProfile: 2 })
    await boot(actor, connection + 1)
    await pass(actor, 1_000)
    t.match(upgradeOf(actor), { status: 'completed' }, ended)
  }
})

test('security upgrade - a charge point that answers nothing has failed, and both its passwords are good', async (t) => {
  const actor = await booted(1)
  await actor.put(chargePointsTable, {
    ...(registration(actor) ?? missing()),
    authorization_key: { bytes_sha256: 'a', hex_sha256: 'a' },
  })
  await begin(actor, 2)
  for (let at = 0; at < 3; at++) {
    t.equal(lastCall(actor).what, changeKey)
    await pass(actor, 30_000)
    await pass(actor, 5_000)
  }
  t.match(upgradeOf(actor), { status: 'failed', reason: 'no_answer' })
  t.equal(registration(actor)?.without_password, undefined, 'it has had a password before')
  t.equal(registration(actor)?.earlier_authorization_keys?.length, 2)
})

test('security upgrade - a registration that is removed takes it along', async (t) => {
  const actor = await booted(0)
  await begin(actor, 1)
  await actor.remove(chargePointsTable, [id])
  await actor.ask({ type: 'registration-changed' })
  t.equal(upgradeOf(actor), undefined)
})

/** As the API does. */
async function revokeAll(actor: ActorOverStore): Promise<void> {
  const revoked_at = new Date(actor.clock.wall).toISOString()
  for (const row of actor.view().list(certificatesTable, [])) await actor.put(certificatesTable, { ...row, revoked_at })
  await actor.put(chargePointsTable, { ...(registration(actor) ?? missing()), certificates_revoked_at: revoked_at })
  await actor.ask({ type: 'registration-changed' })
}

test('security upgrade - one whose certificates are all revoked has failed at once, wherever it is on its way to 3', async (t) => {
  const passes: ((actor: ActorOverStore) => Promise<void>)[] = [
    async () => undefined,
    (actor) => accepts(t, actor, changeProfile),
    async (actor) => {
      await accepts(t, actor, changeProfile)
      await actor.detach(1)
    },
  ]
  // Good although those from before are not: the service does not name the registration in it, as it does in its own.
  const later = { signed: true, certificate: issuedCertificate({ validFrom: Date.UTC(2026, 0, 2, 12) }) } as const
  for (const [at, pass] of passes.entries()) {
    const actor = await booted(2, later)
    await begin(actor, 3)
    await accepts(t, actor, install)
    await accepts(t, actor, askToSign)
    await revokeAll(actor)
    t.match(upgradeOf(actor), { status: 'running' }, 'it has none yet')
    actor.clock.wall += 2_000
    await actor.frame(1, [2, 'sign', 'SignCertificate', { csr: 'a request' }])
    await accepts(t, actor, 'CertificateSigned ')
    await pass(actor)
    await actor.ask({ type: 'registration-changed' })
    t.match(upgradeOf(actor), { status: 'running' }, 'something else has changed')
    actor.clock.wall += 1_000
    await revokeAll(actor)
    const step = at === 0 ? 'security_profile' : 'reconnection'
    t.match(upgradeOf(actor), { status: 'failed', reason: 'certificates_revoked', ended_at: String })
    t.match(actor.events('security_profile.upgrade_failed'), [{ step, reason: 'certificates_revoked' }])
    t.match(notices(actor), [/All certificates of the charge point were revoked before it came with one/])
    t.notOk(
      actor.said.some((line) => line.includes('closed')),
      'the old way stays open',
    )
    t.equal((await begin(actor, 3)).type, at === 2 ? 'offline' : 'begun', 'it can be asked for again')
  }
})

test('security upgrade - certificates that are revoked while nobody hears of it are seen at the next look', async (t) => {
  const actor = await booted(2)
  await begin(actor, 3, { none: 'It was left out as requested.' })
  await accepts(t, actor, askToSign)
  await actor.frame(1, [2, 'sign', 'SignCertificate', { csr: 'a request' }])
  await accepts(t, actor, 'CertificateSigned ')
  for (const row of actor.view().list(certificatesTable, []))
    await actor.put(certificatesTable, { ...row, revoked_at: new Date(actor.clock.wall).toISOString() })
  await accepts(t, actor, changeProfile)
  t.match(upgradeOf(actor), { status: 'failed', reason: 'certificates_revoked' })
})

test('security upgrade - one that says that it will request a certificate, and does not, is asked three times', async (t) => {
  const actor = await booted(2)
  await begin(actor, 3)
  await accepts(t, actor, install)
  for (let at = 0; at < 3; at++) {
    await accepts(t, actor, askToSign)
    await pass(actor, 5 * minuteMs)
  }
  t.match(upgradeOf(actor), { status: 'failed', reason: 'no_certificate' })
})

test('security upgrade - one that connects anew before it has requested its certificate is asked again at once', async (t) => {
  const actor = await booted(2)
  await begin(actor, 3, { none: 'It was left out as requested.' })
  t.match(upgradeOf(actor)?.steps[0], { name: 'authority_certificate', status: 'skipped' })
  await accepts(t, actor, askToSign)
  await actor.attach(2, 2, { securityProfile: 2 })
  await boot(actor, 2)
  await pass(actor, 1_000)
  t.match(lastCall(actor), { connection: 2, what: askToSign })
})

test('security upgrade - restarts are an hour apart, three at most, and a look at one that waits writes nothing anew', async (t) => {
  const actor = await booted(0)
  await begin(actor, 1)
  await accepts(t, actor, changeKey)
  await accepts(t, actor, changeProfile)
  const resets = () => actor.said.filter((line) => line.includes('"Reset"')).length
  const counts: number[] = []
  for (const minutes of [1, 58, 1, 59, 1, 600]) {
    await pass(actor, minutes * minuteMs)
    if (lastCall(actor).what === 'Reset Soft') await actor.frame(1, [3, lastCall(actor).id, { status: 'Rejected' }])
    counts.push(resets())
  }
  t.same(counts, [1, 1, 2, 2, 3, 3])
  t.match(upgradeOf(actor)?.steps.at(-1), { detail: 'It was asked to restart, and answered Rejected.' })
  const before = JSON.stringify(upgradeOf(actor))
  actor.restart('shard')
  await actor.attach(1, 1)
  await pass(actor, 10_000)
  t.equal(JSON.stringify(upgradeOf(actor)), before)
})

test('security upgrade - one that is back before its answer has been looked at has come back', async (t) => {
  const actor = await booted(0)
  await begin(actor, 1)
  await accepts(t, actor, changeKey)
  await actor.together(() => {
    void accepts(t, actor, changeProfile)
    void actor.attach(2, 2, { securityProfile: 1 })
  })
  await boot(actor, 2)
  await pass(actor, 1_000)
  t.match(upgradeOf(actor), { status: 'completed' })
})

test('security upgrade - a step goes on however often the shard or the service ends over its call', async (t) => {
  const actor = await booted(0)
  await begin(actor, 2)
  for (let ends = 0; ends < 6; ends++) {
    actor.restart('shard')
    await actor.attach(1, 1, { securityProfile: 0 })
    await pass(actor, 10_000)
  }
  t.match(upgradeOf(actor), { status: 'running' })
  await accepts(t, actor, changeKey)
  t.match(upgradeOf(actor)?.steps[0], { status: 'passed', attempts: 1 })
})
