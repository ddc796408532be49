// The README's lines for the power of a site, run against a running service: the cars of three sites share 50 kW each, and what the terminal
// shows adds up.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'tap'
import { lineFor, readmeLines } from '../support/readme.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const budgetKw = 50
/** What is printed is rounded to 10 W. */
const roundingKw = 0.005

interface Car {
  readonly drawsKw: number
  readonly limitKw: number
  readonly phases: number
  readonly why: string
}

/** A site as it was shown at one moment. */
interface Shown {
  readonly site: number
  readonly count: number
  readonly drawKw: number
  readonly mostKw: number
  readonly cars: Car[]
}

const title = /^Simulated site (\d+) \(BAY-\): (\d+) cars? draws? ([\d.]+) kW of 50 kW; at most ([\d.]+) kW so far/
/** Of a car that has just come, the service has said nothing yet. */
const row = /^ {2}BAY-\d{4} +([\d.]+) kW +([\d.]+) kW +[\d.]+ A +([13])(?:, taken for [13])? +\d+ %(?: {2}(.*))?$/

function reader(): { readonly shown: Shown[]; take(line: string): void } {
  const shown: Shown[] = []
  return {
    shown,
    take(line) {
      const [, site, count, drawKw, mostKw] = title.exec(line)?.map(Number) ?? []
      if (site !== undefined)
        shown.push({ site, count: Number(count), drawKw: Number(drawKw), mostKw: Number(mostKw), cars: [] })
      const [, draws, limit, phases, why = ''] = row.exec(line) ?? []
      if (draws === undefined) return
      shown.at(-1)?.cars.push({ drawsKw: Number(draws), limitKw: Number(limit), phases: Number(phases), why })
    },
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

test('README - simulated cars share the power of three sites, and never draw more', { timeout: 120_000 }, async (t) => {
  const service = await startService(t, { flags: ['--shards', '1'] })
  const [line = ''] = readmeLines('Power of a site')
  t.match(line, /^npm run simulate -- --sites 3$/)
  const shell = spawn('bash', ['-c', `exec ${lineFor(line, service)}`], {
    env: { ...process.env, AMPSHARD_API_KEY: service.key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => shell.kill('SIGKILL'))
  const { shown, take } = reader()
  createInterface(shell.stdout).on('line', take)

  /** Cars of both kinds, more of them than there is power for, with limits that hold. */
  const shares = ({ cars, drawKw }: Shown): boolean =>
    cars.length >= 4 &&
    new Set(cars.map(({ phases }) => phases)).size === 2 &&
    cars.some(({ why }) =>
      /^[\d.]+ kW is its equal share: [\d.]+ kW are shared by \d cars(, \d of which takes? less)?\./.test(why),
    ) &&
    drawKw > 0.8 * budgetKw
  await until(() => [1, 2, 3].every((number) => shown.some((one) => one.site === number && shares(one))), 90_000)
  for (const { site_id } of (await service.request('GET', '/api/v1/sites')).body.sites) {
    const path = `/api/v1/smart-charging/sites/${site_id}/allocation`
    const { counted_kw, unlimited } = (await service.request('GET', path)).body
    t.ok(counted_kw <= budgetKw, `${counted_kw} kW are counted`)
    t.same(unlimited, [], 'each charge point holds its standing limit')
  }
  const exited = once(shell, 'exit')
  shell.kill('SIGTERM')
  t.same(await exited, [0, null])

  const beyond = ({ drawKw, mostKw }: Shown): boolean => drawKw > budgetKw || mostKw > budgetKw
  t.same(shown.filter(beyond), [], 'the budget is kept at every instant')
  const differing = shown.filter(({ count, drawKw, cars }) => {
    const difference = Math.abs(sumOf(cars.map(({ drawsKw }) => drawsKw)) - drawKw)
    return cars.length !== count || difference > roundingKw * (count + 1)
  })
  t.same(differing, [], 'the cars add up to the sum')
  const disobeying = shown.filter(({ cars }) => cars.some(({ drawsKw, limitKw }) => drawsKw > limitKw))
  t.same(disobeying, [], 'no car draws more than its limit')
  t.equal((await service.request('GET', '/api/v1/cpo/fleet/summary')).body.active_sessions, 0, 'the cars have left')
})
