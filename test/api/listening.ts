// An API behind the HTTP side of a front, on a port of its own.

import type { Test } from 'tap'
import { createRequestRates } from '../../src/api/http/request-rates.js'
import { createHttpServer, type HttpServer } from '../../src/api/http/server.js'
import type { Api } from '../../src/api/pipeline/pipeline.js'
import { createClientAddress } from '../../src/edge/client-address.js'
import { systemClock } from '../../src/runtime/clock.js'
import { createIdMaker } from '../../src/runtime/ids.js'
import { loadUWebSockets } from '../../src/runtime/thread/uwebsockets.js'
import type { Rate } from '../../src/runtime/token-bucket.js'

const uws = loadUWebSockets()

export interface Listening extends HttpServer {
  readonly port: number
}

export interface Rates {
  readonly ofAddress?: Rate
  readonly ofKey?: Rate
}

const plenty: Rate = { perSecond: 10_000, burst: 10_000 }

export async function listenFor(
  t: Test,
  api: Api,
  { ofAddress = plenty, ofKey = plenty }: Rates = {},
): Promise<Listening> {
  const server = createHttpServer({
    api,
    clock: systemClock,
    rates: createRequestRates({ ofAddress, ofKey, clock: systemClock, isBusy: () => false }),
    newId: createIdMaker(systemClock, Math.random),
    clientAddress: createClientAddress({
      settings: {},
      clock: systemClock,
      log: { warn() {} },
      behindSplice: (seen) => seen,
    }),
    tls: false,
  })
  const app = uws.App()
  server.mount(app)
  const port = await new Promise<number>((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket === false) return reject(new Error('cannot listen'))
      t.teardown(() => app.close())
      resolve(uws.us_socket_local_port(socket))
    })
  })
  return { ...server, port }
}
