// `simulate --replay`: what a capture has recorded at one service is played at another, and what is answered otherwise is told.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { t, test } from 'tap'
import { bootChargePoint, sessionsOf } from '../support/charge-point.js'
import { spawnNode } from '../support/child.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))
const [field, laboratory] = await Promise.all([startService(t), startService(t)])

function play(service: Service, file: string): Promise<{ readonly code: number | null; readonly printed: string }> {
  const words = ['simulate', '--replay', file, '--url', service.url, '--longest-pause', '0']
  const child = spawnNode([program, ...words], {
    env: { ...process.env, AMPSHARD_API_KEY: service.key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, printed })))
}

/** A capture of a charge, with a command in it. */
async function recorded(file: string): Promise<void> {
  const client = await bootChargePoint(field, 'FIELD-1')
  const captures = '/api/v1/chargepoints/FIELD-1/captures'
  const { body: capture } = await field.request('POST', captures, {})
  const now = () => new Date().toISOString()
  await client.call('StatusNotification', { connectorId: 2, errorCode: 'NoError', status: 'Preparing' })
  await client.call('Authorize', { idTag: 'TAG-1' })
  const start = { connectorId: 2, idTag: 'TAG-1', meterStart: 1_000, timestamp: now() }
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  const reset = field.request('POST', '/api/v1/ocpp16/send_command', {
    charge_point_id: 'FIELD-1',
    command: 'GetConfiguration',
    payload: { key: ['HeartbeatInterval'] },
  })
  await client.answerNext({ configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }] })
  await reset
  await client.call('StopTransaction', { transactionId, idTag: 'TAG-1', meterStop: 5_000, timestamp: now() })
  await until(async () => (await field.request('GET', captures)).body.data[0].messages >= 5)
  const url = `${field.url}${captures}/${capture.capture_id}/script`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${field.key}` } })
  writeFileSync(file, await answer.text())
}

test('replay - a charge of the field is made again in a laboratory, with its transaction, and no answer differs', async (t) => {
  const file = join(t.testdir(), 'field.jsonl')
  await recorded(file)
  const { code, printed } = await play(laboratory, file)
  t.equal(code, 0, printed)
  t.match(printed, /begins without a BootNotification/)
  t.match(printed, /messages played, 0 answers differ\./)
  const [session] = await sessionsOf(laboratory, 'FIELD-1')
  t.match(session, { connector_id: 2, id_tag: 'TAG-1', energy_kwh: 4, status: 'completed' })
  const { body } = await laboratory.request('GET', '/api/v1/chargepoints/FIELD-1/messages?kind=command')
  t.match(body.data, [{ action: 'GetConfiguration', answer: /"value":"300"/ }], 'it was asked what it had been asked')

  const changed = readFileSync(file, 'utf8').replace('\\"Accepted\\"', '\\"Blocked\\"')
  const other = join(t.testdir(), 'changed.jsonl')
  writeFileSync(other, changed)
  const differing = await play(laboratory, other)
  t.equal(differing.code, 1, differing.printed)
  t.match(differing.printed, /Authorize: idTagInfo\.status was "Blocked", is "Accepted"/)
  t.match(differing.printed, /1 answer differs\./)
})

test('replay - a file that is no script is refused in words', async (t) => {
  const file = join(t.testdir({ 'no.jsonl': '{"type":"something"}\n' }), 'no.jsonl')
  const { code, printed } = await play(laboratory, file)
  t.equal(code, 1)
  t.match(printed, /line 1 is not the head of a script/)
})
