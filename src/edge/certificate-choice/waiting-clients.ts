// The connections whose ClientHello has not come yet: for a bounded time, and a bounded number in all and from each address. One more
// ends the one that has waited longest, so that those who never say anything keep nobody out.

import type { Socket } from 'node:net'
import { limits } from './limits.js'

export interface WaitingClients {
  /** Ends the connection unless the function that it returns is called in time. */
  enter(client: Socket, remote: string): () => void
}

export function createWaitingClients(): WaitingClients {
  /** In the order of their arrival, with what takes each out. */
  const all = new Map<Socket, () => void>()
  const ofAddress = new Map<string, Set<Socket>>()

  function end(client: Socket): void {
    all.get(client)?.()
    client.destroy()
  }

  function makeRoom(own: ReadonlySet<Socket>): void {
    const crowd = own.size >= limits.waitingHellosPerAddress ? own : all.size >= limits.waitingHellos ? all : undefined
    const [oldest] = crowd?.keys() ?? []
    if (oldest !== undefined) end(oldest)
  }

  return {
    enter(client, remote) {
      makeRoom(ofAddress.get(remote) ?? new Set())
      const own = ofAddress.get(remote) ?? new Set()
      ofAddress.set(remote, own.add(client))
      const deadline = setTimeout(() => end(client), limits.helloWithinMs)
      const leave = (): void => {
        clearTimeout(deadline)
        all.delete(client)
        own.delete(client)
        if (own.size === 0 && ofAddress.get(remote) === own) ofAddress.delete(remote)
      }
      all.set(client, leave)
      client.on('close', leave)
      return leave
    },
  }
}
