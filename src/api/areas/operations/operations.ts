// What runs the service asks of it: whether it lives, whether it can work, and its metrics. Open to anyone who can reach it.

import { Type } from 'typebox'
import { defineRoute } from '../../pipeline/route.js'
import { named } from '../../pipeline/schemas.js'
import { anyone } from '../../surfaces/anyone.js'

const healthz = defineRoute({
  method: 'GET',
  path: '/healthz',
  operationId: 'getHealth',
  summary: 'Whether the process answers',
  tags: ['Operations'],
  surface: anyone,
  responses: { 200: Type.Object({ status: Type.Literal('ok') }) },
  sheddable: 'never',
  handle: () => ({ status: 200, body: { status: 'ok' } }),
})

const readiness = named('Readiness', {
  status: Type.Enum(['ready', 'not_ready']),
  checks: Type.Record(Type.String(), Type.String()),
})

const readyz = defineRoute({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'Whether the service can do its work',
  tags: ['Operations'],
  surface: anyone,
  responses: { 200: readiness, 503: readiness },
  sheddable: 'never',
  async handle(_request, services) {
    const { ok, checks } = await services.ready()
    const draining = services.draining()
    const body = {
      status: ok && !draining ? 'ready' : 'not_ready',
      checks: draining ? { ...checks, process: 'shutting down' } : checks,
    }
    return { status: body.status === 'ready' ? 200 : 503, body }
  },
})

const metrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'Metrics in the Prometheus text format',
  tags: ['Operations'],
  surface: anyone,
  responses: { 200: 'text/plain; version=0.0.4; charset=utf-8' },
  sheddable: 'never',
  handle: async (_request, services) => ({
    status: 200,
    body: await services.metrics(),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  }),
})

export const operationRoutes = [healthz, readyz, metrics]
