// A world of one simulated charge point without sockets: time passes when the test says so, and the central system is a function.

import { type ChargePoint, type ChargePointOptions, createChargePoint } from '../../bench/charge-point/charge-point.js'
import type { Timetable } from '../../bench/charge-point/timetable.js'
import type { ConnectionEvents } from '../../bench/charge-point/transport.js'
import { createRandom } from '../../bench/client/random.js'

export type Payload = Record<string, unknown>
/** Undefined leaves a call without an answer; a string is the code of a CALLERROR. */
type Answer = (payload: Payload) => Payload | string | undefined

export interface World {
  readonly chargePoint: ChargePoint
  /** Every frame of the charge point, with the time at which it was sent. */
  readonly sent: (readonly [ms: number, frame: unknown[]])[]
  readonly answers: Record<string, Answer>
  pass(milliseconds: number): void
  command(action: string, payload: Payload): void
}

const startOfWallMs = Date.UTC(2026, 0, 1)

export function createWorld(options: Partial<ChargePointOptions> = {}): World {
  let now = 0
  let order = 0
  let steps: { readonly at: number; readonly order: number; readonly run: () => void }[] = []
  const sent: [number, unknown[]][] = []
  let peer: ConnectionEvents | undefined
  let messages = 0
  let transactions = 0
  const plan = (delayMs: number, run: () => void): void => void steps.push({ at: now + delayMs, order: order++, run })
  const timetable: Timetable = {
    now: () => now,
    after(delayMs, task) {
      const entry: ReturnType<Timetable['after']> = { task }
      plan(delayMs, () => {
        const due = entry.task
        entry.task = undefined
        due?.()
      })
      return entry
    },
    cancel(entry) {
      if (entry !== undefined) entry.task = undefined
    },
  }
  const answers: Record<string, Answer> = {
    BootNotification: () => ({ status: 'Accepted', currentTime: new Date().toISOString(), interval: 300 }),
    Authorize: () => ({ idTagInfo: { status: 'Accepted' } }),
    StartTransaction: () => ({ transactionId: ++transactions, idTagInfo: { status: 'Accepted' } }),
  }

  function took(events: ConnectionEvents, text: string): void {
    const frame = JSON.parse(text) as unknown[]
    sent.push([now, frame])
    if (frame[0] !== 2) return
    const answer = (answers[String(frame[2])] ?? (() => ({})))(frame[3] as Payload)
    if (answer === undefined) return
    const back = typeof answer === 'string' ? [4, frame[1], answer, '', {}] : [3, frame[1], answer]
    plan(10, () => peer === events && events.text(JSON.stringify(back)))
  }

  const chargePoint = createChargePoint({
    id: 'CP-1',
    connectors: 2,
    transport(events) {
      peer = events
      plan(5, () => peer === events && events.opened())
      const end = (): void => {
        if (peer === events) peer = undefined
      }
      return {
        get open() {
          return peer === events
        },
        send: (text) => took(events, text),
        close(code, reason) {
          end()
          plan(5, () => events.closed(code, reason))
        },
        destroy: end,
      }
    },
    timetable,
    now: () => startOfWallMs + now,
    random: createRandom(1),
    nextMessageId: () => `m${++messages}`,
    certificateRequest: async () => '',
    ...options,
  })
  return {
    chargePoint,
    sent,
    answers,
    pass(milliseconds) {
      const until = now + milliseconds
      for (;;) {
        const [next] = steps.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at || a.order - b.order)
        if (next === undefined) break
        steps = steps.filter((step) => step !== next)
        now = Math.max(now, next.at)
        next.run()
      }
      now = until
    },
    command: (action, payload) => peer?.text(JSON.stringify([2, `c${++messages}`, action, payload])),
  }
}

export const callsOf = ({ sent }: World, action: string) =>
  sent
    .filter(([, frame]) => frame[0] === 2 && frame[2] === action)
    .map(([at, frame]) => ({ at, id: frame[1], payload: frame[3] as Payload }))
