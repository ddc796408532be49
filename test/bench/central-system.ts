// A central system for tests, on `ws`: records every CALL, answers from a table that a test may change, sends commands.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export type Payload = Record<string, unknown>

export interface ReceivedCall {
  readonly id: string
  readonly action: string
  readonly payload: Payload
  /** Which connection of the test it came over, from 1 up. */
  readonly connection: number
  /** Before it was answered, monotonic ms. */
  readonly at: number
}

type Answer = (payload: Payload) => Payload | undefined

export interface CentralSystem {
  readonly url: string
  readonly calls: ReceivedCall[]
  /** How an action is answered; undefined leaves the CALL without an answer. */
  readonly answers: Record<string, Answer>
  /** Actions answered with a CALLERROR of this code. */
  readonly errors: Record<string, string>
  /** The first call, past or future, for which `matches` holds and which was not taken before. */
  take(action: string, matches?: (payload: Payload) => boolean): Promise<ReceivedCall>
  /** Sends a CALL and resolves with the charge point's frame. */
  command(action: string, payload: Payload): Promise<unknown[]>
  /** The newest connection, when one is there. */
  connection(): WebSocket
  /** Resolves at the next connection. */
  connected(): Promise<void>
  /** The Authorization header of the newest connection. */
  authorization(): string | undefined
  /** How many CALLs were ever unanswered at once, the most. */
  mostOutstanding(): number
  close(): Promise<void>
  /** Listens again on the same port. */
  reopen(): Promise<void>
}

export async function startCentralSystem(): Promise<CentralSystem> {
  const calls: ReceivedCall[] = []
  const taken = new Set<ReceivedCall>()
  const pendingCommands = new Map<string, (frame: unknown[]) => void>()
  let waiting: (() => void)[] = []
  let sockets: WebSocket[] = []
  let connections = 0
  let authorization: string | undefined
  let commands = 0
  let outstanding = 0
  let most = 0
  let transactions = 100
  const idTagInfo = { status: 'Accepted' }
  const answers: Record<string, Answer> = {
    BootNotification: () => ({ status: 'Accepted', currentTime: new Date().toISOString(), interval: 300 }),
    Heartbeat: () => ({ currentTime: new Date().toISOString() }),
    Authorize: () => ({ idTagInfo }),
    StartTransaction: () => ({ transactionId: ++transactions, idTagInfo }),
    StopTransaction: () => ({ idTagInfo }),
  }

  const errors: Record<string, string> = {}

  function received(socket: WebSocket, connection: number, text: string): void {
    const frame = JSON.parse(text) as unknown[]
    const id = String(frame[1])
    if (frame[0] !== 2) {
      pendingCommands.get(id)?.(frame)
      pendingCommands.delete(id)
      return
    }
    outstanding++
    most = Math.max(most, outstanding)
    const call = { id, action: String(frame[2]), payload: frame[3] as Payload, connection, at: performance.now() }
    calls.push(call)
    const wake = waiting
    waiting = []
    for (const one of wake) one()
    const answer = (answers[call.action] ?? (() => ({})))(call.payload)
    // A turn later, so that a client that does not wait for its answer is caught sending.
    setImmediate(() => {
      if (answer === undefined) return
      outstanding--
      const code = errors[call.action]
      socket.send(JSON.stringify(code === undefined ? [3, id, answer] : [4, id, code, '', {}]))
    })
  }

  async function open(port: number): Promise<WebSocketServer> {
    const server = new WebSocketServer({ host: '127.0.0.1', port })
    server.on('connection', (socket, request) => {
      connections++
      authorization = request.headers.authorization
      outstanding = 0
      const connection = connections
      sockets.push(socket)
      socket.on('message', (data) => received(socket, connection, data.toString()))
      const wake = waiting
      waiting = []
      for (const one of wake) one()
    })
    await once(server, 'listening')
    return server
  }

  let server = await open(0)
  const { port } = server.address() as AddressInfo
  const change = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))

  return {
    url: `ws://127.0.0.1:${port}/ocpp16`,
    calls,
    answers,
    errors,
    async take(action, matches = () => true) {
      for (;;) {
        const found = calls.find((call) => call.action === action && !taken.has(call) && matches(call.payload))
        if (found) {
          taken.add(found)
          return found
        }
        await change()
      }
    },
    command: (action, payload) =>
      new Promise((resolve) => {
        const id = `command-${++commands}`
        pendingCommands.set(id, resolve)
        sockets.at(-1)?.send(JSON.stringify([2, id, action, payload]))
      }),
    connection: () => sockets.at(-1) as WebSocket,
    async connected() {
      const before = connections
      while (connections === before) await change()
    },
    authorization: () => authorization,
    mostOutstanding: () => most,
    async close() {
      for (const socket of sockets) socket.terminate()
      sockets = []
      await new Promise((resolve) => server.close(resolve))
    },
    async reopen() {
      server = await open(port)
    },
  }
}
