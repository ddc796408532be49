// Certificates are renewed without anybody: the charge point is asked for a request in time, and again until it has come with the new one.

import { test } from 'tap'
import { wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { issuedCertificate } from '../../support/issued.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const start = Date.UTC(2026, 0, 2)
const firstEnd = start + 365 * dayMs

/** With the certificate that ends first. */
const first = { securityProfile: 3, certificateExpiresAt: firstEnd, issuedCertificateFrom: start - dayMs } as const

async function connected(): Promise<ActorOverStore> {
  const secondEnd = start + 700 * dayMs
  const certificate = issuedCertificate({ validFrom: start + 334 * dayMs, expiresAt: secondEnd })
  const actor = await actorOverStore(id, { signs: { signed: true, certificate } })
  await actor.attach(1, 1, first)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  return actor
}

async function pass(actor: ActorOverStore, ms: number): Promise<void> {
  actor.clock.wall += ms
  actor.clock.monotonic += ms
  await actor.wake()
}

/** The calls that have asked for a certificate request: socket and message id. */
const questions = (actor: ActorOverStore) =>
  actor.said
    .filter((line) => line.includes('SignChargePointCertificate'))
    .map((line) => ({ connection: Number(line[0]), callId: JSON.parse(line.slice(2))[1] as string }))

test('renewal - asked for a month before the end, and again after an hour, six hours and each day', async (t) => {
  const actor = await connected()
  await pass(actor, 331 * dayMs)
  t.same(questions(actor), [], 'it is not time yet')
  await pass(actor, 3.5 * dayMs)
  t.equal(questions(actor).length, 1)
  t.ok(firstEnd - actor.clock.wall >= 30 * dayMs, 'before anybody is alerted')
  for (const [at, waitMs] of [hourMs, 6 * hourMs, dayMs, dayMs].entries()) {
    await pass(actor, waitMs - hourMs / 2)
    t.equal(questions(actor).length, at + 1, 'not sooner')
    await pass(actor, hourMs / 2)
    t.equal(questions(actor).length, at + 2)
  }
})

test('renewal - once the charge point has taken the new certificate, it is not asked any more; coming with it begins anew', async (t) => {
  const actor = await connected()
  await pass(actor, 334.5 * dayMs)
  const [question] = questions(actor)
  await actor.frame(1, [3, question?.callId, { status: 'Accepted' }])
  await actor.frame(1, [2, 'sign', 'SignCertificate', { csr: 'a request' }])
  const sent = JSON.parse(actor.said.at(-1)?.slice(2) ?? '')
  t.equal(sent[2], 'CertificateSigned')
  await actor.frame(1, [3, sent[1], { status: 'Accepted' }])
  await pass(actor, 6 * dayMs)
  t.equal(questions(actor).length, 1)
  await pass(actor, dayMs)
  t.equal(questions(actor).length, 2, 'it has not come with it for a week')
  const second = { certificateExpiresAt: start + 700 * dayMs, issuedCertificateFrom: start + 334 * dayMs }
  await actor.attach(2, 2, { securityProfile: 3, ...second })
  await pass(actor, 20 * dayMs)
  t.equal(questions(actor).length, 2)
  await pass(actor, 310 * dayMs)
  t.equal(questions(actor).length, 3, 'a month before the end of the new one')
})

test('renewal - a charge point that is away is asked a minute after it has come back, whatever has ended meanwhile', async (t) => {
  const actor = await connected()
  await actor.detach(1)
  await pass(actor, 340 * dayMs)
  t.same(questions(actor), [])
  t.notOk(
    actor
      .view()
      .list(wakeUpsTable, [])
      .some(({ reason }) => reason === 'renew-certificate'),
    'nothing looks for it',
  )
  actor.restart()
  await actor.attach(2, 2, first)
  await pass(actor, 30_000)
  t.same(questions(actor), [])
  actor.restart('shard')
  await actor.attach(2, 2, first)
  await pass(actor, 30_000)
  t.match(questions(actor), [{ connection: 2 }])
})

test('renewal - neither without an authority nor for a certificate that has ended; one of a week is renewed in its last days', async (t) => {
  const without = await actorOverStore(id)
  await without.attach(1, 1, first)
  t.same(without.view().list(wakeUpsTable, []), [])
  const ended = await connected()
  await ended.detach(1)
  await pass(ended, 366 * dayMs)
  await ended.attach(2, 2, { securityProfile: 2 })
  await pass(ended, dayMs)
  t.same(questions(ended), [])
  const short = await connected()
  const week = { certificateExpiresAt: start + 7 * dayMs, issuedCertificateFrom: start - dayMs }
  await short.attach(2, 2, { securityProfile: 3, ...week })
  await pass(short, 4 * dayMs)
  t.same(questions(short), [])
  await pass(short, dayMs)
  t.equal(questions(short).length, 1)
})
