// Which upgrades come from a web page of somebody else.

import { test } from 'tap'
import { isForeignPage } from '../../src/edge/origin.js'

const none = { allowed: undefined, publicUrl: undefined }

test('origin - a page of another host is foreign, and so is one that hides where it is from', (t) => {
  for (const origin of ['https://evil.example', 'http://10.0.0.6', 'http://10.0.0.5:81', 'null', 'file://', 'x://'])
    t.ok(isForeignPage(origin, '10.0.0.5', none), origin)
  t.end()
})

test('origin - a name that leads here for a moment does not make a page ours', (t) => {
  t.ok(isForeignPage('http://evil.example:8080', 'evil.example:8080', none))
  t.end()
})

test('origin - charge points that send the address they connect to, no origin or a text that is none are let in', (t) => {
  const publicUrl = 'wss://ocpp.example.com/ws'
  t.notOk(isForeignPage('', '10.0.0.5', none))
  t.notOk(isForeignPage('charger', '10.0.0.5', none))
  t.notOk(isForeignPage('http://10.0.0.5:8080', '10.0.0.5:8080', none))
  t.notOk(isForeignPage('http://[::1]:8080', '[::1]:8080', none))
  t.notOk(isForeignPage('http://LOCALHOST', 'localhost', none))
  t.notOk(isForeignPage('https://ocpp.example.com', 'inner:8080', { ...none, publicUrl }))
  t.ok(isForeignPage('https://ocpp.example.com.evil.example', 'inner:8080', { ...none, publicUrl }))
  t.end()
})

test('origin - pages that the operator allows are let in, whatever their case', (t) => {
  const allowed = 'https://tools.example.com, http://lab.example:3000/'
  t.notOk(isForeignPage('https://Tools.example.com', 'x', { ...none, allowed }))
  t.notOk(isForeignPage('http://lab.example:3000', 'x', { ...none, allowed }))
  t.ok(isForeignPage('http://tools.example.com', 'x', { ...none, allowed }))
  t.end()
})
