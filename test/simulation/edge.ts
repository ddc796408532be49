// The edge of a simulated front: holds sockets as the real listener does (numbers, epochs, the end of a socket told once)
// over lines instead of uWebSockets.js. It checks no credentials, only that who connects is registered.

import { chargePointAddress, type SocketDetails } from '../../src/actors/charge-point/messages.js'
import { createSocketEpochs } from '../../src/edge/socket-epochs.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import type { FrontTransport, LiveSocket } from '../../src/runtime/link/front-transport.js'
import { numbered } from '../../src/runtime/link/numbers.js'
import type { ReadView } from '../../src/runtime/store/store.js'
import type { SimulatedTime } from './time.js'

/** The charge point's end of a socket, as the edge speaks to it. */
export interface Peer {
  send(text: string): void
  /** The socket is closed from this side. */
  end(): void
}

export interface EdgeSocket {
  frame(text: string): void
  /** The edge learns that the socket is gone. */
  gone(code: number): void
}

export interface Edge {
  /** Undefined for a charge point that is not registered. */
  accept(chargePointId: string, peer: Peer): EdgeSocket | undefined
  sockets(): Iterable<LiveSocket>
  frame(connection: number, text: string): void
  close(connection: number, code: number, reason: string): void
}

interface Held extends LiveSocket {
  readonly peer: Peer
}

export interface EdgeOptions {
  readonly front: number
  readonly incarnation: number
  readonly time: SimulatedTime
  readonly transport: () => FrontTransport
  readonly view: () => ReadView
}

export function createEdge({ front, incarnation, time, transport, view }: EdgeOptions): Edge {
  const sockets = new Map<number, Held>()
  const epochOf = createSocketEpochs(time, view)
  let counter = 0

  function end(socket: Held, code: number, reason: string): void {
    if (!sockets.delete(socket.connection)) return
    transport().detach(socket, code, reason)
    socket.peer.end()
  }

  return {
    accept(chargePointId, peer) {
      if (view().get(chargePointsTable, [chargePointId]) === undefined) return undefined
      const details: SocketDetails = {
        incarnation,
        remoteAddress: '192.0.2.1',
        subprotocol: 'ocpp1.6',
        securityProfile: 0,
        connectedAt: time.now(),
      }
      const socket: Held = {
        connection: numbered({ front }, ++counter),
        address: chargePointAddress(chargePointId),
        epoch: epochOf(chargePointId),
        details,
        peer,
      }
      sockets.set(socket.connection, socket)
      transport().attach(socket)
      return {
        frame(text) {
          if (!sockets.has(socket.connection)) return
          if (!transport().frame(socket, text)) end(socket, 1013, 'try again later')
        },
        gone: (code) => end(socket, code, ''),
      }
    },
    sockets: () => sockets.values(),
    frame: (connection, text) => sockets.get(connection)?.peer.send(text),
    close(connection, code, reason) {
      const socket = sockets.get(connection)
      if (socket !== undefined) end(socket, code, reason)
    },
  }
}
