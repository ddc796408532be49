// What the API of a program answers about a store that no service uses, at a time that stands still: every GET of every caller, with
// the identifiers that its own lists name.

import { join } from 'node:path'
import pino from 'pino'

const left = new Set(['/api/v1/events/stream', '/api/v1/openapi.json', '/api/v1/events/schemas'])
const identifier = {
  '/api/v1/chargepoints': ['charge_point_id'],
  '/api/v1/alerts?status=all': ['alert_id'],
  '/api/v1/sessions': ['session_id'],
  '/api/v1/billing/invoices': ['invoice_id'],
  '/api/v1/id-tags': ['id_tag'],
  '/api/v1/billing/tariffs': ['tariff_id'],
  '/api/v1/billing/rules': ['rule_id'],
  '/api/v1/org/api-keys': ['id', 'key_id'],
  '/api/v1/webhooks/endpoints': ['id', 'endpoint_id'],
  '/api/v1/site-owners': ['site_owner_id'],
}
/** Queries beside the bare path, by operation id. */
const queries = {
  listAlerts: ['status=all'],
  listSessions: ['status=active', 'status=estimated', 'charge_point_id=AMS-2'],
  listChargePoints: ['status=offline', 'q=bay'],
  searchChargePoints: ['latitude=52.37&longitude=4.9'],
  listUnmatchedTransactions: ['status=attached'],
  listPortalSessions: ['from=2026-10-01T00:00:00Z&to=2026-12-01T00:00:00Z'],
  getRevenue: ['day', 'charge_point', 'tariff'].map(
    (by) => `from=2026-10-01T00:00:00Z&to=2026-12-01T00:00:00Z&group_by=${by}`,
  ),
}

export async function answersOf({ program, data, now, callers, guestTokens }) {
  const load = (path) => import(join(program, 'dist/src', path))
  const [{ createApi }, { apiRoutes }, { openView }, { tables }] = await Promise.all(
    ['api/pipeline.js', 'api/routes/index.js', 'runtime/lmdb-store.js', 'actors/records/index.js'].map(load),
  )
  const view = openView(data, tables)
  const routes = apiRoutes('0.0.0')
  const { runJob } = await load('jobs.js')
  const api = createApi(routes, {
    view: () => view,
    commit: async () => ({ ok: true }),
    ask: () => Promise.reject(new Error('there are no actors here')),
    tell: () => undefined,
    runJob: async (job, input) => ({ ok: true, value: await runJob({ job, input, settings: {} }) }),
    eventStreams: {},
    clock: { now: () => now, monotonic: () => now },
    newId: () => 'none',
    randomBytes: (length) => Buffer.alloc(length),
    run: 1_000_000,
    overloadLevel: () => 0,
    draining: () => false,
    recordsCommands: () => true,
    ready: () => ({ ok: true, checks: {} }),
    metrics: async () => '',
    observe: () => undefined,
    log: pino({ level: 'silent' }),
    config: { ocppUrl: 'ws://127.0.0.1:8080', guestPreauthorisationAmount: 50 },
  })
  const answers = {}
  for (const [caller, key] of Object.entries(callers)) {
    const get = async (target) => {
      const [path, query = ''] = target.split('?')
      const headers = { authorization: `Bearer ${key}`, 'x-request-id': 'recorded' }
      const response = await api.handle({
        method: 'GET',
        path,
        query,
        headers,
        body: undefined,
        remoteAddress: '127.0.0.1',
      })
      const isJson = response.headers['Content-Type']?.startsWith('application/json') === true
      return { status: response.status, ...(isJson && { body: JSON.parse(Buffer.from(response.body).toString()) }) }
    }
    const ids = { session_token: guestTokens, org_id: [] }
    for (const [list, [field, name = field]] of Object.entries(identifier)) {
      const { body } = await get(
        `${list}${list.includes('?') ? '&' : '?'}${list.includes('tariffs') ? 'limit' : 'per_page'}=100`,
      )
      const rows = Object.values(body).find(Array.isArray) ?? []
      ids[name] = rows.map((row) => row[field])
    }
    ids.org_id = (await get('/api/v1/organizations')).body.data?.map(({ id }) => id) ?? []
    for (const route of routes) {
      if (route.method !== 'GET' || !route.path.startsWith('/api/v1/') || left.has(route.path)) continue
      const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const paths =
        parameters.length === 0
          ? [route.path]
          : (ids[parameters[0]] ?? []).map((id) => route.path.replace(`{${parameters[0]}}`, encodeURIComponent(id)))
      for (const path of paths)
        for (const query of ['', ...(queries[route.operationId] ?? [])]) {
          const target = query === '' ? path : `${path}?${query}`
          answers[`${caller} ${target}`] = await get(target)
        }
    }
  }
  await view.close()
  return answers
}
