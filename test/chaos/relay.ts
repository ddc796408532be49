// A network between charge points and the service that can go silent: no byte passes, no connection ends. It shows what
// a broken link or a dead battery looks like, which closing a socket does not.

import { connect, createServer, type Socket } from 'node:net'

export interface Relay {
  readonly port: number
  /** From now on nothing passes over the connections that are open; new ones pass. */
  freeze(): void
  /** What was frozen passes again, with everything that waited. */
  thaw(): void
  close(): void
}

export async function startRelay(targetPort: number): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let frozen: (readonly [Socket, Socket])[] = []
  const server = createServer({ allowHalfOpen: false }, (near) => {
    const far = connect(targetPort, '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay(true)
      from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    freeze() {
      frozen = [...pairs]
      for (const pair of frozen) for (const socket of pair) socket.pause()
    },
    thaw() {
      for (const pair of frozen) for (const socket of pair) socket.resume()
      frozen = []
    },
    close() {
      server.close()
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
  }
}
