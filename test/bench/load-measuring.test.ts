// What the load tool's figures are worth: stalls, errors by kind, thresholds, and options that make no sense.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { createAgenda } from '../../bench/generator/agenda.js'
import { startCentralSystem } from './central-system.js'
import { type LoadEnd, runLoad } from './load-tool.js'

function stall(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

test('load - a server that stalls is charged for everything that was due meanwhile', async (t) => {
  const central = await startCentralSystem()
  t.teardown(() => central.close())
  let heartbeats = 0
  central.answers.Heartbeat = () => {
    if (++heartbeats === 100) stall(1_500)
    return { currentTime: new Date().toISOString() }
  }
  const end = await runLoad(t, [
    ...['--url', central.url, '--profile', 'heartbeat', '--charge-points', '10', '--rate', '200', '--duration', '4s'],
  ])
  const { summary, seconds } = end.results()
  // More than a third of the run was the stall: 300 of 800 messages were due in it, spread over its time. With one CALL
  // outstanding on each of ten connections, only ten of them ever met the stall on the wire. Wherever it begins, a
  // second of the run ends in it when it is half a second old or more, and 100 messages wait.
  t.ok(summary.latencyMs.p90 > 500, `latency p90 ${summary.latencyMs.p90}`)
  t.ok(summary.serviceTimeMs.p90 < 300, `service time p90 ${summary.serviceTimeMs.p90}`)
  t.ok(summary.latencyMs.maximum >= 1_490, `latency maximum ${summary.latencyMs.maximum}`)
  t.ok(Math.abs(summary.answered - 800) <= 8, `the rate is kept: ${summary.answered}`)
  t.ok(Math.max(...seconds.map(({ waiting }) => waiting)) > 50, 'what waits is seen')
})

test('load - errors are counted by kind', async (t) => {
  const central = await startCentralSystem()
  t.teardown(() => central.close())
  central.errors.StartTransaction = 'InternalError'
  central.answers.Heartbeat = () => undefined
  const refused = runLoad(t, ['--url', 'ws://127.0.0.1:1/x', '--charge-points', '3', '--duration', '1s'])
  const end = await runLoad(t, [
    ...['--url', central.url, '--profile', 'charging', '--charge-points', '4', '--rate', '40', '--duration', '2s'],
    ...['--timeout', '400ms', '--max-errors', '0'],
  ])
  t.equal(end.code, 1)
  const kinds = new Map(end.results().errors.map(({ kind, count }) => [kind, count]))
  const starts = central.calls.filter(({ action }) => action === 'StartTransaction').length
  const refusals = Number(kinds.get('StartTransaction: CALLERROR InternalError'))
  // On a machine that does much else, one may be answered later than 0.4 s.
  const late = kinds.get('StartTransaction: no answer within 0.4 s') ?? 0
  t.ok(refusals > 0)
  t.equal(refusals + late, starts)
  t.ok(Number(kinds.get('Heartbeat: no answer within 0.4 s')) > 0, 'said in place of readings, and never answered')
  t.match(end.results().thresholds, [{ name: 'errors', met: false }])
  t.match(end.output, /MISSED {2}errors at most 0/)
  t.match((await refused).results().errors, [{ kind: 'connect: ECONNREFUSED', count: 3 }])
})

test('load - malformed answers and closed connections are errors, and the charge points come back', async (t) => {
  const central = await startCentralSystem()
  t.teardown(() => central.close())
  let boots = 0
  central.answers.BootNotification = () => {
    boots++
    return { status: 'Accepted', currentTime: new Date().toISOString(), interval: 300 }
  }
  central.answers.Heartbeat = () => {
    const socket = central.connection()
    if (boots === 1) setImmediate(() => socket.close(4001, 'maintenance'))
    else socket.send('{"no":"array"}')
    return { currentTime: 5 }
  }
  const end = await runLoad(t, [
    ...['--url', central.url, '--profile', 'heartbeat', '--charge-points', '1', '--rate', '5', '--duration', '3s'],
  ])
  t.ok(boots >= 2, 'it came back')
  const kinds = end.results().errors.map(({ kind }) => kind)
  t.ok(kinds.includes('closed with 4001 maintenance'), kinds.join())
  t.ok(kinds.includes('a frame that is no JSON array'), kinds.join())
  t.ok(kinds.includes('Heartbeat: an answer without a currentTime'), kinds.join())
})

test('load - being told to come back later is no error', async (t) => {
  const central = await startCentralSystem()
  t.teardown(() => central.close())
  let refusals = 0
  const { port } = new URL(central.url)
  const front = createServer()
  front.on('upgrade', (request, socket) => {
    if (refusals < 3) {
      refusals++
      socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n')
      return
    }
    // A front that is not busy any more: it passes everything on.
    const inner = connect(Number(port), '127.0.0.1', () => {
      const lines = [`GET ${request.url} HTTP/1.1`]
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`)
      inner.write(`${lines.join('\r\n')}\r\n\r\n`)
      inner.pipe(socket).pipe(inner)
    })
    inner.on('error', () => socket.destroy())
    socket.on('error', () => inner.destroy())
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  t.teardown(() => front.close())
  const url = `ws://127.0.0.1:${(front.address() as AddressInfo).port}/ocpp`
  const end = await runLoad(t, [
    ...['--url', url, '--profile', 'heartbeat', '--charge-points', '3', '--rate', '30', '--duration', '1s'],
    ...['--max-errors', '0'],
  ])
  t.equal(end.code, 0, end.output)
  t.match(end.results().connecting, { deferred: 3, boots: 3, attempts: 6 })
})

test('load - thresholds decide the exit code', async (t) => {
  const central = await startCentralSystem()
  t.teardown(() => central.close())
  const common = [
    '--url',
    central.url,
    '--profile',
    'heartbeat',
    '--charge-points',
    '5',
    '--rate',
    '50',
    '--duration',
    '1s',
  ]
  const met = await runLoad(t, [...common, '--max-p99', '5s', '--min-rate', '10', '--max-errors', '0.1%'])
  t.equal(met.code, 0, met.output)
  t.equal(met.results().thresholds.length, 3)
  const missed = await runLoad(t, [...common, '--max-p50', '0.001ms', '--min-rate', '5000'])
  t.equal(missed.code, 1)
  t.same(
    missed.results().thresholds.map((row) => row.met),
    [false, false],
  )
})

test('load - a rate of max is a closed loop, and says so', async (t) => {
  const central = await startCentralSystem()
  t.teardown(() => central.close())
  const end = await runLoad(t, [
    ...['--url', central.url, '--profile', 'heartbeat', '--charge-points', '1', '--rate', 'max', '--duration', '1s'],
  ])
  t.equal(end.results().loop, 'closed')
  t.match(end.output, /Closed loop/)
  t.ok(end.results().summary.answered > 20, `${end.results().summary.answered}`)
  t.equal(central.mostOutstanding(), 1, 'one CALL at a time')
})

test('load - options that make no sense are one clear line, and exit code 2', async (t) => {
  const folder = t.testdir({})
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--url', 'ftp://x'], /It must be a ws, wss, http or https address/],
    [['--profile', 'nonsense'], /Allowed choices are idle, heartbeat/],
    [['--rate', '-1'], /a number above 0/],
    [['--connectors', 'five'], /argument 'five' is invalid\. It must be a whole number, 1 or more\./],
    [['--duration', 'soon'], /30s, 5m or 1h/],
    [['--profile', 'storm', '--rate', '5'], /has no --rate/],
    [['--register'], /--api-key/],
    [['--tls-cert', file('c.pem', '')], /go together/],
    [['--tls-ca', '/nowhere.pem'], /There is no such file/],
    [['--source-address', '127.0.0.999'], /127\.0\.0\.999 is not an IP address/],
    [['--charge-points', '1000000'], /open files.*--processes|--source-address/],
    [['--ids', file('twice.csv', 'A,pw\n# note\n\nA\n')], /line 4 has the id A of an earlier line/],
    [['--processes', '5', '--charge-points', '2'], /too many/],
  ]
  const ends = await Promise.all(cases.map(([args]) => runLoad(t, args)))
  cases.forEach(([args, expected], index) => {
    const { code, errorOutput } = ends[index] as LoadEnd
    t.equal(code, 2, args.join(' '))
    t.match(errorOutput, expected)
    t.equal(errorOutput.trim().split('\n').length, 1, errorOutput)
  })
})

test('load - ids, passwords and id tags come from a file', async (t) => {
  const central = await startCentralSystem()
  t.teardown(() => central.close())
  const ids = join(t.testdir({}), 'ids.csv')
  writeFileSync(ids, '# id,password,id tag\nALPHA 1,secret,TAG-OF-ALPHA\n')
  const end = await runLoad(t, [
    ...['--url', central.url, '--ids', ids, '--profile', 'charging', '--rate', '20', '--duration', '1s'],
  ])
  t.equal(end.code, 0, end.output)
  t.equal(central.authorization(), `Basic ${Buffer.from('ALPHA 1:secret').toString('base64')}`)
  t.ok(central.calls.some(({ action, payload }) => action === 'StartTransaction' && payload.idTag === 'TAG-OF-ALPHA'))
})

function agendaRun(
  t: Test,
  entries: readonly { firstMs: number; everyMs: number; times: number }[],
): Promise<string[]> {
  const order: string[] = []
  const agenda = createAgenda()
  t.teardown(() => agenda.clear())
  const startedAt = performance.now()
  let left = entries.length
  return new Promise((resolve) => {
    entries.forEach(({ firstMs, everyMs, times }, name) => {
      let done = 0
      agenda.add({
        dueAt: startedAt + firstMs,
        run(intendedAt) {
          order.push(`${name}@${firstMs + done * everyMs}`)
          t.ok(intendedAt >= startedAt + firstMs + done * everyMs, 'never early')
          done++
          if (done < times) return everyMs
          if (--left === 0) resolve(order)
          return undefined
        },
      })
    })
  })
}

test('agenda - what is due runs in the order of its intended times, however late the agenda is', async (t) => {
  const running = agendaRun(t, [
    { firstMs: 7, everyMs: 5, times: 6 },
    { firstMs: 0, everyMs: 3, times: 12 },
    { firstMs: 20, everyMs: 1, times: 4 },
  ])
  stall(25)
  const order = await running
  t.equal(order.length, 22)
  const times = order.map((entry) => Number(entry.split('@')[1]))
  t.same(
    times,
    [...times].sort((a, b) => a - b),
  )
})

test('agenda - an entry that is added by what runs takes its turn', async (t) => {
  const agenda = createAgenda()
  t.teardown(() => agenda.clear())
  const order: string[] = []
  await new Promise<void>((resolve) => {
    const now = performance.now()
    agenda.add({
      dueAt: now,
      run() {
        order.push('first')
        if (order.length === 1) agenda.add({ dueAt: now - 5, run: () => void order.push('added') })
        // A late agenda runs this one several times in one batch, and what was added after it.
        if (!order.includes('added')) return 2
        resolve()
        return undefined
      },
    })
  })
  t.same(order.filter((one) => one === 'added').length, 1)
  t.equal(order[0], 'first')
})
