// Frames as they are shown to people: what is secret is masked, and whatever was sent, there is little of it.

import { test } from 'tap'
import { limits } from '../../src/ocpp16/limits.js'
import { sampleOf } from '../../src/ocpp16/sample-frame.js'

const sampleFrame = (text: string): string => sampleOf(text).frame

test('sample frame - secrets, id tags and what vendors transfer are masked, wherever they stand', (t) => {
  const frames = [
    [2, 'a', 'Authorize', { idTag: 'HIDDEN-1', Password: 'HIDDEN-2', deep: [{ parentIdTag: 'HIDDEN-3' }] }],
    [3, 'b', { configurationKey: [{ key: 'AuthorizationKey', readonly: false, value: 'HIDDEN-4' }] }],
    [2, 'c', 'DataTransfer', { vendorId: 'V', data: '{"token":"HIDDEN-5"}' }],
    [2, 'd', 'StatusNotification', { info: 'ftp://user:HIDDEN-6@example.com/' }],
  ]
  for (const frame of frames) {
    const shown = sampleFrame(JSON.stringify(frame))
    t.notMatch(shown, 'HIDDEN')
    t.match(shown, String(frame[1]), 'the rest is there')
  }
  t.match(sampleFrame('[2,"a","Authorize",{"idTag":"HIDDEN",}]'), /^\[2,"a","Authorize",\{"idTag":"\(redacted\)"\}\]$/)
  t.notMatch(sampleFrame('[2,"a","Authorize",{"idTag":"HIDDEN'), 'HIDDEN', 'what is not JSON may hold anything')
  t.end()
})

test('sample frame - keys whose last word is short for a password are secret, and words that only end like it are not', (t) => {
  const shown = (key: string) => sampleFrame(JSON.stringify([2, 'a', 'ChangeConfiguration', { key, value: 'VALUE' }]))
  for (const key of ['VendorWifiPass', 'wifi_pass', 'FTP.PASS', 'ApPass2', 'VendorFtpPwd', 'ModemPwd1'])
    t.notMatch(shown(key), 'VALUE', key)
  for (const key of ['BypassMode', 'MeterBypass', 'Compass', 'PassThrough']) t.match(shown(key), 'VALUE', key)
  t.end()
})

test('sample frame - keys that are named after a credential are secret, and those of OCPP are not for their names', (t) => {
  const shown = (key: string) => sampleFrame(JSON.stringify([2, 'a', 'ChangeConfiguration', { key, value: 'VALUE' }]))
  for (const key of ['WiFi-Key', 'SimPin', 'SIM_PUK', 'ConnectionString', 'Basic_Auth', 'MqttCredentials'])
    t.notMatch(shown(key), 'VALUE', key)
  for (const key of ['MeterPublicKey', 'LedPin', 'LocalPreAuthorize', 'GetConfigurationMaxKeys'])
    t.match(shown(key), 'VALUE', key)
  t.match(sampleFrame('[3,"a",{"configurationKey":[{"key":"SHOWN"}],"unknownKey":["TOO"]}]'), /SHOWN.*TOO/)
  t.end()
})

test('sample frame - id tags are masked under the names that charge points give them', (t) => {
  for (const name of [
    'id_tag',
    'IdTag',
    'idTagValue',
    'rfid',
    'RfidUid',
    'uid',
    'cardNumber',
    'card',
    'token',
    'userToken',
  ])
    t.notMatch(sampleFrame(JSON.stringify([2, 'a', 'Authorize', { [name]: 'HIDDEN' }])), 'HIDDEN', name)
  for (const name of ['status', 'errorCode', 'vendorId'])
    t.match(sampleFrame(JSON.stringify([2, 'a', 'StatusNotification', { [name]: 'SHOWN' }])), 'SHOWN', name)
  t.end()
})

test('sample frame - a text is shown only where OCPP 1.6 has a field for it, of others their length', (t) => {
  for (const frame of [
    [2, 'a', 'Authorize', 'HIDDEN'],
    [2, 'a', 'Authorize', ['HIDDEN']],
    [2, 'a', 'Authorize', { tag: 'HIDDEN', badge: ['HIDDEN'] }],
    [2, 'a', 'DataTransfer', { messageId: 'auth', data: 'card HIDDEN' }],
    [2, 'a', 'DataTransfer', { vendorId: 'V', data: { vendorId: 'HIDDEN' } }],
    [2, 'a', 'StatusNotification', { status: 'Available', info: 'RFID HIDDEN accepted' }],
    [3, 'a', 'HIDDEN'],
    [3, 'a', { driver: 'HIDDEN' }],
    [4, 'a', 'HIDDEN', 'HIDDEN', { card: 'HIDDEN', status: 'HIDDEN' }],
    ['HIDDEN', 'a', 'HIDDEN', 'HIDDEN', 'HIDDEN'],
    [7, 'a', 'HIDDEN', 'HIDDEN'],
    [2, 'a', 'Authorize', {}, 'HIDDEN'],
  ])
    t.notMatch(sampleFrame(JSON.stringify(frame)), 'HIDDEN', JSON.stringify(frame))
  t.equal(sampleFrame('[2,"a","Authorize",{"tag":"HIDDEN"}]'), '[2,"a","Authorize",{"tag":"(text of 6 characters)"}]')
  t.equal(
    sampleFrame('[2,"a","MakeCoffee",{"cups":1,"card":47110815,"at":47110815}]'),
    '[2,"a","MakeCoffee",{"cups":1,"card":"(redacted)","at":"(number)"}]',
  )
  t.match(sampleFrame('[2,"a","StatusNotification",{"connectorId":"first","status":"Fine"}]'), /first.*Fine/)
  t.end()
})

test('sample frame - long, wide and deep ones are shortened', (t) => {
  const deep = `[2,"a","Heartbeat",${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}]`
  const wide = JSON.stringify([
    2,
    'a',
    'Heartbeat',
    Object.fromEntries(Array.from({ length: 500 }, (_, at) => [at, at])),
  ])
  for (const text of [deep, wide, `[${'['.repeat(4_000)}${']'.repeat(4_000)}]`, 'x'.repeat(70_000), '']) {
    const shown = sampleFrame(text)
    t.ok(shown.length <= limits.sampleCharacters, `${text.length} characters become ${shown.length}`)
  }
  t.match(sampleFrame(deep), '...')
  t.end()
})
