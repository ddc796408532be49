// An address that stays while the service behind it is killed and started again, as that of a proxy does: roaming partners have been told it.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Teardowns } from './service.js'

export interface SteadyAddress {
  /** `http://127.0.0.1:40123` */
  readonly url: string
  /** Where connections lead from now on; while nobody listens there, they end. */
  leadTo(port: number): void
}

export async function steadyAddress(t: Teardowns): Promise<SteadyAddress> {
  const sockets = new Set<Socket>()
  let target = 0
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(port) {
      target = port
    },
  }
}
