// The results as one HTML file that opens offline: charts, tables, configuration and machine. Everything that came from
// outside is escaped, and no script runs but the two that are put in here.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { assetPath } from '../../src/runtime/assets.js'
import type { Percentiles, Results } from './results.js'
import { shownCount, shownMs } from './table.js'

// What runs in the browser is no TypeScript of ours, and is not compiled.
const pageFile = (name: string): string => readFileSync(assetPath(`load-report/${name}`), 'utf8')

export function escaped(text: unknown): string {
  const replacements: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return String(text).replaceAll(/[&<>"']/g, (character) => replacements[character] as string)
}

/** JSON that ends no script element, whatever is in it. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function tile(name: string, value: string, unit: string, tone = ''): string {
  return `<div class="tile ${tone}"><div class="name">${name}</div><div class="value">${escaped(value)}<span>${unit}</span></div></div>`
}

/** Milliseconds with the unit apart; longer ones in seconds. */
function latencyTile(name: string, percentiles: Percentiles, at: 'p50' | 'p99' | 'p999' | 'maximum'): string {
  if (percentiles.count === 0) return tile(name, '-', '')
  const shown = shownMs(percentiles[at])
  return shown.endsWith(' s') ? tile(name, shown.slice(0, -2), 's') : tile(name, shown, 'ms')
}

function tiles({ summary, connecting, storms }: Results): string {
  const slowest = Math.max(0, ...storms.map(({ seconds }) => seconds))
  const target = summary.targetRatePerSecond
  return [
    tile(
      'Answered',
      summary.ratePerSecond >= 100 ? shownCount(summary.ratePerSecond) : summary.ratePerSecond.toFixed(1),
      `/s${target === null ? '' : ` of ${shownCount(target)}`}`,
    ),
    storms.length > 0 ? tile('Slowest storm', slowest.toFixed(2), 's') : '',
    latencyTile('Latency p50', summary.latencyMs, 'p50'),
    latencyTile('Latency p99', summary.latencyMs, 'p99'),
    latencyTile('Latency p99.9', summary.latencyMs, 'p999'),
    latencyTile('Latency max', summary.latencyMs, 'maximum'),
    tile('Errors', shownCount(summary.errors), '', summary.errors > 0 ? 'bad' : 'good'),
    tile('Connections', shownCount(connecting.mostConnected), `of ${shownCount(connecting.chargePoints)}`),
  ].join('')
}

type Cell = string | number

function table(head: readonly string[], rows: readonly (readonly Cell[])[], textColumns = 1): string {
  const cell = (tag: 'th' | 'td') => (content: Cell, index: number) =>
    `<${tag}${index < textColumns ? ' class="text"' : ''}>${escaped(content)}</${tag}>`
  const body = rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n')
  return `<div class="scroll"><table><thead><tr>${head.map(cell('th')).join('')}</tr></thead><tbody>${body}</tbody></table></div>`
}

const percentileHead = ['p50', 'p90', 'p99', 'p99.9', 'p99.99', 'max']

function percentileCells(percentiles: Percentiles): string[] {
  const { count, p50, p90, p99, p999, p9999, maximum } = percentiles
  return [p50, p90, p99, p999, p9999, maximum].map((value) => (count === 0 ? '-' : shownMs(value)))
}

function messagesTable({ messages, summary }: Results): string {
  const rows = [...messages, { action: 'All', ...summary }].flatMap((row) => [
    [
      row.action,
      shownCount(row.sent),
      shownCount(row.answered),
      shownCount(row.failed),
      row.ratePerSecond.toFixed(1),
      'latency',
      ...percentileCells(row.latencyMs),
    ],
    ['', '', '', '', '', 'service time', ...percentileCells(row.serviceTimeMs)],
  ])
  return table(['Message', 'Sent', 'Answered', 'Failed', 'Per second', 'ms', ...percentileHead], rows)
}

function section(title: string, content: string, note = ''): string {
  return content === ''
    ? ''
    : `<section><h2>${title}</h2>${note === '' ? '' : `<p class="note">${note}</p>`}${content}</section>`
}

function chart(id: string, title: string, note: string): string {
  return `<figure><figcaption><b>${title}</b><span>${note}</span></figcaption><div class="chart" id="${id}"></div></figure>`
}

function list(entries: readonly (readonly [string, unknown])[]): string {
  const shown = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return '-'
    if (Array.isArray(value)) return value.length === 0 ? '-' : value.join(', ')
    if (typeof value === 'object')
      return Object.entries(value)
        .map(([name, one]) => `${name} ${one ?? '-'}`)
        .join(', ')
    return String(value)
  }
  return `<dl>${entries.map(([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(shown(value))}</dd></div>`).join('')}</dl>`
}

/** `rampPerSecond` as `ramp per second`. */
const spaced = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function notices({ generator, endedBy, thresholds, loop }: Results): string {
  const all = [
    ...generator.warnings.map((text) => ['bad', text]),
    ...(endedBy === 'duration' ? [] : [['bad', `The run ended early: ${endedBy}.`]]),
    ...(loop === 'closed'
      ? [
          [
            '',
            'Closed loop: each message waited for the answer to the one before. Stalls of the server are under-represented in the latencies.',
          ],
        ]
      : []),
    ...thresholds.map(({ name, limit, measured, met }) => [
      met ? 'good' : 'bad',
      `${met ? 'Met' : 'Missed'}: ${name} ${limit}, measured ${measured}.`,
    ]),
  ]
  return all.map(([tone, text]) => `<p class="notice ${tone}" role="note">${escaped(text)}</p>`).join('')
}

function otherTables(results: Results): string {
  const { storms, errors, commandsAnswered, connecting } = results
  const stormRows = storms.map((storm) => [
    storm.round,
    storm.seconds.toFixed(2),
    shownCount(storm.booted),
    shownCount(storm.missing),
    ...percentileCells(storm.latencyMs),
  ])
  const connectRows = [
    ['Handshake', shownCount(connecting.handshakeMs.count), ...percentileCells(connecting.handshakeMs)],
    [
      'Handshake to accepted BootNotification',
      shownCount(connecting.readyMs.count),
      ...percentileCells(connecting.readyMs),
    ],
  ]
  const commands = Object.entries(commandsAnswered)
  return [
    section(
      'Storms',
      stormRows.length === 0 ? '' : table(['Round', 'Seconds', 'Booted', 'Missing', ...percentileHead], stormRows),
      'Everybody is cut off at one instant and returns at once. Seconds until the last BootNotification is accepted; percentiles in ms.',
    ),
    section(
      'Connecting',
      table(['ms', 'Count', ...percentileHead], connectRows),
      `Over the whole run: ${shownCount(connecting.attempts)} attempts, ${shownCount(connecting.deferred)} told to come back later.`,
    ),
    section(
      'Errors',
      errors.length === 0
        ? '<p class="note">None.</p>'
        : table(
            ['Kind', 'Phase', 'Count', 'First after, s'],
            errors.map(({ kind, phase, count, firstSecond }) => [
              kind,
              phase,
              shownCount(count),
              firstSecond.toFixed(1),
            ]),
            2,
          ),
    ),
    section(
      'Commands answered by the charge points',
      commands.length === 0
        ? ''
        : table(
            ['Command', 'Count'],
            commands.map(([action, count]) => [action, shownCount(count)]),
          ),
    ),
  ].join('')
}

export function reportPage(results: Results): string {
  const { configuration, generator, machine, tool } = results
  const uplot = pageFile('uPlot.iife.min.js')
  const script = pageFile('report.js')
  const style = `${pageFile('uPlot.min.css')}\n${pageFile('report.css')}`
  const policy = `default-src 'none'; img-src data:; style-src ${hashOf(style)}; script-src ${hashOf(uplot)} ${hashOf(script)}`
  const title = `Load report: ${configuration.profile}, ${shownCount(results.connecting.chargePoints)} charge points`
  const latencyNote =
    results.loop === 'open'
      ? 'Latency counts from the moment at which a message should have left, whatever happened to those before it; service time counts from when it left, and is blind to what waited behind a stall.'
      : 'Closed loop: latency counts from when a message left.'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p>${escaped(configuration.url)} <span>${escaped(results.date.slice(0, 19).replace('T', ' '))} UTC, ${escaped(results.summary.seconds.toFixed(1))} s measured</span></p>
</header>
<main>
${notices(results)}
<div class="tiles">${tiles(results)}</div>
<div class="charts">
${chart('distribution', 'Latency distribution', 'ms by percentile')}
${chart('latency', 'Latency over time', 'ms, of each second')}
${chart('throughput', 'Throughput', 'messages per second')}
${chart('connections', 'Connections', '')}
${chart('errors', 'Errors', 'per second')}
${chart('generator', 'The tool itself', 'late by ms at worst, cores')}
</div>
${section('Messages', messagesTable(results), latencyNote)}
${otherTables(results)}
${section('Configuration', list(Object.entries(configuration).map(([name, value]) => [spaced(name), value] as const)))}
${section(
  'Machine of the tool',
  list([
    ['processor', `${machine.cpu}, ${machine.cores} cores`],
    ['memory', `${machine.memoryGiB} GiB`],
    ['system', `${machine.system}, Node.js ${machine.node}`],
    ['cores used', generator.cores.map((cores) => cores.toFixed(2))],
    ['round trips per CPU second', shownCount(generator.roundTripsPerCpuSecond)],
    ['late at p99', `${shownMs(generator.lagMs.p99)} ms`],
    ['late at worst', `${shownMs(generator.lagMs.maximum)} ms`],
  ]),
)}
</main>
<footer>${escaped(tool.name)} ${escaped(tool.version)}</footer>
<script type="application/json" id="results">${scriptJson({
    seconds: results.seconds,
    phases: results.phases,
    distribution: results.distribution,
    targetRatePerSecond: results.summary.targetRatePerSecond,
  })}</script>
<script>${uplot}</script>
<script>${script}</script>
</body>
</html>
`
}
