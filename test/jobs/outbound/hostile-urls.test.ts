// Every hostile URL through the real client, against a real name server and a listener that must see no connection.

import { test } from 'tap'
import { startDnsServer } from '../../support/dns-server.js'
import { makeClient, post, startCanary } from './canary.js'
import { hostileAddresses, hostileNames, hostileTexts, hostileZone } from './hostile-urls.js'

const at = (port: number) => (url: string) => url.replaceAll('{port}', String(port))
const urlsOfZone = Object.keys(hostileZone).map((name) => `https://${name}:{port}/`)

test('outbound - there are enough hostile URLs, and none twice', (t) => {
  const urls = [...hostileAddresses, ...hostileNames, ...hostileTexts, ...urlsOfZone]
  t.ok(urls.length >= 120, String(urls.length))
  t.equal(new Set(urls).size, urls.length)
  t.end()
})

test('outbound - a hostile URL is refused in words, and nobody is asked for its name', async (t) => {
  const canary = await startCanary(t)
  const dns = await startDnsServer(t, () => ['127.0.0.1', '::1'])
  const client = makeClient(t, false, dns.address)
  for (const url of [...hostileAddresses, ...hostileNames, ...hostileTexts].map(at(canary.port))) {
    const shown = JSON.stringify(url.slice(0, 100))
    t.match(await client.checkUrl(url), /^.{10,200}$/, shown)
    t.match(await client.request(post(url)), { type: 'failed', reason: 'unsafe_address', message: /\w/ }, shown)
  }
  t.same(dns.questions, [])
  t.same(canary.connections, [])
})

test('outbound - a name with any address that is not public is not connected to', async (t) => {
  const canary = await startCanary(t)
  const dns = await startDnsServer(t, (name) => hostileZone[name] ?? [])
  const client = makeClient(t, false, dns.address)
  for (const url of urlsOfZone.map(at(canary.port))) {
    t.match(await client.checkUrl(url), /has an address that is not public$/, url)
    t.match(await client.request(post(url)), { type: 'failed', reason: 'unsafe_address' }, url)
  }
  t.ok(dns.questions.length >= 2 * urlsOfZone.length)
  t.same(canary.connections, [])
})

test('outbound - a name that is public when it is checked, and private when it is called, is not connected to', async (t) => {
  const canary = await startCanary(t)
  const dns = await startDnsServer(t, (_, nth) => (nth === 1 ? ['93.184.216.34'] : ['127.0.0.1']))
  const client = makeClient(t, false, dns.address)
  const url = `https://rebinding.example.com:${canary.port}/`
  t.equal(await client.checkUrl(url), undefined)
  t.match(await client.request(post(url)), { type: 'failed', reason: 'unsafe_address' })
  t.same(canary.connections, [])
})

test('outbound - the address that was checked is the one that is connected to', async (t) => {
  const canary = await startCanary(t)
  const dns = await startDnsServer(t, (_, nth) => [`127.0.0.${nth}`])
  const client = makeClient(t, true, dns.address)
  await client.request(post(`http://alternating.example.com:${canary.port}/`))
  t.same(canary.connections, ['::ffff:127.0.0.1'])
  t.same([...dns.questions].sort(), ['A alternating.example.com', 'AAAA alternating.example.com'])
})

test('outbound - what names a name server does not know are unresolved, and not refused when they are checked', async (t) => {
  const dns = await startDnsServer(t, () => [])
  const client = makeClient(t, false, dns.address)
  t.equal(await client.checkUrl('https://not-yet.example.com/'), undefined)
  t.match(await client.request(post('https://not-yet.example.com/')), { type: 'failed', reason: 'unresolved' })
})

test('outbound - the listener would have seen a connection: in a laboratory it does', async (t) => {
  const canary = await startCanary(t)
  const dns = await startDnsServer(t, (name) => hostileZone[name] ?? [])
  const client = makeClient(t, true, dns.address)
  const reaching = [
    'https://127.0.0.1:{port}/',
    'https://2130706434:{port}/',
    'https://0x7f.1:{port}/',
    'https://①②⑦.⓪.⓪.①:{port}/',
    'https://[::ffff:127.0.0.1]:{port}/',
    'https://[::1]:{port}/',
    'http://127.0.0.1:{port}/',
    'https://loopback.example.com:{port}/',
    'https://loopback6.example.com:{port}/',
  ]
  for (const [index, url] of reaching.map(at(canary.port)).entries()) {
    t.equal(await client.checkUrl(url), undefined, url)
    t.match(await client.request(post(url)), { type: 'failed', reason: /connection|tls/ }, url)
    t.equal(canary.connections.length, index + 1, url)
  }
})
