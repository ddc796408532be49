// What the log says of a request: at debug its way and its end, at trace its body too, without what is secret.

import type { Logger } from 'pino'
import { redacted } from '../../../ocpp16/secrets.js'
import type { ApiRequest } from '../message.js'
import { redactBody } from '../redact-body.js'
import type { Route } from '../route.js'

export interface Handled {
  readonly request: ApiRequest
  readonly requestId: string
  /** Undefined when no route has this path, or not with this method. */
  readonly found: { readonly route: Route; readonly params: Readonly<Record<string, string>> } | undefined
  /** The path of the request where nothing was found, without what may be a secret. */
  readonly unfoundPath: () => string
  readonly status: number
  /** Of an error. */
  readonly code: string | undefined
  readonly milliseconds: number
}

const longestPath = 200

/** The path as it was asked for, without parameters that are secret. */
function shownPath({ found, unfoundPath }: Handled): string {
  if (found === undefined) return unfoundPath().slice(0, longestPath)
  const declared = found.route.params.properties as Readonly<Record<string, { readonly 'x-secret'?: boolean }>>
  return found.route.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    declared[name]?.['x-secret'] === true || name === 'id_tag' ? redacted : (found.params[name] ?? ''),
  )
}

function shownBody({ request: { body }, found }: Handled): unknown {
  if (!(body instanceof Uint8Array) || found?.route.body === undefined) return undefined
  try {
    return redactBody(JSON.parse(body.toString('utf8')), found.route.body)
  } catch {
    return undefined
  }
}

export function logRequest(log: Logger, handled: Handled): void {
  if (!log.isLevelEnabled('debug')) return
  const { request, requestId, found, status, code, milliseconds } = handled
  const body = log.isLevelEnabled('trace') ? shownBody(handled) : undefined
  log.debug(
    {
      request_id: requestId,
      method: request.method,
      path: shownPath(handled),
      ...(found !== undefined && { operation: found.route.operationId }),
      status,
      ...(code !== undefined && { code }),
      milliseconds: Math.round(milliseconds * 10) / 10,
      remote_address: request.remoteAddress,
      // As text: the log would take `key` and `id_tag` for secrets, also where the body has masked what is one.
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    'request',
  )
}
