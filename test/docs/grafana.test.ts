// The board for Grafana, held to the metrics that the service exports: a panel whose metric has been renamed shows nothing, and says nothing.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { t, test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { startService } from '../support/service.js'

const root = new URL('../../../', import.meta.url)
const textOf = (path: string): string => readFileSync(fileURLToPath(new URL(path, root)), 'utf8')

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number }
  readonly targets?: readonly { readonly expr: string; readonly refId: string }[]
}

interface Board {
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
  readonly annotations: { readonly list: readonly { readonly expr?: string }[] }
}

/** Metrics that are on no panel, and why. */
const notShown: Readonly<Record<string, string>> = {
  ampshard_certificate_requests_total: 'certificates are renewed once a year; an alert says when one is about to end',
  ampshard_event_streams_opened_total:
    'how many are open says more; this is for whoever looks for readers that come and go',
  ampshard_fleet_rows: 'it is as large as the fleets that are watched, and has a bound',
  ampshard_fleet_streams: 'how many browsers watch a fleet says nothing of how the service fares',
  ampshard_heap_total_bytes: 'the heap in use and the memory of the process say when there is too little',
  ampshard_timers: 'a figure for those who change the program',
  ampshard_unclaimed_removed_total: 'the audit log names each of them',
}

const board: Board = JSON.parse(textOf('grafana/ampshard.json'))
const queries = [
  ...board.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr }))),
  ...board.annotations.list.flatMap(({ expr }) => (expr === undefined ? [] : [{ title: 'an annotation', expr }])),
  ...board.templating.list.flatMap(({ name, definition }) =>
    definition === undefined ? [] : [{ title: `the variable ${name}`, expr: definition }],
  ),
]
const namesIn = (text: string): readonly string[] => [...new Set(text.match(/\bampshard_[a-z0-9_]+/g))]

const service = await startService(t)
const client = await bootChargePoint(service, 'BOARD-1')
await client.call('Heartbeat', {})
const exported: string = (await service.request('GET', '/metrics')).body
/** By name, as the service types them. */
const types = new Map([...exported.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]))
/** Declared in the program, also those of what has not happened here. */
const declared = new Set(namesIn(textOf('src/process/metrics.ts')))

/** A histogram is asked for by its parts. */
const metricOf = (name: string): string => {
  const whole = name.replace(/_(bucket|sum|count)$/, '')
  return types.get(whole) === 'histogram' ? whole : name
}

test('grafana - it is a dashboard that can be imported: its own id, a panel in its own place each, and queries for all', (t) => {
  t.equal(board.uid, 'ampshard')
  t.ok(board.schemaVersion >= 30)
  t.equal(new Set(board.panels.map(({ id }) => id)).size, board.panels.length)
  const cells = new Set<string>()
  for (const { type, title, description, gridPos, targets = [] } of board.panels) {
    t.ok(gridPos.x >= 0 && gridPos.x + gridPos.w <= 24, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        t.notOk(cells.has(`${x} ${y}`), `${title} lies on another panel`)
        cells.add(`${x} ${y}`)
      }
    if (type === 'row') continue
    t.ok(targets.length > 0, title)
    t.match(description, /\.$/, `${title} says what it shows`)
    t.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title)
  }
  t.end()
})

test('grafana - every metric that a query names is exported, with the labels that it goes by', (t) => {
  t.ok(queries.length > 50)
  for (const { title, expr } of queries) {
    const names = namesIn(expr)
    t.ok(names.length > 0, title)
    for (const name of names) t.ok(declared.has(metricOf(name)), `${title}: there is no metric ${name}`)
    for (const [, by = ''] of expr.matchAll(/by \(([^)]*)\)/g))
      for (const label of by.split(', ').filter((label) => label !== 'instance')) {
        const lines = exported.split('\n').filter((line) => names.some((name) => line.startsWith(`${name}{`)))
        // Of what has not happened here there is no line.
        if (lines.length > 0)
          t.ok(
            lines.some((line) => line.includes(`${label}="`)),
            `${title}: nothing has a label ${label}`,
          )
      }
  }
  t.end()
})

test('grafana - what only rises is asked for as a rate, and what goes up and down is not', (t) => {
  for (const { title, expr } of queries)
    for (const name of namesIn(expr)) {
      const isRate = new RegExp(`(rate|increase)\\(${name}\\b`).test(expr)
      const rises = name.endsWith('_total') || metricOf(name) !== name
      t.equal(isRate, rises, `${title}: ${name}`)
    }
  t.end()
})

test('grafana - every metric is on the board, or it is said why not', (t) => {
  const shown = new Set(queries.flatMap(({ expr }) => namesIn(expr).map(metricOf)))
  for (const name of types.keys()) t.ok(declared.has(name), `${name} is declared`)
  for (const name of declared)
    t.notSame(shown.has(name), name in notShown, `${name} is shown, or in the list, and not both`)
  for (const name of Object.keys(notShown)) t.ok(declared.has(name), `${name} is still there`)
  t.end()
})
