// Client certificates, once the TLS layer has verified them: whose they are (security profile 3).

import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { test } from 'tap'
import { authenticate } from '../../src/edge/authenticate.js'
import type { ChargePoint } from '../../src/records/charge-point.js'
import { registeredRow } from '../support/registration.js'
import { makeCertificate } from './certificates.js'

const chargePoint = registeredRow('CP-1', { connector_count: 1, serial_number: 'SN 42' })

const check = (certificatePem: string, more: Partial<ChargePoint> = {}, cpoName?: string, now = Date.now()) =>
  authenticate({ ...chargePoint, ...more }, { authorization: '', tls: true, certificatePem, cpoName, now })

test('client certificate - its common name is the id or the serial number', (t) => {
  for (const commonName of ['CP-1', 'SN 42'])
    t.match(check(makeCertificate({ commonName }).certificatePem), { ok: true, securityProfile: 3 }, commonName)
  for (const commonName of ['CP-2', 'CP-1 ', 'xCP-1', 'O=x, CN=CP-1'])
    t.match(
      check(makeCertificate({ commonName }).certificatePem),
      { ok: false, status: 403, reason: 'wrong_certificate' },
      commonName,
    )
  t.end()
})

test('client certificate - where one is required, none is refused, whatever the password', (t) => {
  t.match(check('', { certificate_required: true }), { ok: false, status: 403, reason: 'no_certificate' })
  t.match(check('', { certificate_required: false }), { ok: true })
  t.match(check(makeCertificate({ commonName: 'CP-1' }).certificatePem, { certificate_required: true }), { ok: true })
  t.end()
})

test('client certificate - one that has expired, or is not valid yet, is refused where a TLS session is resumed with it', (t) => {
  const { certificatePem } = makeCertificate({ commonName: 'CP-1' })
  const { validFrom, validTo } = new X509Certificate(certificatePem)
  const at = (now: number) => check(certificatePem, {}, undefined, now)
  const refused = { ok: false, status: 403, reason: 'expired_certificate' }
  t.match(at(Date.parse(validFrom)), { ok: true })
  t.match(at(Date.parse(validFrom) - 1), refused)
  t.match(at(Date.parse(validTo) - 1), { ok: true })
  t.match(at(Date.parse(validTo)), refused)
  t.end()
})

test('client certificate - a text that is none is a wrong one', (t) => {
  t.match(check('no certificate'), { ok: false, status: 403, reason: 'wrong_certificate', advice: /missing/ })
  t.end()
})

test('client certificate - a serial number may have any characters', (t) => {
  for (const commonName of ['SN,42', 'SN+42', '#42', 'SN"42\\', 'SN <42>; x=y']) {
    const made = makeCertificate({ commonName }).certificatePem
    t.match(check(made, { serial_number: commonName }), { ok: true, securityProfile: 3 }, commonName)
  }
  t.end()
})

test("client certificate - where the operator's name is set, the organization must contain it", (t) => {
  const cpoName = 'Exämple, Charging'
  const made = (...organizations: string[]) => makeCertificate({ commonName: 'CP-1', organizations }).certificatePem
  for (const organizations of [
    ['Exämple, Charging'],
    ['EXÄMPLE, Charging Ltd'],
    ['Somebody Else Ltd', 'Exämple, Charging'],
  ])
    t.match(check(made(...organizations), {}, cpoName), { ok: true, securityProfile: 3 }, organizations.join(' and '))
  for (const organizations of [[], ['Somebody Else Ltd'], ['Exämple'], ['']])
    t.match(
      check(made(...organizations), {}, cpoName),
      { ok: false, status: 403, reason: 'wrong_organization', advice: /must contain "Exämple, Charging"; it is / },
      organizations.join(' and '),
    )
  t.match(check(made('Somebody Else Ltd')), { ok: true }, 'not looked at unless it is set')
  t.end()
})

test('client certificate - whoever opens a TLS connection after one was read can do so', (t) => {
  const { certificatePem } = makeCertificate({ commonName: 'CP-1' })
  const credentials = JSON.stringify({ authorization: '', tls: true, certificatePem, now: Date.now() })
  // In a process that has done nothing else before.
  const program = `
    import { authenticate } from ${JSON.stringify(new URL('../../src/edge/authenticate.js', import.meta.url).href)}
    const { ok } = authenticate(${JSON.stringify(chargePoint)}, ${credentials})
    const { createSecureContext } = await import('node:tls')
    console.log(ok, typeof createSecureContext)`
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  t.equal(run.stdout, 'true function\n', run.stderr)
  t.end()
})
