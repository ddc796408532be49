// The public port of a listener with two certificates. uWebSockets.js takes one certificate a listener, so this looks at the
// ClientHello of each connection and passes the bytes on to one of two listeners of the same thread, in both directions. It
// holds no keys and understands nothing after the ClientHello.

import { connect, createServer, type Server, type Socket } from 'node:net'
import { chooseCertificate, type KeyKind } from './choose-certificate.js'
import { createHelloReader } from './client-hello.js'
import { limits } from './limits.js'
import { createWaitingClients } from './waiting-clients.js'

export interface SpliceOptions {
  /** Ports on the loopback, as they are at each new connection. */
  readonly portOf: (kind: KeyKind) => number
  readonly otherwise: KeyKind
}

export interface Splice {
  /** Resolves with the port. */
  listen(host: string, port: number): Promise<number>
  /** Resolves when every connection that has been passed on was answered, or has ended: its listener has taken it by then. */
  answered(): Promise<void>
  /** No more connections; those that there are stay. */
  close(): void
  /** Ends every connection too. */
  destroy(): void
  /** Who is behind an address that one of the two listeners sees. */
  remoteAddress(seen: string): string
  readonly connections: number
}

/** 127.128.0.1 to 127.255.255.254: on Linux all of them are the loopback, so a connection can be told by its source. */
const firstAddress = 0x7f80_0001
const lastAddress = 0x7fff_fffe

function textOf(address: number): string {
  return [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255].join('.')
}

/** What one side has said last still goes to the other, unless that one does not take it. */
function endOf(socket: Socket): void {
  socket.setTimeout(limits.lastWordsWithinMs, () => socket.destroy())
  socket.destroySoon()
}

export function createSplice({ portOf, otherwise }: SpliceOptions): Splice {
  const remotes = new Map<string, string>()
  const sockets = new Set<Socket>()
  const unanswered = new Set<Promise<void>>()
  let next = firstAddress
  const waiting = createWaitingClients()

  function freeAddress(): string {
    for (;;) {
      const address = textOf(next)
      next = next === lastAddress ? firstAddress : next + 1
      if (!remotes.has(address)) return address
    }
  }

  function accept(client: Socket): void {
    const remote = client.remoteAddress
    if (remote === undefined) {
      client.destroy()
      return
    }
    sockets.add(client)
    client.on('close', () => sockets.delete(client))
    client.on('error', () => client.destroy())
    const stopWaiting = waiting.enter(client, remote)
    const hello = createHelloReader()
    const chunks: Buffer[] = []
    const collect = (chunk: Buffer): void => {
      chunks.push(chunk)
      const read = hello.read(chunk)
      if (read.type === 'incomplete') return
      client.off('data', collect)
      client.pause()
      stopWaiting()
      // What is no ClientHello is refused by the listener in TLS's own words.
      const kind = read.type === 'hello' ? chooseCertificate(read.hello, otherwise) : otherwise
      passOn(client, remote, Buffer.concat(chunks), kind)
    }
    client.on('data', collect)
  }

  function passOn(client: Socket, remote: string, bytes: Buffer, kind: KeyKind): void {
    const localAddress = freeAddress()
    remotes.set(localAddress, remote)
    const inner = connect({ host: '127.0.0.1', port: portOf(kind), localAddress, noDelay: true })
    const answered = new Promise<void>((resolve) => {
      inner.once('data', () => resolve())
      inner.once('close', () => resolve())
    })
    unanswered.add(answered)
    void answered.then(() => unanswered.delete(answered))
    inner.on('error', () => inner.destroy())
    inner.on('close', () => {
      remotes.delete(localAddress)
      endOf(client)
    })
    client.on('close', () => endOf(inner))
    inner.write(bytes)
    client.pipe(inner)
    inner.pipe(client)
  }

  const server: Server = createServer({ noDelay: true }, accept)
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => {
          server.off('error', reject)
          const address = server.address()
          resolve(typeof address === 'object' && address !== null ? address.port : port)
        })
      }),
    async answered() {
      await Promise.all(unanswered)
    },
    close() {
      server.close()
    },
    destroy() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
    remoteAddress: (seen) => remotes.get(seen) ?? seen,
    get connections() {
      return sockets.size
    },
  }
}
