// Frames as they are kept: whole and as they were sent, but for secrets.

import fc from 'fast-check'
import { test } from 'tap'
import { maskFrame, maskText, readHead } from '../../src/ocpp16/index.js'
import { limits } from '../../src/ocpp16/limits.js'
import { isSecretKey } from '../../src/ocpp16/secrets.js'
import { withoutSecrets } from '../../src/ocpp16/without-secrets.js'
import { samples } from './every-message.js'
import { secretStructures, secretTexts } from './secret-forms.js'

test('masked frame - secrets are gone wherever they stand, and the rest is there, id tags too', (t) => {
  const frames = [
    [2, 'a', 'Authorize', { idTag: 'SHOWN', Password: 'HIDDEN-2', deep: [{ api_key: 'HIDDEN-3' }] }],
    [3, 'b', { configurationKey: [{ key: 'AuthorizationKey', readonly: false, value: 'HIDDEN-4' }] }],
    [2, 'c', 'DataTransfer', { vendorId: 'SHOWN', data: '{"token":"HIDDEN-5"}' }],
    [2, 'd', 'StatusNotification', { info: 'ftp://user:HIDDEN-6@example.com/SHOWN' }],
    [2, 'e', 'UpdateFirmware', { location: 'https://HIDDEN-7@example.com/SHOWN.bin' }],
    [2, 'f', 'DiagnosticsStatusNotification', { status: 'SHOWN pwd: HIDDEN-8' }],
    [
      2,
      'h',
      'GetDiagnostics',
      { location: 'https://example.com/SHOWN?X-Amz-Signature=HIDDEN-10&X-Amz-Date=1&sig=HIDDEN-11' },
    ],
    [2, 'i', 'UpdateFirmware', { location: 'https://example.com/SHOWN.bin?token=HIDDEN-12#part' }],
    [2, 'g', 'DataTransfer', { vendorId: 'SHOWN', data: '-----BEGIN EC PRIVATE KEY-----HIDDEN-9' }],
  ]
  for (const frame of frames) {
    const shown = maskFrame(JSON.stringify(frame))
    t.notMatch(shown, 'HIDDEN')
    if (frame[1] !== 'b' && frame[1] !== 'g') t.match(shown, 'SHOWN')
  }
  t.notMatch(maskFrame('[2,"a","X",{"password":"HIDDEN'), 'HIDDEN', 'what cannot be read may hold one')
  t.notMatch(maskFrame('[3,"a",{"x":"HIDDEN"}]', ['HIDDEN']), 'HIDDEN', 'what it was sent lately')
  const deep = `[2,"a","DataTransfer",{"data":${'['.repeat(40)}{"password":"HIDDEN"}${']'.repeat(40)}}]`
  t.notMatch(maskFrame(deep), 'HIDDEN')
  t.end()
})

test('masked frame - texts of one long word, which a charge point may send, take no time', (t) => {
  const long = 100_000
  const parts = [
    'a',
    '1',
    ' ',
    '.',
    '-',
    ':',
    '=',
    '/',
    '?',
    '&',
    'a:',
    'a=',
    'a ',
    '1a',
    '://',
    'a://',
    '?a',
    'a\\u0061',
    'pass',
    'key',
    '[',
    '{',
    '"',
    "'",
    '\\',
    '":',
    '":"',
    '","',
    '[\\',
    'token"',
    'token":',
    'token:"',
    'token:\\',
    '"token","',
    'token ',
    'value=',
    '=token',
    'v\\',
    '>',
    'a>',
    '[{"token":',
  ]
  const texts = parts.flatMap((part) => [part.repeat(long / part.length), `a${part.repeat(long / part.length)}`])
  for (const text of texts) {
    const begun = performance.now()
    maskFrame(JSON.stringify([2, 'a', 'DataTransfer', { vendorId: 'V', data: `${text}@` }]))
    t.ok(performance.now() - begun < 2_000, text.slice(0, 8))
  }
  t.notMatch(maskFrame('[2,"a","DataTransfer",{"data":"9password=HIDDEN 9ftp://user:HIDDEN@example.com"}]'), 'HIDDEN')
  t.end()
})

test('masked frame - a secret is gone in whatever form it stands beside its name, in a frame, in a text and in a record', (t) => {
  const name = fc.constantFrom(
    'AuthorizationKey',
    'wifi_password',
    'authorization-key',
    'MODEM.PIN',
    'apiToken',
    'WpaPsk',
    'PSK1',
    'Authorization',
    'Set-Cookie',
    'pin',
    'pw',
    'passwort',
  )
  const secret = fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 6, maxLength: 20 })
    .map((text) => `Zq${text}`)
  /** Around what has it. */
  const wrap = fc.constantFrom<(inner: unknown) => unknown>(
    (inner) => inner,
    (inner) => [inner],
    (inner) => ['first', { more: inner }],
    (inner) => ({ vendorId: 'V', data: inner }),
    (inner) => ({ data: JSON.stringify(inner) }),
    (inner) => JSON.stringify({ more: [inner] }),
  )
  fc.assert(
    fc.property(name, secret, fc.array(wrap, { maxLength: 3 }), (name, secret, wraps) => {
      for (const text of secretTexts(name, secret))
        if (maskText(text).includes(secret)) throw new Error(`in the text ${text}: ${maskText(text)}`)
      for (const form of [...secretStructures(name, secret), ...secretTexts(name, secret)]) {
        const payload = wraps.reduce((inner: unknown, around) => around(inner), form)
        const call = JSON.stringify([2, '1', 'DataTransfer', payload])
        const result = JSON.stringify([3, '1', payload])
        for (const shown of [maskFrame(call), maskFrame(result), JSON.stringify(withoutSecrets(payload))])
          if (shown.includes(secret)) throw new Error(`${call} is shown as ${shown}`)
      }
    }),
    { numRuns: 100 },
  )
  t.notMatch(maskFrame('[2,"1","AuthorizationKey","HIDDEN"]'), 'HIDDEN')
  t.notMatch(maskFrame('["AuthorizationKey","HIDDEN"]'), 'HIDDEN')
  for (const data of ['AuthorizationKey HIDDEN99', 'Bearer HIDDEN99', 'sent bearer HIDDEN99'])
    t.notMatch(maskFrame(JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'V', data }])), 'HIDDEN', data)
  t.end()
})

test('masked frame - names of secrets stand in lists of names, and messages have ids of any kind', (t) => {
  for (const text of [
    '[2,"a","GetConfiguration",{"key":["AuthorizationKey","HeartbeatInterval"]}]',
    '[3,"a",{"configurationKey":[],"unknownKey":["AuthorizationKey","HeartbeatInterval"]}]',
    '[3,"a",{"configurationKey":[{"key":"AuthorizationKey","readonly":false},{"key":"HeartbeatInterval","readonly":false,"value":"300"}]}]',
    '[2,"a","DataTransfer",{"vendorId":"V","data":"the AuthorizationKey was not accepted"}]',
    '[2,"cmd_01K0KEY","TriggerMessage",{"requestedMessage":"Heartbeat"}]',
    '[2,"a","StatusNotification",{"info":"[door] no key, press any key: open"}]',
    '[2,"a","DataTransfer",{"vendorId":"V","data":"{\\"key\\":\\"HeartbeatInterval\\",\\"value\\":\\"300\\"}"}]',
    '[4,"a","InternalError","the key \\"AuthorizationKey\\" is read only",{}]',
  ])
    t.equal(maskFrame(text), text)
  const parameters = { keys: ['AuthorizationKey', 'HeartbeatInterval'] }
  t.same(withoutSecrets(parameters), parameters)
  t.end()
})

test('masked frame - a name of a secret is known however its words are written', (t) => {
  const names = [
    'basic auth',
    'connection string',
    'sim pin',
    'web pass',
    'pass phrase',
    'wifi psk',
    'sim puk',
    'ftp pwd',
  ]
  const more = ['client secret', 'access token', 'user credentials', 'api key', 'proxy auth', 'user pin', 'new passwd']
  for (const name of [...names, ...more]) {
    const words = name.split(' ')
    const capital = words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    const forms = [...['', ' ', '_', '-', '.'].map((sign) => words.join(sign)), capital.join(''), capital.join(' ')]
    for (const form of [...forms, ...forms.map((one) => one.toUpperCase())]) {
      t.ok(isSecretKey(form), form)
      for (const action of ['Heartbeat', 'MeterValues', 'DataTransfer'])
        t.notMatch(maskFrame(JSON.stringify([2, 'a', action, { [form]: 'HIDDEN' }])), 'HIDDEN', `${action} ${form}`)
    }
  }
  t.end()
})

test('masked frame - a secret that it was sent is gone also where its characters are written as escapes', (t) => {
  const secret = 'a/b"c\\d'
  for (const text of [
    JSON.stringify([4, 'a', 'InternalError', secret, {}]),
    '[4,"a","InternalError","a\\/b\\"c\\\\d",{}]',
  ]) {
    t.same(JSON.parse(text)[3], secret)
    t.same(JSON.parse(maskFrame(text, [secret]))[3], '(redacted)')
  }
  const other = '[3,"a",{"status":"Accepted"}]'
  t.equal(maskFrame(other, [secret]), other)
  t.end()
})

test('masked frame - what holds no secret stays as it was sent, byte for byte', (t) => {
  const odd = [' [2, "a" ,"Authorize",{"idTag":"04A1"} ]', '[2,"a","StatusNotification",{"connectorId":1,}]', '']
  for (const text of odd) t.equal(maskFrame(text), text)
  for (const [action, { request }] of Object.entries(samples)) {
    if (action.includes('Certificate') || action === 'GetDiagnostics') continue
    const text = JSON.stringify([2, 'a', action, request])
    t.equal(maskFrame(text), text)
  }
  t.end()
})

test('masked frame - the head of a frame is what reading all of it finds', (t) => {
  t.same(readHead('[2,"a","Authorize",{"idTag":"04A1"}]'), { type: 'call', messageId: 'a', action: 'Authorize' })
  t.same(readHead(' [ 2 , "a" , "Authorize" , {} ]'), { type: 'call', messageId: 'a', action: 'Authorize' })
  t.same(readHead('[2,17,"Authorize",{}]'), { type: 'call', messageId: '17', action: 'Authorize' })
  t.same(readHead('[2,"a\\"b","Authorize",{}]'), { type: 'call', messageId: 'a"b', action: 'Authorize' })
  t.same(readHead('[3,"a",{}]'), { type: 'result', messageId: 'a' })
  t.same(readHead('[4,"a","GenericError","",{}]'), { type: 'error', messageId: 'a' })
  t.same(readHead(''), { type: 'empty' })
  t.same(readHead('hello'), { type: 'unreadable' })
  t.end()
})

const fieldsOf = (count: number, value = '1'): string =>
  Array.from({ length: count }, (_, at) => `"f${at}":${value}`).join()

test('masked frame - one that may hold a secret and has more in it than any message of OCPP is masked whole, before it is read', (t) => {
  const most = limits.maskedValues
  const wholes: [string, unknown][] = [
    [`[2,"a","DataTransfer",{"password":"HIDDEN",${fieldsOf(most)}}]`, [2, 'a', 'DataTransfer']],
    [`[2,"a","ftp://u:HIDDEN@example.com/x",{${fieldsOf(most)}}]`, [2, 'a', 'ftp://u:redacted@example.com/x']],
    [`[3,"b",{"password":"HIDDEN",${fieldsOf(most)}}]`, [3, 'b']],
    [`[4,"c","InternalError","",{"password":"HIDDEN",${fieldsOf(most)}}]`, [4, 'c', '']],
    // Whoever reads these finds that they are not JSON.
    [`[2,"d","DataTransfer",{"password":"HIDDEN",${fieldsOf(most)}`, [2, 'd', 'DataTransfer']],
    [`[2,"e","DataTransfer",{"password":"HIDDEN","list":[${'{},'.repeat(most)}`, [2, 'e', 'DataTransfer']],
    [`[2,"f","DataTransfer",${JSON.stringify(`{"password":"HIDDEN",${fieldsOf(most)}}`)}`, [2, 'f', 'DataTransfer']],
  ]
  for (const [text, head] of wholes) {
    const shown = JSON.parse(maskFrame(text))
    const told = `(${text.length} characters that may hold a secret)`
    t.same(shown, [...(head as unknown[]), told])
  }
  const secretAction = `[2,"g","AuthorizationKey",{${fieldsOf(most)}}]`
  t.same(JSON.parse(maskFrame(secretAction)), [2, 'g', 'AuthorizationKey', '(redacted)'])
  const odd = ` [2,"h","DataTransfer",{"password":"HIDDEN",${fieldsOf(most)}}]`
  t.equal(JSON.parse(maskFrame(odd)), `(${odd.length} characters that may hold a secret)`)
  const sent = `[3,"OFTEN-SENT",{"token":1,${fieldsOf(most)}}]`
  t.notMatch(maskFrame(sent, ['OFTEN-SENT']), 'OFTEN-SENT')
  const harmless = `[2,"i","DataTransfer",{${fieldsOf(most)}}]`
  t.equal(maskFrame(harmless), harmless)
  t.end()
})

test('masked frame - one with as much in it as a message of OCPP has is shown but for its secrets', (t) => {
  const keys = Array.from({ length: 450 }, (_, at) => ({ key: `Key${at}`, readonly: false, value: `${at}` }))
  const secret = { key: 'AuthorizationKey', readonly: false, value: 'HIDDEN' }
  const answer = (last: object) => JSON.stringify([3, 'a', { configurationKey: [...keys, last] }])
  t.equal(maskFrame(answer(secret)), answer({ ...secret, value: '(redacted)' }))
  const large = (value: string) =>
    `[2,"a","DataTransfer",{"__proto__":{"part":1},"password":"${value}",${fieldsOf(1_900)}}]`
  t.equal(maskFrame(large('HIDDEN')), large('(redacted)'))
  t.end()
})

test('masked frame - texts with more names or addresses than are looked at are masked whole, also where escapes hide them', (t) => {
  const texts = [
    'token=HIDDEN '.repeat(limits.maskedSigns + 1),
    'ftp://user:HIDDEN@example.com '.repeat(limits.maskedSigns / limits.signsOfAddress + 1),
  ]
  for (const text of texts) {
    const told = `(${text.length} characters that may hold a secret)`
    const frame = [2, 'a', 'DataTransfer', { data: text, more: 'pwd=HIDDEN', info: 'SHOWN' }]
    const shown = [
      2,
      'a',
      'DataTransfer',
      { data: told, more: '(10 characters that may hold a secret)', info: 'SHOWN' },
    ]
    t.same(JSON.parse(maskFrame(JSON.stringify(frame))), shown, 'and those after them')
  }
  const commas = `[1${'\\u002c1'.repeat(limits.maskedValues)},{"password":"HIDDEN"}`
  t.same(JSON.parse(maskFrame(`[2,"a","DataTransfer","${commas.replaceAll('"', '\\"')}"]`)), [
    2,
    'a',
    'DataTransfer',
    `(${JSON.parse(`"${commas.replaceAll('"', '\\"')}"`).length} characters that may hold a secret)`,
  ])
  t.end()
})

test('masked frame - one that may not be searched is masked whole, and nobody is asked of one that cannot hold a secret', (t) => {
  let asked = 0
  const never = () => {
    asked++
    return false
  }
  const plain = '[2,"a","Heartbeat",{}]'
  t.equal(maskFrame(plain, [], never), plain)
  t.equal(asked, 0)
  const text = '[2,"a","DataTransfer",{"vendorId":"V","data":"password=HIDDEN"}]'
  t.same(JSON.parse(maskFrame(text, [], never)), [2, 'a', 'DataTransfer', '(64 characters that may hold a secret)'])
  t.equal(asked, 1)
  t.end()
})
