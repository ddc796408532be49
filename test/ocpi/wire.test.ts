import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { test } from 'tap'
import { headerOfToken, tokensOfHeader } from '../../src/ocpi/authorization.js'
import { isSentDateTime, readDateTime, writeDateTime } from '../../src/ocpi/date-time.js'
import { isSameParty, receiverOf, routingHeaders, senderOf } from '../../src/ocpi/headers.js'
import { rolesOf } from '../../src/ocpi/schemas/credentials.js'
import { isSuccess, statusCodes, statusWords } from '../../src/ocpi/status-codes.js'

test('OCPI authorization - every token is read back from its header, in either encoding', async (t) => {
  const token = fc.stringMatching(/^[\x21-\x7e]{1,64}$/)
  fc.assert(
    fc.property(token, fc.constantFrom('base64' as const, 'plain' as const), (sent, encoding) =>
      tokensOfHeader(headerOfToken(sent, encoding)).includes(sent),
    ),
  )
  t.equal(headerOfToken('example-token'), 'Token ZXhhbXBsZS10b2tlbg==')
})

test("OCPI authorization - the standard's own sample, whose base64 ends with a line feed, means its token", async (t) => {
  t.ok(tokensOfHeader('Token ZXhhbXBsZS10b2tlbgo=').includes('example-token'))
  t.same(tokensOfHeader('token   ZXhhbXBsZS10b2tlbg'), ['example-token', 'ZXhhbXBsZS10b2tlbg'])
})

test('OCPI authorization - a plain token that is also base64 means both', async (t) => {
  const plain = Buffer.from('another').toString('base64')
  t.same(tokensOfHeader(`Token ${plain}`), ['another', plain])
})

test('OCPI authorization - what is no token means none', async (t) => {
  for (const header of [
    undefined,
    '',
    'Token',
    'Token ',
    'Bearer ZXhhbXBsZQ==',
    'Token a b',
    `Token ${'A'.repeat(300)}`,
  ])
    t.same(tokensOfHeader(header), [], header ?? 'no header')
})

test('OCPI times - are written as the standard wants them, and read as the same instant', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2100, 0) }), (ms) => {
      const text = writeDateTime(ms)
      return isSentDateTime(text) && readDateTime(text) === ms
    }),
  )
  t.equal(readDateTime('2015-06-29T20:39:09'), Date.UTC(2015, 5, 29, 20, 39, 9))
})

test('OCPI headers - what is sent to a party is read as from one and to the other', async (t) => {
  const [from, to] = [
    { country_code: 'NL', party_id: 'TNM' },
    { country_code: 'BE', party_id: 'BEC' },
  ]
  const headers = routingHeaders(from, to)
  t.same([senderOf(headers), receiverOf(headers)], [from, to])
  t.equal(receiverOf(routingHeaders(from, undefined)), undefined)
  t.ok(isSameParty(from, { country_code: 'nl', party_id: 'tnm' }))
  t.notOk(isSameParty(from, to))
})

test('OCPI credentials - roles are those of 2.2.1, or made of the fields of 2.1.1, or unknown', async (t) => {
  const party = { business_details: { name: 'E' }, party_id: 'EXA', country_code: 'NL' }
  const hub = { role: 'HUB' as const, ...party }
  t.same(rolesOf({ roles: [hub] }), [hub])
  t.same(rolesOf({ ...party, roles: [] }), [{ role: 'EMSP', ...party }])
  t.equal(rolesOf({ party_id: 'EXA', country_code: 'NL' }), undefined)
})

test('OCPI status codes - every code has words, and a code of its own has those of its hundred', async (t) => {
  for (const code of Object.values(statusCodes)) t.ok(statusWords(code))
  t.equal(statusWords(2901), statusWords(2000))
  t.ok(isSuccess(1901))
  t.notOk(isSuccess(2000))
})
