// Signing in with a passkey, as an authenticator does it whose key is made here.

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'tap'
import { mailsTable } from '../../src/records/mail.js'
import { type Passkey, passkeysTable } from '../../src/records/passkey.js'
import { as, cookieIn, ofPage, present } from './console.js'
import { createTestApi, type TestApi } from './fixture.js'
import { addMember } from './member.js'
import { invite } from './team.js'

const origin = 'https://console.example.com'
const host = 'console.example.com'
const headers = { ...ofPage, origin }
const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** With a key for ES256, whose public half is a COSE_Key (RFC 9052, 7). */
function makeAuthenticator(id: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string): Buffer => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')])
  const head = Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21])
  const cose = Buffer.concat([head, coordinate(x), Buffer.from([0x22]), coordinate(y)])
  let counter = 0
  const text = (value: string): Buffer => Buffer.from([0x60 + value.length, ...Buffer.from(value)])
  return {
    id,
    publicKey: base64url(cose),
    /** WebAuthn, 6.5.4: made without an attestation, in CBOR (RFC 8949). */
    make(challenge: string) {
      const rawId = Buffer.from(id, 'base64url')
      const flags = Buffer.from([0x45, 0, 0, 0, 0, ...new Uint8Array(16), 0, rawId.length])
      const data = Buffer.concat([sha256(host), flags, rawId, cose])
      const parts = [text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData')]
      const attestation = Buffer.concat([Buffer.from([0xa3]), ...parts, Buffer.from([0x58, data.length]), data])
      const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false })
      return { id, response: { clientDataJSON: base64url(clientData), attestationObject: base64url(attestation) } }
    },
    /** WebAuthn, 6.3.3: the user is there, and has been verified. */
    answer(challenge: string) {
      const clientData = JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false })
      const count = Buffer.alloc(4)
      count.writeUInt32BE(++counter)
      const data = Buffer.concat([sha256(host), Buffer.from([0x05]), count])
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)
      const response = {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      }
      return { passkey: { id, response } }
    },
  }
}

async function inTwo(api: TestApi, fields: Partial<Passkey> = {}) {
  const other = await api.addOrganization()
  const [own, theirs] = [await addMember(api, 'viewer'), await addMember(api, 'admin', other.organizationId)]
  const authenticator = makeAuthenticator(base64url('credential'))
  const row = {
    passkey_id: api.newId('pky'),
    organization_id: own.organization_id,
    user_id: own.user_id,
    version: 1,
    name: 'Laptop',
    credential_id: authenticator.id,
    public_key: authenticator.publicKey,
    counter: 0,
    rp_id: host,
    transports: [],
    is_synced: false,
    ...fields,
  }
  await api.put(passkeysTable, row)
  async function answer() {
    const { body } = await api.call('POST', '/api/v1/console/passkeys/challenge', undefined, { headers })
    return authenticator.answer(body.challenge)
  }
  return { own, theirs, row, answer }
}

test('passkeys - one that was made without showing that the address is theirs is good for its own organization alone', async (t) => {
  const api = await createTestApi()
  const { own, theirs, answer } = await inTwo(api)
  const signed = await answer()
  t.match(await present(api, signed, headers), {
    status: 201,
    body: { session: { method: 'passkey' }, organization: { id: own.organization_id } },
  })
  t.equal((await present(api, signed, headers)).status, 401, 'what was signed is good once')
  const wanted = { ...(await answer()), organization_id: theirs.organization_id }
  t.equal((await present(api, wanted, headers)).status, 401)
})

test('passkeys - one of whoever has shown that the address is theirs lets them choose among their organizations', async (t) => {
  const api = await createTestApi()
  const { own, theirs, row, answer } = await inTwo(api, { proves_address: true })
  const asked = await present(api, await answer(), headers)
  t.match(asked, {
    status: 200,
    body: { organizations: [{ id: own.organization_id }, { id: theirs.organization_id }] },
  })
  const choose = { choice: asked.body.choice, organization_id: theirs.organization_id }
  const signedIn = await present(api, choose, headers)
  t.match(signedIn, {
    status: 201,
    body: { session: { method: 'passkey' }, member: { user_id: theirs.user_id, role: 'admin' } },
  })
  const cookie = cookieIn(signedIn)
  t.equal((await as(api, cookie)).status, 200)
  const late = (await present(api, await answer(), headers)).body.choice
  const at = await present(api, { ...(await answer()), organization_id: own.organization_id }, headers)
  t.equal((await as(api, cookieIn(at), 'DELETE', `/api/v1/console/passkeys/${row.passkey_id}`)).status, 204)
  t.equal((await as(api, cookie)).status, 401, 'the session in the other organization has ended with it')
  t.equal((await present(api, { ...choose, choice: late }, headers)).status, 401, 'and so has a choice')
})

test('passkeys - one made after a code by mail shows that the address is theirs, and one made after an invitation does not', async (t) => {
  const api = await createTestApi()
  const { token } = await invite(api, 'anna@example.com', 'member')
  const invited = cookieIn(await present(api, { invitation: token }, headers))
  const { code_id } = (await api.call('POST', '/api/v1/console/codes', { email: 'anna@example.com' }, { headers })).body
  const content = api.store.view().list(mailsTable, []).at(-1)?.content
  const code = content?.type === 'console-sign-in-code' ? content.code : ''
  const mailed = cookieIn(await present(api, { code_id, code }, headers))
  async function make(cookie: string, id: string) {
    const post = (path: string, body?: unknown) => as(api, cookie, 'POST', `/api/v1/console${path}`, body, headers)
    const { body } = await post('/passkeys/options')
    const authenticator = makeAuthenticator(base64url(id))
    const credential = authenticator.make(body.challenge)
    t.equal((await post('/passkeys', { name: id, credential })).status, 201, id)
    t.equal((await post('/passkeys', { name: id, credential })).status, 401, 'the challenge is good once')
    return authenticator
  }
  await make(invited, 'after an invitation')
  const first = await make(mailed, 'after a code')
  const { body } = await api.call('POST', '/api/v1/console/passkeys/challenge', undefined, { headers })
  const again = cookieIn(await present(api, first.answer(body.challenge), headers))
  await make(again, 'after a passkey')
  t.same(
    api.store
      .view()
      .list(passkeysTable, [])
      .map(({ name, proves_address }) => [name, proves_address]),
    [
      ['after an invitation', undefined],
      ['after a code', true],
      ['after a passkey', true],
    ],
  )
})

test('passkeys - a member cannot remove the passkey of a colleague', async (t) => {
  const api = await createTestApi()
  const { row, answer } = await inTwo(api)
  const colleague = await addMember(api, 'admin')
  await api.put(passkeysTable, {
    ...row,
    user_id: colleague.user_id,
    passkey_id: api.newId('pky'),
    credential_id: 'other',
  })
  const [theirs] = api.store
    .view()
    .list(passkeysTable, [])
    .filter(({ user_id }) => user_id === colleague.user_id)
  const cookie = cookieIn(await present(api, await answer(), headers))
  const remove = (id = '') => as(api, cookie, 'DELETE', `/api/v1/console/passkeys/${id}`, undefined, headers)
  t.equal((await remove(theirs?.passkey_id)).status, 404)
  t.ok(api.store.view().get(passkeysTable, [theirs?.passkey_id ?? '']), 'it is still there')
  t.equal((await remove(row.passkey_id)).status, 204, 'their own can be removed')
})
