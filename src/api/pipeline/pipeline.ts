// The way of every request, step by step: identify, match, admit (credential, quota, scopes, note of the use), idempotency, shed, unknown
// fields, validate, handle, commit (with the audit log's entry), respond. Knows no transport, no surface and no route; every step has a
// file of its own.

import { AmpshardError } from '../../runtime/errors.js'
import { claimedServices } from './claimed-services.js'
import { whileWaitedFor } from './long-reads.js'
import type { ApiRequest, ApiResponse, ArrivingRequest } from './message.js'
import type { Route } from './route.js'
import type { Services } from './services.js'
import { type Admission, type Caller, callerName, createAdmission, isAllowed } from './steps/admit.js'
import { type AuditTrail, auditTrail } from './steps/audit.js'
import { commitRefusal, handleAndCommit } from './steps/commit.js'
import { guardStream } from './steps/guard-stream.js'
import { createIdempotency, isReplay, Outrun, type Replay } from './steps/idempotency.js'
import { identify } from './steps/identify.js'
import { logRequest } from './steps/log-request.js'
import { createMatcher, noSuchPath } from './steps/match-route.js'
import { jsonBody } from './steps/read-body.js'
import { requireUpgrade } from './steps/require-upgrade.js'
import { commonHeaders, encodeError, errorAnswer, respond } from './steps/respond.js'
import { shed } from './steps/shed.js'
import { createUnknownFields, type UnknownFieldsStep } from './steps/unknown-fields.js'
import { type RequestValidator, requestValidator } from './steps/validate.js'
import { createSurfaceOf, type Surface } from './surface.js'

export interface Api {
  /** Never rejects: whatever goes wrong is an answer. */
  handle(request: ArrivingRequest): Promise<ApiResponse>
  readonly routes: readonly Route[]
}

interface Target {
  readonly route: Route
  readonly admission: Admission
  readonly validator: RequestValidator
  readonly unknownFields: UnknownFieldsStep
}

/** A request whose body is gathered when it is asked for. */
interface Arrival {
  /** As it is known now. */
  request(): ApiRequest
  whole(): Promise<ApiRequest>
}

function arrivalOf(arriving: ArrivingRequest): Arrival {
  const { body, ...head } = arriving
  let request: ApiRequest = { ...head, body: typeof body === 'function' ? undefined : body }
  return {
    request: () => request,
    async whole() {
      if (typeof body === 'function') request = { ...head, body: await body() }
      return request
    },
  }
}

/** What changes nothing goes on only as long as somebody waits for its answer. */
function servicesOf({ method, isGone }: ApiRequest, caller: Caller | undefined, services: Services): Services {
  if (isGone === undefined || (method !== 'GET' && method !== 'HEAD')) return services
  return { ...services, longReads: whileWaitedFor(services.longReads, isGone, caller && callerName(caller)) }
}

export function createApi(routes: readonly Route[], services: Services): Api {
  const surfaces = [...new Set(routes.map(({ surface }) => surface))]
  const surfaceOf = createSurfaceOf(surfaces)
  const admissions = new Map<Surface, Admission>(surfaces.map((one) => [one, createAdmission(one, services)]))
  const matcher = createMatcher<Target>(
    routes.map((route) => ({
      method: route.method,
      path: route.path,
      target: {
        route,
        admission: admissions.get(route.surface) as Admission,
        validator: requestValidator(route),
        unknownFields: createUnknownFields(route),
      },
    })),
  )
  const idempotency = createIdempotency(services)

  async function run(
    arrival: Arrival,
    { route, admission, validator, unknownFields }: Target,
    params: Record<string, string>,
    requestId: string,
    headers: Record<string, string>,
    known: (caller: Caller | undefined) => void,
  ): Promise<ApiResponse> {
    const caller = admission.admit(arrival.request(), route, headers)
    known(caller)
    const request = await arrival.whole()
    const isStillAllowed = (): boolean => isAllowed(admission, caller, route)
    const claimed = caller === undefined ? undefined : await idempotency.claim(request, caller)
    /** Who has lost a race may have lost it to what they were allowed. */
    const principalNow = (): unknown => caller && admission.verifyAgain(caller, route)
    const given = jsonBody(request, route)
    const replayed = ({ status, body }: Replay): ApiResponse => {
      unknownFields.name(request, given, headers)
      return respond({ status }, body, { ...headers, 'Idempotent-Replayed': 'true' })
    }
    if (isReplay(claimed)) return replayed(claimed)
    const used = claimed === undefined ? servicesOf(request, caller, services) : claimedServices(services, claimed)
    let trail: AuditTrail | undefined
    try {
      shed(route, services)
      unknownFields.check(request, given, headers)
      const validated = validator.validate(request, params, given)
      const { remoteAddress, isGone = () => false } = request
      const principal = caller?.principal
      const input = { ...validated, requestId, target: request, remoteAddress, principal, isStillAllowed, isGone }
      // From here on the request may do something.
      trail = auditTrail(request, route, caller, input, services.clock)
      const outcome = await handleAndCommit(
        (attempt) => route.handle(attempt === 1 ? input : { ...input, principal: principalNow() }, used),
        { surface: route.surface, claim: claimed, trail, secret: route.secret === true },
        services,
      )
      if (isReplay(outcome)) return replayed(outcome)
      const { answer, body } = outcome
      if (answer.stream === undefined) return respond(answer, body, headers)
      const failed = (error: unknown) =>
        services.log.error({ err: error, request_id: requestId, operation: route.operationId }, 'a stream has failed')
      return respond({ ...answer, stream: guardStream(answer.stream, failed) }, body, headers)
    } catch (error) {
      const sooner = await commitRefusal(error, { surface: route.surface, claim: claimed, trail }, requestId, services)
      if (sooner !== undefined) return replayed(sooner)
      throw error
    } finally {
      claimed?.release()
    }
  }

  /** Once in all, also where it came over several fronts at the same time. */
  async function runOnce(...parameters: Parameters<typeof run>): Promise<ApiResponse> {
    for (;;) {
      try {
        return await run(...parameters)
      } catch (error) {
        if (!(error instanceof Outrun)) throw error
      }
    }
  }

  return {
    routes,
    async handle(arriving) {
      const arrival = arrivalOf(arriving)
      const request = arrival.request()
      const startedAt = services.clock.monotonic()
      const requestId = identify(request, services)
      const headers = commonHeaders(requestId)
      let found: { readonly route: Route; readonly params: Record<string, string> } | undefined
      let caller: Caller | undefined
      let code: string | undefined
      let response: ApiResponse
      try {
        const method = request.method === 'HEAD' ? 'GET' : request.method
        if (method === 'OPTIONS') response = options(request.path, headers)
        else {
          requireUpgrade(method, request.path)
          const { target, params } = matcher.match(method, request.path)
          found = { route: target.route, params }
          Object.assign(headers, target.route.surface.headers?.(request, requestId))
          response = await runOnce(arrival, target, params, requestId, headers, (known) => {
            caller = known
          })
        }
      } catch (error) {
        if (!(error instanceof AmpshardError))
          services.log.error(
            { err: error, request_id: requestId, operation: found?.route.operationId },
            'a request failed',
          )
        code = error instanceof AmpshardError ? error.code : 'internal_error'
        const surface = found?.route.surface ?? surfaceOf(request.path)
        if (found === undefined) Object.assign(headers, surface.headers?.(request, requestId))
        const answer = errorAnswer(error, surface, requestId, services.clock.now())
        response = respond(answer, encodeError(answer), headers)
      }
      const milliseconds = services.clock.monotonic() - startedAt
      const { status } = response
      const operationId = found?.route.operationId ?? 'unmatched'
      services.observe({ operationId, method: request.method, status, milliseconds })
      if (caller !== undefined) {
        const { principal, callers } = caller
        callers.answered?.(
          { principal, operationId, request: arrival.request(), response, requestId, milliseconds },
          services,
        )
      }
      const unfoundPath = () => matcher.withoutValues(request.path)
      logRequest(services.log, {
        request: arrival.request(),
        requestId,
        found,
        unfoundPath,
        status,
        code,
        milliseconds,
      })
      return response
    },
  }

  function options(path: string, headers: Record<string, string>): ApiResponse {
    const methods = matcher.methods(path)
    if (methods.length === 0) throw noSuchPath()
    return respond({ status: 204, headers: { Allow: methods.join(', ') } }, '', headers)
  }
}
