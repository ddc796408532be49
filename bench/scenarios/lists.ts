// What a page of a long list costs: near its beginning, deep inside, and filtered. The cost should be that of the page.

import { demandClean, type Measurement, milliseconds, type Scenario } from '../scenario.js'

const pages: readonly (readonly [string, string])[] = [
  ['status, first page', '/api/v1/ocpp16/charge_points/status?page=1&per_page=50'],
  ['status, a page of 200', '/api/v1/ocpp16/charge_points/status?page=1&per_page=200'],
  ['status, deep page', '/api/v1/ocpp16/charge_points/status?page=1000&per_page=50'],
  ['status, filtered', '/api/v1/ocpp16/charge_points/status?status=Charging&page=1&per_page=50'],
  ['history, first page', '/api/v1/cpo/commands/history?page=1&per_page=20'],
  ['history, a page of 200', '/api/v1/cpo/commands/history?page=1&per_page=200'],
  ['history, deep page', '/api/v1/cpo/commands/history?page=4000&per_page=200'],
  ['history, filtered', '/api/v1/cpo/commands/history?status=Timeout&page=1&per_page=20'],
]

export const lists: Scenario = {
  name: 'lists',
  title: 'Pages of long lists',
  subjects: ['ampshard'],
  parameters: (quick) => ({
    chargePoints: quick ? 2_000 : 200_000,
    commands: quick ? 10_000 : 1_000_000,
    repetitions: quick ? 50 : 300,
  }),
  targets: pages.map(([metric]) => ({ metric: `${metric} p99`, is: 'at most', value: 50 }) as const),
  async run(bench, _subject, { chargePoints = 0, commands = 0, repetitions = 0 }) {
    const server = await bench.startSeeded(chargePoints, commands)
    if (server === undefined) return []
    const generator = bench.generator()
    const measurements: Measurement[] = []
    for (const [metric, path] of pages) {
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
