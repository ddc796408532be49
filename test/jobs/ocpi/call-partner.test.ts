// Calls to roaming partners as the service makes them: what is sent, what each answer means, and who is held up by a partner that hangs.

import { type Test, test } from 'tap'
import { limits as ocpi } from '../../../src/jobs/ocpi/limits.js'
import type { OcpiCall, OcpiOutcome } from '../../../src/ocpi/call.js'
import { createJobPools, type JobPools } from '../../../src/process/job-pools.js'
import { limits } from '../../../src/process/limits.js'
import type { Settings } from '../../../src/settings.js'
import { until } from '../../support/until.js'
import { answerOf, startReceiver } from '../outbound/receiver.js'

function startPools(t: Test, allowInsecure = true): JobPools {
  const settings = { allow_insecure_webhooks: allowInsecure } as Settings
  const pools = createJobPools(settings, { error: () => {} })
  t.teardown(() => pools.stop())
  return pools
}

function callOf(url: string, changes: Partial<OcpiCall> = {}): OcpiCall {
  return {
    owner: 'ocp_1',
    method: 'PUT',
    url,
    body: { id: 'LOC1' },
    token: { plain: 'a token' },
    tokenEncoding: 'base64',
    timeoutMs: 5_000,
    ...changes,
  }
}

async function call(pools: JobPools, asked: OcpiCall): Promise<OcpiOutcome> {
  const outcome = await pools.runJob('ocpi-call', asked)
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.value as OcpiOutcome
}

const envelope = (status_code: number, more: object = {}): string =>
  JSON.stringify({ status_code, timestamp: '2026-05-01T08:00:00Z', ...more })

test('calls to partners - token, ids and routing stand in the headers, and in what is shown the token does not', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', envelope(1000))))
  const pools = startPools(t)
  const routing = { from: { country_code: 'DE', party_id: 'AMP' }, to: { country_code: 'NL', party_id: 'EMS' } }
  const credentials = { token: 'their "new" secret', url: 'https://example.com' }
  const outcome = await call(
    pools,
    callOf(`${receiver.url}locations/1`, { routing, correlationId: 'before', body: credentials }),
  )
  const plain = callOf(receiver.url, { tokenEncoding: 'plain', method: 'GET' })
  await call(pools, { ...plain, body: undefined })
  const [first = '', second = ''] = receiver.requests
  t.match(first, /^PUT \/hooklocations\/1 HTTP/)
  t.match(first, `authorization: Token ${Buffer.from('a token').toString('base64')}\r\n`)
  t.match(first, /content-type: application\/json\r\n/)
  t.match(first, /x-request-id: [0-9a-f-]{36}\r\n/)
  t.match(first, /x-correlation-id: before\r\n/)
  for (const header of ['from-country-code: DE', 'from-party-id: AMP', 'to-country-code: NL', 'to-party-id: EMS'])
    t.match(first, `ocpi-${header}\r\n`)
  t.match(second, 'authorization: Token a token\r\n')
  t.match(second, /x-correlation-id: [0-9a-f-]{36}\r\n/)
  t.notMatch(second, /ocpi-|content-type/)
  t.match(outcome, { type: 'delivered', httpStatus: 200, statusCode: 1000 })
  t.match(outcome.shown.request.body, '"token":"(hidden)"')
  t.match(outcome.shown.answer, { status: 200, body: /1000/ })
  t.notMatch(JSON.stringify(outcome), /secret|YSB0b2tlbg/)
})

test('calls to partners - 2xx with a status_code of 1xxx is delivered, with what lists and CDRs need', async (t) => {
  const headers = [
    'location: https://emsp.example/cdrs/7',
    'x-total-count: 12',
    'link: <https://a.example/?offset=2>; rel="next"',
  ]
  const receiver = await startReceiver(t, (socket) =>
    socket.write(answerOf('201 Created', envelope(1900, { data: [{ uid: '1' }] }), headers)),
  )
  const outcome = await call(startPools(t), callOf(receiver.url, { method: 'POST', wants: 'data' }))
  t.match(outcome, {
    type: 'delivered',
    statusCode: 1900,
    data: [{ uid: '1' }],
    location: 'https://emsp.example/cdrs/7',
    totalCount: 12,
    next: 'https://a.example/?offset=2',
  })
})

const answers: Readonly<Record<string, { readonly answer: string; readonly outcome: object }>> = {
  'HTTP 200 and status_code 3000': {
    answer: answerOf('200 OK', envelope(3000, { status_message: 'oh\nno' })),
    outcome: {
      type: 'refused',
      statusCode: 3000,
      message: 'the partner answered HTTP 200 with status_code 3000 "oh no"',
    },
  },
  'HTTP 404 and an envelope': {
    answer: answerOf('404 Not Found', envelope(2003)),
    outcome: { type: 'refused', httpStatus: 404, statusCode: 2003 },
  },
  'HTTP 404 and status_code 1000': {
    answer: answerOf('404 Not Found', envelope(1000)),
    outcome: { type: 'refused', httpStatus: 404 },
  },
  'HTTP 503 and no envelope': {
    answer: answerOf('503 Unavailable', 'busy', ['retry-after: 7']),
    outcome: { type: 'refused', httpStatus: 503, retryAfter: '7', message: 'the partner answered HTTP 503' },
  },
  HTML: {
    answer: answerOf('200 OK', '<html>\n<p>Welcome'),
    outcome: {
      type: 'unreadable',
      message: 'the partner answered HTTP 200 with something that is not JSON, which begins with "<html> <p>Welcome"',
    },
  },
  nothing: { answer: answerOf('204 No Content'), outcome: { type: 'unreadable', message: /without a body/ } },
  'JSON without a status_code': {
    answer: answerOf('200 OK', '[]'),
    outcome: { type: 'unreadable', message: /no status_code/ },
  },
  'JSON that is too deep': {
    answer: answerOf('200 OK', `${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    outcome: { type: 'unreadable', message: /nested more than 32 deep/ },
  },
  'a redirect': {
    answer: answerOf('302 Found', '', ['location: http://169.254.169.254/']),
    outcome: { type: 'redirected', httpStatus: 302, message: /redirects are not followed/ },
  },
  'what is not HTTP': { answer: 'SSH-2.0-OpenSSH\r\n\r\n', outcome: { type: 'failed', reason: 'protocol' } },
}

for (const [name, { answer, outcome }] of Object.entries(answers))
  test(`calls to partners - an answer of ${name} is not a delivery`, async (t) => {
    const receiver = await startReceiver(t, (socket) => socket.write(answer))
    t.match(await call(startPools(t), callOf(receiver.url)), outcome)
    t.equal(receiver.requests.length, 1)
  })

test('calls to partners - a page of a list may be long and comes in short texts, and an endless answer is cut off', async (t) => {
  const uids = Array.from({ length: 10_000 }, (_, at) => ({ uid: `${at}`.padStart(36, '0') }))
  const long = { uid: 'x'.repeat(ocpi.ocpiObjectCharacters) }
  const receiver = await startReceiver(t, (socket, nth) => {
    if (nth === 1) socket.write(answerOf('200 OK', envelope(1000, { data: [long, ...uids] })))
    else socket.write(answerOf('200 OK', 'x'.repeat(5_000_000)))
  })
  const pools = startPools(t)
  const asked = callOf(receiver.url, { wants: 'list' })
  const page = await call(pools, asked)
  const { list = [] } = page as Extract<OcpiOutcome, { readonly type: 'delivered' }>
  t.ok(list.every((text) => text.length < ocpi.ocpiTextCharacters + ocpi.ocpiObjectsPerText + 2))
  const parts = list.map((text) => JSON.parse(text) as readonly unknown[])
  t.ok(parts.every(({ length }) => length <= ocpi.ocpiObjectsPerText))
  t.same(parts.flat(), [null, ...uids], 'one that is too long is left out')
  t.match(await call(pools, asked), { type: 'unreadable', message: /more than 4096 KiB/ })
  t.match(await call(pools, callOf(receiver.url)), { type: 'unreadable', message: /more than 256 KiB/ })
})

test('calls to partners - the token of the call is shown nowhere, also where the partner repeats it', async (t) => {
  const token = 'a-token-of-the-call'
  const repeated = `Token ${Buffer.from(token).toString('base64')} ${token}`
  const receiver = await startReceiver(t, (socket, nth) => {
    const words =
      nth === 1 ? envelope(2001, { status_message: repeated, data: { sent: repeated } }) : `<p>${repeated}</p>`
    socket.write(answerOf('200 OK', words, [`location: https://emsp.example/?sent=${token}`]))
  })
  const pools = startPools(t)
  for (const type of ['refused', 'unreadable']) {
    const outcome = await call(pools, callOf(receiver.url, { token: { plain: token } }))
    t.match(outcome, { type, message: /\(hidden\)/ })
    t.match(outcome.shown.answer, { body: /\(hidden\)/, headers: { location: /sent=\(hidden\)/ } })
    t.notMatch(JSON.stringify(outcome), new RegExp(`${token}|${repeated.slice(6, 20)}`))
  }
})

test('calls to partners - of an answer that nobody reads, nothing is handed on', async (t) => {
  const receiver = await startReceiver(t, (socket) =>
    socket.write(answerOf('200 OK', envelope(1000, { data: { id: 'LOC1' } }))),
  )
  const pools = startPools(t)
  t.match(await call(pools, callOf(receiver.url)), { type: 'delivered', data: undefined, list: undefined })
  t.match(await call(pools, callOf(receiver.url, { wants: 'list' })), { type: 'delivered', list: undefined })
  t.match(await call(pools, callOf(receiver.url, { wants: 'data' })), { type: 'delivered', data: { id: 'LOC1' } })
})

test('calls to partners - a short text that holds a million values is not read, and holds up no other partner', async (t) => {
  const bomb = answerOf('200 OK', envelope(1000, { data: Array.from({ length: 1_300_000 }, () => ({})) }))
  const hostile = await startReceiver(t, (socket) => socket.write(bomb))
  const healthy = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', envelope(1000))))
  const pools = startPools(t)
  const answers = Array.from({ length: 8 }, () =>
    call(pools, callOf(hostile.url, { wants: 'list', timeoutMs: 30_000 })),
  )
  await until(() => hostile.requests.length > 0)
  const other = call(pools, callOf(healthy.url, { owner: 'ocp_2', timeoutMs: 30_000 }))
  for (const answer of await Promise.all(answers))
    t.match(answer, { type: 'unreadable', message: /with more than 100000 values/ })
  t.match(await other, { type: 'delivered' })
  const some = answerOf('200 OK', envelope(1000, { data: Array.from({ length: 20_000 }, () => 1) }))
  const chatty = await startReceiver(t, (socket) => socket.write(some))
  t.match(await call(pools, callOf(chatty.url)), { type: 'unreadable', message: /with more than 20000 values/ })
})

test('calls to partners - no answer in time, and no connection, are outcomes', async (t) => {
  const receiver = await startReceiver(t, () => {})
  const pools = startPools(t)
  t.match(await call(pools, callOf(receiver.url, { timeoutMs: 100 })), { type: 'failed', reason: 'timeout' })
  const outcome = await call(pools, callOf('http://127.0.0.1:9999/'))
  t.match(outcome, { type: 'failed', reason: 'connection' })
  t.equal(outcome.shown.answer, undefined)
})

test('calls to partners - an address inside the network is called by nobody', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', envelope(1000))))
  const pools = startPools(t, false)
  t.match(await call(pools, callOf(receiver.url)), { type: 'failed', reason: 'unsafe_address', message: /https/ })
  const address = `https://127.0.0.1:${receiver.port}/`
  t.match(await call(pools, callOf(address)), { type: 'failed', reason: 'unsafe_address' })
  t.equal(receiver.connections(), 0)
})

test('calls to partners - one that hangs holds up no other, and has a bounded number waiting', async (t) => {
  let silent = 0
  const hanging = await startReceiver(t, () => silent++)
  const healthy = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', envelope(1000))))
  const pools = startPools(t)
  const places = limits.ocpiCallsPerPartner
  const asked = Array.from({ length: places + limits.ocpiQueuePerPartner + 10 }, () =>
    pools.runJob('ocpi-call', callOf(hanging.url, { timeoutMs: 2_000 })),
  )
  await until(() => silent === places)
  const startedAt = performance.now()
  t.match(await call(pools, callOf(healthy.url, { owner: 'ocp_2' })), { type: 'delivered' })
  t.ok(performance.now() - startedAt < 1_500, 'before any call to the other has ended')
  t.equal(silent, places)
  const refused = (await Promise.all(asked.slice(-10))).filter((outcome) => !outcome.ok)
  t.equal(refused.length, 10)
  await pools.stop()
  await Promise.all(asked)
})
