// `ampshard emsp` as its user meets it: a process that registers with an operator, prints what it sees, and says by its exit code whether that is
// what the standard says.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Test, test } from 'tap'
import { spawnNode } from '../support/child.js'
import { startOperator } from '../support/ocpi-operator.js'
import { until } from '../support/until.js'
import { cdr, location, session, tariff } from './emsp-objects.js'

const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))

interface Run {
  readonly child: ChildProcess
  /** Of standard output, without the time. */
  readonly lines: readonly string[]
  /** With the exit code, once it has ended. */
  readonly ended: Promise<{ readonly code: number; readonly complaint: string }>
}

function run(t: Test, ...words: readonly string[]): Run {
  const child = spawnNode([program, 'emsp', '--port', '0', ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const lines: string[] = []
  let complaint = ''
  createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) =>
    lines.push(line.replace(/^[\d:]+ {2}/, '')),
  )
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  const ended = once(child, 'close').then(([code]) => ({ code, complaint }))
  return { child, lines, ended }
}

test('emsp - it registers, reads everything, takes what it is told, and ends the connection at Ctrl+C', async (t) => {
  const operator = await startOperator(t)
  Object.assign(operator.lists, { locations: [location], tariffs: [tariff] })
  const { child, lines, ended } = run(t, '--url', operator.versionsUrl, '--token', 'token-a', '--authorize', 'CARD-1')
  await until(() => lines.includes('tokens   CARD-1 was sent to the operator'))
  await operator.send('PATCH', '/locations/NL/CPO/L1/E1', { status: 'CHARGING', last_updated: '2026-03-02T12:00:00Z' })
  await operator.send('PUT', '/sessions/NL/CPO/S1', session)
  await operator.send('POST', '/cdrs', cdr)
  await until(() => lines.some((line) => line.startsWith('price')))
  child.kill('SIGINT')
  t.same(await ended, { code: 0, complaint: '' })
  for (const line of [
    'joined   registered with NL*CPO',
    'read     location L1, Oudegracht 1, Utrecht: 1 EVSE (1 AVAILABLE)',
    'list     1 location on 1 page',
    'PATCH    location L1, EVSE E1: CHARGING',
    'PUT      session S1 of CARD-1 at E1: ACTIVE, 4 kWh, no price',
    'POST     CDR C1 of CARD-1 at E1: 10 kWh in 1 h, 5 EUR (6.05 with VAT)',
    'price    CDR C1 recomputed: 5 (6.05 with VAT), as charged',
    'left     the partner has ended the connection',
    'seen     1 location, 1 tariff, 1 session, 1 CDR; no faults',
  ])
    t.ok(lines.includes(line), `${line}\n${lines.join('\n')}`)
})

test('emsp - a fault is printed, and makes the exit code 1', async (t) => {
  const operator = await startOperator(t)
  operator.lists.locations = [{ ...location, city: undefined }]
  const { lines, ended } = run(t, '--url', operator.versionsUrl, '--token', 'token-a', '--once')
  t.equal((await ended).code, 1)
  t.ok(lines.includes('FAULT    locations L1: /city is missing'), lines.join('\n'))
  t.match(lines.at(-1), /; 1 fault$/)
})

test('emsp - what cannot work is one line', async (t) => {
  const operator = await startOperator(t)
  const address = ['--url', operator.versionsUrl, '--token', 'token-a']
  operator.lists.locations = [location]
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--port', 'x'], /^emsp: option '--port <number>' argument 'x' is invalid\..*\n$/],
    [['--url', 'ftp://x'], /^emsp: .*http or https address\.\n$/],
    [['--party-id', 'X'], /^emsp: .*3 letters or digits\.\n$/],
    [['--stop-after-seconds', '5'], /^emsp: --stop-after-seconds needs --start/],
    [['--once', '--start', 'L1'], /^emsp: --once and --start do not go together/],
    [[...address, '--start', 'L1/E9'], /^emsp: --start: L1 has no EVSE E9; it has E1\n$/],
    [['--url', 'http://127.0.0.1:1', '--token', 'a'], /^emsp: GET http:.* was not answered: .*\n$/],
  ]
  const runs = cases.map(([words, complaint]) => ({ words, complaint, ended: run(t, ...words).ended }))
  for (const { words, complaint, ended } of runs) t.match(await ended, { code: 1, complaint }, words.join(' '))
})
