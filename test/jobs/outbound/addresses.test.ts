// Which addresses are public: the edges of every special range, and that no spelling of an address changes what it is.

import fc from 'fast-check'
import { test } from 'tap'
import { isPublicAddress, specialIpv4, specialIpv6 } from '../../../src/jobs/outbound/addresses.js'
import { checkUrl } from '../../../src/jobs/outbound/url-rule.js'

const dotted = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.')

/** First and last address of a range. */
function edges(subnet: string): { first: number; last: number } {
  const [address = '', length = ''] = subnet.split('/')
  const first = address.split('.').reduce((value, part) => value * 256 + Number(part), 0)
  return { first, last: first + 2 ** (32 - Number(length)) - 1 }
}

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2400:cb00::1',
  '2606:2800:220:1:248:1893:25c8:1946',
  '2a00:1450:4001:81b::200e',
  '3ffe:ffff::1',
]

test('outbound - addresses of the public network are public', (t) => {
  for (const address of publicAddresses) t.ok(isPublicAddress(address), address)
  t.end()
})

test('outbound - the first and the last address of each special IPv4 range are not public, however they are written', (t) => {
  for (const { first, last } of specialIpv4.map(edges))
    for (const address of [dotted(first), dotted(last)]) {
      t.notOk(isPublicAddress(address), address)
      t.notOk(isPublicAddress(`::ffff:${address}`), `mapped ${address}`)
      t.notOk(isPublicAddress(`::${address}`), `compatible ${address}`)
      t.notOk(isPublicAddress(`64:ff9b::${address}`), `NAT64 ${address}`)
    }
  t.end()
})

test('outbound - IPv6 outside of global unicast, and the special ranges within, are not public', (t) => {
  const special = [
    ...specialIpv6.map((subnet) => subnet.slice(0, subnet.indexOf('/'))),
    '::',
    '::1',
    '1fff:ffff::1',
    '2001:1ff:ffff::1',
    '2001:db8:ffff::1',
    '2002:ffff::1',
    '3fff:fff:ffff::1',
    '4000::1',
    '5f00::1',
    '64:ff9b::1',
    '64:ff9b:1::1',
    '100::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fec0::1',
    'ff00::1',
    'ffff::1',
  ]
  for (const address of special) t.notOk(isPublicAddress(address), address)
  t.end()
})

test('outbound - what is no address is not public', (t) => {
  for (const text of [
    '',
    'localhost',
    'example.com',
    '1.1.1',
    '1.1.1.1.',
    '01.1.1.1',
    '2606::1%eth0',
    '[2606::1]',
    '0x1',
  ])
    t.notOk(isPublicAddress(text), text)
  t.end()
})

const digitsOf = (shape: readonly string[]) => (text: string) =>
  text.replace(/[0-9]/g, (digit) => shape[Number(digit)] as string)
const shapes: readonly ((text: string) => string)[] = [
  (text) => text,
  digitsOf([...'０１２３４５６７８９']),
  digitsOf([...'⓪①②③④⑤⑥⑦⑧⑨']),
  digitsOf([...'𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗']),
  (text) => text.replace(/[0-9]/g, (digit) => `%${digit.charCodeAt(0).toString(16)}`),
  (text) => text.toUpperCase(),
]
const dots = ['.', '。', '．', '｡', '%2e', '%2E']

/** An IPv4 address as a URL may have it: one to four parts, each decimal, octal or hexadecimal, in any digits, with any dots. */
const spelling = fc
  .record({
    parts: fc.integer({ min: 1, max: 4 }),
    radixes: fc.array(fc.constantFrom(10, 8, 16), { minLength: 4, maxLength: 4 }),
    zeros: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }),
    shape: fc.constantFrom(...shapes),
    dot: fc.constantFrom(...dots),
    trailing: fc.boolean(),
  })
  .map(({ parts, radixes, zeros, shape, dot, trailing }) => (value: number): string => {
    const numbers = Array.from({ length: parts }, (_, index) =>
      index < parts - 1 ? (value >>> (24 - 8 * index)) & 0xff : value % 2 ** (32 - 8 * index),
    )
    const written = numbers.map((number, index) => {
      const radix = radixes[index] as number
      const prefix = { 10: '', 8: '0', 16: '0x' }[radix] as string
      return `${prefix}${radix === 10 ? '' : '0'.repeat(zeros[index] as number)}${number.toString(radix)}`
    })
    return written.map(shape).join(dot) + (trailing ? dot : '')
  })

const specialValue = fc
  .constantFrom(...specialIpv4.map(edges))
  .chain(({ first, last }) => fc.oneof(fc.constantFrom(first, last), fc.integer({ min: first, max: last })))

test('outbound - no spelling of a special IPv4 address passes', (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(specialValue, spelling, (value, spell) => {
        const url = `https://${spell(value)}:8443/hook`
        // That it is that address, and not something that is refused for another reason.
        if (new URL(url).hostname !== dotted(value)) return false
        return checkUrl(url, { allowInsecure: false }) === `the address ${dotted(value)} is not public`
      }),
      { numRuns: 5_000 },
    ),
  )
  t.end()
})

test('outbound - every spelling of a public IPv4 address passes', (t) => {
  const values = publicAddresses
    .filter((address) => address.includes('.'))
    .map((address) => edges(`${address}/32`).first)
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.constantFrom(...values), spelling, (value, spell) => {
        return checkUrl(`https://${spell(value)}:8443/hook`, { allowInsecure: false }) === undefined
      }),
      { numRuns: 2_000 },
    ),
  )
  t.end()
})

test('outbound - no IPv6 address that carries a special IPv4 address passes', (t) => {
  const hex = (value: number): string => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`
  const carriers: readonly ((value: number) => string)[] = [
    (value) => `::ffff:${dotted(value)}`,
    (value) => `0:0:0:0:0:FFFF:${hex(value)}`,
    (value) => `::${dotted(value)}`,
    (value) => `::ffff:0:${hex(value)}`,
    (value) => `64:ff9b::${dotted(value)}`,
    (value) => `64:ff9b:1::${hex(value)}`,
    (value) => `2002:${hex(value)}::1`,
    (value) => `2001:0:${hex(value)}::`,
    (value) => `2001::${hex(~value >>> 0)}`,
  ]
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(specialValue, fc.constantFrom(...carriers), fc.boolean(), (value, carry, upper) => {
        const address = upper ? carry(value).toUpperCase() : carry(value)
        return !isPublicAddress(address) && checkUrl(`https://[${address}]/`, { allowInsecure: false }) !== undefined
      }),
      { numRuns: 3_000 },
    ),
  )
  t.end()
})
