// A few charge points that are connected while the API is fuzzed, and answer every command at once, well or badly.
// What the fuzzer does to them (removal, passwords, rejection) they undo by registering and connecting again.

import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../bench/client/random.js'
import type { Service } from '../support/service.js'
import { registerAnew } from './afterwards.js'
import { createFrames, webSocketFrame } from './frames.js'
import { openFuzzSocket } from './web-socket.js'

export interface Responders {
  readonly ids: readonly string[]
  stop(): Promise<void>
}

export async function createResponders(service: Service, count: number, random: Random): Promise<Responders> {
  const ids = Array.from({ length: count }, (_, index) => `FUZZ-ANSWER-${index}`)
  const frames = createFrames(random)
  let running = true
  const destroyers = new Set<() => void>()

  async function live(id: string, ready: () => void): Promise<void> {
    while (running) {
      await registerAnew(service, id)
      let ended: () => void = () => {}
      const closed = new Promise<void>((resolve) => {
        ended = resolve
      })
      try {
        const socket = await openFuzzSocket(service.port, `/ocpp16/${id}`, {
          text(text) {
            const frame = JSON.parse(text) as unknown[]
            if (frame[0] === 2) socket.send(frames.answerTo(String(frame[1]), String(frame[2]), 0.98).bytes)
          },
          violation: ended,
          closed: ended,
        })
        destroyers.add(socket.destroy)
        const boot = '[2,"b","BootNotification",{"chargePointVendor":"V","chargePointModel":"M"}]'
        const start = `[2,"s","StartTransaction",{"connectorId":1,"idTag":"T","meterStart":1,"timestamp":"${new Date().toISOString()}"}]`
        for (const text of [boot, start]) socket.send(webSocketFrame(0x81, Buffer.from(text)))
        ready()
        if (!running) socket.destroy()
        await closed
        destroyers.delete(socket.destroy)
      } catch {
        // It was refused: somebody has just given it a password or taken it away.
        await delay(50)
      }
    }
  }

  const lives: Promise<void>[] = []
  await Promise.all(ids.map((id) => new Promise<void>((ready) => lives.push(live(id, ready)))))
  return {
    ids,
    async stop() {
      running = false
      for (const destroy of destroyers) destroy()
      await Promise.all(lives)
    },
  }
}
