// Applies a configuration to the charge point, one key at a time, each read back (field note 25), through the same queue as the commands
// of operators: one call at a time, behind whatever waits there. How far it has come is on disk before the next call, and it goes on
// after a restart of the charge point, of the shard or of the service.

import { callOf, changeConfiguration, getConfiguration, type OcppCall } from '../../ocpp16/index.js'
import type { ChargePointState } from '../../records/charge-point-state.js'
import {
  type ApplicationReason,
  type ConfigurationApplication,
  type ConfigurationStanding,
  type ConfigurationStep,
  configurationApplicationsTable,
  isTaken,
  type ReportedConfiguration,
  reportedConfigurationsTable,
} from '../../records/configuration.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import type { Table } from '../../runtime/store/table.js'
import { applicationOf, checkAfterBoot, driftCheckReason, keysToCheck, lookAtDrift } from './configuration-drift.js'
import type {
  ApplyConfigurationMessage,
  ApplyConfigurationReply,
  ConfigurationMessage,
  OwnCallMessage,
  StopConfigurationMessage,
  StopConfigurationReply,
} from './configuration-messages.js'
import { reportedOf } from './configuration-reads.js'
import {
  afterCall,
  afterLoss,
  afterRead,
  afterReboot,
  afterTakeover,
  begunAgain,
  closed,
  isFurther,
  keysToRead,
  type Learned,
  learnedOfReboot,
  nextRead,
  nextStep,
  type Progress,
  withoutAvoided,
} from './configuration-steps.js'
import { limits } from './limits.js'
import { chargePointAddress } from './messages.js'
import { ownCall } from './own-call.js'
import { keepRow, registeredFor, type State } from './state.js'

const none: readonly Effect[] = []
export const applicationReason = 'configuration'
const timerKey = 'configuration'
/** A charge point that has just connected may be about to boot. */
const connectedMs = 10_000
/** One that has just booted sends its statuses, and what it could not send before. */
const bootedMs = 2_000
/** Until there is room in the queue of calls. */
const retryMs = 5_000
/** One that boots later than this was switched off, whatever it did before. */
const restartsWithinMs = 900_000

export function handleConfiguration(
  state: State,
  message: ConfigurationMessage | OwnCallMessage,
  context: Context,
): readonly Effect[] {
  switch (message.type) {
    case 'apply-configuration':
      return begin(state, message, context)
    case 'stop-configuration':
      return stop(state, message, context)
    case 'configuration-due':
      return goOn(state, context)
    case 'call-ended':
      return callEnded(state, message, context)
    case 'late-answer':
      return none
  }
}

function begin(state: State, message: ApplyConfigurationMessage, context: Context): readonly Effect[] {
  const answer = (reply: ApplyConfigurationReply): Effect[] =>
    context.replyTo === undefined ? [] : [effect.reply(context.replyTo, reply)]
  if (state.registration === undefined || state.row.organization_id !== message.organizationId)
    return answer({ type: 'unknown' })
  const before = applicationOf(state, context)
  if (before?.application_id === message.applicationId) return answer({ type: 'begun', application: before })
  if (runningOf(state, context) !== undefined) return answer({ type: 'running' })
  const now = new Date(context.now()).toISOString()
  const begun: ConfigurationApplication = {
    charge_point_id: context.id,
    organization_id: message.organizationId,
    application_id: message.applicationId,
    status: 'running',
    ...(message.templateId !== undefined && { template_id: message.templateId }),
    begun_by: message.begunBy,
    begun_at: now,
    progress_at: now,
    to_read: keysToRead(message.keys),
    keys: message.keys,
    reboots: 0,
    unanswered: 0,
  }
  const application = withoutAvoided(begun, reportedOf(state, context))
  // A look for drift that is under way looks at what was applied before.
  state.configuring = undefined
  return [
    ...answer({ type: 'begun', application }),
    keepRow(state, { configuration: { state: 'applying' } }),
    wakeAfter(chargePointAddress(context.id), applicationReason, limits.applicationWaitsMs, context),
    ...save(state, { application }, context),
  ]
}

function stop(
  state: State,
  { organizationId, applicationId }: StopConfigurationMessage,
  context: Context,
): readonly Effect[] {
  const answer = (reply: StopConfigurationReply): Effect[] =>
    context.replyTo === undefined ? [] : [effect.reply(context.replyTo, reply)]
  if (state.registration === undefined || state.row.organization_id !== organizationId)
    return answer({ type: 'unknown' })
  const running = runningOf(state, context)
  if (running === undefined || (applicationId ?? running.application_id) !== running.application_id)
    return answer({ type: 'not-running' })
  const { application, effects } = end(state, { ...running, status: 'stopped', reason: 'stopped_by_request' }, context)
  return [...answer({ type: 'stopped', application }), ...effects]
}

function runningOf(state: State, context: Context): ConfigurationApplication | undefined {
  if (state.row.configuration?.state !== 'applying') return undefined
  const application = applicationOf(state, context)
  return application?.status === 'running' ? application : undefined
}

/** Stores how far it has come, and makes the next call. */
function save(
  state: State,
  { application, learned }: Progress,
  context: Context,
  reported = reportedOf(state, context),
): readonly Effect[] {
  const known = learned === undefined ? reported : { ...reported, ...learned }
  const noted = learned === undefined ? none : [effect.put(reportedConfigurationsTable, known)]
  if (application.status !== 'running' || nextStep(application, known) === undefined)
    return [...noted, ...end(state, application, context, known).effects]
  const before = applicationOf(state, context)
  const hasStopped = before !== undefined && !isFurther(application, before)
  const progress = hasStopped ? application : { ...application, progress_at: new Date(context.now()).toISOString() }
  return [
    ...noted,
    effect.put(configurationApplicationsTable, progress),
    ...callNext(state, nextStep(progress, known), context),
  ]
}

/** Whether it may be sent a call: while Pending, its configuration may be read and changed (OCPP 1.6, 4.2). */
function isReady(state: State): boolean {
  return state.connection !== undefined && registeredFor(state, 'Pending')
}

/** Sends the call of a step, where the charge point may be sent one. */
function callNext(state: State, step: ConfigurationStep | undefined, context: Context): readonly Effect[] {
  if (step === undefined || !isReady(state) || state.configuring?.call !== undefined) return none
  const id = context.newId('call')
  state.configuring = { ...state.configuring, call: { id, step } }
  return ownCall(state, callOfStep(step), context, id, chargePointAddress(context.id))
}

function callOfStep(step: ConfigurationStep): OcppCall {
  if (step.type === 'change') return callOf(changeConfiguration, { key: step.key, value: step.value })
  return callOf(getConfiguration, { key: step.type === 'read' ? [...step.keys] : [step.key] })
}

function callEnded(
  state: State,
  { commandId, outcome }: Extract<OwnCallMessage, { type: 'call-ended' }>,
  context: Context,
): readonly Effect[] {
  const { call, checking } = state.configuring ?? {}
  // That of a connection which is over: `noteConfigurationLost` has seen to it.
  if (call?.id !== commandId) return none
  state.configuring = checking === undefined ? undefined : { checking }
  const isEnd = outcome.type === 'answered' || outcome.type === 'call-error' || outcome.type === 'timeout'
  // It was never sent, because others have filled the queue.
  if (!isEnd) return state.connection === undefined ? none : [due(retryMs, context)]
  const reported = reportedOf(state, context)
  if (checking !== undefined) {
    if (outcome.type === 'timeout' || call.step.type !== 'read') return checked(state, context)
    const { left, learned } = afterRead(checking, call.step.keys, outcome)
    return check(state, left, reported, learned, context)
  }
  const application = runningOf(state, context)
  return application === undefined
    ? none
    : save(state, afterCall(application, call.step, outcome, reported), context, reported)
}

function due(afterMs: number, context: Context): Effect {
  return effect.schedule(timerKey, context.monotonic() + afterMs, { type: 'configuration-due' })
}

/** Where it was left, if nothing is under way. */
function goOn(state: State, context: Context): readonly Effect[] {
  if (state.connection === undefined || state.configuring?.call !== undefined) return none
  const checking = state.configuring?.checking
  if (checking !== undefined) return check(state, checking, reportedOf(state, context), undefined, context)
  const application = runningOf(state, context)
  if (application === undefined) return none
  const { change, step } = takeLoss(state)
  const reported = reportedOf(state, context)
  const isCutOff = step === undefined && state.mayHaveSentChange
  state.mayHaveSentChange = false
  const lost = isCutOff ? afterTakeover(application, reported) : application
  return [
    ...change,
    ...save(state, { application: step === undefined ? lost : afterLoss(application, step) }, context, reported),
  ]
}

/** What the connection was lost over, which is forgotten with it. */
function takeLoss(state: State): { readonly change: readonly Effect[]; readonly step: ConfigurationStep | undefined } {
  const { configuration } = state.row
  if (configuration?.lost_over === undefined) return { change: none, step: undefined }
  const { lost_over, ...standing } = configuration
  return { change: [keepRow(state, { configuration: standing })], step: lost_over.step }
}

/** The end of an application, with what is stored of it. */
function end(
  state: State,
  last: ConfigurationApplication,
  context: Context,
  reported: ReportedConfiguration = reportedOf(state, context),
): { readonly application: ConfigurationApplication; readonly effects: readonly Effect[] } {
  const application = closed(last, new Date(context.now()).toISOString())
  state.configuring = undefined
  return {
    application,
    effects: [
      effect.put(configurationApplicationsTable, application),
      setStanding(state, application.keys.some(isTaken) ? { state: 'applied' } : undefined),
      wakeNoMore(chargePointAddress(context.id), applicationReason),
      effect.cancel(timerKey),
      ...lookAtDrift(state, reported, context, application),
    ],
  }
}

function setStanding(state: State, standing: ConfigurationStanding | undefined): Effect {
  const { configuration: _, ...row } = state.row
  state.row = row
  return keepRow(state, standing === undefined ? {} : { configuration: standing })
}

interface ConfigurationLost {
  /** The part of the row that changes with the end of the socket. */
  readonly change: Pick<Partial<ChargePointState>, 'configuration'>
  readonly effects: readonly Effect[]
}

/** A socket is over. A look for drift that it was lost over is not repeated before the next boot: perhaps it was to blame. */
export function noteConfigurationLost(state: State, context: Context): ConfigurationLost {
  const { call, checking } = state.configuring ?? {}
  const effects = checking === undefined ? none : checked(state, context)
  state.configuring = undefined
  const { configuration } = state.row
  if (call === undefined || configuration === undefined) return { change: {}, effects }
  return { change: { configuration: { ...configuration, lost_over: { step: call.step, at: context.now() } } }, effects }
}

/** A charge point that connects goes on with its application, unless it boots first: then once it has. */
export function resumeConfiguration({ row }: State, context: Context): readonly Effect[] {
  return row.configuration?.state === 'applying' ? [due(connectedMs, context)] : none
}

interface Booted {
  /** Other hardware has taken its place: it has none of what was reported, and none of what was applied. */
  readonly isOtherHardware: boolean
  /** Or the same one with another firmware, which may be read in other ways. */
  readonly isOtherModel: boolean
}

/** Its BootNotification was answered. */
export function configurationBooted(state: State, booted: Booted, context: Context): readonly Effect[] {
  const { configuration } = state.row
  // Nearly all starts cost no read.
  if (configuration === undefined && !booted.isOtherModel && !booted.isOtherHardware) return none
  const { change, step } = takeLoss(state)
  const before = reportedOf(state, context)
  const reported = reportedAfterBoot(before, booted)
  const noted = reported === before ? none : [effect.put(reportedConfigurationsTable, reported)]
  if (configuration === undefined || !registeredFor(state, 'Pending')) return [...change, ...noted]
  const over = configuration.lost_over
  const isRestart =
    over !== undefined && Math.abs(context.now() - over.at) < restartsWithinMs && !booted.isOtherHardware
  if (configuration.state === 'applied') {
    const learned = isRestart && step?.type === 'read' ? learnedOfReboot(step.keys, reported) : undefined
    return [...change, ...noted, ...learn(reported, learned), checkAfterBoot(context)]
  }
  const application = runningOf(state, context)
  const goesOn = [...change, ...noted, due(bootedMs, context)]
  if (application === undefined) return goesOn
  if (booted.isOtherHardware) return [...goesOn, effect.put(configurationApplicationsTable, begunAgain(application))]
  if (step === undefined) return goesOn
  const lost = afterLoss(application, step)
  const { application: next, learned } = isRestart ? afterReboot(lost, step, reported) : { application: lost }
  if (next.status !== 'running') return [...change, ...noted, ...end(state, next, context).effects]
  return [...goesOn, ...learn(reported, learned), effect.put(configurationApplicationsTable, next)]
}

function reportedAfterBoot(reported: ReportedConfiguration, booted: Booted): ReportedConfiguration {
  const { charge_point_id, organization_id, read_at, keys_per_read, avoided, whole_too_big, ...values } = reported
  if (booted.isOtherHardware && read_at !== undefined)
    return { charge_point_id, organization_id, keys: {}, unknown: [] }
  const hasLearned = keys_per_read !== undefined || avoided !== undefined || whole_too_big !== undefined
  if (!booted.isOtherModel || !hasLearned) return reported
  return { ...values, charge_point_id, organization_id, ...(read_at !== undefined && { read_at }) }
}

function learn(reported: ReportedConfiguration, learned: Learned | undefined): readonly Effect[] {
  return learned === undefined ? none : [effect.put(reportedConfigurationsTable, { ...reported, ...learned })]
}

/** The wake-up of an application: it has failed when nothing has come of it for too long. */
export function applicationOverdue(state: State, context: Context): readonly Effect[] {
  const address = chargePointAddress(context.id)
  const application = runningOf(state, context)
  if (application === undefined) return [wakeNoMore(address, applicationReason)]
  const waitsMs = Date.parse(application.progress_at) + limits.applicationWaitsMs - context.confirmed()
  if (waitsMs > 0) return [wakeAfter(address, applicationReason, Math.min(waitsMs, limits.applicationWaitsMs), context)]
  const reason: ApplicationReason = 'offline'
  return end(state, { ...application, status: 'failed', reason }, context).effects
}

/** The wake-up after a boot: reads the keys that were applied. */
export function driftCheckDue(state: State, context: Context): readonly Effect[] {
  if (state.configuring !== undefined) return none
  const application = state.row.configuration?.state === 'applied' ? applicationOf(state, context) : undefined
  // One that is away is looked at when it has started anew.
  if (application === undefined || !isReady(state)) return checked(state, context)
  const reported = reportedOf(state, context)
  return check(state, keysToCheck(application, reported), reported, undefined, context)
}

function check(
  state: State,
  checking: readonly string[],
  reported: ReportedConfiguration,
  learned: Learned | undefined,
  context: Context,
): readonly Effect[] {
  const known = { ...reported, ...learned }
  const noted = learn(reported, learned)
  if (checking.length === 0 || !isReady(state)) return [...noted, ...checked(state, context)]
  state.configuring = { checking }
  return [...noted, ...callNext(state, { type: 'read', keys: nextRead(checking, known) }, context)]
}

function checked(state: State, context: Context): readonly Effect[] {
  state.configuring = undefined
  return [wakeNoMore(chargePointAddress(context.id), driftCheckReason)]
}

/** An organization has claimed the charge point from its installer: what was asked for before is not what it has asked for. */
export function handOverConfiguration(state: State, context: Context): readonly Effect[] {
  const running = runningOf(state, context)
  return running === undefined
    ? none
    : end(state, { ...running, status: 'stopped', reason: 'handed_over' }, context).effects
}

/** The registration is gone, also where there is another since: what the charge point was and had is nobody's any more. */
export function endConfiguration(state: State, context: Context): readonly Effect[] {
  const { configuration: _, ...row } = state.row
  state.row = row
  state.configuring = undefined
  const view = context.read()
  return [reportedConfigurationsTable, configurationApplicationsTable].flatMap((table) =>
    view.get(table as Table<never>, [context.id]) === undefined
      ? none
      : [effect.remove(table as Table<never>, [context.id])],
  )
}
