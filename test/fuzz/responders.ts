// A few charge points that are connected while the API is fuzzed, and answer every command at once, well or badly.
// What the fuzzer does to them (removal, passwords, rejection) they undo by registering and connecting again.

import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../bench/client/random.js'
import { webSocketFrame } from '../support/raw-socket.js'
import type { Service } from '../support/service.js'
import { registerAnew } from './afterwards.js'
import { createFrames } from './frames.js'
import { openFuzzSocket } from './web-socket.js'

export interface Responders {
  stop(): Promise<void>
}

/** `named` is told the id of each, also when it has to take another because its own was taken. */
export async function createResponders(
  service: Service,
  count: number,
  random: Random,
  named: (index: number, id: string) => void,
): Promise<Responders> {
  const frames = createFrames(random)
  let running = true
  const destroyers = new Set<() => void>()

  async function live(index: number, ready: () => void): Promise<void> {
    let id = ''
    let names = 0
    while (running) {
      while (id === '' || !(await registerAnew(service, id))) {
        id = `FUZZ-ANSWER-${Math.floor(random() * 1e9)}-${index}-${names++}`
        named(index, id)
      }
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
  await Promise.all(
    Array.from({ length: count }, (_, index) => new Promise<void>((ready) => lives.push(live(index, ready)))),
  )
  return {
    async stop() {
      running = false
      for (const destroy of destroyers) destroy()
      await Promise.all(lives)
    },
  }
}
