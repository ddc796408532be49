// The mail that sums up many alerts, so that an outage of a fleet is not a mail for each charge point.

import { alertFooter } from './alert.js'
import { appPage } from './app-page.js'
import { type MailText, type Part, timeText, withLocalTimes } from './layout.js'
import type { ContentOf, MailSurroundings } from './template.js'

export function alertSummary(summary: ContentOf<'alert-summary'>, { appUrl }: MailSurroundings): MailText {
  const { kinds, first, more, organizationName, time, timeZone } = summary
  const total = (which: 'raised' | 'resolved') => kinds.reduce((sum, kind) => sum + kind[which], 0)
  const counted = countText(total('raised'), total('resolved'))
  return {
    subject: `${kinds.some(isUrgent) ? 'Critical alerts' : 'Alerts'}: ${counted}${kindsText(kinds)}`,
    parts: [
      { type: 'paragraph', text: `${changesText(total('raised'), total('resolved'))} at ${organizationName}.` },
      { type: 'facts', facts: kinds.map(kindFact) },
      { type: 'facts', facts: first.map((line) => [line.about, lineText(line, timeZone)] as const) },
      ...(more > 0 ? [{ type: 'paragraph' as const, text: `The list of alerts has ${more} more.` }] : []),
      { type: 'facts', facts: [['Time', timeText(time, timeZone)]] },
      ...listOfAlerts(appUrl),
    ],
    footer: alertFooter(summary),
  }
}

function listOfAlerts(appUrl: string | undefined): readonly Part[] {
  if (appUrl !== undefined) return [{ type: 'link', label: 'Open the list of alerts', url: appPage(appUrl, 'alerts') }]
  return [
    { type: 'paragraph', text: 'This request to the API lists all alerts:' },
    { type: 'request', method: 'GET', path: '/api/v1/alerts?status=all' },
  ]
}

function lineText(
  { text, time, resolved }: ContentOf<'alert-summary'>['first'][number],
  timeZone: string | undefined,
): string {
  const line = withLocalTimes(text, timeZone)
  if (time === undefined) return line
  if (resolved === undefined) return `${line} (${timeText(time, timeZone)})`
  return `${line}; ${resolved ? 'resolved' : 'raised'} on ${timeText(time, timeZone)}`
}

type Kind = ContentOf<'alert-summary'>['kinds'][number]

/** That a critical alert is over need not wake anybody. */
function isUrgent({ severity, raised }: Kind): boolean {
  return severity === 'critical' && raised > 0
}

function kindFact({ name, severity, raised, resolved }: Kind): readonly [string, string] {
  return [severity === 'critical' ? `${name} (critical)` : name, countText(raised, resolved)]
}

/** The first critical kind, or else the one kind that there is, or the most frequent of several. */
function kindsText(kinds: readonly Kind[]): string {
  const urgent = kinds.find(isUrgent)
  if (urgent !== undefined && kinds.length > 1) return ` (${urgent.name}, and ${otherKinds(kinds.length - 1)})`
  const [most] = [...kinds].sort((a, b) => b.raised + b.resolved - a.raised - a.resolved)
  if (most === undefined) return ''
  return kinds.length === 1 ? ` (${most.name})` : ` (most of them ${most.name})`
}

function otherKinds(count: number): string {
  return count === 1 ? '1 other kind' : `${count} other kinds`
}

/** A sentence without its end. */
function changesText(raised: number, resolved: number): string {
  const alerts = (count: number) => (count === 1 ? '1 alert was' : `${count} alerts were`)
  if (resolved === 0) return `${alerts(raised)} raised`
  return raised === 0 ? `${alerts(resolved)} resolved` : `${alerts(raised)} raised and ${resolved} resolved`
}

function countText(raised: number, resolved: number): string {
  if (resolved === 0) return `${raised} raised`
  return raised === 0 ? `${resolved} resolved` : `${raised} raised, ${resolved} resolved`
}
