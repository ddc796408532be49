// What a charge point and the built service have said to each other: read from memory, from the log after a restart, and as a stream.

import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { t, test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { makeOrganization } from '../support/organization.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const shared = await startService(t, { flags: ['--fronts', '2', '--shards', '1', '--flap-connects-per-minute', '100'] })

interface Shown {
  readonly id: string
  readonly action: string | null
  readonly source: string
  readonly kind: string
  readonly answer: string | null
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  readonly [name: string]: any
}

async function messagesOf(service: Pick<Service, 'request'>, id: string, query = ''): Promise<Shown[]> {
  const { body } = await service.request('GET', `/api/v1/chargepoints/${id}/messages${query}`)
  return body.data
}

const named = (messages: readonly Shown[], action: string): Shown => {
  const found = messages.find((message) => message.action === action)
  if (found === undefined) throw new Error(`${action} is not among ${messages.map((one) => one.action).join()}`)
  return found
}

const secret = 'PLANTED-0123456789'

/** Says a bit of everything, a secret among it. */
async function talk(service: Service, id: string) {
  const client = await bootChargePoint(service, id)
  await client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'available' }, 'status-1')
  await client.call('Authorize', { idTag: 'TAG-1' }, 'authorize-1')
  await client.call('Heartbeat', {}, 'heartbeat-1')
  const started = await client.call(
    'StartTransaction',
    { connectorId: 1, idTag: 'TAG-1', meterStart: 100, timestamp: new Date().toISOString() },
    'start-1',
  )
  await client.call('MeterValues', {
    connectorId: 1,
    transactionId: started.payload.transactionId,
    meterValue: [{ timestamp: new Date().toISOString(), sampledValue: [{ value: '150' }] }],
  })
  const changed = service.request('POST', '/api/v1/ocpp16/send_command', {
    charge_point_id: id,
    command: 'ChangeConfiguration',
    payload: { key: 'VendorPassword', value: secret },
  })
  const [, messageId] = await client.nextFrame()
  client.raw(JSON.stringify([4, messageId, 'InternalError', `cannot set ${secret}`, {}]))
  await changed
  await client.call('DataTransfer', { vendorId: 'V', data: `{"password":"${secret}"}` }, 'data-1')
  return { client, transactionId: started.payload.transactionId as number }
}

test('messages - the newest are there with their answers, in one row each, also through the other front', async (t) => {
  const { transactionId } = await talk(shared, 'RING-1')
  // Each front is asked: the kernel spreads these.
  for (let time = 0; time < 6; time++) {
    const all = await messagesOf(shared, 'RING-1')
    t.same(
      all.filter(({ kind }) => kind !== 'connection').map(({ action }) => action),
      [
        'DataTransfer',
        'ChangeConfiguration',
        'MeterValues',
        'StartTransaction',
        'Heartbeat',
        'Authorize',
        'StatusNotification',
        'BootNotification',
      ],
    )
    t.match(named(all, 'StartTransaction'), {
      source: 'ring',
      kind: 'transaction',
      direction: 'in',
      connector_id: 1,
      transaction_id: transactionId,
      message_id: 'start-1',
      answer_type: 'result',
      violations: [],
    })
    t.match(JSON.parse(named(all, 'StartTransaction').answer as string), [3, 'start-1', { transactionId }])
    t.match(named(all, 'StatusNotification').violations, [
      { rule: 'enumeration-spelling', path: '/status', received: 'available' },
    ])
    t.match(named(all, 'ChangeConfiguration'), {
      direction: 'out',
      kind: 'command',
      answer_type: 'error',
      error_code: 'InternalError',
      executed_by: /^api_key:/,
    })
    t.notMatch(JSON.stringify(all), secret)
    t.match(all.at(-1), { kind: 'connection', connection: { state: 'connected' }, source: 'event' })
  }
  const ids = async (query: string) => (await messagesOf(shared, 'RING-1', query)).map(({ action }) => action)
  t.same(await ids('?kind=error'), ['ChangeConfiguration'])
  t.same(await ids('?kind=deviation'), ['StatusNotification'])
  t.same(await ids('?kind=command,heartbeat'), ['ChangeConfiguration', 'Heartbeat'])
  t.same(await ids(`?transaction_id=${transactionId}`), ['MeterValues', 'StartTransaction'])
  t.same(await ids('?action=Authorize'), ['Authorize'])
  t.same(await ids('?message_id=data-1'), ['DataTransfer'])
  t.same(await ids('?direction=out'), ['ChangeConfiguration'])
})

test('messages - pages go on where the one before has ended, over all sources', async (t) => {
  const seen: string[] = []
  let before = ''
  for (;;) {
    const { body } = await shared.request('GET', `/api/v1/chargepoints/RING-1/messages?limit=2${before}`)
    seen.push(...body.data.map(({ id }: Shown) => id))
    if (body.next === null) break
    before = `&before=${body.next}`
  }
  const all = await messagesOf(shared, 'RING-1')
  t.same(
    seen,
    all.map(({ id }) => id),
  )
  const [newest, second] = all as [Shown, Shown]
  t.same(
    (await messagesOf(shared, 'RING-1', `?after=${second.id}`)).map(({ id }) => id),
    [newest.id],
  )
  t.same((await messagesOf(shared, 'RING-1', `?to=${all.at(-1)?.at}`)).length, 0)
  t.same(
    (await messagesOf(shared, 'RING-1', `?from=${newest.at}`)).map(({ id }) => id),
    [newest.id],
  )
})

test('messages - long ones are shown as what they are, and however long they are, all that is in memory is found', async (t) => {
  const client = await bootChargePoint(shared, 'LONG-1')
  const sampledValue = Array.from({ length: 220 }, (_, at) => ({
    value: `${1_000 + at}`,
    measurand: 'Power.Active.Import',
    unit: 'W',
    phase: 'L1',
  }))
  const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }]
  for (let count = 0; count < 150; count++)
    await client.call('MeterValues', { connectorId: 2, meterValue }, `long-${count}`)
  const [newest] = await messagesOf(shared, 'LONG-1', '?limit=1')
  t.match(newest, {
    action: 'MeterValues',
    kind: 'meter',
    message_id: 'long-149',
    connector_id: 2,
    answer_type: 'result',
    cut: true,
    violations: [],
    source: 'ring',
  })
  const seen: unknown[] = []
  for (let before = ''; ; ) {
    const { body } = await shared.request('GET', `/api/v1/chargepoints/LONG-1/messages?kind=meter&limit=40${before}`)
    seen.push(...body.data.filter(({ source }: Shown) => source === 'ring').map(({ message_id }: Shown) => message_id))
    if (body.next === null) break
    before = `&before=${body.next}`
  }
  t.same(
    seen,
    Array.from({ length: 150 }, (_, at) => `long-${149 - at}`),
    'beyond what one page looks at',
  )
  await client.close()
})

test('messages - those of one millisecond are there in the order in which they came', async (t) => {
  const client = await bootChargePoint(shared, 'AT-ONCE-1')
  const ids = Array.from({ length: 150 }, (_, at) => `at-once-${at}`)
  await Promise.all(ids.map((id) => client.call('Heartbeat', {}, id)))
  const messages = await messagesOf(shared, 'AT-ONCE-1', '?kind=heartbeat&limit=200')
  const times = new Set(messages.map(({ at }) => at))
  t.ok(times.size < ids.length, 'some came within a millisecond')
  t.same(messages.map(({ message_id }) => message_id).reverse(), ids)
  t.same(
    messages.filter(({ answer_type }) => answer_type !== 'result'),
    [],
    'each with its answer, however many were asked before it',
  )
  await client.close()
})

test("messages - nobody else's, and not without the scope", async (t) => {
  const other = await makeOrganization(shared)
  for (const path of ['messages', 'messages/stream']) {
    const theirs = await other.request('GET', `/api/v1/chargepoints/RING-1/${path}`)
    const nobodys = await other.request('GET', `/api/v1/chargepoints/NOBODY-1/${path}`)
    t.equal(theirs.status, 404)
    t.same(
      { ...theirs.body.error, request_id: '', message: '' },
      { ...nobodys.body.error, charge_point_id: 'RING-1', request_id: '', message: '' },
    )
    const { body } = await shared.request('POST', '/api/v1/org/api-keys', {
      name: 'All but it',
      scopes: ['write:charge_points', 'write:sessions'],
    })
    const without = await shared.request('GET', `/api/v1/chargepoints/RING-1/${path}`, undefined, {
      authorization: `Bearer ${body.key}`,
    })
    t.equal(without.status, 403)
  }
  // One that is removed and registered by another organization has said nothing yet.
  const client = await bootChargePoint(shared, 'MOVES-1')
  await client.call('Authorize', { idTag: 'TAG-OF-BEFORE' })
  t.equal((await messagesOf(shared, 'MOVES-1')).length, 3)
  await shared.request('DELETE', '/api/v1/chargepoints/MOVES-1')
  await other.register('MOVES-1')
  t.same(await messagesOf(other, 'MOVES-1'), [])
})

test('messages - after a restart, what is worth keeping is in the log, and the rest is counted', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-messages-'))
  t.teardown(() => rmSync(data, { recursive: true, force: true }))
  const first = await startService(t, { data })
  const { client, transactionId } = await talk(first, 'LOG-1')
  await client.call('Heartbeat', {})
  await client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Charging' }, 'status-2')
  await first.stop('SIGTERM')
  const second = await startService(t, { data, key: first.key, flags: ['--frame-ring-megabytes', '0'] })
  const { body } = await second.request('GET', '/api/v1/chargepoints/LOG-1/messages')
  const all = body.data as Shown[]
  t.same(
    all.filter(({ kind }) => kind !== 'connection').map(({ action, source }) => [action, source]),
    [
      ['StatusNotification', 'log'],
      ['DataTransfer', 'log'],
      ['ChangeConfiguration', 'log'],
      ['MeterValues', 'meter'],
      ['StartTransaction', 'log'],
      ['Authorize', 'log'],
      ['StatusNotification', 'log'],
      ['BootNotification', 'log'],
    ],
  )
  t.match(named(all, 'StartTransaction'), { transaction_id: transactionId, answer_type: 'result' })
  t.match(JSON.parse(named(all, 'StartTransaction').answer as string), [3, 'start-1', { transactionId }])
  t.match(named(all, 'MeterValues'), { transaction_id: transactionId, meter: { energy_wh: 150 }, request: null })
  t.match(named(all, 'ChangeConfiguration'), {
    answer_type: 'error',
    error_code: 'InternalError',
    executed_by: /^api_key:/,
  })
  t.match(all.filter(({ message_id }) => message_id === 'status-1')[0]?.violations, [{ rule: 'enumeration-spelling' }])
  t.equal(
    body.gaps.reduce((sum: number, { heartbeats }: { heartbeats: number }) => sum + heartbeats, 0),
    2,
  )
  t.match(all.at(-1), { kind: 'connection', connection: { state: 'connected', remote_address: /./ } })
  t.notMatch(JSON.stringify(all), secret)
  const found = (await messagesOf(second, 'LOG-1', '?kind=transaction&limit=1'))[0]
  t.equal(found?.message_id, 'start-1')
  await second.stop('SIGTERM')
  // Nothing of it is anywhere in the store.
  const { readFileSync, readdirSync } = await import('node:fs')
  for (const name of readdirSync(data).filter((file) => file.endsWith('.mdb')))
    t.notOk(readFileSync(join(data, name)).includes(secret), `${name} does not hold the secret`)
})

interface StreamOfMessages {
  readonly events: { readonly event: string; readonly data: Shown }[]
  readonly ended: Promise<void>
  cut(): void
}

function follow(service: Service, id: string, query = '', key = service.key): Promise<StreamOfMessages> {
  return new Promise((resolve, reject) => {
    const url = `${service.url}/api/v1/chargepoints/${id}/messages/stream${query}`
    get(url, { headers: { authorization: `Bearer ${key}` }, agent: false }, (response: IncomingMessage) => {
      const events: { event: string; data: Shown }[] = []
      const ended = new Promise<void>((settle) => response.on('close', () => settle()))
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const fields = text.slice(0, end).split('\n')
          text = text.slice(end + 2)
          const field = (name: string) => fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
          const data = field('data')
          if (data !== undefined) events.push({ event: field('event') ?? '', data: JSON.parse(data) })
          if (field('retry') !== undefined) resolve({ events, ended, cut: () => void response.destroy() })
        }
      })
    }).on('error', reject)
  })
}

test('messages - a stream tells each message once it is answered, whichever front has the charge point', async (t) => {
  const client = await bootChargePoint(shared, 'LIVE-1')
  // The kernel spreads these over both fronts.
  const streams = await Promise.all(Array.from({ length: 6 }, () => follow(shared, 'LIVE-1')))
  const picky = await follow(shared, 'LIVE-1', '?kind=transaction')
  t.teardown(() => {
    for (const stream of [...streams, picky]) stream.cut()
  })
  let beats = 0
  await until(async () => {
    // A tap takes a moment to reach the other front.
    await client.call('Heartbeat', {}, `beat-${++beats}`)
    return streams.every(({ events }) => events.length > 0)
  })
  await client.call('Authorize', { idTag: 'TAG-1' }, 'live-1')
  await until(() => [...streams, picky].every(({ events }) => events.some(({ data }) => data.message_id === 'live-1')))
  for (const { events } of streams) {
    const { event, data } = events.at(-1) as { event: string; data: Shown }
    t.equal(event, 'message')
    t.match(data, { action: 'Authorize', answer_type: 'result', request: /TAG-1/, answer: /Accepted|Invalid/ })
    t.equal(new Set(events.map(({ data }) => data.message_id)).size, events.length, 'each is told once')
  }
  t.equal(picky.events.length, 1)
  await shared.request('DELETE', '/api/v1/chargepoints/LIVE-1')
  await Promise.all([...streams, picky].map(({ ended }) => ended))
})

test('messages - a capture has everything, ends by itself or when somebody ends it, and is taken away as a script', async (t) => {
  const client = await bootChargePoint(shared, 'CAPTURE-1')
  const captures = '/api/v1/chargepoints/CAPTURE-1/captures'
  const { status, body: capture } = await shared.request('POST', captures, { minutes: 5, megabytes: 1 })
  t.equal(status, 201)
  t.match(capture, { running: true, ended_by: null, messages: 0, started_by: /^api_key:/ })
  t.equal((await shared.request('POST', captures, { minutes: 5 })).status, 409, 'one at a time')
  const scriptOf = async () => {
    const answer = await fetch(`${shared.url}${captures}/${capture.capture_id}/script`, {
      headers: { authorization: `Bearer ${shared.key}` },
    })
    const lines = (await answer.text()).trim().split('\n')
    return lines.map((line) => JSON.parse(line))
  }
  const idOf = ({ frame }: { frame: string }): string => JSON.parse(frame)[1]
  let beats = 0
  await until(async () => {
    // A charge point takes a moment to hear of it.
    await client.call('Heartbeat', {}, `beat-${++beats}`)
    return (await scriptOf()).length > 1
  })
  await client.call('Heartbeat', {}, 'captured-1')
  await client.call('MeterValues', { connectorId: 1, meterValue: [] }, 'captured-2')
  await client.call('DataTransfer', { vendorId: 'V', data: `{"password":"${secret}"}` }, 'captured-3')
  await until(async () => (await scriptOf()).slice(1).some((line) => idOf(line) === 'captured-3'))
  const [recorded] = (await shared.request('GET', captures)).body.data
  t.ok(recorded.bytes > 100)
  t.equal((await shared.request('DELETE', `${captures}/${capture.capture_id}`)).status, 204)
  await client.call('Heartbeat', {}, 'after-it')
  const lines = await scriptOf()
  t.match(lines[0], { type: 'ampshard-script', version: 1, charge_point_id: 'CAPTURE-1' })
  t.same(
    lines.slice(-6).map((line) => [line.direction, idOf(line)]),
    ['captured-1', 'captured-2', 'captured-3'].flatMap((id) => [
      ['in', id],
      ['out', id],
    ]),
  )
  t.ok(lines.slice(1).every(({ at_ms }, at) => at_ms >= 0 && at_ms >= (lines[at]?.at_ms ?? 0)))
  t.notMatch(JSON.stringify(lines), secret)
  const messages = (lines.length - 1) / 2
  t.match((await shared.request('GET', captures)).body.data, [{ running: false, ended_by: 'request', messages }])
  const { body: log } = await shared.request('GET', '/api/v1/org/audit-log?charge_point_id=CAPTURE-1')
  t.match(log.data.map(({ action }: { action: string }) => action).sort(), [
    'endCapture',
    'registerChargePoint',
    'startCapture',
  ])
  await shared.register('CAPTURE-3')
  const anew = '/api/v1/chargepoints/CAPTURE-3/captures'
  t.equal((await shared.request('POST', anew)).status, 201)
  await shared.request('DELETE', '/api/v1/chargepoints/CAPTURE-3')
  await shared.register('CAPTURE-3')
  t.match((await shared.request('GET', anew)).body.data, [{ running: false }], 'it has ended with the registration')
  t.equal((await shared.request('POST', anew)).status, 201)
  const other = await makeOrganization(shared)
  t.equal((await other.request('GET', `${captures}/${capture.capture_id}/script`)).status, 404)
  await other.register('CAPTURE-2')
  const elsewhere = `/api/v1/chargepoints/CAPTURE-2/captures/${capture.capture_id}`
  t.equal((await other.request('GET', `${elsewhere}/script`)).status, 404)
  t.equal((await other.request('DELETE', elsewhere)).status, 404)
})
