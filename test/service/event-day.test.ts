// A day of a charge point, told event by event: exactly these, in this order, each as its served schema says.

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Test, test } from 'tap'
import type { FeedEvent } from '../../src/api/areas/events/event-feed.js'
import { command, energyAt, secondsAgo, startRequest } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { sellEnergyAt } from '../support/sell.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const id = 'CP-DAY'

/** What has happened since it was last asked, once so many events have. */
function createDay(t: Test, key: string) {
  let cursor = ''
  return {
    async tells(service: Service, happening: string, expected: readonly string[]): Promise<FeedEvent[]> {
      const since = async (): Promise<{ data: FeedEvent[]; next_cursor: string }> =>
        (await service.request('GET', `/api/v1/events?cursor=${cursor}`, undefined, { authorization: `Bearer ${key}` }))
          .body
      // One more than expected would be there with the others, or come right after: the next look has it.
      const page = await until(async () => {
        const now = await since()
        return now.data.length >= expected.length && now
      })
      cursor = page.next_cursor
      t.same(
        page.data.map(({ event }) => event),
        expected,
        happening,
      )
      t.ok(page.data.every(({ subject }) => subject === id))
      return page.data
    },
  }
}

async function schemasOf(service: Service) {
  const { body } = await service.request('GET', '/api/v1/events/schemas')
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
  addFormats.default(ajv)
  const schemas = body.events as { event: string; data: object }[]
  return new Map(schemas.map(({ event, data }) => [event, ajv.compile({ ...data, additionalProperties: false })]))
}

const status = (client: OcppClient, connectorId: number, said: string, fields = {}) =>
  client.call('StatusNotification', { connectorId, status: said, errorCode: 'NoError', ...fields })

test('events - a day in the life of a charge point', async (t) => {
  const service = await sellEnergyAt(t, id, 0.3)
  const { key } = service
  const schemas = await schemasOf(service)
  const day = createDay(t, key)
  const told: FeedEvent[] = []
  const tells = async (happening: string, expected: readonly string[], by = service): Promise<readonly FeedEvent[]> => {
    const events = await day.tells(by, happening, expected)
    told.push(...events)
    return events
  }

  let client = await connectOcpp(`${service.ocppUrl}/${id}`)
  await client.boot()
  await tells('it connects; booting is no event', ['charge_point.registered', 'charge_point.connected'])

  for (const connectorId of [0, 1, 2]) await status(client, connectorId, 'Available')
  for (const connectorId of [0, 1, 2]) await status(client, connectorId, 'Available')
  await tells('each connector tells its status, and again', Array(3).fill('charge_point.status_changed'))

  const reserving = service.request('POST', '/api/v1/reservations', {
    charge_point_id: id,
    connector_id: 1,
    id_tag: 'TAG-1',
    expiry_date: secondsAgo(-3600),
  })
  await client.answerNext({ status: 'Accepted' })
  const reservation = (await reserving).body
  await status(client, 1, 'Reserved')
  await tells('a connector is reserved', ['reservation.created', 'charge_point.status_changed'])

  await client.call('Authorize', { idTag: 'TAG-1' })
  await status(client, 1, 'Preparing')
  const start = startRequest({ reservationId: reservation.ocpp_reservation_id })
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  await client.call('StartTransaction', start, 'again')
  await status(client, 1, 'Charging')
  const [, , used, started] = await tells('the driver comes; the start is told twice', [
    'session.authorized',
    'charge_point.status_changed',
    'reservation.used',
    'session.started',
    'charge_point.status_changed',
  ])
  t.equal(used?.data.session_id, started?.data.session_id)
  t.match(started?.data, { id: started?.data.session_id, driver_id: 'TAG-1', authorization_method: 'rfid' })

  for (const [seconds, wattHours] of [
    [1800, 6000],
    [1200, 8000],
  ] as const)
    await client.call('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [energyAt(secondsAgo(seconds), wattHours)],
    })
  const [running] = await tells('it charges: the cost is told once a minute at most', ['session.cost_updated'])
  t.match(running?.data, { energy_kwh: 5, currency: 'EUR' })

  const stop = { transactionId, meterStop: 11_000, timestamp: secondsAgo(600) }
  await client.call('StopTransaction', stop)
  await client.call('StopTransaction', stop, 'stop-again')
  await status(client, 1, 'Available')
  const [ended] = await tells('it ends, told twice', ['session.ended', 'charge_point.status_changed'])
  t.match(ended?.data, { session_id: started?.data.session_id, energy_kwh: 10, status: 'completed', currency: 'EUR' })

  const fault = { errorCode: 'OtherError', vendorErrorCode: 'E-117', info: 'RCD tripped' }
  await status(client, 2, 'Faulted', fault)
  await status(client, 2, 'Faulted', { ...fault, info: 'still' })
  await status(client, 2, 'Faulted', { ...fault, vendorErrorCode: 'E-118' })
  await status(client, 2, 'Available')
  const [, first, second] = await tells('it fails, goes on failing, fails in another way, and is well', [
    'charge_point.status_changed',
    'charge_point.fault',
    'charge_point.fault',
    'charge_point.status_changed',
  ])
  t.equal(first?.data.vendor_error_code, 'E-117')
  t.equal(second?.data.vendor_error_code, 'E-118')

  for (const said of ['Downloading', 'Downloading', 'Downloaded', 'Installing', 'Installed', 'Installed', 'Idle'])
    await client.call('FirmwareStatusNotification', { status: said })
  await tells('it is updated', ['firmware.update_started', 'firmware.update_completed'])

  await client.call('SecurityEventNotification', { type: 'TamperDetectionActivated', timestamp: secondsAgo(1) })
  await tells('somebody opens it', ['alert.triggered'])

  const commanded = command(service, id, 'start_session', { connector_id: 2, id_tag: 'TAG-2' })
  await client.answerNext({ status: 'Accepted' })
  await commanded
  const remote = { ...startRequest({ connectorId: 2, idTag: 'TAG-2', timestamp: secondsAgo(60) }) }
  await client.call('StartTransaction', remote)
  await tells('a session is started from afar, without a card', ['session.authorized', 'session.started'])

  await service.stop('SIGKILL')
  const next = await startService(t, { key, data: service.data })
  client = await connectOcpp(`${next.ocppUrl}/${id}`)
  await client.boot()
  const [lost, back] = await tells(
    'the service dies and comes back, and so does the charge point',
    ['charge_point.disconnected', 'charge_point.connected'],
    next,
  )
  t.match(lost?.data, { code: 1006, reason: 'the service was interrupted' })
  t.ok(String(lost?.data.disconnected_at) <= String(back?.data.connected_at))

  // The same start again is its answer, and another one on the connector ends it by estimate.
  await client.call('StartTransaction', remote)
  const other = startRequest({ connectorId: 2, idTag: 'TAG-3', meterStart: 5_000, timestamp: secondsAgo(1) })
  const { payload } = await client.call('StartTransaction', other)
  await tells('a start ends the session before it', ['session.ended', 'session.started'], next)
  await client.call('StopTransaction', {
    transactionId: payload.transactionId,
    meterStop: 5_000,
    timestamp: secondsAgo(0),
  })
  await tells('a session without energy ends', ['session.ended'], next)

  await client.close()
  await tells('it goes', ['charge_point.disconnected'], next)
  client = await connectOcpp(`${next.ocppUrl}/${id}`)
  await tells('it comes back', ['charge_point.connected'], next)
  t.equal((await next.request('DELETE', `/api/v1/chargepoints/${id}`)).status, 204)
  await client.closed
  const [, gone] = await tells('it is removed', ['charge_point.removed', 'charge_point.disconnected'], next)
  t.match(gone?.data, { code: 1000, reason: 'the charge point has been removed' })

  for (const { event, data } of told) {
    const validate = schemas.get(event)
    t.ok(validate?.(data), `${event}: ${JSON.stringify(validate?.errors)}`)
  }
  t.ok(told.every(({ created_at }, at) => at === 0 || created_at >= (told[at - 1]?.created_at ?? '')))
  t.equal(new Set(told.map(({ id: one }) => one)).size, told.length)
})
