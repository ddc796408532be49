// A commissioning in the words of the field: its steps, how it stands, and what was found wrong.

import type { paths } from '../../client/api.js'
import { durationText, latencyText } from '../../client/format.js'
import type { TagKind } from '../../parts/chip.js'

export type Commissioning =
  paths['/api/v1/chargepoints/{charge_point_id}/commissioning']['get']['responses'][200]['content']['application/json']
export type CommissioningSession = NonNullable<Commissioning['session']>
export type CommissioningStep = CommissioningSession['steps'][number]
export type Evidence = CommissioningStep['evidence'][number]
export type Issue = Commissioning['issues'][number]

export const stepTitles: Readonly<Record<CommissioningStep['name'], string>> = {
  connectivity: 'It answers a ping',
  heartbeat: 'It sends a heartbeat',
  configuration: 'It takes its configuration',
  connector_test: 'It reports its connectors',
  test_transaction: 'It charges, and meters it',
}

export const sessionWords: Readonly<Record<CommissioningSession['status'], readonly [words: string, kind: TagKind]>> = {
  running: ['under way', 'info'],
  paused: ['paused', 'warn'],
  completed: ['ended', 'plain'],
  stopped: ['stopped', 'warn'],
  failed: ['failed', 'bad'],
}

const outcomes: Readonly<Record<Evidence['outcome'], string>> = {
  answered: 'answered',
  error: 'answered with an error',
  timeout: 'not answered in time',
  unsent: 'not sent',
  unknown: 'not known: the connection was lost',
  not_asked: 'not sent: its model is known to answer so',
}

export function evidenceText({ sent, outcome, answer, response_time_ms: ms }: Evidence): string {
  const said = answer === null ? outcomes[outcome] : `${outcomes[outcome]}: ${answer}`
  return `${sent} ${said}${ms === null ? '' : `, after ${latencyText(ms)}`}`
}

/** What of its configuration is not as it was wanted. */
export const differing = ({ keys }: Evidence) => (keys ?? []).filter(({ outcome }) => outcome !== 'applied')

export function stepDetail({ detail, duration_ms: ms }: CommissioningStep): string {
  return [detail ?? '', ms === null ? '' : `It took ${ms < 1_000 ? latencyText(ms) : durationText(ms / 1_000)}.`]
    .filter((part) => part !== '')
    .join(' ')
}

export const severityKinds: Readonly<Record<Issue['severity'], TagKind>> = {
  low: 'plain',
  medium: 'info',
  high: 'warn',
  critical: 'bad',
}
