// The operator's name in the client certificates that the service signs (A00.FR.404).

import { t, test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { makeRequest } from '../support/openssl.js'
import { ca, refusals, signingService } from '../support/signing-service.js'

const { service, folder, client, charger } = await signingService(t, 'P-256', ['--cpo-name', 'Exämple Charging'])

test("sign certificate - with --cpo-name, what is signed carries the operator's name, and opens the connection", async (t) => {
  for (const [id, organization] of [
    ['CP-2', ''],
    ['CP-3', '/O=EXÄMPLE Charging Ltd'],
  ] as const) {
    const subject = `${organization}/CN=${id}`
    const connected = await charger(id)
    const { csr, keyPem } = makeRequest(folder, 'P-256', subject)
    t.match(await connected.call('SignCertificate', { csr }), { payload: { status: 'Accepted' } }, subject)
    const [, , , payload] = await connected.answerNext({ status: 'Accepted' })
    const { certificateChain: chain } = payload as { certificateChain: string }
    folder.write('signed.pem', chain)
    const shown = folder.run('x509', '-in', 'signed.pem', '-noout', '-subject', '-nameopt', 'utf8,sep_comma_plus')
    t.equal(shown.trim(), `subject=O=Exämple Charging,CN=${id}`)
    const secured = await connectOcpp(`${service.ocppUrl}/${id}`, { tls: { ca, key: keyPem, cert: chain } })
    t.match(await secured.call('Heartbeat', {}), { error: undefined })
  }
})

test('sign certificate - with --cpo-name, a request of another organization is rejected, and the operator learns why', async (t) => {
  const { csr } = makeRequest(folder, 'P-256', '/O=Somebody Else/CN=CP-1')
  t.match(await client.call('SignCertificate', { csr }), { payload: { status: 'Rejected' } })
  t.match(await refusals(service), [/organization \(O\) is "Somebody Else".*CpoName/])
})
