// Why the service ends a socket by itself, and how: with the close handshake (RFC 6455, 7), or at once.

import type { Clock } from '../runtime/clock.js'
import type { FrontTransport } from '../runtime/link/front-transport.js'
import { mailboxFull } from '../runtime/link/wire.js'
import type { AdmissionControl } from './admission.js'
import type { Socket } from './socket.js'

interface Ending {
  readonly code: number
  readonly reason: string
  /** It has sent more than it may: it waits before it may connect again. */
  readonly flooding?: true
}

export const endings = {
  too_many_messages: { code: 1008, reason: 'too many messages', flooding: true },
  too_many_bytes: { code: 1008, reason: 'too many bytes', flooding: true },
  too_many_waiting: { ...mailboxFull, flooding: true },
  too_many_pings: { code: 1008, reason: 'too many pings', flooding: true },
  message_too_big: { code: 1009, reason: 'message too big' },
  too_much_waiting: { code: 1013, reason: 'try again later' },
  no_sign_of_life: { code: 1006, reason: 'no sign of life' },
} as const satisfies Readonly<Record<string, Ending>>

/** All sockets end so with their process. */
export const stopping = { code: 1001, reason: 'the service is stopping' } as const

export type EndingName = keyof typeof endings

export interface Endings {
  /** Closes it with words of somebody else. */
  close(socket: Socket, code: number, reason: string): void
  end(socket: Socket, why: EndingName): void
  /** Without the close handshake: nothing that it has sent is read any more. */
  cut(socket: Socket, why: EndingName): void
  /** Of each of its own reasons, since the start. */
  readonly counts: Readonly<Record<EndingName, number>>
}

export interface EndingsOptions {
  readonly clock: Clock
  readonly admission: Pick<AdmissionControl, 'makeWait'>
  readonly transport: Pick<FrontTransport, 'dropFrames'>
}

export function createEndings({ clock, admission, transport }: EndingsOptions): Endings {
  const counts = Object.fromEntries(Object.keys(endings).map((name) => [name, 0])) as Record<EndingName, number>

  function note(socket: Socket, why: EndingName): void {
    const { code, reason, flooding }: Ending = endings[why]
    socket.closing = { code, reason, at: clock.monotonic() }
    counts[why]++
    if (flooding !== true) return
    admission.makeWait(socket.address.id)
    if (socket.held === undefined) transport.dropFrames(socket)
  }

  return {
    counts,
    close(socket, code, reason) {
      if (socket.closing !== undefined) return
      socket.closing = { code, reason, at: clock.monotonic() }
      socket.webSocket?.end(code, reason)
    },
    end(socket, why) {
      if (socket.closing !== undefined) return
      note(socket, why)
      socket.webSocket?.end(endings[why].code, endings[why].reason)
    },
    cut(socket, why) {
      if (socket.closing === undefined) note(socket, why)
      socket.webSocket?.close()
    },
  }
}
