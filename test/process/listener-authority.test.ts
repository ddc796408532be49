// Which certificate charge points are to trust before they connect over TLS.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { listenerAuthority } from '../../src/process/listener-authority.js'
import { makeCertificate } from '../edge/certificates.js'

test('listener authority - the file that is given, or the root at the end of the chain', (t) => {
  const folder = t.testdir({})
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const root = makeCertificate({ commonName: 'Root' })
  const server = makeCertificate({ commonName: 'ampshard', issuer: root, server: true })
  const plain = (pem: string | undefined) => pem?.replaceAll('\r', '').trim()
  const alone = file('alone.pem', server.certificatePem)
  const whole = file('whole.pem', server.certificatePem + root.certificatePem)
  const given = file('root.pem', `the root of the installation\n${root.certificatePem}`)
  const authorityOf = (tls_certificate_file: string | undefined, tls_authority_file?: string) =>
    plain(listenerAuthority({ tls_certificate_file, tls_authority_file }))
  t.equal(authorityOf(whole), plain(root.certificatePem))
  t.equal(authorityOf(alone), undefined)
  t.equal(authorityOf(alone, given), plain(root.certificatePem))
  t.equal(authorityOf(undefined), undefined)
  t.throws(() => authorityOf(alone, join(folder, 'missing.pem')), /ENOENT/)
  t.end()
})
