// Who gets a certificate, and how often: what comes too early or from a stranger costs no job.

import { test } from 'tap'
import { certificatesTable } from '../../../src/records/certificate.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { issuedCertificate } from '../../support/issued.js'
import { registeredRow } from '../../support/registration.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const id = 'CP-1'
const boot = { chargePointVendor: 'V', chargePointModel: 'M' }
const signs = { signed: true, certificate: issuedCertificate() } as const
const withAuthority = () => actorOverStore(id, { signs })

let asked = 0
/** What becomes of a request over a socket. */
async function ask(actor: ActorOverStore, connection: number): Promise<unknown> {
  const messageId = `sign-${++asked}`
  await actor.frame(connection, [2, messageId, 'SignCertificate', { csr: 'a request' }])
  const answer = actor.said.find((line) => line.startsWith(`${connection} [3,"${messageId}"`))
  return JSON.parse(answer?.slice(answer.indexOf('[')) ?? '[]')[2]?.status
}

test('sign certificate - once a minute for a charge point, however often it connects', async (t) => {
  const actor = await withAuthority()
  await actor.attach(1, 1, { securityProfile: 2 })
  await actor.call(1, 'BootNotification', boot)
  t.equal(await ask(actor, 1), 'Accepted')
  t.equal(await ask(actor, 1), 'Rejected')
  await actor.attach(2, 2, { securityProfile: 3 })
  t.equal(await ask(actor, 2), 'Rejected')
  actor.clock.wall += 60_000
  actor.clock.monotonic += 60_000
  t.equal(await ask(actor, 2), 'Accepted')
})

test('sign certificate - not over a socket that has shown the id alone, nor over one that another has replaced', async (t) => {
  const actor = await withAuthority()
  for (const [at, securityProfile] of ([0, 1] as const).entries()) {
    await actor.attach(at + 1, at + 1, { securityProfile })
    await actor.call(at + 1, 'BootNotification', boot)
    t.equal(await ask(actor, at + 1), 'Rejected', `profile ${securityProfile}`)
  }
  await actor.attach(3, 3, { securityProfile: 2 })
  t.equal(await ask(actor, 2), 'Rejected', 'what its successor has shown is not its own')
  t.equal(await ask(actor, 3), 'Accepted')
})

test('sign certificate - one that is revoked while it is signed is not sent, and not listed; the charge point may ask again at once', async (t) => {
  const revocations = ['2026-01-01T00:00:00.000Z']
  const actor = await actorOverStore(id, {
    signs,
    async whileSigning({ put }) {
      const certificates_revoked_at = revocations.pop()
      if (certificates_revoked_at !== undefined)
        await put(chargePointsTable, registeredRow(id, { certificates_revoked_at }))
    },
  })
  await actor.attach(1, 1, { securityProfile: 2 })
  await actor.call(1, 'BootNotification', boot)
  t.equal(await ask(actor, 1), 'Rejected')
  t.notOk(actor.said.some((line) => line.includes('CertificateSigned')))
  t.same(actor.view().list(certificatesTable, []), [])
  await actor.ask({ type: 'registration-changed' })
  t.equal(await ask(actor, 1), 'Accepted')
  t.equal(actor.view().list(certificatesTable, []).length, 1)
})

test('sign certificate - a good one makes no room for another: with fifty of them, a request is rejected', async (t) => {
  const actor = await withAuthority()
  await actor.attach(1, 1, { securityProfile: 2 })
  await actor.call(1, 'BootNotification', boot)
  const answers: unknown[] = []
  while (answers.length < 51) {
    answers.push(await ask(actor, 1))
    actor.clock.wall += 60_000
    actor.clock.monotonic += 60_000
  }
  t.same(new Set(answers.slice(0, 50)), new Set(['Accepted']))
  t.equal(answers[50], 'Rejected')
  t.equal(actor.view().list(certificatesTable, []).length, 50)
})
