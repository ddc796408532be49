// What runs the service asks of it: whether it lives, whether it can work, and its metrics.

import { Type } from 'typebox'
import { named } from '../../pipeline/schemas.js'
import { area } from './area.js'

const healthz = area.get('/healthz', {
  operationId: 'getHealth',
  summary: 'Check whether the process answers',
  answer: Type.Object({ status: Type.Literal('ok') }),
  read: () => ({ status: 'ok' }),
})

const readiness = named('Readiness', {
  status: Type.Enum(['ready', 'not_ready']),
  checks: Type.Record(Type.String(), Type.String()),
})

const readyz = area.route({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  summary: 'Check whether the service can do its work',
  responses: { 200: readiness, 503: readiness },
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

const prometheusText = 'text/plain; version=0.0.4; charset=utf-8'

const metrics = area.route({
  method: 'GET',
  path: '/metrics',
  operationId: 'getMetrics',
  summary: 'Get the metrics in the Prometheus text format',
  responses: { 200: prometheusText },
  handle: async (_request, services) => ({
    status: 200,
    body: await services.metrics(),
    contentType: prometheusText,
  }),
})

export const operationRoutes = [healthz, readyz, metrics]
