// The way of every request, step by step: identify, match, authenticate, authorize, quota, idempotency, shed,
// validate, handle, commit, respond. Knows no transport and no route; every step has a file of its own.

import { AmpshardError, errorCodes } from '../runtime/errors.js'
import type { ApiRequest, ApiResponse } from './message.js'
import type { Route } from './route.js'
import type { Services } from './services.js'
import { type Authenticated, authenticate } from './steps/authenticate.js'
import { authorize } from './steps/authorize.js'
import { handleAndCommit } from './steps/commit.js'
import { type Claim, createIdempotency, isReplay } from './steps/idempotency.js'
import { identify } from './steps/identify.js'
import { createKeyUse } from './steps/key-use.js'
import { createMatcher } from './steps/match-route.js'
import { createQuota } from './steps/quota.js'
import { requireUpgrade } from './steps/require-upgrade.js'
import { commonHeaders, encodeBody, errorAnswer, respond } from './steps/respond.js'
import { shed } from './steps/shed.js'
import { type RequestValidator, requestValidator } from './steps/validate.js'

export interface Api {
  /** Never rejects: whatever goes wrong is an answer. */
  handle(request: ApiRequest): Promise<ApiResponse>
  readonly routes: readonly Route[]
}

interface Target {
  readonly route: Route
  readonly validator: RequestValidator
}

export function createApi(routes: readonly Route[], services: Services): Api {
  const matcher = createMatcher<Target>(
    routes.map((route) => ({
      method: route.method,
      path: route.path,
      target: { route, validator: requestValidator(route) },
    })),
  )
  const quota = createQuota({
    now: services.clock.now,
    enterprisePerHour: services.config.enterpriseQuotaPerHour,
  })
  const idempotency = createIdempotency()
  const noteUse = createKeyUse(services)

  async function run(
    request: ApiRequest,
    { route, validator }: Target,
    params: Record<string, string>,
    requestId: string,
    headers: Record<string, string>,
  ): Promise<ApiResponse> {
    const isStillAllowed = (): boolean => isAllowed(request, route)
    let caller: Authenticated | undefined
    if (route.credential === 'api_key') {
      caller = authenticate(request, services.view())
      quota.take(caller.principal, headers)
      authorize(caller.principal, route)
      noteUse(caller.principal.key.key_id)
    }
    const claimed =
      caller === undefined ? undefined : await idempotency.claim(request, caller, services.view, services.clock.now())
    if (isReplay(claimed))
      return respond({ status: claimed.status }, claimed.body, { ...headers, 'Idempotent-Replayed': 'true' })
    try {
      shed(route, services)
      const validated = validator.validate(request, params)
      const input = { ...validated, requestId, principal: caller?.principal, isStillAllowed }
      const { answer, body } = await handleAndCommit(
        () => route.handle(input, services),
        claimed,
        route.secret === true,
        services,
      )
      return respond(answer, body, headers)
    } catch (error) {
      await keepRefusal(error, claimed, requestId)
      throw error
    } finally {
      claimed?.release()
    }
  }

  function isAllowed(request: ApiRequest, route: Route): boolean {
    try {
      authorize(authenticate(request, services.view()).principal, route)
      return true
    } catch (error) {
      if (error instanceof AmpshardError) return false
      throw error
    }
  }

  /** A refusal that another try would get again is an answer like any other: a command that timed out was sent. */
  async function keepRefusal(error: unknown, claim: Claim | undefined, requestId: string): Promise<void> {
    if (claim === undefined || !(error instanceof AmpshardError)) return
    const { status } = errorCodes[error.code]
    if (status === 400 || status === 429 || status === 500 || status === 503) return
    const body = encodeBody(errorAnswer(error, requestId)) as string
    await services.commit([claim.keep(status, body, { secret: false, now: services.clock.now() })])
  }

  return {
    routes,
    async handle(request) {
      const startedAt = services.clock.monotonic()
      const requestId = identify(request, services)
      const headers = commonHeaders(requestId)
      let operationId = 'unmatched'
      let response: ApiResponse
      try {
        const method = request.method === 'HEAD' ? 'GET' : request.method
        if (method === 'OPTIONS') response = options(request.path, headers)
        else {
          requireUpgrade(method, request.path)
          const { target, params } = matcher.match(method, request.path)
          operationId = target.route.operationId
          response = await run(request, target, params, requestId, headers)
        }
      } catch (error) {
        if (!(error instanceof AmpshardError))
          services.log.error({ err: error, request_id: requestId, operation: operationId }, 'a request failed')
        const answer = errorAnswer(error, requestId)
        response = respond(answer, encodeBody(answer), headers)
      }
      const milliseconds = services.clock.monotonic() - startedAt
      services.observe({ operationId, method: request.method, status: response.status, milliseconds })
      return response
    },
  }

  function options(path: string, headers: Record<string, string>): ApiResponse {
    const methods = matcher.methods(path)
    if (methods.length === 0) throw new AmpshardError('not_found', 'there is nothing at this path')
    return respond({ status: 204, headers: { Allow: methods.join(', ') } }, '', headers)
  }
}
