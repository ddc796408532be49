// One look at a commissioning: takes what is due of it, from what is stored, until it has to wait.

import { commissioningCompleted, commissioningFailed, commissioningStarted } from '../../events/commissioning.js'
import { emit } from '../../events/define-event.js'
import { type OcppCall, remoteStartTransaction } from '../../ocpp16/index.js'
import { chargePointsTable, isUnclaimed } from '../../records/charge-point.js'
import { commandsTable } from '../../records/command.js'
import {
  type CommissioningSession,
  type CommissioningStep,
  commissioningSessionsTable,
  type LogLevel,
  type OwedStop,
} from '../../records/commissioning.js'
import { isInstallationOver } from '../../records/installer-status.js'
import type { LiveNodes } from '../../records/presence.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import type { ConnectionTestedMessage } from '../charge-point/messages.js'
import type { CommandEndedMessage } from '../messages/command.js'
import {
  answersWithinMs,
  endOfCommand,
  endOfPing,
  sendCall,
  sendConfiguration,
  sendPing,
  statusOf,
  stopConfiguring,
} from './calls.js'
import { chargeWith, factsOf, type Known } from './facts.js'
import { limits } from './limits.js'
import { commissioningAddress, lookReason } from './messages.js'
import {
  awaiting,
  begun,
  currentStep,
  ended,
  heard,
  isAtWork,
  isOpen,
  isWatching,
  logged,
  notAsked,
  noteAbsence,
  noteReplacement,
  removedWords,
  stepEnded,
  withStep,
} from './progress.js'
import { decide, pinged, stopCall, testsBegunLately } from './steps.js'

interface Turn {
  readonly row: CommissioningSession
  readonly effects: readonly Effect[]
}

const none: readonly Effect[] = []
/** How soon it is looked at again while it is in memory, and when it is woken if it is not: the rarer, the longer nothing has changed. */
const whileRunning = { lookAfterMs: 1_000, quietLookAfterMs: 5_000, wakeAfterMs: 30_000, quietWakeAfterMs: 300_000 }
/** There is only a test transaction to stop, of a charge point that may be away for days: it is told when that connects. */
const whileOwing = { lookAfterMs: 5_000, quietLookAfterMs: 5_000, wakeAfterMs: 60_000, quietWakeAfterMs: 3_600_000 }
/** Nothing has changed for so long. */
const quietAfterMs = 10_000
/** A charge that has begun tells as much as the answer to its start, which may have been lost. */
const chargeTellsAfterMs = 5_000
const awayWords = 'The charge point is not connected: a test transaction that runs there is stopped once it is.'
/** Between two attempts to stop a test transaction. */
const stopAgainMs = 20_000

/** What is known beside what is stored. */
export interface Surroundings {
  readonly live: LiveNodes
  /** A test transaction that was asked for may still begin, however the wall clock has been set meanwhile. */
  readonly isOwedLately: boolean
}

/** What came of what it had sent; of anything else, it stays as it is. */
export function tookAnswer(
  row: CommissioningSession,
  message: CommandEndedMessage | ConnectionTestedMessage,
  context: Context,
): CommissioningSession {
  const id = message.type === 'command-ended' ? message.commandId : message.id
  if (row.awaiting?.id !== id) return row
  const end = message.type === 'command-ended' ? endOfCommand(message.reply) : endOfPing(message.test)
  return heard(row, end, context.now())
}

export function advance(row: CommissioningSession, { live, isOwedLately }: Surroundings, context: Context): Turn {
  if (!isAtWork(row) && !isOpen(row)) return { row, effects: none }
  const facts = factsOf(row, live, context)
  if (facts === undefined) {
    // There is nobody left to stop anything at.
    const over = isOpen(row) ? ended(row, 'failed', removedWords, context.now()) : row
    const { owed_stop: _, ...left } = over
    return { row: left, effects: none }
  }
  const stopped = stopOwed(endedWithInstallation(row, facts), facts, isOwedLately, context)
  if (stopped.row.status !== 'running') return stopped
  const present = noteReplacement(noteAbsence(overdue(stopped.row, facts, context), facts), facts)
  if (present.status !== 'running') return { row: present, effects: stopped.effects }
  const { row: next, effects } = goOn(present, facts, context)
  return { row: next, effects: [...stopped.effects, ...effects] }
}

function endedWithInstallation(row: CommissioningSession, { chargePoint, now }: Known): CommissioningSession {
  const { installed } = chargePoint
  if (!isOpen(row) || installed === undefined || !isInstallationOver(installed)) return row
  const why =
    installed.commissioned_at === undefined
      ? 'The organization that has claimed the charge point has ended the installation.'
      : 'The charge point was declared commissioned.'
  return ended(row, 'stopped', why, now)
}

/** Of a question whose answer may have died with whoever was to give it. What the command router has recorded is known all the same. */
function overdue(row: CommissioningSession, { charge }: Known, context: Context): CommissioningSession {
  const { awaiting: sent } = row
  const now = context.now()
  if (sent === undefined) return row
  const within =
    charge !== undefined && sent.sent === remoteStartTransaction.action ? chargeTellsAfterMs : answersWithinMs
  if (Math.abs(now - sent.sent_at) < within) return row
  const record = context.read().get(commandsTable, [sent.id])
  const response = record?.charge_point_response ?? undefined
  if (record === undefined || response === undefined)
    return heard(row, { outcome: 'unknown', answer: 'no answer is known' }, now)
  const time = record.response_time_ms
  return heard(
    row,
    { outcome: 'answered', answer: statusOf(response), ...(time !== null && { response_time_ms: time }) },
    now,
  )
}

function goOn(before: CommissioningSession, facts: Known, context: Context): Turn {
  let row = before
  const { now, isConnected, chargePoint } = facts
  for (;;) {
    if (row.awaiting !== undefined || !isConnected) return { row, effects: none }
    const next = currentStep(row)
    if (next === undefined) return { row: ended(row, 'completed', 'All steps have passed.', now), effects: none }
    if (next.status === 'pending') row = begun(row, next, now)
    const step = currentStep(row) as CommissioningStep
    const decision = decide(row, step, facts)
    switch (decision.type) {
      case 'wait':
        return { row, effects: none }
      case 'passed': {
        const { test: _, ...rest } = stepEnded(row, step, decision, now)
        row = rest
        continue
      }
      case 'failed': {
        row = stepEnded(row, step, decision, now)
        return { row: ended(row, 'failed', `The step ${step.name} has failed.`, now), effects: none }
      }
      case 'start-test': {
        const id_tag = testTag(context.newId('tag'))
        const tests_begun = [...testsBegunLately(row, now), now]
        row = { ...row, test: { id_tag, connector_id: decision.connectorId }, tests_begun }
        continue
      }
      case 'skip': {
        const { type: _, ...exchange } = decision
        row = notAsked(row, step, exchange, now)
        continue
      }
      case 'ping': {
        const id = context.newId('png')
        row = awaiting(row, { id, step: step.name, sent: pinged, sent_at: now })
        return { row, effects: [sendPing(row, id)] }
      }
      case 'call': {
        const { action, payload } = decision.call
        const id = context.newId('cmd')
        row = awaiting(row, { id, step: step.name, sent: action, parameters: payload, sent_at: now })
        return { row, effects: [sendCall(row, id, decision.call, chargePoint.organization_id)] }
      }
      case 'apply': {
        const { application } = facts
        const isOver = application?.application_id === step.application_id
        const id = step.application_id === undefined || isOver ? context.newId('cfg') : step.application_id
        if (id !== step.application_id)
          row = logged(
            withStep(row, { ...step, application_id: id }),
            'debug',
            'The configuration is applied.',
            now,
            step.name,
          )
        return { row, effects: [sendConfiguration(row, id, chargePoint.organization_id)] }
      }
    }
  }
}

/** The transaction with the tag of a test that is over, or has been given up, is stopped whenever it runs. */
function stopOwed(
  before: CommissioningSession,
  { chargePoint, isConnected, now }: Known,
  isOwedLately: boolean,
  context: Context,
): Turn {
  if (before.owed_stop === undefined) return { row: before, effects: none }
  const row = presenceNoted(before, before.owed_stop, isConnected, now)
  const { owed_stop: owed = before.owed_stop, ...rest } = row
  const note = (to: CommissioningSession, level: LogLevel, words: string) =>
    logged(to, level, words, now, 'test_transaction')
  const charge = chargeWith(owed.id_tag, row, chargePoint, context.read())
  if (charge !== undefined && charge.status !== 'active')
    return { row: note(rest, 'info', 'The test transaction has ended.'), effects: none }
  if (!isConnected) {
    if (now - owed.until <= limits.stopOwedMs) return { row, effects: none }
    const words = 'The charge point has not come back: if the test transaction still runs, stop it at the charge point.'
    return { row: note(rest, 'error', words), effects: none }
  }
  if (charge === undefined) return { row: now < owed.until || isOwedLately ? row : rest, effects: none }
  if (owed.sent_at !== undefined && Math.abs(now - owed.sent_at) < stopAgainMs) return { row, effects: none }
  if (owed.tries >= limits.stopTries) {
    const words = 'The charge point does not stop the test transaction: stop it at the charge point.'
    return { row: note(rest, 'error', words), effects: none }
  }
  const call: OcppCall = stopCall(charge)
  const next = { ...row, owed_stop: { ...owed, tries: owed.tries + 1, sent_at: now } }
  const stopping = note(next, 'info', `The test transaction ${charge.transaction_id} is stopped.`)
  // Its end is seen in the charge itself.
  return { row: stopping, effects: [sendCall(row, context.newId('cmd'), call, chargePoint.organization_id)] }
}

/** The charge point has gone, or is back: what has begun meanwhile, it tells now. It is not waited for again and again. */
function presenceNoted(
  row: CommissioningSession,
  { is_absent, ...owed }: OwedStop,
  isConnected: boolean,
  now: number,
): CommissioningSession {
  if (isConnected === (is_absent === undefined)) return row
  const note = (owed_stop: OwedStop, level: LogLevel, words: string) =>
    logged({ ...row, owed_stop }, level, words, now, 'test_transaction')
  if (!isConnected) return note({ ...owed, is_absent: true }, 'warn', awayWords)
  const { returns = 0 } = owed
  const until = returns < limits.returns ? Math.max(owed.until, now + limits.transactionStartsMs) : owed.until
  return note({ ...owed, until, returns: returns + 1 }, 'info', 'The charge point is connected again.')
}

/** 20 characters, as OCPP 1.6 allows; the last of a ULID are random. */
function testTag(id: string): string {
  return `TEST${id.slice(-16)}`
}

function lookAgain(afterMs: number, context: Context): Effect {
  return effect.schedule(lookReason, context.monotonic() + afterMs, { type: 'look' })
}

/** How it is written: with the time at which it is looked at again, and with the events of what has changed. */
export function save(
  before: CommissioningSession | undefined,
  row: CommissioningSession | undefined,
  isWoken: boolean,
  context: Context,
): readonly Effect[] {
  const self = commissioningAddress(context.id)
  if (row === undefined) return isWoken ? [wakeNoMore(self, lookReason)] : none
  const isChanged = before !== row
  const stored = isChanged
    ? [effect.put(commissioningSessionsTable, row), ...eventsOf(before, row, context), ...left(before, row, context)]
    : none
  if (!isAtWork(row)) {
    const wasAtWork = isWoken || (before !== undefined && isAtWork(before))
    return [...stored, ...(wasAtWork ? [wakeNoMore(self, lookReason), effect.cancel(lookReason)] : none)]
  }
  const { lookAfterMs, wakeAfterMs } = paceOf(row, context.now())
  const wake = isChanged || isWoken ? [wakeAfter(self, lookReason, wakeAfterMs, context)] : none
  return [...stored, ...wake, isWatching(row) ? lookAgain(lookAfterMs, context) : effect.cancel(lookReason)]
}

/** Every change of the row is in its log. */
function paceOf(
  row: CommissioningSession,
  now: number,
): { readonly lookAfterMs: number; readonly wakeAfterMs: number } {
  const pace = row.status === 'running' ? whileRunning : whileOwing
  const quietMs = now - Date.parse(row.log.at(-1)?.timestamp ?? row.started_at)
  // How long a charge point is away is counted by the second.
  const isQuiet = quietMs > quietAfterMs && row.offline_since === undefined
  return {
    lookAfterMs: isQuiet ? pace.quietLookAfterMs : pace.lookAfterMs,
    wakeAfterMs: Math.min(Math.max(quietMs, pace.wakeAfterMs), pace.quietWakeAfterMs),
  }
}

/** However a session ceases to run, the application of a configuration that it has begun ends with it. */
function left(
  before: CommissioningSession | undefined,
  row: CommissioningSession,
  context: Context,
): readonly Effect[] {
  if (before?.status !== 'running') return none
  const goesOn = row.session_id === before.session_id && row.status === 'running'
  return goesOn ? none : stopConfiguring(before, context)
}

function eventsOf(
  before: CommissioningSession | undefined,
  row: CommissioningSession,
  context: Context,
): readonly Effect[] {
  const isNew = before?.session_id !== row.session_id
  if (!isNew && before?.status === row.status) return none
  const chargePoint = context.read().get(chargePointsTable, [row.charge_point_id])
  // Of one that no organization has claimed, nobody could read them.
  if (chargePoint === undefined || isUnclaimed(chargePoint)) return none
  const event = isNew
    ? commissioningStarted
    : row.status === 'completed'
      ? commissioningCompleted
      : row.status === 'failed'
        ? commissioningFailed
        : undefined
  if (event === undefined) return none
  const about = { organizationId: chargePoint.organization_id, subject: row.charge_point_id }
  const { charge_point_id, session_id, status, result, started_at, ended_at } = row
  return [
    emit(event, about, {
      charge_point_id,
      session_id,
      status,
      result: result ?? null,
      started_at,
      completed_at: ended_at ?? null,
    }),
  ]
}
