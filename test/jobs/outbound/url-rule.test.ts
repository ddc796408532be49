// The rule about URLs: what is allowed, and what a laboratory allows beyond that.

import { test } from 'tap'
import { limits } from '../../../src/jobs/outbound/limits.js'
import { checkUrl } from '../../../src/jobs/outbound/url-rule.js'

const strict = (url: string): string | undefined => checkUrl(url, { allowInsecure: false })
const laboratory = (url: string): string | undefined => checkUrl(url, { allowInsecure: true })

test('outbound - https at a public host passes, at port 443 or from 1024 on', (t) => {
  const allowed = [
    'https://hooks.example.com',
    'https://hooks.example.com/ampshard?tenant=1&x=%20#part',
    'HTTPS://Hooks.Example.COM:443/',
    'https://hooks.example.com:1024/',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com:65535/',
    'https://hooks.example.com./',
    'https://münchen.example/hook',
    'https://xn--mnchen-3ya.example/hook',
    'https://localhost.example.com/',
    'https://notlocalhost.com/',
    'https://internal.example.com/',
    'https://1.1.1.1/',
    'https://[2606:4700:4700::1111]/',
    'https://a_b.example.com/',
  ]
  for (const url of allowed) t.equal(strict(url), undefined, url)
  t.end()
})

test('outbound - a URL is the same one however often it is asked about', (t) => {
  const url = 'https://münchen.example/hook'
  const refused = Array.from({ length: 20_000 }, () => strict(url)).filter((fault) => fault !== undefined)
  t.same(refused, [])
  t.end()
})

test('outbound - a refusal says what is wrong', (t) => {
  t.equal(strict('http://hooks.example.com/'), 'the URL must begin with https://')
  t.equal(strict('https://a:b@hooks.example.com/'), 'the URL must not carry a user name or password')
  t.equal(strict('https://hooks.example.com:8/'), 'port 8 is not allowed: 443, or 1024 and above')
  t.equal(strict('https://0x7f.1/'), 'the address 127.0.0.1 is not public')
  t.equal(strict('https://[::1]/'), 'the address ::1 is not public')
  t.equal(strict('https://LocalHost./'), 'the host localhost. is not public')
  t.equal(strict('https://hooks.example.com/a b'), 'the URL has characters that do not belong into one')
  t.equal(strict('hooks.example.com'), 'it is not a URL that begins with https:// and a host')
  t.end()
})

test('outbound - a URL may be as long as the bound, and no longer', (t) => {
  const start = 'https://hooks.example.com/'
  const longest = start + 'a'.repeat(limits.outboundUrlCharacters - start.length)
  t.equal(strict(longest), undefined)
  t.match(strict(`${longest}a`), /longer than 2048/)
  t.end()
})

test('outbound - a laboratory may use http, and private and loopback addresses', (t) => {
  const allowed = [
    'http://127.0.0.1:9000/hook',
    'https://127.0.0.1/',
    'http://[::1]:9000/',
    'http://localhost/',
    'http://localhost:3000/',
    'http://receiver:8080/',
    'http://192.168.1.5/',
    'https://host.docker.internal:8443/',
  ]
  for (const url of allowed) {
    t.equal(laboratory(url), undefined, url)
    t.type(strict(url), 'string', url)
  }
  t.end()
})

test('outbound - a laboratory has the other rules', (t) => {
  const refused = [
    'http://a:b@127.0.0.1:9000/',
    'http://127.0.0.1:22/',
    'http://127.0.0.1:9000/\n',
    'ftp://127.0.0.1:9000/',
    'http:/127.0.0.1:9000/',
    `http://127.0.0.1:9000/${'a'.repeat(limits.outboundUrlCharacters)}`,
  ]
  for (const url of refused) t.type(laboratory(url), 'string', url)
  t.end()
})
