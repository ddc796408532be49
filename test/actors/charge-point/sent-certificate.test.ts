// A certificate that was signed and sent: the operator learns when it is not installed, whatever ends before the answer.

import { test } from 'tap'
import { alertsTable } from '../../../src/records/alert.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { issuedCertificate } from '../../support/issued.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const expiresAt = Date.UTC(2027, 0, 2)
const minuteMs = 60_000
/** Only such a socket gets certificates. */
const proven = { securityProfile: 2 } as const

interface Sent {
  readonly actor: ActorOverStore
  /** Of the CertificateSigned that waits for its answer. */
  readonly callId: string
}

/** The charge point has asked for a certificate over socket 1, and was sent one. */
async function sent(): Promise<Sent> {
  const actor = await actorOverStore(id, { signs: { signed: true, certificate: issuedCertificate({ expiresAt }) } })
  await actor.attach(1, 1, proven)
  await actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  return { actor, callId: await askAgain(actor) }
}

/** The id of the CertificateSigned that follows. */
async function askAgain(actor: ActorOverStore): Promise<string> {
  await actor.frame(1, [2, `sign-${actor.said.length}`, 'SignCertificate', { csr: 'a request' }])
  const frame = JSON.parse(actor.said.at(-1)?.slice(2) ?? '')
  if (frame[2] !== 'CertificateSigned') throw new Error(`no certificate was sent: ${actor.said.at(-1)}`)
  return frame[1]
}

async function pass(actor: ActorOverStore, ms: number): Promise<void> {
  actor.clock.wall += ms
  actor.clock.monotonic += ms
  await actor.wake()
}

const notices = (actor: ActorOverStore): readonly string[] =>
  actor
    .view()
    .list(alertsTable, [])
    .map(({ kind, status, organization_id, message }) => `${organization_id} ${kind} ${status}: ${message}`)

const told = (why: string) =>
  `org_1 certificate_not_installed notice: the charge point has not installed the certificate that was signed for it: ${why}`

const waiting = (actor: ActorOverStore) =>
  actor
    .view()
    .list(wakeUpsTable, [])
    .filter(({ reason }) => reason === 'certificate-sent')

test('sent certificate - one that is accepted is told nobody, and nothing waits for it any more', async (t) => {
  const { actor, callId } = await sent()
  t.match(waiting(actor), [{ id, reason: 'certificate-sent' }])
  await actor.frame(1, [3, callId, { status: 'Accepted' }])
  t.same(waiting(actor), [])
  await pass(actor, 3 * minuteMs)
  t.same(notices(actor), [])
})

test('sent certificate - one that is refused or answered with an error is told at once, with the reason', async (t) => {
  const answers = [
    [{ status: 'Rejected' }, 'it answered Rejected'],
    [{}, 'its answer is neither Accepted nor Rejected'],
    [null, 'its answer is neither Accepted nor Rejected'],
  ] as const
  for (const [payload, why] of answers) {
    const { actor, callId } = await sent()
    await actor.frame(1, [3, callId, payload])
    t.same([notices(actor), waiting(actor)], [[told(why)], []])
    t.match(actor.events('alert.triggered'), [{ kind: 'certificate_not_installed', lasts: false }])
  }
  const { actor, callId } = await sent()
  await actor.frame(1, [4, callId, 'NotSupported', 'no such action', {}])
  t.same([notices(actor), waiting(actor)], [[told('it answered with the error NotSupported no such action')], []])
})

test('sent certificate - a charge point that stays silent is told once its time is over, and once', async (t) => {
  const { actor, callId } = await sent()
  await pass(actor, minuteMs)
  await actor.ask({ type: 'wake-up', reason: 'certificate-sent' })
  t.same(notices(actor), [], 'its time is not over')
  await pass(actor, minuteMs)
  const silent = [told('it has not answered within 2 minutes')]
  t.same([notices(actor), waiting(actor)], [silent, []])
  await pass(actor, 61 * minuteMs)
  await actor.frame(1, [3, callId, { status: 'Rejected' }])
  t.same(notices(actor), silent, 'nor for a late answer')
})

test('sent certificate - what ends before the answer loses neither the refusal nor the silence', async (t) => {
  const refused = await sent()
  refused.actor.restart()
  await refused.actor.attach(1, 1)
  await refused.actor.frame(1, [3, refused.callId, { status: 'Rejected' }])
  t.same(notices(refused.actor), [told('it answered Rejected')])
  const { actor: silent } = await sent()
  silent.restart()
  await pass(silent, 2 * minuteMs)
  t.same(notices(silent), [told('it has not answered within 2 minutes')])
})

test('sent certificate - a charge point that connects with it has installed it, although its answer was lost', async (t) => {
  const { actor } = await sent()
  await actor.detach(1)
  await pass(actor, 30_000)
  const connectedAt = actor.clock.wall
  await actor.attach(2, 2, { securityProfile: 3, certificateExpiresAt: expiresAt, connectedAt })
  await pass(actor, 2 * minuteMs)
  t.same([notices(actor), waiting(actor)], [[], []])
})

test('sent certificate - of two, the one that was asked for last counts', async (t) => {
  const { actor, callId } = await sent()
  await pass(actor, minuteMs)
  const second = await sentAfterTimeout(actor)
  await actor.frame(1, [3, callId, { status: 'Rejected' }])
  await pass(actor, minuteMs + 1)
  t.same(notices(actor), [], 'the time of the second is not over')
  await actor.frame(1, [3, second, { status: 'Accepted' }])
  await pass(actor, 10 * minuteMs)
  t.same(notices(actor), [])
})

/** The first call is not outstanding any more: its own time in the queue was over. */
async function sentAfterTimeout(actor: ActorOverStore): Promise<string> {
  actor.restart()
  await actor.attach(1, 1, proven)
  return askAgain(actor)
}

test('sent certificate - who registers the id next hears nothing of it', async (t) => {
  const { actor } = await sent()
  const row = actor.view().get(chargePointsTable, [id])
  if (row === undefined) throw new Error('it is not registered')
  await actor.put(chargePointsTable, { ...row, organization_id: 'org_2' })
  await actor.ask({ type: 'registration-changed' })
  await pass(actor, 2 * minuteMs)
  t.same([notices(actor), waiting(actor)], [[], []])
})
