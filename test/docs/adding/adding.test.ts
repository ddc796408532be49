// One of each kind of thing is added to a copy of the sources, in the files that CONTRIBUTING.md names and nowhere else, and works.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { connectOcpp } from '../../support/ocpp-client.js'
import { startService } from '../../support/service.js'
import { until } from '../../support/until.js'
import { additions } from './additions.js'
import { add, build, copySources, placesIn } from './scratch.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const places = placesIn(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))

test('adding - one of each kind of thing works, in the files that CONTRIBUTING.md names', async (t) => {
  t.strictSame(
    [...new Set(additions.map(({ what }) => what))].sort(),
    places.map(({ what }) => what).sort(),
    'each row of the table is tried',
  )
  const work = mkdtempSync(join(tmpdir(), 'ampshard-adding-'))
  t.teardown(() => rmSync(work, { recursive: true, force: true }))
  copySources(root, work)
  for (const addition of additions) {
    const place = places.find(({ what }) => what === addition.what)
    if (place !== undefined) add(work, addition, place)
  }
  build(work)
  const program = join(work, 'dist/program/main.js')

  const help = execFileSync(process.execPath, [program, '--help'], { encoding: 'utf8' })
  t.match(help, /--parking-minutes\b[^-]*For how long a vehicle may stand before a connector/, 'the setting')

  const service = await startService(t, { program, flags: ['--parking-minutes', '20'] })
  const keyOf = async (...scopes: readonly string[]): Promise<Readonly<Record<string, string>>> => {
    const made = await service.request('POST', '/api/v1/org/api-keys', { name: scopes.join(' '), scopes })
    t.equal(made.status, 201, 'the permission is one that a key can have')
    return { authorization: `Bearer ${made.body.key}` }
  }
  const [guard, stranger] = [await keyOf('read:parking'), await keyOf('read:sessions')]

  await service.register('CP-1')
  const chargePoint = await connectOcpp(`${service.ocppUrl}/CP-1`)
  t.teardown(() => chargePoint.close())
  await chargePoint.boot()
  const parked = await chargePoint.call('ParkingNotification', { connectorId: '2' })
  t.strictSame(parked.payload, { status: 'Accepted' }, 'the message, which is repaired by its schema')

  const events = await service.request('GET', '/api/v1/events?types=parking.occupied')
  t.match(
    events.body.data,
    [{ event: 'parking.occupied', data: { charge_point_id: 'CP-1', connector_id: 2 } }],
    'the event',
  )
  const alerts = await service.request('GET', '/api/v1/alerts?kind=parking_blocked')
  t.match(
    alerts.body.alerts,
    [{ kind: 'parking_blocked', message: 'a vehicle stands before connector 2 and does not charge' }],
    'the alert',
  )

  const path = '/api/v1/chargepoints/CP-1/parking'
  const counted = () => service.request('GET', path, undefined, guard)
  await until(async () => (await counted()).body.parked === 1)
  t.strictSame((await counted()).body, { parked: 1 }, 'the route, the table and the actor')
  t.equal((await service.request('GET', path, undefined, stranger)).status, 403, 'and nobody without the permission')

  const lit = service.request('POST', '/api/v1/cpo/commands/CP-1', {
    command: 'light_parking',
    parameters: { connector_id: 2 },
  })
  t.match(await chargePoint.answerNext({ status: 'Accepted' }), [
    2,
    String,
    'SetParkingLight',
    { connectorId: 2, on: true },
  ])
  t.match(await lit, { status: 200, body: { command: 'light_parking', status: 'Accepted' } }, 'the command')

  const dark = service.request('POST', '/api/v1/ocpp16/set_parking_light', {
    charge_point_id: 'CP-1',
    connector_id: 2,
    on: false,
  })
  await chargePoint.answerNext({ status: 'Rejected' })
  t.match(await dark, { status: 200, body: { status: 'Rejected' } }, 'the raw command')

  const reference = await service.request('GET', '/api/v1/openapi.json')
  t.hasProp(reference.body.paths, '/api/v1/chargepoints/{charge_point_id}/parking', 'the reference has the route')
  t.ok(JSON.stringify(reference.body).includes('| `light_parking` | `connector_id` |'), 'and the command')
})
