// Who a client is behind proxies: what they have noted counts, and nothing that the client has written itself.

import { request } from 'node:http'
import { test } from 'tap'
import { clientBehind, createClientAddress, trustedProxies } from '../../src/edge/client-address.js'
import { createFakeClock } from '../support/fake-clock.js'
import { rawUpgrade } from '../support/raw-socket.js'
import { startService } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'

function addressOf(header: 'x-forwarded-for' | 'forwarded', seen: string, ...lines: readonly string[]): string {
  const settings = { trusted_proxies: '10.0.0.0/8, 192.0.2.1,2001:db8:7::/48', trusted_proxy_header: header }
  const address = createClientAddress({
    settings,
    clock: createFakeClock(),
    log: { warn() {} },
    behindSplice: (same) => same,
  })
  const response = { getRemoteAddressAsText: () => Buffer.from(seen) }
  const request = {
    getHeader: () => lines[0] ?? '',
    forEach(each: (name: string, value: string) => void) {
      each('host', 'localhost')
      for (const line of lines) each(header, line)
    },
  }
  return address(response as never, request as never)
}

test('client address - the address is the first from the right that is no trusted proxy', (t) => {
  const behind = (seen: string, ...lines: string[]) => addressOf('x-forwarded-for', seen, ...lines)
  t.equal(behind('198.51.100.7', '203.0.113.9'), '198.51.100.7', 'a stranger is not believed')
  t.equal(behind('10.1.2.3', '203.0.113.9'), '203.0.113.9')
  t.equal(behind('10.1.2.3', '127.0.0.1, 203.0.113.9'), '203.0.113.9', 'what a client has written itself')
  t.equal(behind('10.1.2.3', '127.0.0.1', '203.0.113.9'), '203.0.113.9', 'also in a line of its own')
  t.equal(behind('192.0.2.1', '203.0.113.9, 10.9.9.9, 10.1.1.1'), '203.0.113.9', 'two proxies')
  t.equal(behind('10.1.2.3', '10.1.1.1'), '10.1.1.1', 'a client in the network of the proxies')
  t.equal(behind('10.1.2.3', '127.0.0.1, unknown, 10.1.1.1'), '10.1.1.1', 'nothing left of what is no address')
  t.equal(behind('10.1.2.3'), '10.1.2.3')
  t.equal(behind('10.1.2.3', ''), '10.1.2.3')
  t.equal(behind('0000:0000:0000:0000:0000:ffff:0a01:0203', '203.0.113.9:4711'), '203.0.113.9')
  t.equal(behind('2001:0db8:0007:0000:0000:0000:0000:0001', '[2001:db8:8::1]:443'), '2001:db8:8::1')
  t.equal(behind('10.1.2.3', '::ffff:203.0.113.9'), '203.0.113.9')
  t.end()
})

test('client address - however a proxy spells an address, it is one client', (t) => {
  for (const [address, spellings] of [
    [
      '2001:db8:8::1',
      ['2001:DB8:8::1', '2001:0db8:0008:0:0:0:0:1', '2001:db8:8::0.0.0.1', '[2001:db8:8:0::1%eth0]:443'],
    ],
    ['203.0.113.9', ['::ffff:203.0.113.9', '::FFFF:cb00:7109', '0:0:0:0:0:ffff:203.0.113.9', '[::ffff:cb00:7109]:80']],
  ] as const)
    for (const spelling of spellings) {
      t.equal(addressOf('x-forwarded-for', '10.1.2.3', spelling), address, spelling)
      t.equal(addressOf('forwarded', '10.1.2.3', `for="${spelling}"`), address, spelling)
    }
  t.end()
})

test('client address - Forwarded is read as RFC 7239 has it', (t) => {
  const behind = (...lines: string[]) => addressOf('forwarded', '10.1.2.3', ...lines)
  t.equal(behind('for=192.0.2.43'), '192.0.2.43')
  t.equal(behind('for=127.0.0.1, proto=https;For="[2001:db8:cafe::17]:4711";by=203.0.113.43'), '2001:db8:cafe::17')
  t.equal(behind('for=198.51.100.1;host=x, for=_hidden'), '10.1.2.3')
  t.equal(behind('for=198.51.100.1', 'proto=https'), '10.1.2.3')
  t.end()
})

test('client address - lists that cannot be meant are refused', (t) => {
  for (const list of [
    '',
    'proxy',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    '::1/129',
    '10.0.0.1,,10.0.0.2',
    '0.0.0.0/0',
    '10.0.0.1,::/0',
  ])
    t.throws(() => trustedProxies(list), /--trusted-proxies/, list)
  t.equal(clientBehind(trustedProxies('::/1'), '::1', ['::2', '::3']), '::2')
  t.end()
})

test('client address - a header of an address that is not trusted is ignored, and a line an hour says so', (t) => {
  const clock = createFakeClock()
  const lines: unknown[] = []
  const address = createClientAddress({
    settings: {},
    clock,
    log: { warn: (...line: unknown[]) => void lines.push(line) },
    behindSplice: (same) => same,
  })
  const ask = (header?: string) =>
    address(
      { getRemoteAddressAsText: () => Buffer.from('127.0.0.1') } as never,
      { getHeader: (name: string) => (name === header ? '203.0.113.9' : '') } as never,
    )
  t.equal(ask(), '127.0.0.1')
  t.same(lines, [])
  for (const header of ['forwarded', 'x-forwarded-for', 'forwarded']) t.equal(ask(header), '127.0.0.1')
  t.match(lines, [[{ remote_address: '127.0.0.1', header: 'forwarded' }, /--trusted-proxies/]])
  clock.advance(3_600_000)
  ask('x-forwarded-for')
  t.match(lines[1], [{ header: 'x-forwarded-for', leftOut: 2 }])
  t.equal(lines.length, 2)
  t.end()
})

function statusOf(port: number, path: string, forwarded: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': forwarded }
    const sent = request({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })
}

test('client address - rates, the audit log and refused connections go by the address behind a proxy', async (t) => {
  const flags = ['--trusted-proxies', '127.0.0.1', '--requests-per-second', '1', '--request-burst', '3']
  const service = await sharedService(flags)
  // More than the seconds that they can take.
  const flood = Array.from({ length: 30 }, (_, at) => statusOf(service.port, '/docs', `203.0.113.${at}, 198.51.100.7`))
  t.same(new Set(await Promise.all(flood)), new Set([200, 429]))
  t.equal(await statusOf(service.port, '/docs', '198.51.100.8'), 200)

  await service.request('POST', '/api/v1/id-tags', { id_tag: 'A-1' }, { 'x-forwarded-for': '127.0.0.9, 198.51.100.9' })
  const { body: log } = await service.request('GET', '/api/v1/org/audit-log?per_page=1')
  t.equal(log.data[0].remote_address, '198.51.100.9')

  const { status } = await rawUpgrade(service.port, '/ocpp16/NOBODY', { 'X-Forwarded-For': '127.0.0.9, 198.51.100.10' })
  t.equal(status, 404)
  const { body: metrics } = await service.request('GET', '/metrics', undefined, { 'x-forwarded-for': '198.51.100.11' })
  t.match(metrics, /^ampshard_requests_refused_total\{front="0",reason="rate_of_address"\} \d+$/m)
})

test('client address - a list that is wrong is refused at the start', async (t) => {
  const start = startService(t, { flags: ['--trusted-proxies', '10.0.0.0/99'] })
  await t.rejects(start, { message: /--trusted-proxies/ })
  const headerAlone = startService(t, { flags: ['--trusted-proxy-header', 'x-forwarded-for'] })
  await t.rejects(headerAlone, { message: /--trusted-proxy-header: .*--trusted-proxies/ })
})
