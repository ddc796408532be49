// What a client certificate costs in the thread for certificates: with a new key, and from a request of the charge point. The authority is there.

import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Attributes, CertificationRequest, CertificationRequestInfo } from '@peculiar/asn1-csr'
import { AsnConvert } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, SubjectPublicKeyInfo } from '@peculiar/asn1-x509'
import { Piscina } from 'piscina'
import { generateCertificateJob } from '../../src/jobs/pki/certificate-jobs.js'
import { nameOf } from '../../src/jobs/pki/issue-certificate.js'
import { milliseconds, type Scenario } from '../scenario.js'

const commonName = 'CP-1'
const registration = '0011223344556677'
const ecdsaWithSha256 = '1.2.840.10045.4.3.2'

/** PEM, of a key on P-256. */
function exampleRequest(): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const certificationRequestInfo = new CertificationRequestInfo({
    subject: nameOf(commonName),
    subjectPKInfo: AsnConvert.parse(spki, SubjectPublicKeyInfo),
    attributes: new Attributes(),
  })
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(certificationRequestInfo)), privateKey)
  const request = new CertificationRequest({
    certificationRequestInfo,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 }),
    signature: new Uint8Array(signature).buffer,
  })
  const body = Buffer.from(AsnConvert.serialize(request)).toString('base64')
  return `-----BEGIN CERTIFICATE REQUEST-----\n${body}\n-----END CERTIFICATE REQUEST-----\n`
}

export const certificates: Scenario = {
  name: 'certificates',
  title: 'Client certificates issued in the job pool',
  subjects: ['ampshard'],
  parameters: (quick) => ({ generated: quick ? 5 : 50, signed: quick ? 50 : 500 }),
  targets: [
    { metric: 'certificate with a new RSA key p50', is: 'at most', value: 250 },
    { metric: 'signed from requests', is: 'at least', value: 20 },
  ],
  async run(bench, _subject, { generated = 0, signed = 0 }) {
    const filename = new URL('../../src/process/job-thread.js', import.meta.url).href
    const pool = new Piscina({ filename, name: 'runJob', minThreads: 0, maxThreads: 1, idleTimeout: 60_000 })
    const settings = { data: mkdtempSync(join(tmpdir(), 'ampshard-bench-')) }
    const wanted = { organization_id: 'org_1', commonName, registration, validityDays: 365 }
    const generate = { job: generateCertificateJob, input: { ...wanted, keyType: 'rsa-2048' }, settings }
    const request = { organization_id: 'org_1', csr: exampleRequest(), names: [commonName], registration }
    const signRequest = { job: 'sign-certificate', input: request, settings }
    const timed = async (task: object): Promise<number> => {
      const before = performance.now()
      await pool.run(task)
      return performance.now() - before
    }
    const series = (label: string, count: number, task: object): Promise<readonly number[]> =>
      bench.step(label, count, async (progress) => {
        const measured: number[] = []
        for (let done = 0; done < count; done++) {
          measured.push(await timed(task))
          progress(done + 1)
        }
        return measured.sort((a, b) => a - b)
      })
    try {
      const first = await timed(generate)
      const { signed: isSigned } = await pool.run(signRequest)
      if (isSigned !== true) throw new Error('the request was not signed')
      const generateTimes = await series('with a new key', generated, generate)
      const signTimes = await series('from requests', signed, signRequest)
      const total = signTimes.reduce((sum, ms) => sum + ms, 0)
      return [
        milliseconds('first, with its authority', first),
        milliseconds('certificate with a new RSA key p50', generateTimes[Math.floor(generated / 2)] ?? Number.NaN),
        milliseconds('certificate with a new RSA key, longest', generateTimes.at(-1) ?? Number.NaN),
        { metric: 'signed from requests', value: (1_000 * signed) / total, unit: '/s' },
      ]
    } finally {
      await pool.destroy()
      rmSync(settings.data, { recursive: true, force: true })
    }
  },
}
