// A limit on its way: what is noted before it is sent, and what its answer says. Only what was confirmed lowers what is counted.

import { limitCall } from '../../power/limit-profiles.js'
import { type LimitForm, limitForms, type SiteConnector } from '../../records/site-charger.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import type { CallMessage } from '../charge-point/messages.js'
import { chargePointAddress } from '../charge-point/messages.js'
import { answeredStatus } from '../command-router/outcome.js'
import type { CallOutcome } from '../messages/command.js'
import { siteAddress } from '../messages/site.js'
import { withConnector } from './behaviours.js'
import { connectorOf, limitBound } from './counted.js'
import { limits } from './limits.js'
import { isCleared, noteCleared } from './others.js'
import { behaviourOf, type ChargerState, type SentLimit, type SiteState, settled } from './state.js'
import type { Step } from './steps.js'

export function sendLimit(state: SiteState, step: Step, nextFall: number | undefined, context: Context): Effect {
  const { charger, connectorId, session, amperes, phases } = step
  const { row, facts, report } = charger
  const callId = context.newId('call')
  const { purpose, unit } = connectorId === 0 ? standingForm(charger) : formOf(charger)
  const forMs = connectorId === 0 ? undefined : leaseMs(nextFall, context.now())
  const call = limitCall(
    {
      purpose,
      connectorId,
      ...(purpose === 'TxProfile' && session !== undefined && { transactionId: session.transactionId }),
      unit,
      amperes,
      phases,
      ...(forMs !== undefined && { forMs }),
      maxStackLevel: facts.maxStackLevel,
    },
    context.now(),
  )
  const sent: SentLimit = {
    type: 'limit',
    chargePointId: row.charge_point_id,
    connectorId,
    sessionId: session?.sessionId ?? '',
    amperes,
    sentAt: context.monotonic(),
    leaseEnds: forMs === undefined ? Number.POSITIVE_INFINITY : context.monotonic() + forMs + limits.leaseMarginMs,
    renewAt: forMs === undefined ? Number.POSITIVE_INFINITY : context.monotonic() + forMs / 2,
    boot: report.bootedAt ?? '',
    isAfterClears: connectorId === 0 && isCleared(charger),
  }
  state.sent.set(callId, sent)
  noteSent(charger, step)
  const message: CallMessage = {
    type: 'call',
    commandId: callId,
    ...call,
    remainingMs: limits.limitAnswersMs,
    router: siteAddress(context.id),
  }
  return effect.send(chargePointAddress(row.charge_point_id), message)
}

/** It ends when the budget falls, so that whoever cannot be told then falls back to the standing limit. */
function leaseMs(nextFall: number | undefined, now: number): number {
  return nextFall === undefined
    ? limits.leaseMs
    : Math.min(limits.leaseMs, Math.max(limits.shortestLeaseMs, nextFall - now))
}

export function standingForm({ row, facts }: ChargerState): {
  readonly purpose: 'TxDefaultProfile'
  readonly unit: 'A' | 'W'
} {
  const unit = row.standing_form === 'w' || (row.standing_form === undefined && !facts.units.includes('A')) ? 'W' : 'A'
  return { purpose: 'TxDefaultProfile', unit }
}

function formOf({ row, facts }: ChargerState) {
  const form = row.form ?? (facts.units.includes('A') ? 'tx-a' : 'tx-w')
  return {
    purpose: form.startsWith('tx-') ? ('TxProfile' as const) : ('TxDefaultProfile' as const),
    unit: form.endsWith('-w') ? ('W' as const) : ('A' as const),
  }
}

function noteSent(charger: ChargerState, { connectorId, session, amperes }: Step): void {
  const { row } = charger
  if (connectorId === 0) {
    charger.row = { ...row, standing: { ...row.standing, sent: amperes } }
    return
  }
  const before = connectorOf(charger, connectorId)
  const fresh: SiteConnector = {
    connector_id: connectorId,
    session_id: session?.sessionId ?? '',
    transaction_id: session?.transactionId ?? 0,
    limit: {},
  }
  const connector = before ?? fresh
  charger.row = withConnector(row, { ...connector, limit: { ...connector.limit, sent: amperes } })
}

export function takeAnswer(charger: ChargerState, sent: SentLimit, outcome: CallOutcome, context: Context): void {
  const end = endOf(outcome)
  if (sent.connectorId === 0) takeStanding(charger, sent, end, context)
  else takeLimit(charger, sent, end, context)
}

/** `unknown` and `failed`: it may be in force; of `failed`, the charge point has said that it could not, of `refused`, that it does not. `unsent`: it is not. */
type End = 'accepted' | 'refused' | 'failed' | 'unknown' | 'unsent'

/** Errors after which a CALL has changed nothing; after others, who knows (OCPP-J 1.6, 4.2.3). */
const refusing = /^(NotImplemented|NotSupported|ProtocolError|SecurityError|\w+Violation)$/

const mayHold = (end: End): boolean => end === 'unknown' || end === 'failed'
const isNo = (end: End): boolean => end === 'refused' || end === 'failed'

function endOf(outcome: CallOutcome): End {
  switch (outcome.type) {
    case 'answered':
      return isAccepted(outcome.payload) ? 'accepted' : 'refused'
    case 'call-error':
      return refusing.test(outcome.code) ? 'refused' : 'failed'
    case 'timeout':
    case 'connection-lost':
      return 'unknown'
    default:
      return 'unsent'
  }
}

function isAccepted(payload: unknown): boolean {
  return answeredStatus(payload)?.toLowerCase() === 'accepted'
}

function takeStanding(charger: ChargerState, sent: SentLimit, end: End, context: Context): void {
  const { row } = charger
  const { sent: _, ...before } = row.standing
  if (end === 'accepted') {
    charger.row = { ...row, standing: { amperes: sent.amperes }, standing_boot: sent.boot }
    charger.isStandingUncertain = false
    charger.standingRefusals = 0
    if (sent.isAfterClears) noteCleared(charger)
    return
  }
  charger.row = { ...row, standing: mayHold(end) ? settled(row.standing) : before }
  charger.isStandingUncertain ||= mayHold(end)
  charger.standingNotBefore = context.monotonic() + limits.limitAgainMs
  if (!isNo(end)) return
  charger.standingRefusals += 1
  if (charger.standingRefusals < refusalsOfForm) return
  charger.standingRefusals = 0
  charger.row = { ...charger.row, ...nextStanding(charger, sent.amperes) }
}

/** Once may be a busy moment, or a transaction that has just ended. */
const refusalsOfForm = 2
/** Less than a car can charge with. */
const pauseAmperes = 1

function nextStanding({ row, facts }: ChargerState, refused: number) {
  if (refused === 0 && row.pauses_with_amperes === undefined) return { pauses_with_amperes: pauseAmperes }
  const isWatts = row.standing_form === 'w' || (row.standing_form === undefined && !facts.units.includes('A'))
  return { standing_form: isWatts ? ('none' as const) : ('w' as const) }
}

function takeLimit(charger: ChargerState, sent: SentLimit, end: End, context: Context): void {
  const connector = connectorOf(charger, sent.connectorId)
  // Its session is over, and what was for it is too.
  if (connector === undefined || connector.session_id !== sent.sessionId) return
  const behaviour = behaviourOf(charger, sent.connectorId)
  const { sent: _, ...before } = connector.limit
  if (end === 'accepted') {
    const applied_at = new Date(context.now()).toISOString()
    const isMore = before.amperes !== sent.amperes
    charger.row = withConnector(charger.row, { ...connector, limit: { amperes: sent.amperes }, applied_at })
    Object.assign(behaviour, { refusals: 0, leaseEnds: sent.leaseEnds, renewAt: sent.renewAt })
    if (isMore) behaviour.confirmedAt = context.monotonic()
    return
  }
  // What was confirmed before ends when it ends; what may be in force now ends later.
  if (mayHold(end)) behaviour.leaseEnds = Math.max(behaviour.leaseEnds, sent.leaseEnds)
  charger.row = withConnector(charger.row, {
    ...connector,
    limit: mayHold(end) ? { amperes: limitBound(charger, connector) } : before,
  })
  behaviour.notBefore = context.monotonic() + limits.limitAgainMs
  // What it did with it is not known: it is sent again although it may be as it should be.
  if (mayHold(end)) behaviour.renewAt = context.monotonic()
  if (!isNo(end)) return
  behaviour.refusals += 1
  if (behaviour.refusals < refusalsOfForm) return
  // Its transaction may be over, which says nothing of how it takes limits; the limit that it had is counted until it ends.
  if (connector.may_go_on === true) {
    behaviour.notBefore = behaviour.leaseEnds
    return
  }
  behaviour.refusals = 0
  charger.row = { ...charger.row, ...nextForm(charger, sent.amperes) }
}

function nextForm(
  { row, facts }: ChargerState,
  refused: number,
): Partial<Pick<ChargerState['row'], 'form' | 'pauses_with_amperes'>> {
  if (refused === 0 && row.pauses_with_amperes === undefined) return { pauses_with_amperes: pauseAmperes }
  const forms = limitForms.filter(
    (form) => facts.units.includes(form.endsWith('a') ? 'A' : 'W') && isWorthTrying(form, row),
  )
  const place = row.form === undefined || row.form === 'none' ? 0 : forms.indexOf(row.form)
  return { form: forms[place + 1] ?? 'none' }
}

/** One that takes no TxDefaultProfile for all connectors takes none for one of them. */
function isWorthTrying(form: LimitForm, { standing_form }: ChargerState['row']): boolean {
  return standing_form !== 'none' || form.startsWith('tx-')
}
