// Charge points that have nothing to do with a fault: they say something all the time, and how long their answers take
// shows what the fault costs others.

import { setTimeout as delay } from 'node:timers/promises'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import type { Service } from '../support/service.js'

export interface HealthyChargePoints {
  /** The milliseconds of the answers since it was last asked; a message without an answer counts up to now. */
  take(): number[]
  /** Resolves with how many sockets were lost. */
  stop(): Promise<number>
}

const everyMs = 25

/** Registers and boots them. Every other message is a StatusNotification, which the disk must have before its answer. */
export async function startHealthy(service: Service, count: number): Promise<HealthyChargePoints> {
  const clients = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const id = `HEALTHY-${index}`
      await service.register(id)
      const client = await connectOcpp(`${service.ocppUrl}/${id}`)
      await client.boot()
      return client
    }),
  )
  let latencies: number[] = []
  let running = true
  let lost = 0
  const waitingSince = new Map<OcppClient, number>()
  for (const client of clients) void client.closed.then(() => running && lost++)

  async function speak(client: OcppClient): Promise<void> {
    for (let turn = 0; running && client.socket.readyState === client.socket.OPEN; turn++) {
      const sentAt = performance.now()
      waitingSince.set(client, sentAt)
      if (turn % 2 === 0) await client.call('Heartbeat', {})
      else {
        const status = turn % 4 === 1 ? 'Preparing' : 'Available'
        await client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status })
      }
      waitingSince.delete(client)
      latencies.push(performance.now() - sentAt)
      await delay(everyMs)
    }
  }
  const work = clients.map(speak)

  return {
    take() {
      const now = performance.now()
      const taken = [...latencies, ...[...waitingSince.values()].map((sentAt) => now - sentAt)]
      latencies = []
      return taken
    },
    async stop() {
      running = false
      // One that is never answered is not waited for.
      await Promise.race([Promise.all(work), delay(5_000, undefined, { ref: false })])
      const count = lost
      for (const client of clients) client.socket.terminate()
      return count
    },
  }
}
