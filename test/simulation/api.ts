// What a front of the simulated service offers to routes, and its API as callers use it: the real pipeline with the routes that worlds
// call, authentication, idempotency, commit and audit log included. There is no transport: a request is a call.

import type { Random } from '../../bench/client/random.js'
import { apiRoutes } from '../../src/api/areas/index.js'
import { makeKey } from '../../src/api/pipeline/make-key.js'
import { type Api, createApi } from '../../src/api/pipeline/pipeline.js'
import type { Services } from '../../src/api/pipeline/services.js'
import { type ApiKey, scopes } from '../../src/records/api-key.js'
import { newestCommandId } from '../../src/records/command.js'
import { alone } from '../../src/records/presence.js'
import { createIdMaker } from '../../src/runtime/ids.js'
import { unowned } from '../../src/runtime/store/store.js'
import { organizations } from './organizations.js'
import type { SimulatedFront } from './service.js'
import { silentLog } from './silent-log.js'
import type { SimulatedTime } from './time.js'

export interface ServiceOptions {
  readonly time: SimulatedTime
  readonly random: Random
  readonly run: number
}

export function frontServices(
  front: Pick<SimulatedFront, 'asks' | 'store' | 'transport'>,
  options: ServiceOptions,
): Services {
  const { time, random, run } = options
  const services: Omit<Services, 'eventStreams'> = {
    view: () => front.store.view(),
    commit(changes, conditions) {
      const result = front.store.commit(unowned(changes, conditions))
      front.store.flush()
      return result
    },
    ask: (to, message, timeoutMs) => front.asks.ask(to, message, timeoutMs),
    tell: (to, message) => front.transport.send(to, message),
    runJob: () => Promise.resolve({ ok: false, message: 'no route of these has jobs' }),
    clock: time,
    newId: createIdMaker(time, random, newestCommandId(front.store.view())),
    randomBytes: (length) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256))),
    presence: alone(run),
    overloadLevel: () => 0,
    draining: () => false,
    recordsCommands: () => true,
    ready: () => ({ ok: true, checks: {} }),
    metrics: async () => '',
    observe: () => undefined,
    log: silentLog,
    config: { ocppUrl: 'ws://127.0.0.1', guestPreauthorisationAmount: setAside },
  }
  return services as Services
}

/** For a guest, in units: a charge of a few minutes can use it up, and no charge does at once. */
const setAside = 1.5

/** A schema takes time to compile: only these are. */
const used: ReadonlySet<string> = new Set([
  'authorizeGuestSession',
  'stopGuestSession',
  'deleteChargePoint',
  'sendOcppCommand',
  'closeSession',
])
const routes = apiRoutes('0.0.0').filter(({ operationId }) => used.has(operationId))

export interface Answered {
  readonly status: number
  readonly text: string
}

export interface SimulatedApi {
  call(
    organization: number,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>
}

export function createSimulatedApi(services: Services): SimulatedApi {
  let api: Api | undefined
  return {
    async call(organization, method, path, body, headers) {
      api ??= createApi(routes, services)
      const response = await api.handle({
        method,
        path,
        query: '',
        headers: {
          authorization: `Bearer ${keyOf(organization)}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
        remoteAddress: '192.0.2.2',
      })
      return { status: response.status, text: Buffer.from(response.body).toString() }
    },
  }
}

const keyOf = (organization: number): string =>
  `the key of the operators of ${organizations[organization]?.id}`.replaceAll(' ', '-')

/** One for each organization, which may do everything. */
export function operatorKeys(now: number): ApiKey[] {
  return organizations.map(
    ({ id }, organization) =>
      makeKey({
        organizationId: id,
        name: 'operators',
        scopes,
        now,
        newId: (prefix) => `${prefix}_${organization}`,
        randomBytes: () => Buffer.alloc(0),
        key: keyOf(organization),
      }).row,
  )
}
