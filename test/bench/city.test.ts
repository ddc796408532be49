// `ampshard simulate --city` as a newcomer meets it: a city at the built service, and the plan behind it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { cities, type Place } from '../../bench/city/cities.js'
import { planCity } from '../../bench/city/plan.js'
import { createRandom } from '../../bench/client/random.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const script = fileURLToPath(new URL('../../program/main.js', import.meta.url))

test('simulate --city - charge points stand in the city, are of several models, and have their share of troubles', (t) => {
  for (const city of Object.values(cities)) {
    const plan = (seed: number) => planCity({ city, count: 200, prefix: city.prefix, random: createRandom(seed) })
    const planned = plan(1)
    const text = JSON.stringify(planned)
    t.ok(text === JSON.stringify(plan(1)), 'the same seed makes the same city')
    t.ok(text !== JSON.stringify(plan(2)))
    t.equal(new Set(planned.map(({ id }) => id)).size, 200)
    t.equal(new Set(planned.map(({ name }) => name)).size, 200, 'each has a name of its own')
    t.equal(new Set(planned.map(({ latitude, longitude }) => `${latitude} ${longitude}`)).size, 200)
    const { latitude, longitude } = city.places[0] as Place
    const elsewhere = planned.filter(
      (one) => Math.hypot(one.latitude - latitude, (one.longitude - longitude) * 0.6) > 0.3,
    )
    t.same(elsewhere, [], `all are in ${city.name}`)
    t.ok(new Set(planned.map(({ model }) => model.model)).size >= 4)
    const having = (type: string) => planned.filter(({ trouble }) => trouble?.type === type)
    const faulted = having('faulted').filter(
      ({ trouble }) => trouble?.type === 'faulted' && trouble.errorCode === 'GroundFailure',
    )
    t.ok(faulted.length >= 5)
    t.equal(new Set(faulted.map(({ model, firmware }) => `${model.model} ${firmware}`)).size, 1, 'one cause')
    for (const type of ['refused', 'network', 'deviates', 'clock', 'unavailable']) t.ok(having(type).length >= 2, type)
    t.ok(planned.filter(({ trouble }) => trouble === undefined).length > 140)
  }
  t.ok(planCity({ city: cities.berlin, count: 1, prefix: 'X-', random: createRandom(1) }).length === 1)
  t.end()
})

test('simulate --city - within seconds, a city lives at a new service', async (t) => {
  const service = await startService(t)
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    [script, 'simulate', '--city', 'berlin', '--charge-points', '40', '--history', '4', '--url', service.url],
    { env: { ...process.env, AMPSHARD_API_KEY: service.key } },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  t.teardown(() => child.kill('SIGKILL'))
  const get = async (path: string) => (await service.request('GET', `/api/v1${path}`)).body

  await until(async () => {
    const { active_sessions, power_kw, connectors } = await get('/cpo/fleet/summary')
    return active_sessions >= 15 && power_kw > 50 && connectors.by_status.Faulted >= 3
  })
  t.comment(`the city lives after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  const first = (await get('/chargepoints/BER-0001')) as { name: string; latitude: number; address: string }
  t.match(first, { name: 'Olympischer Platz 1', address: 'Olympischer Platz, Berlin', vendor: 'Elbwerk' })
  t.ok(Math.abs(first.latitude - 52.5155) < 0.001)
  const past = await get('/sessions?status=completed&limit=100')
  t.ok(past.total > 10, 'charge points have reported what they did before')
  t.ok(
    past.sessions.every(
      ({ cost, flags, ended_at }: { cost: number; flags: string[]; ended_at: string }) =>
        cost >= 0 && flags.length === 0 && Date.parse(ended_at) < Date.now(),
    ),
    'as sessions like any other, with a price',
  )
  const faulted = (await get('/chargepoints?status=faulted')).data as { model: string }[]
  t.ok(faulted.length <= 5)
  await until(async () => (await get('/cpo/refused-charge-points')).data.length >= 1)
  // What a charge point does against the standard is noted as soon as it does it.
  await until(async () => (await get('/conformance')).data.length >= 1)
  t.match(await get('/sites'), { total: 2 })
  t.match(output, /40 charge points registered in Berlin[\s\S]*at the car park share 80 kW[\s\S]*\/console/)
  const asked = performance.now()
  child.kill('SIGINT')
  t.equal((await once(child, 'exit'))[0], 0, output)
  t.ok(performance.now() - asked < 10_000, 'it ends when it is told to, and not with its last timer')
})

test('simulate --city - what does not go together is said', async (t) => {
  for (const more of [
    ['--sites', '2'],
    ['--connectors', '3'],
    ['--misbehave', 'weak-key'],
  ]) {
    const child = spawn(process.execPath, [script, 'simulate', '--city', 'berlin', '--key', 'x', ...more])
    let complaint = ''
    child.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    t.equal((await once(child, 'exit'))[0], 1)
    t.match(complaint, /--city says itself what its charge points are/)
  }
  const child = spawn(process.execPath, [script, 'simulate', '--city', 'atlantis', '--key', 'x'])
  t.equal((await once(child, 'exit'))[0], 1)
})
