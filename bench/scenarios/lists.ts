// What a page of a long list costs: its first, one from its middle, a large one, and a filtered one. The first page
// should cost no more than its rows, however long the list is; a page is skipped to by its number, so the middle tells
// what skipping costs.

import { demandClean, type Measurement, milliseconds, type Scenario } from '../scenario.js'

interface Page {
  readonly metric: string
  readonly path: string
}

const status = '/api/v1/ocpp16/charge_points/status'
const history = '/api/v1/cpo/commands/history'

function pagesOf(chargePoints: number, commands: number): Page[] {
  const middle = (rows: number, perPage: number): string =>
    `page=${Math.max(1, Math.floor(rows / perPage / 2))}&per_page=${perPage}`
  return [
    { metric: 'status, first page of 50', path: `${status}?page=1&per_page=50` },
    { metric: 'status, middle page of 50', path: `${status}?${middle(chargePoints, 50)}` },
    { metric: 'status, first page of 200', path: `${status}?page=1&per_page=200` },
    { metric: 'status, filtered', path: `${status}?status=Charging&page=1&per_page=50` },
    { metric: 'history, first page of 20', path: `${history}?page=1&per_page=20` },
    { metric: 'history, middle page of 20', path: `${history}?${middle(commands, 20)}` },
    { metric: 'history, first page of 200', path: `${history}?page=1&per_page=200` },
    { metric: 'history, filtered', path: `${history}?status=Timeout&page=1&per_page=20` },
    { metric: 'sessions, first page of 20', path: '/api/v1/sessions?page=1&per_page=20' },
    { metric: 'sessions of a charge point', path: '/api/v1/sessions?charge_point_id=BENCH-1&page=1&per_page=20' },
    { metric: 'portal, first page of 20', path: '/api/v1/portal/sessions?limit=20' },
  ]
}

export const lists: Scenario = {
  name: 'lists',
  title: 'Pages of long lists',
  subjects: ['ampshard'],
  parameters: (quick) => ({
    chargePoints: quick ? 2_000 : 200_000,
    commands: quick ? 10_000 : 1_000_000,
    sessions: quick ? 10_000 : 1_000_000,
    repetitions: quick ? 50 : 300,
  }),
  targets: [
    { metric: 'status, first page of 50 p99', is: 'at most', value: 5 },
    { metric: 'history, first page of 20 p99', is: 'at most', value: 5 },
    { metric: 'sessions, first page of 20 p99', is: 'at most', value: 5 },
    { metric: 'portal, first page of 20 p99', is: 'at most', value: 5 },
  ],
  async run(bench, _subject, { chargePoints = 0, commands = 0, sessions = 0, repetitions = 0 }) {
    const server = await bench.startSeeded({ chargePoints, commands, sessions })
    if (server === undefined) return []
    const generator = bench.generator()
    const measurements: Measurement[] = []
    for (const { metric, path } of pagesOf(chargePoints, commands)) {
      const request = { type: 'get', url: server.process.url, key: server.key, path } as const
      demandClean(await generator.ask({ ...request, repetitions: 10 }), metric)
      const report = await bench.step(metric, repetitions, (progress) =>
        generator.ask({ ...request, repetitions }, progress),
      )
      demandClean(report, metric)
      measurements.push(milliseconds(`${metric} p50`, report.latency.p50))
      measurements.push(milliseconds(`${metric} p99`, report.latency.p99))
    }
    return measurements
  },
}
