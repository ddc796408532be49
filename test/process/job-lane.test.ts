// A lane of jobs with jobs that hang: they end in time, and their thread with them; the jobs behind them do not notice.

import { Piscina } from 'piscina'
import { type Test, test } from 'tap'
import { createJobLane, type JobLane } from '../../src/process/job-lane.js'

const logged: object[] = []

function lane(t: Test, withinMs: number): JobLane {
  const createPool = () =>
    new Piscina({
      filename: new URL('./hanging-job.js', import.meta.url).href,
      name: 'run',
      minThreads: 0,
      maxThreads: 1,
    })
  const turns = { atOnce: 1, atOncePerOwner: 1, waitingPerOwner: 3, waiting: 5 }
  const made = createJobLane(
    { name: 'test', createPool, turns, withinMs },
    { error: (fields: object) => logged.push(fields) },
  )
  t.teardown(() => made.stop())
  return made
}

test('job lane - a job that hangs is ended with its thread, and the next one runs in another thread', async (t) => {
  const { run, statistics } = lane(t, 1_500)
  const hangs = run('org_1', { hangs: true }) ?? Promise.resolve()
  const [rejected, next] = [t.rejects(hangs, { message: 'the job took longer than 1.5 seconds' }), run('org_2', {})]
  await rejected
  t.equal(await next, 'done')
  t.match(statistics(), { lane: 'test', underWay: 0, waiting: 0, refused: 0, overtime: 1 })
  t.match(logged, [{ lane: 'test', seconds: 1.5 }])
})

test('job lane - beyond a bound the jobs of an organization are refused and counted, and others go in between', async (t) => {
  const { run, statistics } = lane(t, 60_000)
  const order: string[] = []
  const ended = (owner: string) => run(owner, {})?.then(() => order.push(owner))
  const own = Array.from({ length: 5 }, () => ended('org_1'))
  const other = ended('org_2')
  t.same(
    own.map((one) => one !== undefined),
    [true, true, true, true, false],
  )
  await Promise.all([...own, other])
  t.same(order, ['org_1', 'org_1', 'org_2', 'org_1', 'org_1'])
  t.equal(statistics().refused, 1)
})
