// Whether a port can be had. Listeners share their port, so that the kernel spreads sockets over fronts and certificates
// can be changed: a second service on the port would not fail by itself, but take half of the charge points.

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Throws when another process listens there, or the address is not of this machine; port 0 is always free. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new Error(`--port ${port} of ${host} is in use`)
    throw new Error(`cannot listen on --host ${host} --port ${port}: ${message}`, { cause: error })
  }
  server.close()
  await once(server, 'close')
}
