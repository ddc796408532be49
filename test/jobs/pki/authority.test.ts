// Authorities: what they sign near their ends and where a clock was wrong, what takes their place, and what is published of them.

import { X509Certificate } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, t, test } from 'tap'
import { presentAuthorities, trustedAuthorities } from '../../../src/jobs/pki/authority.js'
import { certificatesIn, readClientAuthority } from '../../../src/jobs/pki/client-authority.js'
import { generateCertificate } from '../../../src/jobs/pki/generate-certificate.js'
import { authorityName } from '../../../src/jobs/pki/issuer.js'
import { publishAuthority } from '../../../src/jobs/pki/publish-authority.js'
import { maySignLists } from '../../../src/jobs/pki/revocation-list.js'
import { signClientCertificate } from '../../../src/jobs/pki/sign-client-certificate.js'
import { signingAuthority } from '../../../src/jobs/pki/signing-authority.js'
import { makeAuthority, makeRequest, opensslFolder } from '../../support/openssl.js'

const dayMs = 86_400_000
const now = Date.now()
const folder = opensslFolder()
const wanted = {
  organization_id: 'org_1',
  commonName: 'CP-1',
  registration: '0011223344556677',
  keyType: 'p-256',
} as const

function authorityOf(name: string, more: readonly string[]) {
  makeAuthority(folder, 'P-256', name, more)
  return readClientAuthority(folder.read(`${name}.key`), folder.read(`${name}.pem`))
}

function dataOf(t: Pick<Test, 'teardown'>): string {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-authorities-'))
  t.teardown(() => rmSync(data, { recursive: true }))
  return data
}

/** How many OpenSSL finds, which reads what listeners trust. */
const certificatesSeen = (file = ''): number =>
  folder.run('storeutl', '-noout', '-certs', file).match(/Certificate/g)?.length ?? 0

const later = now + 4_400 * dayMs

/** Two that an installation has made, one years after the other: keys of RSA take seconds. */
const own = (() => {
  const data = dataOf(t)
  const first = signingAuthority({ data }, now)
  const before = trustedAuthorities({ data }, now)
  return { data, first, before, second: signingAuthority({ data }, later) }
})()

test('authority - one that ends within a day signs nothing, and says so; one that ends sooner than a certificate cuts it', (t) => {
  const usage = ['-addext', 'keyUsage=critical,keyCertSign']
  const ending = authorityOf('ending', ['-days', '1', ...usage])
  const now = Date.parse(ending.certificate.validTo) - dayMs / 2
  const reason = /^the certificate of the authority expires at 20.*, too soon to sign another$/
  const validityDays = 30
  t.match(generateCertificate({ ...wanted, validityDays }, undefined, ending, now), { made: false, reason })
  const { csr } = makeRequest(folder, 'P-256', '/CN=CP-1')
  const request = { csr, registration: wanted.registration, names: ['CP-1'] }
  t.match(signClientCertificate(request, ending, now), { signed: false, reason })
  const week = authorityOf('week', ['-days', '7', ...usage])
  const cut = signClientCertificate(request, week, now)
  t.match(cut, { signed: true, certificate: { isCut: true, expiresAt: Date.parse(week.certificate.validTo) } })
  t.match(generateCertificate({ ...wanted, validityDays: 6 }, undefined, week, now), { certificate: { isCut: false } })
  t.notOk(maySignLists(week), 'its certificate does not let it')
  t.end()
})

test('authority - the one that the installation has made is replaced before it would cut a certificate, and stays trusted to its end', (t) => {
  const none = { data: dataOf(t) }
  t.equal(trustedAuthorities(none, now), undefined)
  t.same(presentAuthorities(none, now), [], 'looking makes none')
  const { first, second, before } = own
  t.equal(authorityName(signingAuthority(own, now + 1_000 * dayMs)), authorityName(first))
  t.not(authorityName(second), authorityName(first))
  const longest = generateCertificate({ ...wanted, validityDays: 1_095 }, undefined, second, later)
  t.match(longest, { certificate: { isCut: false } })
  const trusted = trustedAuthorities(own, later)
  t.not(trusted?.mark, before?.mark, 'fronts learn of it')
  t.equal(certificatesIn(readFileSync(trusted?.file ?? '', 'utf8')).length, 2)
  t.same(presentAuthorities(own, later).map(authorityName), [second, first].map(authorityName))
  t.same(presentAuthorities(own, now + 5_480 * dayMs).map(authorityName), [authorityName(second)])
  t.end()
})

test('authority - one that was made while a clock was ahead signs nothing before it begins', (t) => {
  t.equal(authorityName(signingAuthority(own, now)), authorityName(own.first))
  t.equal(publishAuthority({ revoked: [] }, own, now).certificates, own.first.certificate.toString())
  t.end()
})

test('authority - what it signs ends with the first of its chain', (t) => {
  makeAuthority(folder, 'P-256', 'root', ['-days', '5', '-addext', 'keyUsage=critical,keyCertSign'])
  folder.write('under.csr', makeRequest(folder, 'P-256', '/CN=under').csr)
  folder.write('under.ext', 'basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign\n')
  const [under, from] = [folder.path('under.pem'), folder.path('under.csr')]
  const by = ['-CA', folder.path('root.pem'), '-CAkey', folder.path('root.key'), '-CAcreateserial']
  folder.run('x509', '-req', '-in', from, ...by, '-days', '300', '-extfile', 'under.ext', '-out', under)
  const authority = readClientAuthority(folder.read('request.key'), folder.read('under.pem') + folder.read('root.pem'))
  const ends = Date.parse(new X509Certificate(folder.read('root.pem')).validTo)
  const made = generateCertificate({ ...wanted, validityDays: 30 }, undefined, authority, now)
  t.match(made, { made: true, certificate: { expiresAt: ends, isCut: true } })
  t.match(generateCertificate({ ...wanted, validityDays: 1 }, undefined, authority, ends - 1_000), { made: false })
  t.end()
})

test('authority - a certificate is not older than the one that it replaces, where a clock was set back meanwhile', (t) => {
  const authority = authorityOf('any', [])
  const before = now - dayMs + 3_600_000
  const made = generateCertificate({ ...wanted, validityDays: 3, laterThan: before }, undefined, authority, now)
  t.match(made, { certificate: { validFrom: Math.floor(before / 1_000) * 1_000 + 1_000 } })
  t.end()
})

test('authority - keys of RSA sign, and those of elliptic curves may agree on others', (t) => {
  const authority = authorityOf('uses', [])
  for (const [keyType, use] of [
    ['rsa-2048', /Key Usage: critical\n *Digital Signature\n/],
    ['p-256', /Key Usage: critical\n *Digital Signature, Key Agreement\n/],
  ] as const) {
    const made = generateCertificate({ ...wanted, validityDays: 3, keyType }, undefined, authority, now)
    folder.write('used.pem', made.made ? made.certificate.certificatePem : '')
    t.match(folder.run('x509', '-in', 'used.pem', '-noout', '-ext', 'keyUsage'), use)
  }
  t.end()
})

test('authority - with a passphrase, the keys of all that were made before are encrypted', (t) => {
  const data = dataOf(t)
  cpSync(own.data, data, { recursive: true })
  const settings = { data, authority_passphrase: 'correct horse battery' }
  signingAuthority(settings, later)
  const files = readdirSync(join(data, 'authority')).filter((name) => name.endsWith('.pem'))
  t.equal(files.length, 2)
  for (const name of files) t.match(readFileSync(join(data, 'authority', name), 'utf8'), /BEGIN ENCRYPTED PRIVATE KEY/)
  t.equal(presentAuthorities(settings, later).length, 2)
  t.end()
})

test('authority - of a file that has the key of the operator in it as well, certificates alone are published', (t) => {
  makeAuthority(folder, 'P-256', 'theirs')
  const both = folder.write('both.pem', folder.read('theirs.key') + folder.read('theirs.pem'))
  for (const settings of [{ client_ca_key_file: both }, {}]) {
    const files = { data: dataOf(t), tls_client_ca_file: both, ...settings }
    t.equal(publishAuthority({ revoked: [] }, files, now).certificates, folder.read('theirs.pem'))
  }
  t.end()
})

test('authority - the list of the one that signs is its own, or there is none', (t) => {
  const theirsIs = (files: object) => publishAuthority({ revoked: [] }, { data: own.data, ...files }, later)
  t.same(theirsIs({}).list, theirsIs({}).lists[0])
  makeAuthority(folder, 'P-256', 'unlisted', ['-addext', 'keyUsage=critical,keyCertSign'])
  const files = { tls_client_ca_file: folder.path('unlisted.pem'), client_ca_key_file: folder.path('unlisted.key') }
  const theirs = theirsIs(files)
  t.equal(theirs.certificates, folder.read('unlisted.pem'))
  t.equal(theirs.list, undefined, 'their authority may not sign lists')
  t.equal(theirs.lists.length, 2, 'those of the installation are still there')
  t.end()
})

test('authority - a list is good for a reader whose clock is behind', (t) => {
  const { list } = publishAuthority({ revoked: [] }, own, now)
  folder.write('list.crl', Buffer.from(list ?? []))
  const shown = folder.run('crl', '-inform', 'DER', '-in', 'list.crl', '-noout', '-lastupdate')
  const [, from = ''] = /lastUpdate=(.*)/.exec(shown) ?? []
  t.equal(Date.parse(from), Math.floor((now - 3_600_000) / 1_000) * 1_000)
  t.end()
})

test('authority - of two lists of one second, the later one has the higher number', (t) => {
  const second = Math.floor(now / 1_000) * 1_000
  const numberAt = (time: number): bigint => {
    const { list } = publishAuthority({ revoked: [] }, own, time)
    folder.write('numbered.crl', Buffer.from(list ?? []))
    const [, number = ''] =
      /crlNumber=(\w+)/.exec(folder.run('crl', '-inform', 'DER', '-in', 'numbered.crl', '-noout', '-crlnumber')) ?? []
    return BigInt(number)
  }
  t.ok(numberAt(second + 999) > numberAt(second))
  t.ok(numberAt(second) > BigInt(second / 1_000), 'as lists of earlier versions were numbered')
  t.end()
})

test('authority - a list of many has each, with the time of its revocation', (t) => {
  const authority = authorityName(own.first)
  const serials = ['00', '7f', '80', 'ff'].map((end) => `616d7073${'0'.repeat(30)}${end}`)
  const odd = ['7f', '80', 'c0ffee', `ff${'0'.repeat(38)}`]
  const revoked = [...serials, ...odd].map((serialNumber, at) => ({
    authority,
    serialNumber,
    revokedAt: now - at * dayMs,
  }))
  const late = { authority, serialNumber: '01', revokedAt: Date.parse('2051-02-03T04:05:06Z') }
  const others = { authority: 'another', serialNumber: '6f', revokedAt: now }
  const many = Array.from({ length: 3_000 }, (_, at) => ({
    authority,
    serialNumber: (0x616d_7073_0000 + at).toString(16),
    revokedAt: now,
  }))
  const { list } = publishAuthority({ revoked: [...revoked, late, others, ...many] }, own, now)
  folder.write('list.crl', Buffer.from(list ?? []))
  folder.write('own.pem', own.first.certificate.toString())
  const verified = folder.runBoth('crl', '-inform', 'DER', '-in', 'list.crl', '-CAfile', 'own.pem', '-noout')
  t.match(verified, /verify OK/)
  const text = folder.run('crl', '-inform', 'DER', '-in', 'list.crl', '-noout', '-text')
  const listed = [...text.matchAll(/Serial Number: (\w+)\s+Revocation Date: (.*)/g)]
  t.equal(listed.length, revoked.length + 1 + many.length)
  for (const [at, { serialNumber, revokedAt }] of [...revoked, late].entries()) {
    const [, shown = '', date = ''] = listed[at] ?? []
    t.equal(BigInt(`0x${shown}`), BigInt(`0x${serialNumber}`))
    t.equal(Date.parse(date), Math.floor(revokedAt / 1_000) * 1_000)
  }
  t.end()
})

test('authority - listeners trust those of the installation beside a file that ends without a line break', (t) => {
  makeAuthority(folder, 'P-256', 'unbroken')
  const file = folder.write('unbroken.pem', folder.read('unbroken.pem').trimEnd())
  const data = dataOf(t)
  cpSync(own.data, data, { recursive: true })
  t.equal(certificatesSeen(trustedAuthorities({ data, tls_client_ca_file: file }, now)?.file), 3)
  t.end()
})
