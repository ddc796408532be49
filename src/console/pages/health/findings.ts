// What somebody has to know who is woken at night: what is wrong, what it means for charge points and drivers, and what to do. The most urgent
// comes first; where nothing is wrong, that is said.

import { durationText, numberText, percentText } from '../../client/format.js'
import type { Readiness } from './readiness.js'
import { known, lastMinute, newest, percentile, type Series, summed, totalOf } from './series.js'

export interface Finding {
  readonly kind: 'bad' | 'warn' | 'info'
  readonly title: string
  readonly meaning: string
  readonly todo: string
}

export const ladder = [
  { name: 'nothing', about: 'Everybody is let in, and everything is answered.' },
  {
    name: 'new connections',
    about:
      'Charge points that connect now are told to come back later, and do so by themselves. Those that are connected notice nothing.',
  },
  { name: 'and lists', about: 'Lists and reports are refused as well: this console shows less than usual.' },
  {
    name: 'and commands',
    about: 'Commands are refused as well. Charging goes on: messages of connected charge points are never refused.',
  },
] as const

export const spaceLadder = [
  { name: 'enough', about: 'Everything is stored.' },
  {
    name: 'low',
    about: 'Meter values are stored in part, so that they stop filling the disk. Sessions and bills are complete.',
  },
  {
    name: 'very low',
    about: 'Only what charge points and sessions need is stored. Settings cannot be changed and commands are refused.',
  },
  { name: 'almost none', about: 'Only transactions are stored: charging and billing go on, nothing else does.' },
] as const

export function findingsOf(series: Series, readiness: Readiness | undefined): readonly Finding[] {
  const { figures, threads, latency, step_seconds: step } = series
  const minute = Math.max(1, Math.round(60 / step))
  const found: Finding[] = []
  const add = (kind: Finding['kind'], title: string, meaning: string, todo: string): void =>
    void found.push({ kind, title, meaning, todo })

  if (newest(figures.store_writable) === 0)
    add(
      'bad',
      'The disk refuses writes',
      'Charge points get an error for what has to be stored, and send it again later. Nothing that was acknowledged is lost, and running charges go on at the charge points.',
      'Look at the disk of the data directory: is it full, mounted read-only, or broken? As soon as it takes writes, the service goes on by itself.',
    )
  const space = newest(figures.space_level) ?? 0
  if (space > 0)
    add(
      space > 1 ? 'bad' : 'warn',
      `The disk has ${spaceLadder[space]?.name ?? 'little'} space`,
      spaceLadder[space]?.about ?? '',
      'Make room on the disk, or enlarge it; no restart is needed. The file of the store does not shrink, so remove other files first.',
    )
  const level = newest(figures.overload_level) ?? 0
  if (level > 0)
    add(
      'bad',
      'The service is refusing work',
      ladder[level]?.about ?? '',
      'It ends by itself when the load falls. Is a load test running, did many charge points reconnect at once, or does another program use the processor? If it stays, start with more --shards, or give the machine more cores.',
    )
  for (const [check, outcome] of Object.entries(readiness?.checks ?? {}))
    if (outcome !== 'ok' && check !== 'space' && check !== 'store')
      add(
        'bad',
        `Not ready: ${check}`,
        `The check says: ${outcome}. What waits for it is answered later, or not.`,
        'A shard that does not answer is replaced by itself within seconds. If this stays for a minute, look at the log for lines of level error.',
      )
  const p99 = percentile(summed(latency.counts, minute), latency.bounds_milliseconds, 0.99)
  if (p99 !== undefined && p99 > 1_000)
    add(
      p99 > 5_000 ? 'bad' : 'warn',
      `Charge points wait ${numberText(p99 / 1_000, 1)} s for an answer`,
      'That is one message in a hundred. Charge points give up after about 30 seconds, and then send it again.',
      'See below which thread is late. If it is none of them, the disk is slow: look at what else writes to it.',
    )
  for (const [thread, columns] of Object.entries(threads)) {
    const worst = Math.max(0, ...known(columns.loop_delay_milliseconds.slice(-minute)))
    if (worst > 1_000)
      add(
        'warn',
        `${threadName(thread)} stood still for ${numberText(worst / 1_000, 1)} s`,
        'What it does for charge points and callers waited for that long.',
        'If it comes again, look for another program that uses the processor, and at the log of that minute.',
      )
    const busy = lastMinute(columns.busy_share, step)
    if (busy !== undefined && busy > 0.9)
      add(
        'warn',
        `${threadName(thread)} is at its limit`,
        `It was busy for ${percentText(busy, 0)} of the last minute. More load makes everything wait that goes through it.`,
        kindOf(thread) === 'shard'
          ? 'Start with more --shards, if the machine has cores for them.'
          : kindOf(thread) === 'front'
            ? 'Start with more --fronts, if the machine has cores for them.'
            : 'The store has one thread: a faster disk helps, and fewer meter values do.',
      )
  }
  const replaced = known(figures.shards_replaced).reduce((sum, count) => sum + count, 0)
  if (replaced > 0)
    add(
      'warn',
      replaced === 1 ? 'A shard was replaced' : `Shards were replaced ${numberText(replaced)} times`,
      'A thread ended or hung, and another took over its charge points. No connection was closed, and nothing that was acknowledged is lost.',
      'The log says why, in a line of level error. If it comes again, report it with that line.',
    )
  const failures = totalOf(figures.failures_per_second, step)
  if (failures >= 1)
    add(
      'warn',
      failures < 1.5 ? 'A message could not be handled' : `${numberText(failures)} messages could not be handled`,
      'Each was answered with an error, so that the charge point sends it again.',
      'Each has a line of level error in the log.',
    )
  const refused = lastMinute(figures.connections_refused_per_second, step) ?? 0
  if (refused * 60 > 100)
    add(
      'warn',
      `${numberText(refused * 60)} connections were refused within a minute`,
      'These charge points are not online. Many of one reason have one cause.',
      'See the reasons below, and the page Refused for each charge point.',
    )
  const order = { bad: 0, warn: 1, info: 2 }
  return found.sort((one, other) => order[one.kind] - order[other.kind])
}

/** As the API names it: `front/0`, `shard/1`, `store`. */
export function kindOf(named: string): 'front' | 'shard' | 'store' {
  const [kind] = named.split('/')
  return kind === 'front' || kind === 'shard' ? kind : 'store'
}

export function threadName(named: string): string {
  const [, number] = named.split('/')
  const name = { front: 'Front', shard: 'Shard', store: 'Store' }[kindOf(named)]
  return number === undefined ? name : `${name} ${number}`
}

export const sinceText = (seconds: number): string => durationText(seconds)
