// Installers who commission all their charge points at once: how long until the last has ended, and what one costs. The charge points are whole ones, with
// a vehicle at each, and do at once what they are asked.

import { registerChargePoints } from '../client/register.js'
import { demandClean, milliseconds, type Scenario, type StartedServer } from '../scenario.js'
import { ask } from '../servers/server-process.js'

const password = 'Ladestation 2026'
/** As many as an installer whose identity is not approved has room for. */
const chargePointsOfEach = 20

/** With the access token of a new one as its key. */
async function newInstaller(server: StartedServer, number: number): Promise<StartedServer> {
  const person = { email: `installer-${number}@example.com`, password }
  const name = { first_name: 'Ines', last_name: 'Example', company: 'Example' }
  await ask(server, 'POST', '/api/v1/installer/signup', { ...person, ...name })
  const { access_token } = await ask(server, 'POST', '/api/v1/installer/login', person)
  const installer = { ...server, key: String(access_token) }
  await ask(installer, 'POST', '/api/v1/installer/accept-terms', { terms_version: '2026-11' })
  return installer
}

export const commissionings: Scenario = {
  name: 'commissionings',
  title: 'Installers commission charge points, all at once',
  subjects: ['ampshard'],
  parameters: (quick) => ({ chargePoints: quick ? 40 : 1_000 }),
  targets: [{ metric: 'until the last has ended', is: 'at most', value: 180 }],
  async run(bench, subject, { chargePoints = 0 }) {
    const server = await bench.start(subject, 0)
    const { url, ocppUrl } = server.process
    const all = Array.from({ length: chargePoints }, (_, number) => `${server.prefix}${number}`)
    const installers: { readonly token: string; readonly chargePointIds: readonly string[] }[] = []
    for (let from = 0; from < chargePoints; from += chargePointsOfEach) {
      const { key: token } = await newInstaller(server, installers.length)
      installers.push({ token, chargePointIds: all.slice(from, from + chargePointsOfEach) })
    }
    await bench.step(`registering ${chargePoints} charge points`, 1, async () => {
      for (const { token, chargePointIds } of installers)
        await registerChargePoints({
          url,
          key: token,
          asInstaller: true,
          chargePoints: chargePointIds.map((chargePointId) => ({ chargePointId, connectorCount: 1 })),
        })
    })
    const boxes = bench.generator()
    await bench.step(`connecting ${chargePoints} charge points`, chargePoints, async (progress) =>
      demandClean(await boxes.ask({ type: 'connect-boxes', url: ocppUrl, ids: all }, progress), 'connecting'),
    )
    const before = server.process.usage()
    const report = await bench.step(`${chargePoints} commissionings`, chargePoints, (progress) =>
      bench.generator().ask({ type: 'commission', url, installers }, progress),
    )
    const cpuMs = server.process.usage().cpuMs - before.cpuMs
    demandClean(report, 'commissionings')
    return [
      { metric: 'until the last has ended', value: report.seconds, unit: 's' },
      milliseconds('commissioning p50', report.latency.p50),
      milliseconds('commissioning p99', report.latency.p99),
      milliseconds('CPU per commissioning', cpuMs / report.completed),
    ]
  },
}
