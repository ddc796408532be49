import { test } from 'tap'
import { newCertificateRequest } from '../../bench/client/certificate-request.js'
import { readCertificateRequest } from '../../src/jobs/pki/certificate-request.js'

test('simulated charge point - the certificate that it asks for is one that the service signs', async (t) => {
  const request = await newCertificateRequest('Example Charging', 'SIM-0001')
  const { publicKey } = readCertificateRequest(request, { names: ['SIM-0001'], cpoName: 'Example Charging' })
  t.ok(publicKey.length > 256)
})
