// All that a tenant can see: the answer of every route that reads, with the identifiers of one of its kits.

import { apiRoutes } from '../../src/api/areas/index.js'
import { operatesInstallation } from '../../src/api/areas/organizations/operator.js'
import type { Route } from '../../src/api/pipeline/route.js'
import { operator } from '../../src/api/surfaces/operator.js'
import { operatorOperations } from './identifiers.js'
import { everyIdOf, type Kit } from './kit.js'
import { ask, requestOf, textOf } from './requests.js'

export const routes: readonly Route[] = apiRoutes()
/** Those that every organization may call. */
export const keyRoutes = routes.filter(
  ({ surface, requires }) => surface === operator && !(requires as readonly unknown[]).includes(operatesInstallation),
)
const readingRoutes = keyRoutes.filter(({ method }) => method === 'GET')
/** They tell of the time up to the look, are worked out now and then, or have what charge points did before it, which is noted as there is room. */
const passingOperations: ReadonlySet<string> = new Set([
  'getChargePointSeries',
  'getChargePointUptime',
  'getFleetAttention',
  'listConnectionAttempts',
])
/** Documents take long to print and say nothing that others do not, and the operator's view is of everybody. */
const quickRoutes = readingRoutes.filter(
  ({ responses, operationId }) =>
    typeof responses[200] !== 'string' && !operatorOperations.has(operationId) && !passingOperations.has(operationId),
)

/** What an operation answers about one's own, where that is not 200: no installer has registered or commissioned the charge points of kits. */
export const otherStatus: Readonly<Record<string, number>> = {
  getChargePointCommissioningReport: 409,
  getChargePointModel: 404,
  // Tenants call with keys, which have none.
  listPasskeys: 403,
}

export interface View {
  readonly status: number
  readonly text: string
}

/** By operation. */
export async function viewOf(kit: Kit, looked: readonly Route[] = readingRoutes): Promise<Record<string, View>> {
  const views = looked.map(async (route) => {
    const answer = await ask(kit, await requestOf(route, kit))
    return [route.operationId, { status: answer.status, text: textOf(answer) }] as const
  })
  return Object.fromEntries(await Promise.all(views))
}

/** Fields that tell the time of the look, or that there was one, or that follow what charge points do, such as let a reservation end. */
const passing =
  /"(as_of|last_used_at|last_seen_at|last_updated|evaluated_at|priced_at|computed_at|messages|attempts_24h|[a-z_]+_seconds)":("[^"]*"|\d+|\[[\d,]*\]|\[(?:\{[^{}]*\},?)*\])/g

/** What they answer is of the time of the look, and says so. */
const summaries: ReadonlySet<string> = new Set(['getFleetSummary', 'getSiteSummary'])

/** The view without documents, and without what changes by itself: the same as long as nobody has changed anything. */
export async function lastingOf(kit: Kit): Promise<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(await viewOf(kit, quickRoutes)).map(([operationId, { status, text }]) => {
      const lasting = text.replaceAll(passing, '"$1":"-"')
      const shown = summaries.has(operationId) ? lasting.replaceAll(/"updated_at":"[^"]*"/g, '') : lasting
      return [operationId, `${status} ${shown}`]
    }),
  )
}

const shownCharacters = 120

/** Where two views differ: of each operation the first difference, as answers are long. */
export function changesOf(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys({ ...before, ...after }).flatMap((operationId) => {
    const [one, other] = [before[operationId] ?? '', after[operationId] ?? '']
    if (one === other) return []
    const differing = [...one].findIndex((character, at) => character !== other[at])
    const from = Math.max(0, (differing < 0 ? one.length : differing) - shownCharacters / 2)
    const shown = [one, other].map((text) => text.slice(from, from + shownCharacters))
    return [`${operationId}: ${shown.join(' has become ')}`]
  })
}

/** Texts by which anything of the kit's tenant is known; numbers are too short to be looked for. */
export async function tracesOf(kit: Kit): Promise<string[]> {
  const ids = [...(await everyIdOf(kit)).values()].filter((id): id is string => typeof id === 'string')
  return [kit.tenant.mark, kit.tenant.organizationId, ...ids]
}

/** What of `traces` stands in the text, beside what the caller itself has sent. */
export function tracesIn(text: string, traces: readonly string[], sent: readonly string[] = []): string[] {
  const answered = sent.reduce((left, own) => left.replaceAll(own, ''), text)
  return traces.filter((trace) => answered.includes(trace))
}
