// The service is killed twelve times while a receiver fails: no event is lost, none is retried before its time, and when the
// receiver answers again, everything arrives.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tap, { test } from 'tap'
import { tables } from '../../src/records/index.js'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { openView } from '../../src/runtime/store/lmdb-store.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { hasBodySignature, startReceiver } from '../support/receiver.js'
import type { Service } from '../support/service.js'
import { until } from '../support/until.js'
import { deliveriesOf, makeEndpoint, startLaboratory, webhooksPath } from '../support/webhooks.js'

/** A life says none to three things, and every third one calls as well: each of these lives, once. */
const kills = 12
const firstRetryMs = 5_000
// Twelve starts take their time on a machine that does other things as well.
tap.setTimeout(300_000)

const key = 'a-key-of-the-operator-for-this-test-alone'

/** A charge point comes, and says a few things, and the process dies at some moment of that. */
async function liveAndDie(service: Service, number: number): Promise<void> {
  const client = await connectOcpp(`${service.ocppUrl}/CP-1`)
  await client.boot()
  for (let said = 0; said < number % 4; said++)
    client.raw(
      JSON.stringify([
        2,
        `${number}-${said}`,
        'StatusNotification',
        { connectorId: 1, errorCode: 'NoError', status: said % 2 === 0 ? 'Preparing' : 'Available' },
      ]),
    )
  if (number % 3 === 0) await client.call('Heartbeat', {})
  await service.stop('SIGKILL')
}

test('webhooks - the service is killed twelve times while the receiver fails: nothing is lost, or sent before its time', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(async () => rmSync(data, { recursive: true, force: true }))
  let fails = true
  const receiver = await startReceiver(t, () => ({ status: fails ? 503 : 200 }))
  const killedAt: number[] = []
  let service = await startLaboratory(t, data, key)
  const { id, secret } = await makeEndpoint(service, receiver.url, { payload_format: 'b' })
  await service.register('CP-1')
  for (let number = 0; number < kills; number++) {
    await liveAndDie(service, number)
    killedAt.push(Date.now())
    service = await startLaboratory(t, data, key)
  }
  fails = false
  // What has come to its five minutes by now does not wait for them.
  const events = await until(async () => {
    const pending = await deliveriesOf(service, id, '&status=pending')
    for (const delivery of pending)
      await service.request('POST', `${webhooksPath}/${id}/deliveries/${delivery.id}/replay`)
    const view = openView(data, tables)
    const stored = view.list(outboxTable, [])
    await view.close()
    const delivered = new Set((await deliveriesOf(service, id, '&status=delivered')).map(({ event_id }) => event_id))
    return stored.length > kills && stored.every((event) => delivered.has(event.id)) && stored
  }, 120_000)
  t.ok(receiver.received.every((one) => hasBodySignature(one, 'x-service-signature', secret)))

  const received = new Map<string, number[]>()
  for (const { json, at } of receiver.received) received.set(json.id, [...(received.get(json.id) ?? []), at])
  t.same([...received.keys()].sort(), events.map((event) => event.id).sort())
  const early = [...received].flatMap(([event, times]) =>
    times
      .slice(1)
      .filter((at, before) => {
        const previous = times[before] ?? 0
        const interrupted = killedAt.some((killed) => killed >= previous && killed <= at)
        return at - previous < firstRetryMs - 100 && !interrupted && at < (killedAt.at(-1) ?? 0)
      })
      .map(() => event),
  )
  t.same(early, [], 'none is retried before its time, but where a kill came between')
})
