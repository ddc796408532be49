// The audit log's entry of a request that may change something: who, from where, what on which resource, and how it ended.
// Every method but GET is audited, unless its route declares that it changes nothing. Secrets never get here.

import { type AuditEntry, auditTable, newAuditEntry, noOrganization } from '../../../records/audit-entry.js'
import { boundedJson } from '../../../runtime/bounded-json.js'
import { AmpshardError, internalError } from '../../../runtime/errors.js'
import type { ServiceClock } from '../../../runtime/steady-time.js'
import type { Change } from '../../../runtime/store/store.js'
import { putRow } from '../changes.js'
import { limits } from '../limits.js'
import type { ApiRequest } from '../message.js'
import { redactBody } from '../redact-body.js'
import type { Answer, Route } from '../route.js'
import type { AuditedCaller } from '../surface.js'
import type { Caller } from './admit.js'

/**
 * What makes the entries of one request: exactly one is committed, and one more for another organization whose it is that was
 * changed.
 */
export interface AuditTrail {
  entries(answer: Pick<Answer, 'status' | 'body' | 'concerns'>): readonly Change[]
  refusal(error: unknown): Change
}

export interface AuditedInput {
  readonly params: unknown
  readonly body: unknown
  readonly requestId: string
}

export function isAudited({ method, surface, changesNothing }: Route): boolean {
  return method !== 'GET' && surface.callers?.audited !== undefined && changesNothing !== true
}

/**
 * Whether an error of a handler leaves something done, or nobody knows: a command was recorded, an actor did not answer or asked
 * others, or the service itself failed. Every other error refuses before anything has happened.
 */
export function mayHaveActed(error: unknown): boolean {
  if (!(error instanceof AmpshardError)) return true
  return error.extras.commandId !== undefined || error.kind.mayHaveActed
}

export function auditTrail(
  request: ApiRequest,
  route: Route,
  caller: Caller | undefined,
  { params, body, requestId }: AuditedInput,
  clock: Pick<ServiceClock, 'now'>,
): AuditTrail | undefined {
  const audited = isAudited(route) ? caller?.callers.audited?.(caller.principal) : undefined
  if (audited === undefined) return undefined
  const given = shownParams(route, params as Readonly<Record<string, string>>)

  const ofNobody = audited.organizationId ?? audited.otherwise ?? noOrganization
  const by: Actor = { ...audited.actor, request_id: requestId, remote_address: request.remoteAddress }

  function change(organizationId: string, outcome: Outcome, actor?: Actor): Change {
    const entry = {
      organization_id: organizationId,
      ...actor,
      action: route.operationId,
      method: route.method,
      path: route.path.replace(/\{([^}]+)\}/g, (_, name: string) => given.shown[name] ?? redactedSegment),
      ...outcome,
      ...(route.body !== undefined && {
        request_body: boundedJson(redactBody(body, route.body), limits.auditedBodyCharacters),
      }),
    }
    return putRow(auditTable, newAuditEntry(entry, clock.now()))
  }

  return {
    entries({ status, body: answer, concerns }) {
      const outcome = { status, resources: { ...idsIn(answer), ...concerns?.resources, ...given.ids } }
      const concerned = concerns?.organizationId === audited.ownerId ? undefined : concerns?.organizationId
      const own = audited.organizationId ?? concerned ?? ofNobody
      const entry = change(own, outcome, by)
      return concerned === undefined || concerned === own ? [entry] : [entry, change(concerned, outcome)]
    },
    refusal(error) {
      const { kind, extras }: Pick<AmpshardError, 'kind' | 'extras'> =
        error instanceof AmpshardError ? error : { kind: internalError, extras: {} }
      const { commandId } = extras
      const resources = { ...(commandId !== undefined && { command_id: commandId }), ...given.ids }
      const outcome = { status: kind.status, error: kind.code, resources }
      return change(ofNobody, outcome, by)
    },
  }
}

type Actor = AuditedCaller['actor'] & Pick<AuditEntry, 'request_id' | 'remote_address'>
type Outcome = Pick<AuditEntry, 'status' | 'error' | 'resources'>

const redactedSegment = '(redacted)'

/** The parameters of the path that may be known, as they stood in it and as they are. */
function shownParams(route: Route, params: Readonly<Record<string, string>>) {
  const schemas = route.params.properties as Readonly<Record<string, { readonly 'x-secret'?: boolean }>>
  const open = Object.entries(params).filter(([name]) => schemas[name]?.['x-secret'] !== true)
  return {
    ids: Object.fromEntries(open),
    shown: Object.fromEntries(open.map(([name, value]) => [name, encodeURIComponent(value)])),
  }
}

/** What an answer calls an id, its first level alone: which resource was made, which command was sent. */
function idsIn(answer: unknown): Record<string, string | number> {
  if (typeof answer !== 'object' || answer === null || Buffer.isBuffer(answer)) return {}
  const ids = Object.entries(answer).filter(
    (entry): entry is [string, string | number] =>
      /^id$|_id$|^id_tag$/.test(entry[0]) && (typeof entry[1] === 'string' || typeof entry[1] === 'number'),
  )
  return Object.fromEntries(ids.slice(0, limits.auditedIds))
}
