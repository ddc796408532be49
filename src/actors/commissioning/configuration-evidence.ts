// The evidence of the step `configuration`: what the charge point has made of each key, and how long it took. It is kept with the session,
// because the next application takes the place of this one. Secrets are not in it.

import type { CommissioningSession, CommissioningStep, ConfiguredKey, Exchange } from '../../records/commissioning.js'
import {
  type ApplicationKey,
  type ConfigurationApplication,
  configurationApplicationsTable,
  isRefused,
  isTaken,
  type ReportedConfiguration,
  reportedConfigurationsTable,
} from '../../records/configuration.js'
import { foldKey, shownWanted } from '../../records/configuration-value.js'
import type { Context } from '../../runtime/actor/actor.js'
import { shown } from './exchanges.js'
import { limits } from './limits.js'
import { withStep } from './progress.js'
import { configured } from './steps.js'

function stepOf(session: CommissioningSession): CommissioningStep | undefined {
  return session.steps.find(({ name }) => name === 'configuration')
}

/** `before` and `row`: the session before and after a turn, in which the step may have ended, or begun another application. */
export function withConfigurationEvidence(
  before: CommissioningSession | undefined,
  row: CommissioningSession,
  context: Context,
): CommissioningSession {
  if (before === undefined || before.session_id !== row.session_id) return row
  const [was, is] = [stepOf(before), stepOf(row)]
  if (was?.application_id === undefined || is === undefined) return row
  const isEnded = was.status === 'running' && is.status !== 'running' && is.status !== 'pending'
  const isAnother = is.application_id !== undefined && is.application_id !== was.application_id
  if (!isEnded && !isAnother) return row
  const view = context.read()
  const application = view.get(configurationApplicationsTable, [row.charge_point_id])
  if (application?.application_id !== was.application_id) return row
  const reported = view.get(reportedConfigurationsTable, [row.charge_point_id])
  const exchange = evidenceOf(application, reported, context.now())
  return withStep(row, { ...is, evidence: [...is.evidence, exchange] })
}

export function evidenceOf(
  application: ConfigurationApplication,
  reported: Pick<ReportedConfiguration, 'keys'> | undefined,
  now: number,
): Exchange {
  const { template_id, begun_at, ended_at = new Date(now).toISOString(), keys } = application
  const asWanted = (key: ApplicationKey): boolean => key.outcome === 'applied'
  const shown = [...keys.filter((key) => !asWanted(key)), ...keys.filter(asWanted)].slice(0, limits.evidencedKeys)
  return {
    sent: configured,
    parameters: { ...(template_id !== undefined && { template_id }), keys: keys.length },
    sent_at: begun_at,
    ended_at,
    outcome: outcomeOf(application),
    answer: inCounts(application),
    response_time_ms: Math.max(0, Date.parse(ended_at) - Date.parse(begun_at)),
    keys: shown.map((key) => evidenceOfKey(key, reported)),
  }
}

function outcomeOf({ status, reason }: ConfigurationApplication): Exchange['outcome'] {
  if (status === 'completed') return 'answered'
  return reason === 'no_answer' ? 'timeout' : 'unknown'
}

function inCounts({ keys }: ConfigurationApplication): string {
  const count = (isSo: (key: ApplicationKey) => boolean): number => keys.filter(isSo).length
  const isLeft = ({ outcome }: ApplicationKey): boolean => outcome === undefined || outcome === 'not_attempted'
  const isReadOnly = ({ outcome }: ApplicationKey): boolean => outcome === 'read_only'
  const counts = {
    written: count((key) => isTaken(key) && key.answer !== undefined),
    'already set': count((key) => isTaken(key) && key.answer === undefined),
    'read-only': count(isReadOnly),
    refused: count((key) => isRefused(key) && !isReadOnly(key) && !isLeft(key)),
    'not attempted': count(isLeft),
  }
  return Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([what, number]) => `${number} ${what}`)
    .join(', ')
}

function evidenceOfKey(
  { key, value, outcome, answer }: ApplicationKey,
  reported: Pick<ReportedConfiguration, 'keys'> | undefined,
): ConfiguredKey {
  const cut = (text: string): string => shown(text, limits.evidencedCharacters)
  const is = reported?.keys[foldKey(key)]?.value
  return {
    key,
    wanted: cut(shownWanted(key, value)),
    ...(outcome !== undefined && { outcome }),
    ...(answer !== undefined && { answer }),
    ...(outcome !== 'applied' && is !== undefined && { reported: cut(is) }),
  }
}
