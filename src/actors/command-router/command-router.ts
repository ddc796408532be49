// Supervises the commands of one organization: sends each to its charge point, ends it by the first of answer and
// deadline, and records it before anybody is told. Never speaks OCPP and never touches a socket.

import { commandsQuarantined } from '../../alert-kinds/commands-quarantined.js'
import { finding, noticeAtMostHourly } from '../../alerts/alert.js'
import type { OcppCall } from '../../ocpp16/index.js'
import { secretsOf } from '../../ocpp16/secrets.js'
import { chargePointsTable } from '../../records/charge-point.js'
import { type BegunCommand, bulkCommandsTable, type CommandRecord, commandsTable } from '../../records/command.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { assert } from '../../runtime/assert.js'
import { boundedFields } from '../../runtime/bounded-json.js'
import { limits as runtimeLimits } from '../../runtime/limits.js'
import { createRecentIds } from '../../runtime/link/recent-ids.js'
import { limits as chargePointLimits } from '../charge-point/limits.js'
import { type CallOutcome, chargePointAddress } from '../charge-point/messages.js'
import { type Bulk, bulkReply, isOwn, newBulk, noteResult, recordPart } from './bulk.js'
import { takeCommand } from './command-rate.js'
import { limits } from './limits.js'
import {
  type CommandReply,
  type CommandRouterMessage,
  commandErrors,
  commandRouterAddress,
  commandRouterKind,
  type ExecuteBulkMessage,
  type ExecuteMessage,
  type InterruptedMessage,
  type ListWaitingMessage,
  type WaitingCommands,
} from './messages.js'
import { endingOf, recorded, storableOutcome, unanswered } from './outcome.js'
import { bulkPart, commandParts, listPart } from './parts.js'
import { fitted, fullRoom, hasRoom, lookAtRoom, watchRoom } from './record-room.js'
import type { Asker, CommandRouterState, Running, TimedOut, Waiter } from './state.js'

interface Target {
  readonly commandId: string
  readonly chargePointId: string
  readonly command: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly executedBy: string
  readonly timeoutMs: number
}

/** The actor of `commandRouterAddress`: one per organization. */
export const commandRouter: ActorDefinition<CommandRouterState, CommandRouterMessage> = {
  kind: commandRouterKind,
  mailboxMessages: runtimeLimits.asks,
  load: (context) => ({
    running: new Map(),
    bulks: new Map(),
    rates: new Map(),
    room: fullRoom(context),
    timedOut: new Map(),
    begun: createRecentIds(limits.recentCommands),
  }),
  parts: commandParts,
  quarantined(context, part) {
    const chargePointId = part === undefined ? undefined : registeredChargePoint(part, context)
    const about = {
      organizationId: context.id,
      subject: part === undefined ? context.id : `${context.id}/${part}`,
      ...(chargePointId !== undefined && { chargePointId }),
    }
    return noticeAtMostHourly(finding(commandsQuarantined, about, commandsTo(chargePointId, part)), context)
  },
  idle: (state) => state.running.size === 0 && state.bulks.size === 0 && !state.room.isWatched,
  askers: ({ running, bulks }) => [
    ...[...running.values()].flatMap(({ waiter }) => (waiter.type === 'asker' ? (waiter.replyTo ?? []) : [])),
    ...[...bulks.values()].flatMap(({ replyTo }) => replyTo ?? []),
  ],
  handle(state, message, context) {
    const effects = handle(state, message, context)
    const watched = watchRoom(state.room, context)
    return watched.length === 0 ? effects : [...effects, ...watched]
  },
}

function handle(state: CommandRouterState, message: CommandRouterMessage, context: Context): readonly Effect[] {
  switch (message.type) {
    case 'record-room':
      return lookAtRoom(state.room, context)
    case 'execute':
      return execute(state, message, context)
    case 'execute-bulk':
      return executeBulk(state, message, context)
    case 'call-ended':
      return ended(state, message.commandId, message.outcome, context)
    case 'deadline':
      return timedOut(state, message.commandId, context)
    case 'late-answer':
      return answeredLate(state, message.commandId, message.payload, context)
    case 'interrupted':
      return interrupted(state, message, context)
    case 'list-waiting':
      return context.replyTo === undefined ? [] : [effect.reply(context.replyTo, waitingOf(state, message))]
  }
}

/** The record of a command that has ended, within the room of its organization. */
function put(state: CommandRouterState, record: CommandRecord, context: Context): Effect {
  return effect.put(commandsTable, fitted(state.room, record, context))
}

/** The part's charge point, where it is one's own. */
function registeredChargePoint(part: string, context: Context): string | undefined {
  const registration = context.read().get(chargePointsTable, [part])
  return registration?.organization_id === context.id ? part : undefined
}

function commandsTo(chargePointId: string | undefined, part: string | undefined): string {
  if (chargePointId !== undefined) return `commands to the charge point ${chargePointId}`
  if (part === listPart) return 'the list of commands that wait for an answer'
  return part === bulkPart ? 'bulk commands' : 'commands'
}

function execute(state: CommandRouterState, message: ExecuteMessage, context: Context): Effect[] {
  const { replyTo } = context
  const waiter: Asker =
    message.notify === undefined ? { type: 'asker', replyTo } : { type: 'actor', notify: message.notify }
  if (!takeCommand(state.rates, message.chargePointId, context.monotonic()))
    return tell(waiter, message.commandId, tooFast)
  if (state.running.size >= limits.commandsUnderWay) return tell(waiter, message.commandId, tooMany)
  if (!hasRoom(state.room, context)) return tell(waiter, message.commandId, noRoom)
  return send(state, begin(state, message, undefined, context), message, message.call, waiter, context)
}

function tell(waiter: Asker, commandId: string, reply: CommandReply): Effect[] {
  if (waiter.type === 'actor') return [effect.answer(waiter.notify, { type: 'command-ended', commandId, reply })]
  return waiter.replyTo === undefined ? [] : [effect.reply(waiter.replyTo, reply)]
}

const tooFast: CommandReply = {
  type: 'refused',
  code: 'rate_limited',
  message: `a charge point can be sent at most ${limits.commandsPerSecond} commands per second`,
}

const tooMany: CommandReply = {
  type: 'refused',
  code: 'rate_limited',
  message: `${limits.commandsUnderWay} commands of the organization are waiting for their charge points; try again when some have ended`,
}

const noRoom: CommandReply = {
  type: 'refused',
  code: 'rate_limited',
  message: 'the organization has sent more commands than can be recorded; try again later',
}

const queueFull: CommandReply = {
  type: 'refused',
  code: 'rate_limited',
  message: `${chargePointLimits.callQueue} commands are already waiting for this charge point`,
}

function begin(state: CommandRouterState, target: Target, bulkId: string | undefined, context: Context): BegunCommand {
  state.begun.add(target.commandId)
  return {
    command_id: target.commandId,
    organization_id: context.id,
    charge_point_id: target.chargePointId,
    command: target.command,
    ...(bulkId === undefined && { parameters: target.parameters }),
    executed_at: new Date(context.now()).toISOString(),
    executed_by: target.executedBy,
    ...(bulkId === undefined ? {} : { bulk_command_id: bulkId }),
  }
}

function send(
  state: CommandRouterState,
  begun: BegunCommand,
  { chargePointId, timeoutMs: asked }: Target,
  call: OcppCall,
  waiter: Waiter,
  context: Context,
): Effect[] {
  const commandId = begun.command_id
  assert(asked > 0, 'the deadline of a command is after its start', commandId, asked)
  assert(!state.running.has(commandId), 'a command is sent once', commandId)
  const timeoutMs = asked + spreadMs(state)
  const deadline = context.monotonic() + timeoutMs
  const { action, payload } = call
  state.running.set(commandId, { begun, waiter, deadline, secrets: secretsOf(call) })
  const router = commandRouterAddress(context.id)
  return [
    effect.send(chargePointAddress(chargePointId), {
      type: 'call',
      commandId,
      action,
      payload,
      remainingMs: timeoutMs,
      router,
    }),
    effect.schedule(timerOf(commandId), deadline, { type: 'deadline', commandId }),
  ]
}

/** The more are under way, the later it times out: many that were begun at once, for charge points that do not answer, end one after the other. */
function spreadMs({ running }: CommandRouterState): number {
  return Math.floor((running.size * limits.deadlinesSpreadMs) / limits.commandsUnderWay)
}

function timerOf(commandId: string): string {
  return `deadline ${commandId}`
}

function executeBulk(state: CommandRouterState, message: ExecuteBulkMessage, context: Context): Effect[] {
  const executedAt = new Date(context.now()).toISOString()
  const bulk = newBulk(message, context.id, executedAt, context.replyTo)
  state.bulks.set(bulk.id, bulk)
  return advance(state, bulk, context)
}

/** Attempts what may be attempted now: every target, or one after the other until the first that is not Accepted. */
function advance(state: CommandRouterState, bulk: Bulk, context: Context): Effect[] {
  const { targets, continueOnFailure } = bulk.message
  const effects: Effect[] = []
  while (bulk.next < targets.length) {
    const inOrder = !continueOnFailure && bulk.next > 0
    const previous = bulk.results[bulk.next - 1]
    if (inOrder && previous === undefined) break
    const stopped = inOrder && previous?.status !== 'Accepted'
    effects.push(...attempt(state, bulk, bulk.next++, stopped, context))
  }
  if (bulk.remaining > 0) return effects
  state.bulks.delete(bulk.id)
  if (bulk.replyTo !== undefined) effects.push(effect.reply(bulk.replyTo, bulkReply(bulk)))
  return effects
}

function attempt(state: CommandRouterState, bulk: Bulk, at: number, stopped: boolean, context: Context): Effect[] {
  const to = bulk.message.targets[at] as ExecuteBulkMessage['targets'][number]
  const { chargePointId, commandId, call, unknownConnector } = to
  const target: Target = { ...bulk.message, chargePointId, commandId }
  const begun = begin(state, target, bulk.id, context)
  const end = (error: string) => endAtOnce(state, bulk, at, begun, error, context)
  if (stopped) return end(commandErrors.notAttempted)
  if (unknownConnector) return end(commandErrors.unknownConnector)
  if (call === undefined) return end(commandErrors.notFound)
  const isFull = state.running.size >= limits.commandsUnderWay || !hasRoom(state.room, context)
  if (isFull || !takeCommand(state.rates, chargePointId, context.monotonic())) return end(commandErrors.rateLimited)
  return send(state, begun, target, call, { type: 'bulk', bulkId: bulk.id, at }, context)
}

function endAtOnce(
  state: CommandRouterState,
  bulk: Bulk,
  at: number,
  begun: BegunCommand,
  error: string,
  context: Context,
): Effect[] {
  const record: CommandRecord = { ...begun, ...unanswered('Error', error) }
  noteResult(bulk, at, record)
  const isRecorded = isOwn(bulk.message.targets[at] as ExecuteBulkMessage['targets'][number])
  return isRecorded && hasRoom(state.room, context) ? recordPart(bulk, put(state, record, context)) : []
}

/** The first end of a command counts; an answer after it is only noted. */
function ended(state: CommandRouterState, commandId: string, outcome: CallOutcome, context: Context): Effect[] {
  const running = state.running.get(commandId)
  if (running === undefined)
    return outcome.type === 'answered' ? answeredLate(state, commandId, outcome.payload, context) : []
  const effects = endedRunning(state, running, outcome, context)
  // Last: who waits for it is known until nothing can fail any more.
  assert(state.running.delete(commandId), 'a command ends once', commandId)
  return effects
}

function timedOut(state: CommandRouterState, commandId: string, context: Context): Effect[] {
  const deadline = state.running.get(commandId)?.deadline ?? Number.NEGATIVE_INFINITY
  assert(deadline <= context.monotonic(), 'a command times out at its deadline', commandId, deadline)
  return ended(state, commandId, { type: 'timeout' }, context)
}

function endedRunning(
  state: CommandRouterState,
  { begun, waiter, secrets }: Running,
  outcome: CallOutcome,
  context: Context,
): Effect[] {
  const commandId = begun.command_id
  const record: CommandRecord = { ...begun, ...endingOf(outcome, secrets) }
  const effects: Effect[] = [effect.cancel(timerOf(commandId))]
  if (outcome.type === 'queue-full' && waiter.type !== 'bulk')
    return [...effects, ...tell(waiter, commandId, queueFull)]
  const bulk = waiter.type === 'bulk' ? state.bulks.get(waiter.bulkId) : undefined
  const recorded = put(state, record, context)
  effects.push(...(bulk === undefined ? [recorded] : recordPart(bulk, recorded)))
  if (outcome.type === 'timeout') remember(state, { record, secrets })
  if (waiter.type !== 'bulk')
    return [
      ...effects,
      ...tell(waiter, commandId, { type: 'recorded', record, outcome: storableOutcome(outcome, secrets) }),
    ]
  if (bulk === undefined) return effects
  noteResult(bulk, waiter.at, record)
  effects.push(...advance(state, bulk, context))
  return effects
}

/** What runs is recorded at its end; what is recorded has ended. Anything else was lost with an earlier life of this actor. */
function interrupted(state: CommandRouterState, { commands, bulk }: InterruptedMessage, context: Context): Effect[] {
  const view = context.read()
  const lost = commands.filter(
    ({ command_id: id }) => !state.begun.has(id) && view.get(commandsTable, [id]) === undefined,
  )
  const records = lost.map((begun) => ({ ...begun, ...unanswered('Error', commandErrors.interrupted) }))
  const shared = bulk !== undefined && records.length > 0 ? [effect.put(bulkCommandsTable, bulk)] : []
  const effects = [...shared, ...records.map((record) => put(state, record, context))]
  return context.replyTo === undefined ? effects : [...effects, effect.reply(context.replyTo, null)]
}

function waitingOf(
  { running, bulks }: CommandRouterState,
  { chargePointId, limit }: ListWaitingMessage,
): WaitingCommands {
  const waiting = [...running.values()]
    .filter(({ begun }) => chargePointId === undefined || begun.charge_point_id === chargePointId)
    .reverse()
  // Those of a bulk command have theirs in common.
  const shown = new Map<object, Record<string, unknown>>()
  const commands = waiting.slice(0, limit).map(({ begun }) => {
    const parameters = begun.parameters ?? bulks.get(begun.bulk_command_id ?? '')?.message.parameters
    if (parameters === undefined) return begun
    const brief = shown.get(parameters) ?? boundedFields(parameters, limits.waitingParametersCharacters)
    shown.set(parameters, brief)
    return { ...begun, parameters: brief }
  })
  return { commands, count: waiting.length }
}

function remember({ timedOut }: CommandRouterState, ended: TimedOut): void {
  if (timedOut.size >= limits.timedOutCommands) timedOut.delete(timedOut.keys().next().value as string)
  timedOut.set(ended.record.command_id, ended)
}

/** Kept on the record for whoever reads it later; what was told of the command stays true. */
function answeredLate(state: CommandRouterState, commandId: string, payload: unknown, context: Context): Effect[] {
  const known = state.timedOut.get(commandId)
  const record = known?.record ?? context.read().get(commandsTable, [commandId])
  if (record === undefined || record.organization_id !== context.id) return []
  if (record.status !== 'Timeout' && record.error !== commandErrors.interrupted) return []
  state.timedOut.delete(commandId)
  return [put(state, { ...record, late_response: recorded(payload, known?.secrets ?? []) }, context)]
}
