// How soon a new car has its limit where many sites share their power: from its StartTransaction until its charge point has confirmed the limit, with the
// cars that were there before lowered first where that is needed.

import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, demandClean, milliseconds, type Scenario, type StartedServer } from '../scenario.js'
import { ask } from '../servers/server-process.js'

const simultaneous = 32
const siteBudgetKw = 50
/** What the charge points of all sites are told when they have connected takes a while. */
const quietCores = 0.3
const quietPatienceSeconds = 180

async function makeSites(server: StartedServer, sites: number, chargePointsOfSite: number): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < sites) await makeSite(server, next++, sites, chargePointsOfSite)
  }
  await Promise.all(Array.from({ length: Math.min(simultaneous, sites) }, worker))
}

/** Those with neighbouring numbers are at different sites, so that cars that come in turn come everywhere. */
async function makeSite(
  server: StartedServer,
  number: number,
  sites: number,
  chargePointsOfSite: number,
): Promise<void> {
  const place = { name: `Site ${number}`, address: `Quay ${number}`, latitude: 52, longitude: 4 }
  const { site_id } = await ask(server, 'POST', '/api/v1/sites', { ...place, max_grid_power_kw: siteBudgetKw })
  for (let at = 0; at < chargePointsOfSite; at++)
    await ask(server, 'POST', `/api/v1/sites/${site_id}/chargers/${server.prefix}${number + at * sites}/link`)
  const configuration = { max_power_kw: siteBudgetKw, strategy: 'equal' }
  await ask(server, 'PUT', `/api/v1/smart-charging/sites/${site_id}/config`, configuration)
}

/** Every charge point has its standing limit when the server has nothing to do any more. */
function settle(bench: Bench, server: StartedServer): Promise<void> {
  return bench.step('standing limits', 1, async () => {
    for (let second = 0; second < quietPatienceSeconds; second += 2) {
      const before = server.process.usage().cpuMs
      await delay(2_000)
      if ((server.process.usage().cpuMs - before) / 2_000 < quietCores) return
    }
    throw new Error('the server does not come to rest')
  })
}

export const sites: Scenario = {
  name: 'sites',
  title: `Sites that share ${siteBudgetKw} kW each: the limit of a new car`,
  subjects: ['ampshard'],
  parameters: (quick) => ({
    sites: quick ? 20 : 1_000,
    chargePointsOfSite: 15,
    startsPerSecond: quick ? 5 : 100,
    staySeconds: quick ? 5 : 40,
    seconds: quick ? 5 : 40,
    answersAfterMs: 20,
  }),
  targets: [{ metric: 'new limit confirmed p99', is: 'at most', value: 500 }],
  async run(
    bench,
    subject,
    { sites = 0, chargePointsOfSite = 0, startsPerSecond = 0, staySeconds = 0, seconds = 0, answersAfterMs = 0 },
  ) {
    const count = sites * chargePointsOfSite
    const server = await bench.start(subject, count, {
      connectors: 1,
      prepare: (first) => makeSites(first, sites, chargePointsOfSite),
    })
    const generator = bench.generator()
    await bench.step(`connecting ${count} charge points`, count, async (progress) => {
      const of = { url: server.process.ocppUrl, prefix: server.prefix, from: 0, count, inFlight: 200 }
      demandClean(await generator.ask({ type: 'connect', ...of, answersAfterMs }, progress), 'connecting')
    })
    await settle(bench, server)
    const cars = { type: 'cars', ratePerSecond: startsPerSecond, staySeconds } as const
    // Until as many leave as come.
    await bench.step('the first cars', startsPerSecond * staySeconds, (progress) =>
      generator.ask({ ...cars, seconds: staySeconds }, progress),
    )
    const before = server.process.usage().cpuMs
    const report = await bench.step('cars', startsPerSecond * seconds, (progress) =>
      generator.ask({ ...cars, seconds }, progress),
    )
    const cpuMs = server.process.usage().cpuMs - before
    demandClean(report, 'new cars')
    return [
      milliseconds('new limit confirmed p50', report.latency.p50),
      milliseconds('new limit confirmed p90', report.latency.p90),
      milliseconds('new limit confirmed p99', report.latency.p99),
      { metric: 'starts', value: report.completed / report.seconds, unit: '/s' },
      { metric: 'CPU per start', value: (cpuMs * 1_000) / report.completed, unit: 'us' },
      { metric: 'server cores', value: cpuMs / 1_000 / report.seconds, unit: 'cores' },
      { metric: 'generator cores', value: report.cpuSeconds / report.seconds, unit: 'cores' },
    ]
  },
}
