// The network between charge points and the edges: lines that take their time, lose, repeat and reorder frames, and break,
// sometimes without either end hearing of it at once. Whatever crosses it is shown to the observer at the edge's side.

import type { Faults } from './faults.js'
import type { SimulatedService } from './service.js'
import type { SimulatedThread, SimulatedTime } from './time.js'
import type { ServerSocket } from './web-server.js'

/** A charge point's side of a socket. */
export interface LineEvents {
  opened(): void
  received(text: string): void
  /** Told once, also when the connection could not be made. */
  closed(): void
}

export interface Line {
  readonly id: number
  readonly chargePointId: string
  send(text: string): void
  /** The charge point closes its end, or loses it; the edge hears of it now or, of half of the losses, much later. */
  close(): void
}

/** What is seen of every frame, where the service takes it in and gives it out. */
export interface FrameObserver {
  toService(line: Line, text: string): void
  toChargePoint(line: Line, text: string): void
  /** The edge has a socket, or has none any more. */
  opened(line: Line): void
  closed(line: Line, by: 'service' | 'network'): void
}

export interface Network {
  connect(chargePointId: string, events: LineEvents): Line
  /** The process that had the other ends is gone. */
  cut(): void
  /** Breaks a line that some charge point has. */
  breakOne(): void
  readonly lines: number
}

export interface NetworkOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  /** Where charge points live: their steps outlive the service. */
  readonly chargePoints: SimulatedThread
  /** The process that listens now, if any. */
  readonly service: () => SimulatedService | undefined
  readonly observer: FrameObserver
}

const noticedLateMs = 60_000
const overtakenMs = 2_000

export function createNetwork({ time, faults, chargePoints, service, observer }: NetworkOptions): Network {
  const { random } = faults
  const open: OpenLine[] = []
  let lastId = 0
  const latency = (): number => 4 + random() * random() * 150

  interface OpenLine extends Line {
    break(late: boolean): void
    /** Its other end has vanished without a word. */
    lose(): void
  }

  /** One direction of a line: in order, but for its faults. */
  function direction(owner: () => SimulatedThread, arrive: (text: string) => void): (text: string) => void {
    let arrivesAt = 0
    const later = (milliseconds: number, text: string) => time.after(milliseconds, owner(), () => arrive(text))
    return (text) => {
      if (faults.happens('frameLost')) return
      if (faults.happens('frameRepeated')) later(latency() + random() * overtakenMs, text)
      const delayMs = latency()
      if (faults.happens('frameReordered')) later(delayMs + random() * overtakenMs, text)
      else {
        arrivesAt = Math.max(arrivesAt, time.monotonic() + delayMs)
        later(arrivesAt - time.monotonic(), text)
      }
    }
  }

  function connect(chargePointId: string, events: LineEvents): Line {
    const id = ++lastId
    const running = service()
    let socket: ServerSocket | undefined
    let ended = false
    const front = running?.fronts[Math.floor(random() * running.fronts.length)]

    function tellClosed(afterMs: number): void {
      const at = open.indexOf(line)
      if (at >= 0) open.splice(at, 1)
      time.after(afterMs, chargePoints, () => {
        if (ended) return
        ended = true
        events.closed()
      })
    }

    const inward = direction(
      () => front?.thread ?? chargePoints,
      (text) => {
        if (socket === undefined) return
        observer.toService(line, text)
        socket.frame(text)
      },
    )
    const outward = direction(
      () => chargePoints,
      (text) => {
        if (!ended) events.received(text)
      },
    )

    function noticed(afterMs: number): void {
      if (front === undefined) return
      time.after(afterMs, front.thread, () => {
        if (socket === undefined) return
        observer.closed(line, 'network')
        const gone = socket
        socket = undefined
        gone.gone(1006)
      })
    }

    const line: OpenLine = {
      id,
      chargePointId,
      send(text) {
        if (!ended && front?.thread.alive === true) inward(text)
      },
      close() {
        ended = true
        tellClosed(0)
        noticed(faults.happens('halfOpen') ? random() * noticedLateMs : latency())
      },
      lose: () => tellClosed(random() * noticedMs),
      break(late) {
        tellClosed(late ? random() * noticedLateMs : latency())
        noticed(late ? random() * noticedLateMs : latency())
      },
    }

    if (front === undefined || !front.thread.alive) {
      tellClosed(latency())
      return line
    }
    open.push(line)
    time.after(latency(), front.thread, () => {
      socket = front.server.connect(chargePointId, {
        send(text) {
          observer.toChargePoint(line, text)
          outward(text)
        },
        ping() {
          time.after(latency() + latency(), front.thread, () => {
            if (!ended) socket?.pong()
          })
        },
        end() {
          if (socket !== undefined) observer.closed(line, 'service')
          socket = undefined
          tellClosed(latency())
        },
      })
      if (socket === undefined) return tellClosed(latency())
      observer.opened(line)
      time.after(latency(), chargePoints, () => {
        if (!ended) events.opened()
      })
    })
    return line
  }

  return {
    connect,
    cut() {
      for (const line of [...open]) line.lose()
    },
    breakOne() {
      const line = open[Math.floor(random() * open.length)]
      line?.break(faults.happens('halfOpen'))
    },
    get lines() {
      return open.length
    },
  }
}

/** How long a charge point takes to find out that nobody is there any more. */
const noticedMs = 3_000
