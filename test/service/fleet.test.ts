// The fleet of the built service over real sockets, two fronts and two shards: who reads the snapshot and follows the stream knows what there is.

import { test } from 'tap'
import { type EventReader, readEvents } from '../support/event-stream.js'
import { type Tenant, tenantOf } from '../support/organization.js'
import { sharedService, twoOfEach } from '../support/shared-services.js'
import { storm } from '../support/storm.js'
import { until } from '../support/until.js'

const path = '/api/v1/cpo/fleet'

interface Rows {
  readonly cursor: string
  readonly removed?: readonly string[]
  readonly columns: {
    readonly charge_point_id: readonly string[]
    readonly status: readonly number[]
    readonly connectors: readonly string[]
  }
}

/** What a program does that shows the fleet: it reads the snapshot, follows the stream, and comes back after each cut. */
function createFollower(service: Tenant, cutAfterBytes: () => number) {
  let known = new Map<string, string>()
  let cursor: string | undefined
  let reader: EventReader | undefined
  let isOver = false
  const seen = { cuts: 0, reloads: 0, messages: 0 }

  function take({ columns, removed = [] }: Rows): void {
    for (const id of removed) known.delete(id)
    columns.charge_point_id.forEach((id, at) => void known.set(id, `${columns.status[at]} ${columns.connectors[at]}`))
  }

  async function read(): Promise<void> {
    const { status, body } = await service.request('GET', `${path}/snapshot`)
    if (status !== 200) throw new Error(`the snapshot was answered ${status}`)
    known = new Map()
    take(body)
    cursor = body.cursor
  }

  async function follow(): Promise<void> {
    while (!isOver) {
      if (cursor === undefined) await read()
      const most = cutAfterBytes()
      let taken = 0
      let mustReload = false
      const one = await readEvents(service, {
        key: service.key,
        path: `${path}/stream`,
        query: `?cursor=${cursor}`,
        onData(reader) {
          for (const { event, data } of reader.events.slice(taken)) {
            taken++
            seen.messages++
            const message = data as unknown as Rows
            if (event === 'reload') mustReload = true
            if (event === 'rows' && !mustReload) {
              take(message)
              cursor = message.cursor
            }
          }
          if (mustReload || reader.received() > most) reader.cut()
        },
      })
      reader = one
      await one.ended
      if (mustReload) {
        seen.reloads++
        cursor = undefined
      } else seen.cuts++
    }
  }
  const following = follow()
  return {
    seen,
    known: () => known,
    async end() {
      isOver = true
      reader?.cut()
      await following
    },
  }
}

test('fleet - who reads the snapshot and follows the stream over cuts knows what there is', async (t) => {
  const service = await tenantOf(await sharedService(twoOfEach))
  const steady = createFollower(service, () => Number.POSITIVE_INFINITY)
  const cut = createFollower(service, () => 2_000 + Math.random() * 20_000)
  await storm(service, { chargePoints: 15, changes: 40, prefix: 'FLEET', organization: service })
  await service.request('DELETE', '/api/v1/chargepoints/FLEET-3')
  const { body } = await service.request('GET', `${path}/snapshot`)
  const wanted = body.columns.charge_point_id.map(
    (id: string, at: number) => `${id} ${body.columns.status[at]} ${body.columns.connectors[at]}`,
  )
  t.equal(wanted.length, 14)
  for (const follower of [steady, cut]) {
    const now = () => [...follower.known()].map(([id, value]) => `${id} ${value}`).sort()
    await until(() => now().join() === wanted.join())
    t.comment(JSON.stringify(follower.seen))
    await follower.end()
    t.ok(follower.seen.messages > 0)
  }
  t.ok(cut.seen.cuts > 0)
})

test('fleet - a snapshot is sent compressed, and a stream of another organization tells nothing of it', async (t) => {
  const shared = await sharedService(twoOfEach)
  const [service, other] = [await tenantOf(shared), await tenantOf(shared)]
  const foreign = await readEvents(service, { key: other.key, path: `${path}/stream` })
  const own = await readEvents(service, { key: service.key, path: `${path}/stream` })
  await service.register('FLEET-OWN')
  await until(() => own.events.some(({ event }) => event === 'rows'))
  t.notOk(foreign.events.some(({ event }) => event === 'rows'))
  for (const reader of [foreign, own]) reader.cut()
  const response = await fetch(`${service.url}${path}/snapshot`, {
    headers: { authorization: `Bearer ${service.key}`, 'accept-encoding': 'gzip' },
  })
  t.equal(response.headers.get('content-encoding'), 'gzip')
  t.match(await response.json(), { total: 1, columns: { charge_point_id: ['FLEET-OWN'] } })
})
