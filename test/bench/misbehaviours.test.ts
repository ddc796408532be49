// What the simulated charge point does wrong when it is told to: each misbehaviour, in time that passes when the test says so.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { misbehaviours } from '../../bench/charge-point/misbehaviours.js'
import { newCertificateRequest } from '../../bench/client/certificate-request.js'
import { readCertificateRequest } from '../../src/jobs/pki/certificate-request.js'
import { generateCertificate } from '../../src/jobs/pki/generate-certificate.js'
import { signingAuthority } from '../../src/jobs/pki/signing-authority.js'
import { callsOf, createWorld, type Payload, type World } from './world.js'

function booted(name: keyof typeof misbehaviours): World {
  const world = createWorld({ misbehaviour: misbehaviours[name], rebootMs: 1_000 })
  world.chargePoint.start()
  world.pass(1_000)
  return world
}

/** Undefined where it was not answered. */
function answer(world: World, action: string, payload: Payload): Payload | undefined {
  const before = world.sent.length
  world.command(action, payload)
  const frame = world.sent.slice(before).find(([, [type]]) => type === 3)?.[1]
  return frame?.[2] as Payload | undefined
}

const heartbeatInterval = { key: 'HeartbeatInterval', value: '77' }

function reported(world: World): unknown {
  const { configurationKey } = answer(world, 'GetConfiguration', { key: ['HeartbeatInterval'] }) ?? {}
  return (configurationKey as { value: string }[] | undefined)?.[0]?.value
}

test('misbehaviours - it restarts over each key, and has taken the value', (t) => {
  const world = booted('reboots-at-each-key')
  t.equal(answer(world, 'ChangeConfiguration', heartbeatInterval), undefined)
  // An interval would be a value of its own.
  world.answers.BootNotification = () => ({ status: 'Accepted' })
  world.pass(5_000)
  t.equal(callsOf(world, 'BootNotification').length, 2)
  t.equal(reported(world), '77')
  t.end()
})

test('misbehaviours - it accepts a value, and keeps the old one', (t) => {
  const world = booted('keeps-old-values')
  t.same(answer(world, 'ChangeConfiguration', heartbeatInterval), { status: 'Accepted' })
  t.equal(reported(world), '300')
  t.same(answer(world, 'ChangeConfiguration', { key: 'NoSuchKey', value: '1' }), { status: 'NotSupported' })
  t.end()
})

test('misbehaviours - it rejects a remote start', (t) => {
  const world = booted('refuses-remote-starts')
  t.same(answer(world, 'RemoteStartTransaction', { connectorId: 1, idTag: 'T' }), { status: 'Rejected' })
  world.pass(10_000)
  t.equal(callsOf(world, 'Authorize').length, 0)
  t.end()
})

for (const seconds of [59, 61] as const)
  test(`misbehaviours - it is away for ${seconds} seconds after its first command, once, and does not boot anew`, (t) => {
    const world = booted(`away-for-${seconds}-seconds`)
    t.ok(answer(world, 'ClearCache', {}), 'the command is answered')
    t.notOk(world.chargePoint.connected)
    world.pass((seconds - 1) * 1_000)
    t.notOk(world.chargePoint.connected)
    world.pass(1_100)
    t.ok(world.chargePoint.accepted)
    t.ok(answer(world, 'ClearCache', {}))
    t.ok(world.chargePoint.connected)
    t.equal(callsOf(world, 'BootNotification').length, 1)
    t.end()
  })

test('misbehaviours - it comes back with another serial number after its first command', (t) => {
  const world = booted('another-serial-number')
  t.ok(answer(world, 'ClearCache', {}))
  world.pass(5_000)
  t.ok(answer(world, 'ClearCache', {}))
  world.pass(5_000)
  t.same(
    callsOf(world, 'BootNotification').map(({ payload }) => payload.chargePointSerialNumber),
    ['CP-1', 'CP-1-B'],
  )
  t.end()
})

test('misbehaviours - requests for certificates that the service refuses, each for its reason', async (t) => {
  const read = async (flaw: 'weak-key' | 'wrong-name' | 'too-long') => {
    const request = await newCertificateRequest('Example', 'CP-1', flaw)
    return readCertificateRequest(request, { names: ['CP-1'], cpoName: 'Example' })
  }
  await t.rejects(read('weak-key'), /RSA key has 1024 bits/)
  await t.rejects(read('wrong-name'), /common name is "NOT-CP-1"/)
  const { length } = await newCertificateRequest('Example', 'CP-1', 'too-long')
  t.ok(length > 10_000 && length < 12_000, `${length} characters`)
  const flaws: unknown[] = []
  for (const name of ['weak-key', 'wrong-name', 'long-request'] as const) {
    const world = createWorld({
      misbehaviour: misbehaviours[name],
      certificateRequest: async (_organization, _serialNumber, flaw) => {
        flaws.push(flaw)
        return 'a request'
      },
    })
    world.chargePoint.start()
    world.pass(1_000)
    await Promise.resolve()
    world.pass(1_000)
    t.match(callsOf(world, 'SignCertificate'), [{ payload: { csr: 'a request' } }])
  }
  t.same(flaws, ['weak-key', 'wrong-name', 'too-long'])
})

test('misbehaviours - a clock that is behind refuses a certificate which begins later, and takes one that does not', (t) => {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(() => rmSync(data, { recursive: true, force: true }))
  const now = Date.now()
  const authority = signingAuthority({ data }, now)
  const wanted = { commonName: 'CP-1', registration: '0011223344556677', validityDays: 30, keyType: 'p-256' } as const
  const made = generateCertificate({ organization_id: 'org_1', ...wanted }, undefined, authority, now)
  const certificateChain = made.made ? made.certificate.certificatePem : ''
  for (const [name, status] of [
    ['clock-23-hours-behind', 'Accepted'],
    ['clock-25-hours-behind', 'Rejected'],
  ] as const) {
    const world = createWorld({ misbehaviour: misbehaviours[name], now: () => now })
    world.chargePoint.start()
    world.pass(1_000)
    t.same(answer(world, 'CertificateSigned', { certificateChain }), { status }, name)
  }
  t.end()
})
