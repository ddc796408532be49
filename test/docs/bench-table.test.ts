// Which runs of the bench are published: the newest full one, and what was measured alone since.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { benchTable } from '../../tools/bench-table.js'

const machine = { cpu: 'CPU', cores: 2, memoryGiB: 24, system: 'Linux', node: 'v20' }

test('bench table - parts with a name are published beside the full run until there is a newer one', (t) => {
  const root = t.testdir()
  mkdirSync(join(root, 'bench/results'), { recursive: true })
  const write = (day: string, commit: string, ending: string, scenario: string, subject: string, value: number) => {
    const target = { metric: 'p99', target: 'at most 5 ms', measured: value, met: value <= 5 }
    const measurements = { [subject]: [{ metric: 'p99', value, unit: 'ms' }] }
    const scenarios = [{ scenario, title: '', parameters: {}, skipped: {}, measurements, targets: [target] }]
    const results = { date: `${day}T12:00:00.000Z`, commit, machine, quick: false, scenarios }
    writeFileSync(join(root, 'bench/results', `${day}-${commit}${ending}.json`), JSON.stringify(results))
  }
  write('2026-11-01', 'aaa', '-money-part', 'money', 'ampshard', 1)
  write('2026-11-02', 'bbb', '', 'heartbeat', 'floor', 2)
  write('2026-11-03', 'ccc-changed', '-part', 'unnamed', 'ampshard', 3)
  write('2026-11-03', 'ccc', '-console-part', 'console', 'ampshard', 4)
  write('2026-11-04', 'ddd', '-console-part', 'console', 'ampshard', 6)
  write('2026-11-05', 'eee', '-quick', 'quick', 'ampshard', 7)
  const lines = benchTable(root).split('\n')
  t.same(
    lines.filter((line) => /^(\||#|From)/.test(line) && !line.startsWith('|---')),
    [
      'From [results/2026-11-02-bbb.json](results/2026-11-02-bbb.json): 2 cores of an CPU, 24 GiB, Linux, Node.js v20;',
      '| scenario | figure | floor | target |',
      '| heartbeat | p99 | 2.00 ms | at most 5 ms: met |',
      '### Measured alone: console',
      'From [results/2026-11-04-ddd-console-part.json](results/2026-11-04-ddd-console-part.json): 2 cores of an CPU, 24 GiB, Linux, Node.js v20;',
      '| scenario | figure | ampshard | target |',
      '| console | p99 | 6.00 ms | at most 5 ms: **missed** |',
    ],
  )
  write('2026-11-06', 'fff', '', 'heartbeat', 'floor', 2)
  t.notMatch(benchTable(root), /Measured alone/, 'a full run has all of it')
  t.end()
})
