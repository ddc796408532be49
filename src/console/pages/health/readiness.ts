// Whether the service can work, as `/readyz` says it: an answer of 503 is one too.

import { type Resource, useResource } from '../../client/resource.js'

export interface Readiness {
  readonly status: 'ready' | 'not_ready'
  readonly checks: Readonly<Record<string, string>>
}

export function useReadiness(): Resource<Readiness> {
  return useResource(async (signal) => (await (await fetch('/readyz', { signal })).json()) as Readiness, [], {
    everySeconds: 5,
  })
}
