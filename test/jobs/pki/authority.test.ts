// Authorities near their ends: what they still sign, and what takes their place.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { presentAuthorities, signingAuthority, trustedAuthorities } from '../../../src/jobs/pki/authority.js'
import { authorityName, certificatesIn, readClientAuthority } from '../../../src/jobs/pki/client-authority.js'
import { generateCertificate } from '../../../src/jobs/pki/generate-certificate.js'
import { maySignLists } from '../../../src/jobs/pki/revocation-list.js'
import { signClientCertificate } from '../../../src/jobs/pki/sign-client-certificate.js'
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
  const data = mkdtempSync(join(tmpdir(), 'ampshard-authorities-'))
  t.teardown(() => rmSync(data, { recursive: true }))
  const settings = { data }
  t.equal(trustedAuthorities(settings, now), undefined)
  t.same(presentAuthorities(settings, now), [], 'looking makes none')
  const first = signingAuthority(settings, now)
  t.equal(authorityName(signingAuthority(settings, now + 4_000 * dayMs)), authorityName(first))
  const before = trustedAuthorities(settings, now)
  const later = now + 4_400 * dayMs
  const second = signingAuthority(settings, later)
  t.not(authorityName(second), authorityName(first))
  const longest = generateCertificate({ ...wanted, validityDays: 1_095 }, undefined, second, later)
  t.match(longest, { certificate: { isCut: false } })
  const trusted = trustedAuthorities(settings, later)
  t.not(trusted?.mark, before?.mark, 'fronts learn of it')
  t.equal(certificatesIn(readFileSync(trusted?.file ?? '', 'utf8')).length, 2)
  t.same(presentAuthorities(settings, later).map(authorityName), [second, first].map(authorityName))
  t.same(presentAuthorities(settings, now + 5_480 * dayMs).map(authorityName), [authorityName(second)])
  t.end()
})
