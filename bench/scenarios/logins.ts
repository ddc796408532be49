// What installers who log in cost the charge points: heartbeats alone, and beside logins, whose passwords are hashed on the same cores.

import { demandClean, milliseconds, type Scenario } from '../scenario.js'
import { ask } from '../servers/server-process.js'
import { connectAll, measureConversation } from './closed-loop.js'

const password = 'Ladestation 2026'
/** Fewer than one address may sign up at once. */
const accounts = 30

export const logins: Scenario = {
  name: 'logins',
  title: 'Installers log in beside heartbeats',
  subjects: ['ampshard'],
  parameters: (quick) => ({ connections: quick ? 100 : 500, ratePerSecond: 30, seconds: quick ? 2 : 20 }),
  targets: [
    { metric: 'heartbeat p99 beside logins, of alone', is: 'at most', value: 2 },
    { metric: 'logins', is: 'at least', value: 29 },
  ],
  async run(bench, subject, { connections = 0, ratePerSecond = 0, seconds = 0 }) {
    const server = await bench.start(subject, connections)
    const [chargePoints, installers] = [bench.generator(), bench.generator()]
    await connectAll(bench, chargePoints, server, 0, connections)
    const emails = Array.from({ length: accounts }, (_, at) => `installer-${at}@example.com`)
    const person = { password, first_name: 'Ines', last_name: 'Example', company: 'Example' }
    for (const email of emails) await ask(server, 'POST', '/api/v1/installer/signup', { email, ...person })

    const heartbeats = { conversation: 'heartbeat', active: connections, seconds } as const
    const logIn = (forSeconds: number) => {
      const { url } = server.process
      return installers.ask({
        type: 'logins',
        url,
        emails,
        password,
        ratePerSecond,
        seconds: forSeconds,
        connections: 64,
      })
    }
    demandClean(await logIn(2), 'warming up')
    const alone = await measureConversation(bench, chargePoints, server, heartbeats)
    const [beside, report] = await Promise.all([
      measureConversation(bench, chargePoints, server, heartbeats),
      // As long as the conversation, its warming up included.
      logIn(Math.max(1, seconds * 0.3) + seconds),
    ])
    demandClean(report, 'logins')
    const [before, after] = [alone.report.latency.p99, beside.report.latency.p99]
    return [
      milliseconds('heartbeat p99 alone', before),
      milliseconds('heartbeat p99 beside logins', after),
      { metric: 'heartbeat p99 beside logins, of alone', value: after / before, unit: 'x' },
      { metric: 'logins', value: report.completed / report.seconds, unit: '/s' },
      milliseconds('login p50', report.latency.p50),
      milliseconds('login p99', report.latency.p99),
    ]
  },
}
