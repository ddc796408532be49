// The commissioning of one charge point, step by step. What it is about to send is on disk before it is sent, and every look begins with what is
// stored: after the death of its shard or of the process it goes on, and does not start a second test transaction for one that may have begun.

import { chargePointsTable } from '../../records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../records/charge-point-state.js'
import type { CommissioningSession } from '../../records/commissioning.js'
import { commissioningSessionsTable, isOfRegistration, newestSession } from '../../records/commissioning.js'
import { isInstallationOver } from '../../records/installer-status.js'
import { isOnline, type LiveNodes } from '../../records/presence.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { advance, type Surroundings, save, tookAnswer } from './advance.js'
import { withConfigurationEvidence } from './configuration-evidence.js'
import { learn, passOnLearned } from './learned.js'
import { limits } from './limits.js'
import {
  type ChangeCommissioningMessage,
  type CommissioningMessage,
  type CommissioningReply,
  claimedReason,
  commissioningAddress,
  commissioningKind,
  isOfRemoval,
  type StartCommissioningMessage,
} from './messages.js'
import { ended, interrupted, isOpen, isWatching, logged, paused, removedWords, reported, resumed } from './progress.js'
import { forgetRegistration } from './removed.js'

export interface CommissioningState {
  isWatching: boolean
  /** It was running when its last owner ended, and has not said so yet. */
  isInterrupted: boolean
  /** Since when a test transaction is to be stopped should it begin, monotonic ms, where this owner has decided so. */
  owing?: { readonly idTag: string; readonly since: number }
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
      return { isWatching: row !== undefined && isWatching(row), isInterrupted: row?.status === 'running' }
    },
    idle: (state) => !state.isWatching,
    handle(state, message, context) {
      if (message.type === 'wake-up' && message.reason.startsWith(claimedReason))
        return [...passOnLearned(context), wakeNoMore(commissioningAddress(context.id), message.reason)]
      if (message.type === 'wake-up' && isOfRemoval(message.reason)) {
        // What is under way of a newer registration has a timer, which finds it.
        state.isWatching = false
        return forgetRegistration(message.reason, context)
      }
      const before = newestSession(context.read(), context.id)
      const { owing } = state
      const isOwedLately =
        owing !== undefined &&
        owing.idTag === before?.owed_stop?.id_tag &&
        context.monotonic() - owing.since < limits.lateStartMs
      const surroundings = { live, isOwedLately }
      const { row: next, effects } = handle(before, message, state.isInterrupted, surroundings, context)
      const row = next && withConfigurationEvidence(before, next, context)
      state.isInterrupted = false
      state.isWatching = row !== undefined && isWatching(row)
      const idTag = row?.owed_stop?.id_tag
      if (idTag !== undefined && idTag !== before?.owed_stop?.id_tag)
        state.owing = { idTag, since: context.monotonic() }
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
  surroundings: Surroundings,
  context: Context,
): Turn {
  const row = stored !== undefined && isInterrupted ? interrupted(stored, context.now()) : stored
  switch (message.type) {
    case 'start':
      return start(row, message, surroundings.live, context)
    case 'stop':
    case 'pause':
    case 'resume':
      return change(row, message, surroundings, context)
    case 'command-ended':
    case 'connection-tested':
      return row === undefined
        ? { row, effects: none }
        : advance(tookAnswer(row, message, context), surroundings, context)
    case 'reported':
      return row === undefined
        ? { row, effects: none }
        : advance(reported(row, message, context.now()), surroundings, context)
    case 'look':
    case 'wake-up':
      return row === undefined ? { row, effects: none } : advance(row, surroundings, context)
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
  if (isInstallationOver(installed)) return refuse({ type: 'already-commissioned' })
  const state = view.get(chargePointStatesTable, [context.id])
  if (!isOnline(state, live) || state?.registration !== 'Accepted') return refuse({ type: 'not-connected' })
  const now = context.now()
  const over = before === undefined ? undefined : replaced(before, isSame, context)
  const fresh: CommissioningSession = {
    session_id: message.sessionId,
    charge_point_id: context.id,
    sequence: (before?.sequence ?? 0) + 1,
    installer_id: installed.installer_id,
    registered_at: installed.registered_at,
    ...(state.boot !== undefined && { hardware: state.boot }),
    ...connectedBy(state),
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
    ...(before?.tests_begun !== undefined && { tests_begun: before.tests_begun }),
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

function connectedBy({ security_profile, over_tls }: ChargePointState): Pick<CommissioningSession, 'connected_by'> {
  return security_profile === undefined || over_tls === undefined
    ? {}
    : { connected_by: { security_profile, over_tls } }
}

/** The session before, where another takes its place: it is over, and no longer owes the stop that it owed. */
function replaced(before: CommissioningSession, isSame: boolean, context: Context) {
  const [status, why] = isSame
    ? (['stopped', 'The commissioning was begun anew.'] as const)
    : (['failed', removedWords] as const)
  const over = isOpen(before)
    ? withConfigurationEvidence(before, ended(before, status, why, context.now()), context)
    : before
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
  surroundings: Surroundings,
  context: Context,
): Turn {
  const installed = context.read().get(chargePointsTable, [context.id])?.installed
  if (row === undefined || installed?.installer_id !== message.installerId || !isOfRegistration(row, installed))
    return { row, effects: reply({ type: 'not-in-state' }, context) }
  const isRight =
    message.type === 'stop' ? isOpen(row) : row.status === (message.type === 'pause' ? 'running' : 'paused')
  if (!isRight) return { row, effects: reply({ type: 'not-in-state' }, context) }
  if (message.type === 'resume' && isInstallationOver(installed))
    return { row, effects: reply({ type: 'already-commissioned' }, context) }
  const now = context.now()
  const next = {
    stop: () => ended(row, 'stopped', 'The commissioning was stopped by its installer.', now),
    pause: () => paused(row, now),
    resume: () => resumed(row, now),
  }[message.type]()
  const after = advance(next, surroundings, context)
  return { row: after.row, effects: [...after.effects, ...reply({ type: 'session', session: after.row }, context)] }
}
