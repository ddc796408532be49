// A charge point asks for its certificate and gets it from the operator's authority (security whitepaper, A02).

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import forge from 'node-forge'
import { test } from 'tap'
import { makeCertificate } from '../edge/certificates.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'

const authority = makeCertificate({ commonName: 'Charge point authority' })
const serverAuthority = makeCertificate({ commonName: 'Server authority' })
const server = makeCertificate({ commonName: 'ampshard', issuer: serverAuthority, server: true })
const ca = serverAuthority.certificatePem

/** A request for `commonName`, and the key that it belongs to. */
function certificateRequest(commonName: string): { readonly csr: string; readonly keyPem: string } {
  const keys = forge.pki.rsa.generateKeyPair(2048)
  const request = forge.pki.createCertificationRequest()
  request.publicKey = keys.publicKey
  request.setSubject([{ name: 'commonName', value: commonName }])
  request.sign(keys.privateKey, forge.md.sha256.create())
  return { csr: forge.pki.certificationRequestToPem(request), keyPem: forge.pki.privateKeyToPem(keys.privateKey) }
}

test('sign certificate - a charge point gets a certificate in its own name, and connects with it', async (t) => {
  const folder = t.testdir({})
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const flags = [
    ['--tls-key-file', file('key.pem', server.keyPem)],
    ['--tls-certificate-file', file('certificate.pem', server.certificatePem)],
    ['--tls-client-ca-file', file('authority.pem', authority.certificatePem)],
    ['--client-ca-key-file', file('authority-key.pem', authority.keyPem)],
  ].flat()
  const service = await startService(t, { flags, authority: ca })
  await service.register('CP-1')
  const url = `${service.ocppUrl}/CP-1`
  const plain = await connectOcpp(url, { tls: { ca } })
  await plain.boot()

  const another = certificateRequest('CP-2')
  t.match(await plain.call('SignCertificate', { csr: another.csr }), { payload: { status: 'Accepted' } })
  const own = certificateRequest('CP-1')
  t.match(await plain.call('SignCertificate', { csr: own.csr }), { payload: { status: 'Accepted' } })
  const [, , action, payload] = await plain.answerNext({ status: 'Accepted' })
  t.equal(action, 'CertificateSigned')
  const { certificateChain: chain } = payload as { certificateChain: string }
  const certificate = forge.pki.certificateFromPem(chain)
  t.equal(certificate.subject.getField('CN').value, 'CP-1', "another one's name is not signed")
  t.ok(forge.pki.certificateFromPem(authority.certificatePem).verify(certificate), 'the authority has signed it')

  const secured = await connectOcpp(url, { tls: { ca, key: own.keyPem, cert: chain } })
  t.match(await secured.call('Heartbeat', {}), { error: undefined })
})

test('sign certificate - without an authority the request is rejected', async (t) => {
  const service = await startService(t)
  await service.register('CP-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  const { csr } = certificateRequest('CP-1')
  t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Rejected' } })
})
