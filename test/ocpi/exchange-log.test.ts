// The log of the exchanges with a partner: what is kept of it, how much, and what nobody gets to see.

import { test } from 'tap'
import { createExchangeLog, type EndedExchange } from '../../src/ocpi/exchange-log.js'
import { newestExchanges, ocpiExchangesKept, ocpiExchangesTable } from '../../src/records/ocpi-exchange.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { commit, put } from '../contract/store-stage.js'

const exchange: EndedExchange = {
  partnerId: 'ocp_1',
  direction: 'in',
  module: 'locations',
  method: 'GET',
  url: '/ocpi/cpo/2.2.1/locations?limit=100',
  at: 1_000,
  milliseconds: 3,
  request: { headers: {} },
}

test('log of exchanges - what is read again and again is kept once in ten seconds, with how much was left out', (t) => {
  const store = openMemoryStore([ocpiExchangesTable])
  const log = createExchangeLog()
  const kept = Array.from({ length: 300 }, (_, at) => log.note(exchange, store.view(), at * 100)).filter(Boolean)
  t.same(
    kept.map((row) => row?.left_out),
    [undefined, 99, 99],
  )
  t.ok(log.note({ ...exchange, partnerId: 'ocp_2' }, store.view(), 30_000), 'another partner has its own')
  t.ok(log.note({ ...exchange, module: 'tariffs' }, store.view(), 30_000), 'and so has another module')
  t.end()
})

test('log of exchanges - what fails, and what a partner writes, is kept up to a rate', (t) => {
  const store = openMemoryStore([ocpiExchangesTable])
  const log = createExchangeLog()
  const failed: EndedExchange = { ...exchange, direction: 'out', method: 'PUT', error: 'no answer' }
  const written: EndedExchange = { ...exchange, module: 'tokens', method: 'PUT' }
  const rows = Array.from({ length: 40 }, (_, at) => log.note(at % 2 === 0 ? failed : written, store.view(), 0))
  t.equal(rows.filter(Boolean).length, 30)
  t.match(log.note(failed, store.view(), 1_000), { left_out: 5, error: 'no answer' })
  t.equal(log.note(failed, store.view(), 1_001), undefined)
  t.end()
})

test('log of exchanges - the newest take the places of the oldest, whoever writes them', async (t) => {
  const store = openMemoryStore([ocpiExchangesTable])
  const logs = [createExchangeLog(), createExchangeLog()]
  for (let at = 0; at < 250; at++) {
    const row = logs[at % 2]?.note({ ...exchange, at, url: `/${at}`, method: 'POST' }, store.view(), at * 2_000)
    if (row !== undefined) await commit(store, [put(ocpiExchangesTable, row)])
  }
  const newest = newestExchanges(store.view(), 'ocp_1')
  t.same(
    newest.map(({ url }) => url),
    Array.from({ length: ocpiExchangesKept }, (_, at) => `/${249 - at}`),
  )
  const same = createExchangeLog()
  const slots = [1, 2, 3].map((at) => same.note({ ...exchange, at, method: 'POST' }, store.view(), 0)?.slot)
  t.equal(new Set(slots).size, 3, 'also of several that the view does not show yet')
  t.equal(store.view().list(ocpiExchangesTable, []).length, ocpiExchangesKept)
  await store.close()
})

test('log of exchanges - tokens are hidden, and bodies cut', (t) => {
  const store = openMemoryStore([ocpiExchangesTable])
  const row = createExchangeLog().note(
    {
      ...exchange,
      method: 'POST',
      request: {
        headers: { Authorization: 'Token secret' },
        body: '{"token" : "se\\"cret", "url": "https://a.example"}',
      },
      answer: {
        status: 200,
        headers: { 'x-long': 'x'.repeat(10_000) },
        body: `{"token":{"uid":"1"}}${'x'.repeat(100_000)}`,
      },
    },
    store.view(),
    0,
  )
  t.match(row?.request, {
    headers: { Authorization: '(hidden)' },
    body: '{"token" : "(hidden)", "url": "https://a.example"}',
  })
  t.notMatch(JSON.stringify(row), /se\\*"?cret/)
  t.match(row?.answer?.body, /^\{"token":\{"uid":"1"\}\}x+\.\.\. \(cut\)$/)
  t.ok(JSON.stringify(row).length < 6_000)
  const cutInside = createExchangeLog().note(
    { ...exchange, answer: { status: 200, headers: {}, body: '{"token":"secre' } },
    store.view(),
    0,
  )
  t.equal(cutInside?.answer?.body, '{"token":"(hidden)')
  t.end()
})
