// A rollout of firmware, stage by stage. That a charge point is about to be sent its update is on disk before it is sent, and everything else follows
// from what is stored of the charge points: after the death of its shard or of the process it goes on, and sends nothing twice of which it knows
// that it was sent. It works in parts, so that a large rollout occupies its shard no longer than a small one.

import { commandsTable } from '../../records/command.js'
import {
  type FirmwareRollout,
  firmwareRolloutsTable,
  isEnded,
  isUnsent,
  type RolloutChargePoint,
  rolloutChargePointsTable,
  stageBegins,
  stageCount,
  stageSize,
  unsentStandings,
} from '../../records/firmware-rollout.js'
import type { LiveNodes } from '../../records/presence.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore, wakeUpsTable } from '../../runtime/actor/wake-ups.js'
import { limits as runtimeLimits } from '../../runtime/limits.js'
import { outcomeOf } from '../command-router/outcome.js'
import type { CommandEndedMessage, CommandReply } from '../messages/command.js'
import { sendUpdate } from './calls.js'
import { factsOf } from './facts.js'
import { incomplete } from './incomplete.js'
import { limits } from './limits.js'
import {
  type ChangeRolloutMessage,
  type ChargePointNews,
  type FirmwareRolloutMessage,
  firmwareRolloutAddress,
  firmwareRolloutKind,
  lookReason,
  newsOf,
  type RolloutReply,
} from './messages.js'
import { end, hasEnded, isStageOver, openStandings, pause, resume, settle, startStage } from './outcome.js'
import { answered, leftOut, look, notSent, redated, said, sent, unanswered } from './progress.js'
import { beginTurn, changedRows, countOf, listStanding, putRow, rowAt, type Turn } from './turn.js'

export interface FirmwareRolloutState {
  /** A timer will look again. */
  isWatching: boolean
}

export interface FirmwareRolloutSettings {
  readonly live: LiveNodes
}

const none: readonly Effect[] = []
/** How soon it is looked at again after a change, while it is in memory; and when it is woken, if it is not. */
const lookAfterMs = 1_000
const wakeAfterMs = 10_000

export function createFirmwareRolloutActor({
  live,
}: FirmwareRolloutSettings): ActorDefinition<FirmwareRolloutState, FirmwareRolloutMessage> {
  return {
    kind: firmwareRolloutKind,
    // Each message looks at the rows that the one before it has written.
    readsItsWrites: true,
    mailboxMessages: runtimeLimits.asks,
    load: () => ({ isWatching: false }),
    idle: ({ isWatching }) => !isWatching,
    handle(state, message, context) {
      const self = firmwareRolloutAddress(context.id)
      const woken =
        message.type === 'wake-up' && message.reason !== lookReason ? [wakeNoMore(self, message.reason)] : []
      const stored = context.read().get(firmwareRolloutsTable, [context.id])
      if (stored === undefined) return [...woken, ...unknown(message, context)]
      if (stored.entered_until !== undefined)
        return [...woken, ...incomplete(stored, stored.entered_until, message, context)]
      const turn = beginTurn(stored, context)
      const isMore = take(turn, message, live)
      settle(turn)
      return [
        ...changedRows(turn),
        ...(turn.rollout === stored ? none : [effect.put(firmwareRolloutsTable, turn.rollout)]),
        ...turn.effects,
        ...woken,
        ...lookAgain(state, turn, isMore),
      ]
    },
  }
}

/** It was pruned, or there never was one. */
function unknown(message: FirmwareRolloutMessage, context: Context): readonly Effect[] {
  if (message.type === 'wake-up') return [wakeNoMore(firmwareRolloutAddress(context.id), message.reason)]
  const isAsked = message.type !== 'look' && message.type !== 'command-ended' && message.type !== 'abandon'
  return isAsked ? reply({ type: 'unknown' }, context) : none
}

function reply(body: RolloutReply, context: Context): Effect[] {
  return context.replyTo === undefined ? [] : [effect.reply(context.replyTo, body)]
}

/** Whether there is more to do at once. */
function take(turn: Turn, message: FirmwareRolloutMessage, live: LiveNodes): boolean {
  switch (message.type) {
    case 'look':
      return lookAtPart(turn, live)
    case 'wake-up': {
      const news = newsOf(message.reason)
      if (news === undefined) return lookAtPart(turn, live)
      hear(turn, news, live)
      return false
    }
    case 'command-ended':
      commandEnded(turn, message)
      return false
    case 'abandon':
      return false
    default:
      turn.effects.push(...reply(change(turn, message), turn.context))
      return true
  }
}

function change(turn: Turn, message: ChangeRolloutMessage): RolloutReply {
  const { rollout } = turn
  const isRunning = rollout.status === 'in_progress' || rollout.status === 'paused'
  switch (message.type) {
    case 'execute-stage':
      return executeStage(turn, message.stage)
    case 'pause':
      if (rollout.status !== 'in_progress') return { type: 'not-in-status', rollout }
      pause(turn, message.reason)
      break
    case 'resume':
      if (rollout.status !== 'paused') return { type: 'not-in-status', rollout }
      resume(turn)
      break
    case 'stop':
      if (!isRunning && rollout.status !== 'pending') return { type: 'not-in-status', rollout }
      end(turn, 'failed', 'stopped_by_request')
      break
  }
  return { type: 'rollout', rollout: turn.rollout }
}

/**
 * Whoever names the stage wants no other, so that a repeated request begins none twice; without a name, it is the one after a stage that has
 * ended. A paused rollout goes on with the stage that it was at.
 */
function executeStage(turn: Turn, asked: number | undefined): RolloutReply {
  const { rollout, context } = turn
  if (rollout.status === 'failed') return { type: 'not-in-status', rollout }
  const stage = rollout.started_stages
  if (asked !== undefined && asked <= stage) return { type: 'stage', rollout, stage: asked }
  const isOpen = stage > 0 && !hasEnded(turn)
  if (asked === undefined && rollout.status === 'paused' && stage > 0) {
    if (isOpen || countOf(turn, unsentStandings, stage) > 0) {
      resume(turn)
      return { type: 'stage', rollout: turn.rollout, stage }
    }
  }
  if (rollout.status === 'completed' || stage >= stageCount(rollout)) return { type: 'no-stage-left' }
  if (asked !== undefined && asked > stage + 1) return { type: 'not-next', next: stage + 1 }
  if (rollout.soak_minutes !== undefined && stage > 0) {
    const { soaks_until: until } = rollout
    if (until === undefined ? !isStageOver(turn) : context.now() < until) return { type: 'soaking', until }
  }
  if (isOpen && asked === undefined) {
    const open = countOf(turn, openStandings, stage)
    return { type: 'stage-in-progress', stage, open, of: stageSize(rollout, stage) }
  }
  startStage(turn)
  return { type: 'stage', rollout: turn.rollout, stage: turn.rollout.started_stages }
}

function hear(turn: Turn, { place, status, requestId }: ChargePointNews, live: LiveNodes): void {
  const row = rowAt(turn, place)
  if (row === undefined || isEnded(row)) return
  const now = turn.context.now()
  const heard =
    status === undefined ? row : said(row, turn.rollout, { status, ...(requestId !== undefined && { requestId }) }, now)
  if (heard !== row) putRow(turn, row, heard)
  // A charge point that its stage has not come to is only looked at for whether it is still there.
  const isThere = row.standing === 'waiting' && factsOf(row, turn.context.read(), live) !== undefined
  if (!isThere) lookAt(turn, heard, live)
}

function commandEnded(turn: Turn, { commandId, reply: ended }: CommandEndedMessage): void {
  const row = sentWith(turn, commandId, ended)
  if (row === undefined) return
  const now = turn.context.now()
  const next = ended.type === 'recorded' ? answered(row, turn.rollout, ended.outcome, now) : notSent(row, 'queued', now)
  putRow(turn, row, next)
}

function sentWith(turn: Turn, commandId: string, ended: CommandReply): RolloutChargePoint | undefined {
  const isIt = ({ command_id }: RolloutChargePoint): boolean => command_id === commandId
  // Seldom: nothing was recorded that would name the charge point.
  if (ended.type === 'refused') return listStanding(turn, 'sending', limits.unansweredUpdates).find(isIt)
  const { organization_id, charge_point_id } = ended.record
  const group = [organization_id, charge_point_id]
  return turn.context.read().listBy(rolloutChargePointsTable, 'open', group).find(isIt)
}

/** Whether there is more to look at. */
function lookAtPart(turn: Turn, live: LiveNodes): boolean {
  const { context, rollout } = turn
  const limit = limits.lookedAtPerTurn
  const now = context.now()
  if (rollout.status === 'failed') return closePart(turn, limit) || lookAtDue(turn, limit, live)
  if (rollout.soaks_until !== undefined && now >= rollout.soaks_until && rollout.status === 'in_progress')
    startStage(turn)
  const isMore = lookAtDue(turn, limit, live)
  if (rollout.status !== 'in_progress' || now < startsAt(rollout)) return isMore
  const room = Math.min(limit, limits.unansweredUpdates - countOf(turn, ['sending']))
  if (room <= 0)
    for (const row of listStanding(turn, 'sending', limits.unansweredUpdates)) putRow(turn, row, redated(row, now))
  const rows = listStanding(
    turn,
    'waiting',
    Math.max(0, room),
    stageBegins(turn.rollout, turn.rollout.started_stages + 1),
  )
  for (const row of rows) lookAt(turn, row, live)
  return isMore || rows.length === limit
}

function lookAtDue(turn: Turn, limit: number, live: LiveNodes): boolean {
  const { context, rollout } = turn
  const to = [context.now() + 1]
  const rows = context.read().listBy(rolloutChargePointsTable, 'due', [rollout.rollout_id], { to, limit })
  for (const row of rows) lookAt(turn, row, live)
  return rows.length === limit
}

/** Those that were not sent the update before the rollout was over. */
function closePart(turn: Turn, limit: number): boolean {
  const rows = unsentStandings.flatMap((standing) => listStanding(turn, standing, limit)).slice(0, limit)
  for (const row of rows) putRow(turn, row, leftOut(row, turn.context.now()))
  return rows.length === limit
}

function lookAt(turn: Turn, row: RolloutChargePoint, live: LiveNodes): void {
  putRow(turn, row, looked(turn, row, live))
}

function looked(turn: Turn, row: RolloutChargePoint, live: LiveNodes): RolloutChargePoint {
  const { context, rollout } = turn
  const now = context.now()
  if (rollout.status === 'failed' && isUnsent(row)) return leftOut(row, now)
  const facts = factsOf(row, context.read(), live)
  const seen = look(recorded(turn, row, now), rollout, facts, now)
  if (seen.type === 'row' || facts === undefined) return seen.row
  if (countOf(turn, ['sending']) >= limits.unansweredUpdates)
    return { ...seen.row, standing: 'queued', due_at: now + lookAfterMs }
  const commandId = context.newId('cmd')
  const next = sent(seen.row, commandId, facts, now)
  turn.effects.push(sendUpdate(rollout, next, commandId, now))
  return next
}

/** What the command router has recorded of an update is known, also where its word was lost. */
function recorded(turn: Turn, row: RolloutChargePoint, now: number): RolloutChargePoint {
  if (row.command_id === undefined || (row.standing !== 'sending' && !isUnsent(row))) return row
  const record = turn.context.read().get(commandsTable, [row.command_id])
  if (record === undefined) return row
  const outcome = outcomeOf(record)
  return outcome === undefined ? unanswered(row, now) : answered(row, turn.rollout, outcome, now)
}

function startsAt({ start_at }: FirmwareRollout): number {
  return start_at === undefined ? 0 : Date.parse(start_at)
}

/** When it is looked at next: by a timer where that is soon, and by a wake-up, which outlives the shard. */
function lookAgain(state: FirmwareRolloutState, turn: Turn, isMore: boolean): readonly Effect[] {
  const { context } = turn
  const self = firmwareRolloutAddress(context.id)
  const now = context.now()
  const at = isMore ? now : nextLook(turn, now)
  const stored = context.read().get(wakeUpsTable, [self.kind, self.id, lookReason])
  state.isWatching = at !== undefined && at - now <= wakeAfterMs
  if (at === undefined) return stored === undefined ? none : [wakeNoMore(self, lookReason), effect.cancel(lookReason)]
  const wakeMs = Math.max(at - now, wakeAfterMs)
  const steady = context.steady()
  const isStored = stored !== undefined && stored.at > steady && stored.at <= steady + wakeMs
  return [
    ...(isStored ? none : [wakeAfter(self, lookReason, wakeMs, context)]),
    ...(isMore ? [effect.send(self, { type: 'look' } satisfies FirmwareRolloutMessage)] : none),
    ...(!isMore && state.isWatching
      ? [effect.schedule(lookReason, context.monotonic() + Math.max(0, at - now), { type: 'look' })]
      : none),
  ]
}

/** Undefined where nothing of it is under way, and it waits for its operator. */
function nextLook(turn: Turn, now: number): number | undefined {
  const { context, rollout, changed, stored } = turn
  // What this turn has written is seen in the next one.
  if (changed.size > 0 || rollout !== stored) return now + lookAfterMs
  const [first] = context.read().listBy(rolloutChargePointsTable, 'due', [rollout.rollout_id], { limit: 1 })
  const times = first?.due_at === undefined ? [] : [first.due_at]
  // Those that were not sent the update before it was over are still to be told so.
  if (rollout.status === 'failed' && countOf(turn, unsentStandings) > 0) times.push(now + lookAfterMs)
  if (rollout.status === 'in_progress') {
    if (rollout.soaks_until !== undefined) times.push(rollout.soaks_until)
    if (now < startsAt(rollout)) times.push(startsAt(rollout))
    else if (isWaiting(turn)) times.push(now + lookAfterMs)
  }
  return times.length === 0 ? undefined : Math.max(now, Math.min(...times))
}

/** Charge points of stages that have begun are to be sent the update when there is room. */
function isWaiting(turn: Turn): boolean {
  const begun = stageBegins(turn.rollout, turn.rollout.started_stages + 1)
  return listStanding(turn, 'waiting', 1, begun).length > 0
}
