// The results as a table on the terminal.

import type { Percentiles, Results } from './results.js'

/** Three significant digits are what the histograms have. */
export function shownMs(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

export function shownCount(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** What a server says can hold anything; a terminal obeys control characters. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
}

const columns = ['p50', 'p90', 'p99', 'p999', 'maximum'] as const

function cells(percentiles: Percentiles): string {
  return columns.map((name) => (percentiles.count === 0 ? '-' : shownMs(percentiles[name])).padStart(10)).join('')
}

export function resultsTable(results: Results): string {
  const { summary, connecting, generator } = results
  const lines: string[] = ['']
  const width = Math.max(20, ...results.messages.map(({ action }) => action.length + 2))
  const head = `${''.padEnd(width)}${'answered'.padStart(11)}${'failed'.padStart(9)}${'per second'.padStart(12)}`
  lines.push(
    `${head}${columns.map((name) => (name === 'p999' ? 'p99.9' : name === 'maximum' ? 'max' : name).padStart(10)).join('')}  ms`,
  )
  const rows = [...results.messages, { action: 'all', ...summary }]
  for (const row of rows) {
    const counts = `${shownCount(row.answered).padStart(11)}${shownCount(row.failed).padStart(9)}${row.ratePerSecond.toFixed(1).padStart(12)}`
    lines.push(`${row.action.padEnd(width)}${counts}${cells(row.latencyMs)}`)
  }
  const blank = ''.padStart(32)
  lines.push(`${'  service time'.padEnd(width)}${blank}${cells(summary.serviceTimeMs)}`)
  lines.push('')
  lines.push(
    results.loop === 'open'
      ? 'Latency counts from the moment at which a message should have left; service time, from when it left.'
      : 'Closed loop: each message waited for the answer to the one before, so stalls of the server are under-represented.',
  )
  const target = summary.targetRatePerSecond === null ? '' : `, of ${shownCount(summary.targetRatePerSecond)} wanted`
  lines.push(
    `${shownCount(summary.answered)} answered in ${summary.seconds.toFixed(1)} s: ${summary.ratePerSecond.toFixed(1)} per second${target}.`,
  )
  lines.push(
    `Connections: ${shownCount(connecting.mostConnected)} of ${shownCount(connecting.chargePoints)} at most, ${shownCount(connecting.attempts)} attempts, ${shownCount(connecting.deferred)} told to come back later; handshake p50 ${shownMs(connecting.handshakeMs.p50)} ms, p99 ${shownMs(connecting.handshakeMs.p99)} ms; booted p99 ${shownMs(connecting.readyMs.p99)} ms.`,
  )
  for (const storm of results.storms) {
    lines.push(
      `Storm ${storm.round}: everybody booted after ${storm.seconds.toFixed(2)} s, p50 ${shownMs(storm.latencyMs.p50)} ms, p99 ${shownMs(storm.latencyMs.p99)} ms${storm.missing > 0 ? `, ${storm.missing} missing` : ''}.`,
    )
  }
  const commands = Object.entries(results.commandsAnswered)
  if (commands.length > 0) {
    const all = commands.map(([action, count]) => `${printable(action)} ${shownCount(count)}`).join(', ')
    lines.push(`Commands answered by the charge points: ${all}.`)
  }
  lines.push(
    `The tool: ${generator.cores.map((cores) => cores.toFixed(2)).join(' + ')} cores, ${shownCount(generator.roundTripsPerCpuSecond)} round trips per CPU second, late by ${shownMs(generator.lagMs.p99)} ms at p99.`,
  )
  if (results.errors.length > 0) lines.push('', 'Errors')
  for (const { kind, phase, count, firstSecond } of results.errors) {
    lines.push(
      `${shownCount(count).padStart(9)}  ${printable(kind)}  (${phase}, first after ${firstSecond.toFixed(1)} s)`,
    )
  }
  if (results.thresholds.length > 0) lines.push('', 'Thresholds')
  for (const { name, limit, measured, met } of results.thresholds)
    lines.push(`  ${met ? 'met   ' : 'MISSED'}  ${name} ${limit}: ${measured}`)
  for (const warning of generator.warnings) lines.push('', `WARNING: ${warning}`)
  if (results.endedBy !== 'duration') lines.push('', `Ended early: ${results.endedBy}.`)
  return lines.join('\n')
}
