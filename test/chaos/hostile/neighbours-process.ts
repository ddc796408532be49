// The process of the neighbours: well-behaved charge points of another organization, somebody who reads its API, and guests who pay.
// They measure what they feel, each from an address of its own.

import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { serveParent } from './helper-process.js'
import { createMeter, type Meter } from './meter.js'
import { createNeighbour, type NeighbourChargePoint } from './neighbour-charge-point.js'
import type { Felt, Neighbourhood, NeighboursRequest } from './neighbours.js'

const readEveryMs = 50
/** At a time, each at another charge point. */
const guests = 4
const payEveryMs = 200
/** One after the other leaves in order and comes back: whoever is refused then was not refused by chance. */
const moveEveryMs = 500

let meter: Meter | undefined

/** Spreads the first messages over one interval. */
async function begin(neighbourhood: Neighbourhood): Promise<void> {
  const felt = createMeter()
  const { chargePointIds, everyMs } = neighbourhood
  const neighbours = chargePointIds.map((id, index) =>
    createNeighbour({ id, port: neighbourhood.port, localAddress: addressOf(index), meter: felt }),
  )
  await Promise.all(neighbours.map((neighbour) => neighbour.connect()))
  for (const [index, neighbour] of neighbours.entries())
    void speak(neighbour, everyMs, (index * everyMs) / neighbours.length)
  void read(neighbourhood, felt)
  for (let guest = 0; guest < guests; guest++) void pay(neighbourhood, neighbours, felt, guest)
  void move(neighbours)
  meter = felt
}

const addressOf = (number: number): string => `127.1.${(number >> 8) & 0xff}.${number & 0xff || 255}`

async function speak(neighbour: NeighbourChargePoint, everyMs: number, afterMs: number): Promise<void> {
  await delay(afterMs)
  for (let turn = 0; ; turn++) {
    const sentAt = performance.now()
    if (turn % 2 === 0) await neighbour.call('heartbeat', 'Heartbeat', {})
    else {
      const status = turn % 4 === 1 ? 'Preparing' : 'Available'
      await neighbour.call('stored', 'StatusNotification', { connectorId: 2, errorCode: 'NoError', status })
    }
    await delay(Math.max(1, everyMs - (performance.now() - sentAt)))
  }
}

async function move(neighbours: readonly NeighbourChargePoint[]): Promise<void> {
  for (let at = 0; ; at++) {
    await delay(moveEveryMs)
    await (neighbours[at % neighbours.length] as NeighbourChargePoint).comeAgain()
  }
}

interface HttpAnswer {
  readonly status: number
  readonly text: string
}

function requester({ port, key }: Neighbourhood, localAddress: string) {
  const agent = new Agent({ keepAlive: true, localAddress } as object)
  return (method: string, path: string, body?: unknown): Promise<HttpAnswer> =>
    new Promise((resolve) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        authorization: `Bearer ${key}`,
        ...(text !== undefined && { 'content-type': 'application/json' }),
      }
      const asked = httpRequest({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
        let answered = ''
        response.on('data', (chunk: Buffer) => {
          answered += chunk.toString()
        })
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text: answered }))
      })
      asked.once('error', (error) => resolve({ status: 0, text: error.message }))
      asked.end(text)
    })
}

async function read(neighbourhood: Neighbourhood, felt: Meter): Promise<void> {
  const request = requester(neighbourhood, '127.2.0.1')
  const { chargePointIds } = neighbourhood
  for (let turn = 0; ; turn++) {
    const path =
      turn % 2 === 0
        ? `/api/v1/chargepoints/${chargePointIds[turn % chargePointIds.length]}`
        : '/api/v1/sessions?per_page=20'
    const { status, text } = await felt.time('read', request('GET', path))
    if (status !== 200) felt.wrong(`an API read was answered ${status} ${text.slice(0, 120)}`)
    await delay(readEveryMs)
  }
}

/** Each guest pays, charges nothing and goes: what was authorized is released. */
async function pay(
  neighbourhood: Neighbourhood,
  neighbours: readonly NeighbourChargePoint[],
  felt: Meter,
  guest: number,
): Promise<void> {
  const request = requester(neighbourhood, `127.2.0.${2 + guest}`)
  for (let turn = guest; ; turn += guests) {
    const neighbour = neighbours[turn % neighbours.length] as NeighbourChargePoint
    const wish = { charge_point_id: neighbour.id, connector_id: 1, payment_method_id: 'pm_card_ok' }
    const { status, text } = await felt.time('payment', request('POST', '/api/v1/sessions/guest/authorize', wish))
    // Its charge point says no; the guest of one that is just coming back has come at the wrong moment.
    if (!/ocpp_rejected|charge_point_offline/.test(text))
      felt.wrong(`a payment was answered ${status} ${text.slice(0, 120)}`)
    await delay(payEveryMs)
  }
}

serveParent<NeighboursRequest, Felt>(async (request) => {
  if (request.type === 'begin') await begin(request.neighbourhood)
  if (meter === undefined) throw new Error('the neighbours are not there yet')
  return meter.take()
})
