// The commissioning of one charge point, step by step. What it is about to send is on disk before it is sent, and every look begins with what is
// stored: after the death of its shard or of the process it goes on, and does not start a second test transaction for one that may have begun.

import { chargePointsTable } from '../../records/charge-point.js'
import { chargePointStatesTable } from '../../records/charge-point-state.js'
import type { CommissioningSession } from '../../records/commissioning.js'
import { commissioningSessionsTable, isOfRegistration, newestSession } from '../../records/commissioning.js'
import { isOnline, type LiveNodes } from '../../records/presence.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { advance, save, tookAnswer } from './advance.js'
import { learn } from './learned.js'
import { limits } from './limits.js'
import {
  type ChangeCommissioningMessage,
  type CommissioningMessage,
  type CommissioningReply,
  commissioningKind,
  type StartCommissioningMessage,
} from './messages.js'
import { currentStep, ended, isAtWork, isOpen, logged, paused, removedWords, resumed } from './progress.js'

export interface CommissioningState {
  isAtWork: boolean
  /** It was at work when its last owner ended, and has not said so yet. */
  isInterrupted: boolean
}

export interface CommissioningSettings {
  readonly live: LiveNodes
}

const none: readonly Effect[] = []

export function createCommissioningActor({
  live,
}: CommissioningSettings): ActorDefinition<CommissioningState, CommissioningMessage> {
  return {
    kind: commissioningKind,
    // Each message looks at the row that the one before it has written.
    readsItsWrites: true,
    load: (context) => {
      const row = newestSession(context.read(), context.id)
      const isInterrupted = row !== undefined && isAtWork(row)
      return { isAtWork: isInterrupted, isInterrupted }
    },
    idle: (state) => !state.isAtWork,
    handle(state, message, context) {
      const before = newestSession(context.read(), context.id)
      const { row, effects } = handle(before, message, state.isInterrupted, live, context)
      state.isInterrupted = false
      state.isAtWork = row !== undefined && isAtWork(row)
      return [...effects, ...save(before, row, message.type === 'wake-up', context), ...learn(before, row, context)]
    },
  }
}

interface Turn {
  readonly row: CommissioningSession | undefined
  readonly effects: readonly Effect[]
}

function handle(
  stored: CommissioningSession | undefined,
  message: CommissioningMessage,
  isInterrupted: boolean,
  live: LiveNodes,
  context: Context,
): Turn {
  const now = context.now()
  const at = stored === undefined ? undefined : currentStep(stored)?.name
  const row =
    stored !== undefined && isInterrupted
      ? logged(stored, 'warn', 'The service was interrupted; the commissioning goes on where it was.', now, at ?? null)
      : stored
  switch (message.type) {
    case 'start':
      return start(row, message, live, context)
    case 'stop':
    case 'pause':
    case 'resume':
      return change(row, message, live, context)
    case 'command-ended':
    case 'connection-tested':
      return row === undefined ? { row, effects: none } : advance(tookAnswer(row, message, context), live, context)
    case 'look':
    case 'wake-up':
      return row === undefined ? { row, effects: none } : advance(row, live, context)
  }
}

function reply(body: CommissioningReply, context: Context): readonly Effect[] {
  return context.replyTo === undefined ? none : [effect.reply(context.replyTo, body)]
}

function start(
  before: CommissioningSession | undefined,
  message: StartCommissioningMessage,
  live: LiveNodes,
  context: Context,
): Turn {
  const refuse = (body: CommissioningReply): Turn => ({ row: before, effects: reply(body, context) })
  const view = context.read()
  if (before?.session_id === message.sessionId) return refuse({ type: 'session', session: before })
  const installed = view.get(chargePointsTable, [context.id])?.installed
  if (installed?.installer_id !== message.installerId) return refuse({ type: 'unknown' })
  const isSame = before !== undefined && isOfRegistration(before, installed)
  if (isSame && isOpen(before) && !message.restarts) return refuse({ type: 'already-running' })
  if (installed.commissioned_at !== undefined) return refuse({ type: 'already-commissioned' })
  const state = view.get(chargePointStatesTable, [context.id])
  if (!isOnline(state, live) || state?.registration !== 'Accepted') return refuse({ type: 'not-connected' })
  const now = context.now()
  const over = before === undefined ? undefined : replaced(before, isSame, now)
  const fresh: CommissioningSession = {
    session_id: message.sessionId,
    charge_point_id: context.id,
    sequence: (before?.sequence ?? 0) + 1,
    installer_id: installed.installer_id,
    registered_at: installed.registered_at,
    ...(state.boot !== undefined && { hardware: state.boot }),
    status: 'running',
    template_id: message.templateId,
    started_at: new Date(now).toISOString(),
    configuration: message.configuration,
    ...(message.configurationTemplateId !== undefined && {
      configuration_template_id: message.configurationTemplateId,
    }),
    steps: message.steps.map((name) => ({ name, status: 'pending', evidence: [] })),
    // Whatever the session before has still to stop, this one stops.
    ...(isSame && over?.owed !== undefined && { owed_stop: over.owed }),
    log: [],
  }
  const begun = logged(fresh, 'info', `The commissioning has begun, with the template ${message.templateId}.`, now)
  return {
    row: begun,
    effects: [
      ...(over === undefined || over.session === before
        ? none
        : [effect.put(commissioningSessionsTable, over.session)]),
      ...oldSessions(context),
      ...reply({ type: 'session', session: begun }, context),
    ],
  }
}

/** The session before, where another takes its place: it is over, and no longer owes the stop that it owed. */
function replaced(before: CommissioningSession, isSame: boolean, now: number) {
  const [status, why] = isSame
    ? (['stopped', 'The commissioning was begun anew.'] as const)
    : (['failed', removedWords] as const)
  const over = isOpen(before) ? ended(before, status, why, now) : before
  const { owed_stop: owed, ...session } = over
  return { session: owed === undefined ? over : session, owed }
}

/** Those beyond what is kept. */
function oldSessions(context: Context): readonly Effect[] {
  return context
    .read()
    .listBy(commissioningSessionsTable, 'byChargePoint', [context.id], { reverse: true })
    .slice(limits.sessionsKept - 1)
    .map(({ session_id }) => effect.remove(commissioningSessionsTable, [session_id]))
}

function change(
  row: CommissioningSession | undefined,
  message: ChangeCommissioningMessage,
  live: LiveNodes,
  context: Context,
): Turn {
  const installed = context.read().get(chargePointsTable, [context.id])?.installed
  if (row === undefined || installed?.installer_id !== message.installerId || !isOfRegistration(row, installed))
    return { row, effects: reply({ type: 'not-in-state' }, context) }
  const isRight =
    message.type === 'stop' ? isOpen(row) : row.status === (message.type === 'pause' ? 'running' : 'paused')
  if (!isRight) return { row, effects: reply({ type: 'not-in-state' }, context) }
  const now = context.now()
  const next = {
    stop: () => ended(row, 'stopped', 'The commissioning was stopped by its installer.', now),
    pause: () => paused(row, now),
    resume: () => resumed(row, now),
  }[message.type]()
  const after = advance(next, live, context)
  return { row: after.row, effects: [...after.effects, ...reply({ type: 'session', session: after.row }, context)] }
}
