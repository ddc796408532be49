// How long a server with a large installation on disk takes from its start until it is ready, the files in the page cache.

import { milliseconds, type Scenario } from '../scenario.js'

export const coldStart: Scenario = {
  name: 'cold-start',
  title: 'Start with a large installation on disk',
  subjects: ['ampshard'],
  parameters: (quick) => ({
    chargePoints: quick ? 2_000 : 200_000,
    commands: quick ? 10_000 : 1_000_000,
    sessions: quick ? 10_000 : 1_000_000,
    starts: quick ? 2 : 5,
  }),
  targets: [{ metric: 'ready after', is: 'at most', value: 2_000 }],
  async run(bench, _subject, { chargePoints = 0, commands = 0, sessions = 0, starts = 0 }) {
    const times: number[] = []
    let rssKiB = 0
    for (let start = 0; start < starts; start++) {
      const server = await bench.startSeeded({ chargePoints, commands, sessions })
      if (server === undefined) return []
      times.push(server.process.readyMs)
      rssKiB = server.process.usage().rssKiB
      await bench.stop(server)
    }
    times.sort((a, b) => a - b)
    return [
      milliseconds('ready after', times[Math.floor(times.length / 2)] ?? Number.NaN),
      milliseconds('slowest start', times.at(-1) ?? Number.NaN),
      { metric: 'memory when ready', value: rssKiB / 1024, unit: 'MiB' },
    ]
  },
}
