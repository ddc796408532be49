// The console in a real browser, over a fleet of a usual size and over a large one: how soon it is there, answers, scrolls and shows what happens, and what it does while
// charge points come back all at once.

import { missingBrowser } from '../client/browser.js'
import { type ConsoleBrowser, startConsoleBrowser } from '../console/console-tab.js'
import { fleetOf } from '../console/fleet-on-disk.js'
import { measureEvents } from '../console/measure-events.js'
import { measureJourneys } from '../console/measure-journeys.js'
import { measureOpening } from '../console/measure-opening.js'
import { measureStorm } from '../console/measure-storm.js'
import { measureTable } from '../console/measure-table.js'
import type { Bench, Measurement, Scenario, StartedServer } from '../scenario.js'

/** One service over a fleet, and one browser at it. */
async function at(
  bench: Bench,
  fleet: { readonly count: number; readonly faulted: number },
  measure: (server: StartedServer, browser: ConsoleBrowser) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  const server = await bench.start('ampshard', 0, { write: fleetOf(fleet.count, fleet.faulted) })
  const browser = await startConsoleBrowser({ url: server.process.url, key: server.key })
  try {
    return await measure(server, browser)
  } finally {
    await browser.end()
    await bench.stop(server)
  }
}

export const consoleInBrowser: Scenario = {
  name: 'console',
  title: 'The console in a browser',
  subjects: ['ampshard'],
  missing: () => missingBrowser,
  parameters: (quick) => ({
    chargePoints: quick ? 300 : 15_000,
    manyChargePoints: quick ? 1_000 : 100_000,
    faulted: 20,
    connections: quick ? 100 : 15_000,
    browsers: quick ? 3 : 50,
    ratePerSecond: quick ? 50 : 1_000,
    seconds: quick ? 3 : 20,
    frames: quick ? 60 : 600,
    openings: quick ? 1 : 5,
  }),
  targets: [
    { metric: 'first paint', is: 'at most', value: 500 },
    { metric: 'usable, cold', is: 'at most', value: 1_200 },
    { metric: 'usable, warm', is: 'at most', value: 500 },
    { metric: 'faulted, press to pixels', is: 'at most', value: 100 },
    { metric: 'why not online, in all', is: 'at most', value: 10 },
    { metric: 'message of yesterday', is: 'at most', value: 300 },
    { metric: 'bill, last key to its steps', is: 'at most', value: 300 },
    { metric: 'status to pixel p99', is: 'at most', value: 1_000 },
    { metric: 'statuses that did not show', is: 'at most', value: 0 },
    { metric: 'work per frame', is: 'at most', value: 8 },
    { metric: 'frames', is: 'at least', value: 55 },
    { metric: 'longest task, scrolling', is: 'at most', value: 50 },
    { metric: 'slowest filter', is: 'at most', value: 240 },
    { metric: 'memory of the tab, storm', is: 'at most', value: 300 },
    { metric: 'longest task, storm', is: 'at most', value: 200 },
  ],
  async run(bench, _subject, sizes) {
    const { chargePoints = 0, manyChargePoints = 0, faulted = 0, openings = 0, frames = 0 } = sizes
    const { connections = 0, browsers = 0, ratePerSecond = 0, seconds = 0 } = sizes
    const usual = await at(bench, { count: chargePoints, faulted }, async (server, browser) => [
      ...(await bench.step(`${chargePoints} charge points: opened`, 1, () =>
        measureOpening(browser, { chargePoints, faulted, openings }),
      )),
      ...(await bench.step('journeys', 1, () => measureJourneys(browser, server))),
      ...(await measureEvents(bench, browser, server, { chargePoints, connections, browsers, ratePerSecond, seconds })),
    ])
    const many = await at(bench, { count: manyChargePoints, faulted }, async (server, browser) => [
      ...(await bench.step(`${manyChargePoints} charge points: scrolled`, 1, () =>
        measureTable(browser, { manyChargePoints, frames }),
      )),
      ...(await measureStorm(bench, browser, server, { manyChargePoints, connections })),
    ])
    return [...usual, ...many]
  },
}
