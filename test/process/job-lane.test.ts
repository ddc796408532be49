// Lanes of jobs with jobs that hang: they end in time, and with them a thread of their own; the jobs of others do not notice.

import { Piscina } from 'piscina'
import { type Test, test } from 'tap'
import { createJobLane, type JobLane, type JobLaneOptions } from '../../src/process/job-lane.js'

interface Lane extends JobLane {
  readonly logged: object[]
}

function lane(t: Test, options: Partial<JobLaneOptions> & { readonly atOnce?: number }): Lane {
  const { atOnce = 1, isShared = false, withinMs = 1_500 } = options
  const createPool = () =>
    new Piscina({
      filename: new URL('./hanging-job.js', import.meta.url).href,
      name: 'run',
      minThreads: 0,
      maxThreads: 1,
      ...(isShared && { concurrentTasksPerWorker: atOnce + 1, atomics: 'disabled' }),
    })
  const logged: object[] = []
  const made = createJobLane(
    {
      name: 'test',
      createPool,
      turns: { atOnce, atOncePerOwner: 1, waitingPerOwner: 3, waiting: 5 },
      ...options,
      isShared,
      withinMs,
    },
    { error: (...said: unknown[]) => logged.push(said) },
  )
  t.teardown(() => made.stop())
  return { ...made, logged }
}

const tooLong = { message: 'the job took longer than 1.5 seconds' }

/** Runs jobs of an owner one after the other until `ended`; returns their threads. */
async function keepRunning({ run }: JobLane, owner: string, ended: Promise<unknown>): Promise<unknown[]> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  const threads: unknown[] = []
  while (!isOver) threads.push(await run(owner, { waitsMs: 50 }))
  threads.push(await run(owner, {}))
  return [...new Set(threads)]
}

test('job lane - a job that hangs is ended with its thread, and the next one runs in another thread', async (t) => {
  const { run, statistics, logged } = lane(t, {})
  const hangs = run('org_1', { hangs: true }) ?? Promise.resolve()
  const [rejected, next] = [t.rejects(hangs, tooLong), run('org_2', {})]
  await rejected
  t.type(await next, 'number')
  t.match(statistics(), { lane: 'test', underWay: 0, waiting: 0, refused: 0, overtime: 1 })
  t.match(logged, [[{ lane: 'test', seconds: 1.5 }, 'a job took too long']])
})

test('job lane - a job that hangs ends no job of another thread', async (t) => {
  const made = lane(t, { atOnce: 2 })
  const rejected = t.rejects(made.run('org_1', { hangs: true }) ?? Promise.resolve(), tooLong)
  t.equal((await keepRunning(made, 'org_2', rejected)).length, 1, 'in one thread')
  t.equal(made.statistics().overtime, 1)
})

test('job lane - after a job that took too long those of its owner are refused for a while, and for longer after the next', async (t) => {
  const { run, statistics } = lane(t, { pauseMs: 400 })
  const pauses: number[] = []
  for (let hung = 0; hung < 3; hung++) {
    const from = performance.now()
    let job = run('org_1', { hangs: true })
    if (hung > 0) t.equal(job, undefined)
    for (; job === undefined; job = run('org_1', { hangs: true })) await run('org_2', { waitsMs: 20 })
    pauses.push(performance.now() - from)
    const behind = t.rejects(run('org_1', {}) ?? Promise.resolve(), { message: /took too long before/ })
    await t.rejects(job, tooLong)
    await behind
  }
  const [, first = 0, second = 0] = pauses
  t.ok(first > 300 && second > 600, pauses.join())
  t.ok(statistics().refused >= 2)
})

test('job lane - a late job ends no thread that many share', async (t) => {
  const made = lane(t, { atOnce: 3, isShared: true })
  const rejected = t.rejects(made.run('org_1', { waitsMs: 10_000 }) ?? Promise.resolve(), tooLong)
  t.equal((await keepRunning(made, 'org_2', rejected)).length, 1, 'in one thread')
  t.equal(await made.run('org_1', {}), await made.run('org_2', {}), 'which goes on')
  t.match(made.logged, [[{ seconds: 1.5 }, 'a job took too long']])
})

test('job lane - a thread that many share and that no longer answers is replaced', async (t) => {
  const { run, logged } = lane(t, { atOnce: 3, isShared: true, answersWithinMs: 300 })
  const before = await run('org_2', {})
  const hangs = run('org_1', { hangs: true }) ?? Promise.resolve()
  await t.rejects(hangs, tooLong)
  const next = await run('org_2', {})
  t.type(next, 'number')
  t.not(next, before)
  t.match(logged, [
    [{ seconds: 1.5 }, 'a job took too long'],
    [{ lane: 'test' }, /no longer answers/],
  ])
})

test('job lane - beyond a bound the jobs of an organization are refused and counted, and others go in between', async (t) => {
  const { run, statistics } = lane(t, { withinMs: 60_000 })
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

test('job lane - members who share a turn have a bound of their own, go in between, and pause alone', async (t) => {
  const turns = { atOnce: 1, atOncePerOwner: 1, waitingPerOwner: 5, waitingPerMember: 2, waiting: 9 }
  const { run } = lane(t, { turns, pauseMs: 60_000 })
  const order: string[] = []
  const ended = (owner: string, member?: string) => run(owner, {}, member)?.then(() => order.push(member ?? owner))
  const many = Array.from({ length: 4 }, () => ended('all', 'ins_1'))
  t.same(
    many.map((one) => one !== undefined),
    [true, true, true, false],
  )
  const others = [ended('all', 'ins_2'), ended('org_1')]
  t.notOk(others.includes(undefined))
  await Promise.all([...many, ...others])
  t.same(order, ['ins_1', 'ins_1', 'org_1', 'ins_2', 'ins_1'])
  await t.rejects(run('all', { hangs: true }, 'ins_1') ?? Promise.resolve(), tooLong)
  t.equal(run('all', {}, 'ins_1'), undefined)
  t.type(await run('all', {}, 'ins_2'), 'number', 'nobody else pauses')
})
