// How the row of a commissioning changes: a step begins, sends something, hears of it, and ends. Functions of the row and of the time.

import { remoteStartTransaction, triggerMessage } from '../../ocpp16/index.js'
import { type Hardware, isOtherHardware } from '../../records/charge-point-state.js'
import type {
  AwaitedExchange,
  CommissioningSession,
  CommissioningStep,
  Exchange,
  LogLevel,
  StepName,
} from '../../records/commissioning.js'
import type { ReportedMessage } from '../messages/commissioning.js'
import { isRefusedStart, shown } from './exchanges.js'
import { limits } from './limits.js'

const iso = (now: number): string => new Date(now).toISOString()

export function logged(
  session: CommissioningSession,
  level: LogLevel,
  message: string,
  now: number,
  step: StepName | null = null,
): CommissioningSession {
  const log = [...session.log, { timestamp: iso(now), level, step, message }]
  return { ...session, log: log.slice(-limits.logEntries) }
}

/** Whether there is something that it has to go on with by itself. */
export function isAtWork({ status, owed_stop }: CommissioningSession): boolean {
  return status === 'running' || owed_stop !== undefined
}

/** Whether it is looked at all the time. One that waits for its charge point to connect is told when it does. */
export function isWatching({ status, owed_stop }: CommissioningSession): boolean {
  return status === 'running' || (owed_stop !== undefined && owed_stop.is_absent !== true)
}

/** Whether it is not over: another one may not begin beside it. */
export function isOpen({ status }: CommissioningSession): boolean {
  return status === 'running' || status === 'paused'
}

/** The step that it is at, or comes to next. */
export function currentStep({ steps }: CommissioningSession): CommissioningStep | undefined {
  return steps.find(({ status }) => status === 'running' || status === 'pending')
}

export function withStep(session: CommissioningSession, step: CommissioningStep): CommissioningSession {
  return { ...session, steps: session.steps.map((one) => (one.name === step.name ? step : one)) }
}

export function begun(session: CommissioningSession, step: CommissioningStep, now: number): CommissioningSession {
  const running: CommissioningStep = { ...step, status: 'running', started_at: iso(now) }
  const { returned: _, ...rest } = session
  return logged(withStep(rest, running), 'info', 'The step has begun.', now, step.name)
}

export function stepEnded(
  session: CommissioningSession,
  step: CommissioningStep,
  end: { readonly type: 'passed' | 'failed'; readonly detail: string; readonly isDoubtful?: true },
  now: number,
): CommissioningSession {
  const { type: status, detail } = end
  const duration_ms = Math.max(0, now - Date.parse(step.started_at ?? iso(now)))
  const level: LogLevel = status === 'failed' ? 'error' : end.isDoubtful === true ? 'warn' : 'info'
  return logged(withStep(session, { ...step, status, duration_ms, detail }), level, detail, now, step.name)
}

export function awaiting(session: CommissioningSession, sent: AwaitedExchange): CommissioningSession {
  const parameters = sent.parameters === undefined ? '' : ` ${JSON.stringify(sent.parameters)}`
  return logged({ ...session, awaiting: sent }, 'debug', `${sent.sent}${parameters} is sent.`, sent.sent_at, sent.step)
}

/** What came of what was sent: part of the evidence of its step. */
export function heard(
  session: CommissioningSession,
  end: Pick<Exchange, 'outcome' | 'answer' | 'response_time_ms'>,
  now: number,
): CommissioningSession {
  const { awaiting: sent, ...rest } = session
  if (sent === undefined) return session
  const { parameters } = sent
  const exchange: Exchange = {
    sent: sent.sent,
    ...(parameters !== undefined && { parameters }),
    sent_at: iso(sent.sent_at),
    ended_at: iso(now),
    ...end,
    ...(sent.reported_at !== undefined && { reported_at: sent.reported_at }),
  }
  const step = rest.steps.find(({ name }) => name === sent.step)
  const noted = step === undefined ? rest : withStep(rest, { ...step, evidence: [...step.evidence, exchange] })
  const level: LogLevel = end.outcome === 'answered' ? 'debug' : 'warn'
  return logged(
    noted,
    level,
    `${sent.sent}: ${end.outcome}${end.answer === undefined ? '' : `, ${end.answer}`}.`,
    now,
    sent.step,
  )
}

/** What the charge point was asked for has come. */
export function reported(
  session: CommissioningSession,
  { action, connectorId }: ReportedMessage,
  now: number,
): CommissioningSession {
  const isOf = ({ sent, parameters }: Pick<Exchange, 'sent' | 'parameters'>): boolean =>
    sent === triggerMessage.action &&
    parameters?.requestedMessage === action &&
    (connectorId === undefined || parameters.connectorId === connectorId)
  const { awaiting: asked, status } = session
  if (status !== 'running') return session
  if (asked !== undefined && isOf(asked)) return { ...session, awaiting: { ...asked, reported_at: iso(now) } }
  const step = currentStep(session)
  const at = step?.evidence.findLastIndex(isOf) ?? -1
  const last = step?.evidence[at]
  if (step === undefined || last === undefined || last.reported_at !== undefined) return session
  return withStep(session, { ...step, evidence: step.evidence.with(at, { ...last, reported_at: iso(now) }) })
}

/** What is not sent, because the answer is known of the model: part of the evidence all the same. */
export function notAsked(
  session: CommissioningSession,
  step: CommissioningStep,
  { answer, ...exchange }: Pick<Exchange, 'sent' | 'parameters'> & { readonly answer: string },
  now: number,
): CommissioningSession {
  const evidence: Exchange = { ...exchange, sent_at: iso(now), ended_at: iso(now), outcome: 'not_asked', answer }
  const words = `${exchange.sent} is not sent: the model is known for its answer (${answer}).`
  return logged(withStep(session, { ...step, evidence: [...step.evidence, evidence] }), 'info', words, now, step.name)
}

/** The test transaction is to be stopped, or not to begin, where the charge point may have heard of it. */
export function owingStop(session: CommissioningSession, now: number): CommissioningSession {
  const { test, ...rest } = session
  if (test === undefined) return session
  const action = remoteStartTransaction.action
  const step = session.steps.find(({ name }) => name === 'test_transaction')
  const starts = (step?.evidence ?? []).filter(({ sent }) => sent === action)
  const isUnderWay = session.awaiting?.step === 'test_transaction'
  // Whatever else the step has sent is about a charge that has begun, also where its start was refused.
  const hasBegun = (step?.evidence.length ?? 0) > starts.length
  const mayBegin = isUnderWay || hasBegun || starts.some((one) => one.outcome !== 'unsent' && !isRefusedStart(one))
  if (!mayBegin) return rest
  return { ...rest, owed_stop: { id_tag: test.id_tag, until: now + limits.lateStartMs, tries: 0 } }
}

export const removedWords = 'The charge point was removed, or registered anew.'

/** It is over, with what it has not come to left out. */
export function ended(
  session: CommissioningSession,
  status: 'completed' | 'failed' | 'stopped',
  why: string,
  now: number,
): CommissioningSession {
  const {
    awaiting: _,
    offline_since: __,
    paused_at: ___,
    interrupted_at: ____,
    returned: _____,
    ...rest
  } = status === 'completed' ? session : owingStop(session, now)
  const at = session.steps.find((step) => step.status === 'running')
  const steps = rest.steps.map((step): CommissioningStep => {
    if (step.status === 'pending') return { ...step, status: 'skipped' }
    if (step.status !== 'running') return step
    const duration_ms = Math.max(0, now - Date.parse(step.started_at ?? iso(now)))
    return { ...step, status: status === 'failed' ? 'failed' : 'skipped', duration_ms, detail: why }
  })
  const over: CommissioningSession = {
    ...rest,
    steps,
    status,
    ...(status !== 'stopped' && { result: status === 'completed' ? ('passed' as const) : ('failed' as const) }),
    ended_at: iso(now),
  }
  const level: LogLevel = status === 'failed' ? 'error' : 'info'
  return logged(over, level, why, now, at?.name ?? null)
}

/** The step that it was at begins anew when it goes on. */
export function paused(session: CommissioningSession, now: number): CommissioningSession {
  const { awaiting: _, offline_since: __, ...rest } = owingStop(session, now)
  const step = currentStep(rest)
  const reset = step === undefined ? rest : withStep(rest, { name: step.name, status: 'pending', evidence: [] })
  const message = 'The commissioning is paused.'
  return logged({ ...reset, status: 'paused', paused_at: iso(now) }, 'info', message, now, step?.name ?? null)
}

export function resumed(session: CommissioningSession, now: number): CommissioningSession {
  const { paused_at: _, ...rest } = session
  return logged(
    { ...rest, status: 'running' },
    'info',
    'The commissioning goes on.',
    now,
    currentStep(session)?.name ?? null,
  )
}

/** It was running, and goes on at another owner: nobody has looked at it meanwhile, and its charge point has lost its connection, too. */
export function interrupted(session: CommissioningSession, now: number): CommissioningSession {
  const message = 'The service was interrupted; the commissioning goes on where it was.'
  const at = currentStep(session)?.name ?? null
  return logged({ ...session, interrupted_at: now }, 'warn', message, now, at)
}

/** A look that is so late was not made while the charge point was away, but the service. */
const lookIsLateMs = 10_000

/** A charge point that is away for too long has failed; it is told apart from a service that was away itself. */
export function noteAbsence(
  row: CommissioningSession,
  { isConnected, disconnectedAt, now }: { isConnected: boolean; disconnectedAt: number | undefined; now: number },
): CommissioningSession {
  const { offline_since, ...rest } = row
  const at = currentStep(row)?.name ?? null
  if (isConnected)
    return offline_since === undefined
      ? row
      : logged(withReturn(rest, now), 'info', 'The charge point is connected again.', now, at)
  if (offline_since === undefined) {
    const isSeen = disconnectedAt !== undefined && Math.abs(now - disconnectedAt) < lookIsLateMs
    const since = isSeen ? disconnectedAt : now
    return logged({ ...row, offline_since: since }, 'warn', 'The charge point is not connected.', now, at)
  }
  if (now - offline_since <= limits.offlineMs) return row
  const { interrupted_at } = row
  if (interrupted_at !== undefined && now - interrupted_at <= limits.returnsMs) return row
  return ended(
    row,
    'failed',
    `The charge point was not connected for more than ${limits.offlineMs / 1_000} seconds.`,
    now,
  )
}

/** What it could not send while it was away comes now: what is waited for gets its time again, but not for ever. */
function withReturn(row: CommissioningSession, now: number): CommissioningSession {
  const times = (row.returned?.times ?? 0) + 1
  return times > limits.returns ? row : { ...row, returned: { at: now, times } }
}

/** What has passed so far was shown by another charge point than the one that comes under the id now. */
export function noteReplacement(
  row: CommissioningSession,
  { boot, now }: { readonly boot: Hardware | undefined; readonly now: number },
): CommissioningSession {
  const { hardware, status } = row
  if (status !== 'running' || boot === undefined || !isOtherHardware(hardware, boot)) return row
  return ended(
    row,
    'failed',
    `Other hardware has booted under the id (${named(boot)}; it was ${named(hardware)}): begin again from the first step.`,
    now,
  )
}

function named(hardware: Hardware | undefined): string {
  const { vendor = '', model = '', serial_number } = hardware ?? {}
  return shown(`${vendor} ${model}${serial_number === undefined ? '' : `, serial number ${serial_number}`}`)
}
