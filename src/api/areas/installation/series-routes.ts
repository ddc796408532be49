// How the installation fares: its last day in steps, and each second as it comes.

import { Type } from 'typebox'
import { tooManyStreams } from '../events/errors.js'
import { area } from './area.js'
import { limits } from './limits.js'
import { installationSeries, shownSeries } from './series-answer.js'

const getSeries = area.get('/installation/series', {
  operationId: 'getInstallationSeries',
  summary: 'Get how the installation has fared in the last day',
  description:
    'Load, latency, threads, the disk and what was refused, of all organizations together. The last ten minutes are known by the second, and the last 24 hours by ten seconds; ' +
    'longer steps have the mean, the maximum or the sum of what they are made of. It is kept in memory: it begins with the start of the service. ' +
    '`GET /metrics` counts the same, for Prometheus.',
  query: Type.Object({
    seconds: Type.Integer({
      minimum: 1,
      maximum: limits.installationSeconds,
      default: 600,
      description: 'How far back it goes.',
    }),
    points: Type.Integer({
      minimum: 1,
      maximum: limits.installationPoints,
      default: 600,
      description: 'At most so many steps; they are as long as that takes.',
    }),
  }),
  answer: installationSeries,
  sheddable: 'list',
  async read({ query }, { installation, clock }) {
    return shownSeries(await installation.series(query), clock.now())
  },
})

const streamSeconds = area.route({
  method: 'GET',
  path: '/installation/stream',
  operationId: 'streamInstallation',
  summary: 'Stream how the installation fares, second by second',
  description:
    'Sends a server-sent event named `second` once a second, with the data that `GET /api/v1/installation/series?seconds=1` returns. A slow reader gets the newest second, and misses those before it. ' +
    'The stream ends when its key is no longer valid, and when the service stops.',
  responses: { 200: 'text/event-stream' },
  errors: [tooManyStreams],
  sheddable: 'list',
  handle({ isStillAllowed }, { installation }) {
    const stream = installation.stream(isStillAllowed)
    // Proxies that gather an answer before they pass it on would hold seconds back.
    return { status: 200, stream, contentType: 'text/event-stream', headers: { 'X-Accel-Buffering': 'no' } }
  },
})

export const seriesRoutes = [getSeries, streamSeconds]
