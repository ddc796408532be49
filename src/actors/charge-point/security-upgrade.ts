// Takes the charge point to a higher security profile (security whitepaper, A05), step by step: what is about to be sent is on disk before it
// is sent, so that it goes on after the end of the shard or of the process. The old way stays open until the charge point has come in the new
// one; if it never does, the upgrade has failed at its deadline, and nobody has lost a charge point by it.

import { securityProfileNotReached } from '../../alert-kinds/security-profile-not-reached.js'
import { finding, noticeAtMostHourly } from '../../alerts/alert.js'
import { emit } from '../../events/define-event.js'
import { upgradeCompleted, upgradeFailed, upgradeStarted } from '../../events/security-profile.js'
import { areAllRevoked } from '../../records/certificate.js'
import {
  currentUpgradeStep,
  type SecurityProfile,
  type SecurityUpgrade,
  securityUpgradesTable,
  type UpgradeCall,
  type UpgradeReason,
  type UpgradeStep,
} from '../../records/security-upgrade.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import type { CallOutcome } from '../messages/command.js'
import type { OwnCallMessage } from './configuration-messages.js'
import { limits } from './limits.js'
import { chargePointAddress, type SocketDetails } from './messages.js'
import { ownCall } from './own-call.js'
import { changedRegistration, pushKey, takeKeyBack } from './security-upgrade-key.js'
import type { BeginUpgradeMessage, BeginUpgradeReply, SecurityUpgradeMessage } from './security-upgrade-messages.js'
import {
  afterUpgradeCall,
  begunStep,
  endedStep,
  type NextOfStep,
  nextOfStep,
  ocppCall,
  type Present,
  plannedSteps,
  withUpgradeStep,
} from './security-upgrade-steps.js'
import { keepRow, registeredFor, type State, type UpgradeCallUnderWay } from './state.js'

const none: readonly Effect[] = []
export const upgradeReason = 'security-upgrade'
const timerKey = 'security-upgrade'
/** A charge point that has just connected may be about to boot. */
const connectedMs = 10_000
/** One that has just booted sends its statuses, and what it could not send before. */
const bootedMs = 1_000
/** Until there is room in the queue of calls, or it answers again. */
const retryMs = 5_000
/** After this, nothing is heard of a call any more: the actor may have lost it with its state. */
const answeredWithinMs = 60_000
const untilItIsBack: NextOfStep = { type: 'wait', ms: Number.POSITIVE_INFINITY }

export function handleUpgrade(state: State, message: SecurityUpgradeMessage, context: Context): readonly Effect[] {
  return message.type === 'begin-security-upgrade' ? begin(state, message, context) : upgradeDue(state, context)
}

function begin(state: State, message: BeginUpgradeMessage, context: Context): readonly Effect[] {
  const answer = (reply: BeginUpgradeReply): Effect[] =>
    context.replyTo === undefined ? [] : [effect.reply(context.replyTo, reply)]
  const { row, registration, connection } = state
  if (registration === undefined || row.organization_id !== message.organizationId) return answer({ type: 'unknown' })
  const before = context.read().get(securityUpgradesTable, [context.id])
  if (before?.upgrade_id === message.upgradeId) return answer({ type: 'begun', upgrade: before })
  if (runningOf(state, context) !== undefined) return answer({ type: 'running' })
  if (connection === undefined) return answer({ type: 'offline' })
  const from = profileOf(state, context)
  if (from >= message.to) return answer({ type: 'reached', securityProfile: from })
  const now = context.now()
  const { authority, to } = message
  const upgrade: SecurityUpgrade = {
    charge_point_id: context.id,
    organization_id: row.organization_id,
    upgrade_id: message.upgradeId,
    status: 'running',
    from,
    to,
    begun_by: message.begunBy,
    begun_at: iso(now),
    until: iso(now + limits.securityUpgradeMs),
    ...('pem' in authority && { authority_pem: authority.pem }),
    steps: plannedSteps({ from, to, ...('none' in authority && { noAuthority: authority.none }) }),
  }
  return [
    ...answer({ type: 'begun', upgrade }),
    keepRow(state, { is_upgrading: true }),
    emit(upgradeStarted, about(upgrade), eventData(upgrade)),
    ...advance(state, { stored: undefined, upgrade }, context),
  ]
}

function runningOf(state: State, context: Context): SecurityUpgrade | undefined {
  if (state.row.is_upgrading !== true) return undefined
  const upgrade = context.read().get(securityUpgradesTable, [context.id])
  return upgrade?.status === 'running' && upgrade.organization_id === state.row.organization_id ? upgrade : undefined
}

/** Of the live connection, or of the last one. */
function profileOf({ connection, details, row }: State, { connection: live }: Context): SecurityProfile {
  const shown = live?.connection === connection ? (live?.details as SocketDetails | undefined) : details
  return shown?.securityProfile ?? row.security_profile ?? 0
}

function presentOf(state: State, context: Context): Present {
  return {
    now: context.now(),
    securityProfile: profileOf(state, context),
    epoch: state.epoch,
    isCharging: state.open.length > 0,
  }
}

/** Where it was left, if nothing is under way; or its time is over. */
export function upgradeDue(state: State, context: Context): readonly Effect[] {
  const upgrade = runningOf(state, context)
  if (upgrade === undefined) return [wakeNoMore(chargePointAddress(context.id), upgradeReason)]
  return advance(state, { stored: upgrade, upgrade }, context)
}

interface Progress {
  /** As it is on disk. */
  readonly stored: SecurityUpgrade | undefined
  readonly upgrade: SecurityUpgrade
}

/** Takes what is due of it, until it has to wait. */
function advance(state: State, { stored, upgrade: before }: Progress, context: Context): readonly Effect[] {
  const now = context.now()
  let upgrade = before
  for (;;) {
    if (state.upgradeCall !== undefined) return save({ stored, upgrade }, answeredWithinMs, context)
    const step = begunStep(upgrade, now)
    if (step === undefined) return end(state, upgrade, 'completed', context)
    const settled = withoutLostCall(step)
    if (hasLostCertificates(state, upgrade, context)) return failedWithoutCertificate(state, upgrade, step, context)
    // It is asked when it is back.
    const isThere = state.connection !== undefined && registeredFor(state, 'Pending')
    const next: NextOfStep = isThere ? nextOfStep(upgrade, settled, presentOf(state, context)) : untilItIsBack
    if (next.type !== 'passed' && now >= Date.parse(upgrade.until)) {
      const detail = settled.detail ?? 'The time was over.'
      return failed(state, upgrade, { ...settled, detail }, 'deadline', context)
    }
    switch (next.type) {
      case 'passed': {
        // What it was waiting for is over.
        const { detail: _, ...left } = settled
        upgrade = withUpgradeStep(upgrade, endedStep(left, 'passed', now))
        continue
      }
      case 'failed':
        return failed(state, upgrade, { ...settled, detail: next.detail }, next.reason, context)
      case 'wait':
        upgrade = withUpgradeStep(upgrade, explained(settled, next))
        return save({ stored, upgrade }, next.ms, context)
      case 'call':
        return send(state, upgrade, explained(settled, next), next.call, context)
    }
  }
}

/** It has got its certificate for profile 3, and all of its certificates were revoked since. */
function hasLostCertificates({ registration }: State, { steps }: SecurityUpgrade, context: Context): boolean {
  const isGiven = steps.some(({ name, status }) => name === 'client_certificate' && status === 'passed')
  return isGiven && registration !== undefined && areAllRevoked(context.read(), registration, context.now())
}

function explained(step: UpgradeStep, { detail = step.detail }: { readonly detail?: string }): UpgradeStep {
  return detail === undefined || detail === step.detail ? step : { ...step, detail }
}

/**
 * What was sent is not under way any more: its answer was lost with the shard or with the service, which counts as no attempt of the charge
 * point. A restart counts all the same, and one attempt at the profile, since the connection it was told over is noted at the first.
 */
function withoutLostCall(step: UpgradeStep): UpgradeStep {
  const { sent, ...left } = step
  if (sent === undefined) return step
  if (sent.call === 'reset') return left
  if (sent.call === 'read-profile') return { ...left, is_unknown: true }
  const least = sent.call === 'change-profile' ? 1 : 0
  return { ...left, attempts: Math.max(least, step.attempts - 1), is_unknown: true }
}

function send(
  state: State,
  upgrade: SecurityUpgrade,
  step: UpgradeStep,
  call: UpgradeCall,
  context: Context,
): readonly Effect[] {
  const now = context.now()
  const isChange = call !== 'read-profile'
  const sentStep: UpgradeStep = {
    ...step,
    attempts: step.attempts + (isChange ? 1 : 0),
    sent: { call, at: now },
  }
  let next = withUpgradeStep(upgrade, sentStep)
  let key = ''
  const effects: Effect[] = []
  if (call === 'change-key') {
    const pushed = pushKey(state, upgrade, context)
    if (pushed === undefined) {
      const detail = 'Too many passwords wait for the charge point to connect with one of them.'
      return failed(state, upgrade, { ...step, detail }, 'too_many_keys', context)
    }
    key = pushed.key
    next = { ...next, pushed: pushed.pushed }
    effects.push(...pushed.effects)
  }
  // Only the first time: it may have followed, and come back, although the answer was lost.
  if (call === 'change-profile' && step.attempts === 0) next = { ...next, told_over: state.epoch }
  const id = context.newId('call')
  state.upgradeCall = { id, call, epoch: state.epoch }
  const asked = ocppCall(next, sentStep, call, key)
  return [
    ...effects,
    ...save({ stored: undefined, upgrade: next }, answeredWithinMs, context),
    ...ownCall(state, asked, context, id, chargePointAddress(context.id)),
  ]
}

/** A call of the actor's own has ended; undefined where it was not of an upgrade. */
export function upgradeCallEnded(
  state: State,
  message: OwnCallMessage,
  context: Context,
): readonly Effect[] | undefined {
  if (message.type !== 'call-ended' || state.upgradeCall?.id !== message.commandId) return undefined
  const { upgradeCall } = state
  state.upgradeCall = undefined
  const upgrade = runningOf(state, context)
  const step = upgrade && currentUpgradeStep(upgrade)
  if (upgrade === undefined || step === undefined) return none
  // Its certificate may have come before the answer to the question for it.
  if (step.sent?.call !== upgradeCall.call) return advance(state, { stored: upgrade, upgrade }, context)
  return afterCall(state, upgrade, step, upgradeCall, message.outcome, context)
}

function afterCall(
  state: State,
  upgrade: SecurityUpgrade,
  step: UpgradeStep,
  { call, epoch }: UpgradeCallUnderWay,
  outcome: CallOutcome,
  context: Context,
): readonly Effect[] {
  const present = presentOf(state, context)
  // Not that of now: it may be back already.
  const after = afterUpgradeCall(step, call, outcome, { ...present, epoch })
  switch (after.type) {
    case 'goes-on': {
      const wasUnsent = outcome.type !== 'answered' && after.step.is_unknown !== true
      const taken = wasUnsent && call === 'change-key' ? takeKeyBack(state, upgrade, context) : none
      const next = withUpgradeStep(upgrade, after.step)
      const isAnswered = outcome.type === 'answered' || outcome.type === 'call-error'
      const progress = { stored: upgrade, upgrade: next }
      if (isAnswered) return [...taken, ...advance(state, progress, context)]
      return [...taken, ...save(progress, retryMs, context)]
    }
    case 'refused': {
      const taken = call === 'change-key' ? takeKeyBack(state, upgrade, context) : none
      return [...taken, ...failed(state, upgrade, { ...step, detail: after.detail ?? '' }, 'refused', context)]
    }
    case 'passed':
    case 'skipped': {
      const ended = endedStep(step, after.type, present.now, after.detail)
      return advance(state, { stored: upgrade, upgrade: withUpgradeStep(upgrade, ended) }, context)
    }
  }
}

/** Whether the charge point has installed the certificate that it was sent, by itself or because it was asked to request one. */
export function upgradeCertificateAnswered(
  state: State,
  whyNot: string | undefined,
  context: Context,
): readonly Effect[] {
  const upgrade = runningOf(state, context)
  const step = upgrade && currentUpgradeStep(upgrade)
  if (upgrade === undefined || step?.name !== 'client_certificate' || step.status !== 'running') return none
  const installed = withUpgradeStep(upgrade, endedStep(step, 'passed', context.now()))
  if (whyNot === undefined) return advance(state, { stored: upgrade, upgrade: installed }, context)
  return failed(state, upgrade, { ...step, detail: `It was sent its certificate: ${whyNot}.` }, 'refused', context)
}

/** A charge point that connects goes on, unless it boots first: then once it has. */
export function resumeUpgrade(state: State, context: Context): readonly Effect[] {
  return state.row.is_upgrading === true ? [due(connectedMs, context)] : none
}

export function upgradeBooted(state: State, context: Context): readonly Effect[] {
  return state.row.is_upgrading === true ? [due(bootedMs, context)] : none
}

/** Certificates may have been revoked: it cannot come with one then, however long it is waited for. */
export function upgradeRegistrationChanged(state: State, context: Context): readonly Effect[] {
  const upgrade = runningOf(state, context)
  const step = upgrade && currentUpgradeStep(upgrade)
  if (upgrade === undefined || step === undefined || !hasLostCertificates(state, upgrade, context)) return none
  return failedWithoutCertificate(state, upgrade, step, context)
}

function failedWithoutCertificate(
  state: State,
  upgrade: SecurityUpgrade,
  step: UpgradeStep,
  context: Context,
): readonly Effect[] {
  const detail = 'All certificates of the charge point were revoked before it came with one.'
  return failed(state, upgrade, { ...step, detail }, 'certificates_revoked', context)
}

function due(afterMs: number, context: Context): Effect {
  return effect.schedule(timerKey, context.monotonic() + afterMs, { type: 'security-upgrade-due' })
}

/** The registration is gone, also where there is another since. */
export function endUpgrade(state: State, context: Context): readonly Effect[] {
  const { is_upgrading: _, ...row } = state.row
  state.row = row
  state.upgradeCall = undefined
  const isStored = context.read().get(securityUpgradesTable, [context.id]) !== undefined
  return isStored ? [effect.remove(securityUpgradesTable, [context.id]), effect.cancel(timerKey)] : none
}

/** `afterMs`: when it is looked at again, if nothing happens before. */
function save({ stored, upgrade }: Progress, afterMs: number, context: Context): readonly Effect[] {
  const wakeAfterMs = Math.min(afterMs, Date.parse(upgrade.until) - context.now())
  return [
    ...(stored === upgrade ? none : [effect.put(securityUpgradesTable, upgrade)]),
    wakeAfter(chargePointAddress(context.id), upgradeReason, wakeAfterMs, context),
    ...(afterMs <= retryMs ? [due(afterMs, context)] : none),
  ]
}

function failed(
  state: State,
  upgrade: SecurityUpgrade,
  step: UpgradeStep,
  reason: UpgradeReason,
  context: Context,
): readonly Effect[] {
  const ended = endedStep(step, 'failed', context.now(), step.detail)
  return end(state, { ...withUpgradeStep(upgrade, ended), reason }, 'failed', context)
}

function end(state: State, last: SecurityUpgrade, status: 'completed' | 'failed', context: Context): readonly Effect[] {
  const { authority_pem: _, pushed: __, ...left } = last
  const upgrade: SecurityUpgrade = { ...left, status, ended_at: iso(context.now()) }
  const { is_upgrading: ___, ...row } = state.row
  state.row = row
  state.upgradeCall = undefined
  const over = [
    effect.put(securityUpgradesTable, upgrade),
    keepRow(state, {}),
    wakeNoMore(chargePointAddress(context.id), upgradeReason),
    effect.cancel(timerKey),
  ]
  const event = status === 'completed' ? upgradeCompleted : upgradeFailed
  over.push(emit(event, about(upgrade), eventData(upgrade)))
  if (status === 'completed') return [...over, ...closeOldWay(state, upgrade, context)]
  const step = upgrade.steps.find((one) => one.status === 'failed')
  const subject = { organizationId: upgrade.organization_id, subject: context.id, chargePointId: context.id }
  const found = finding(securityProfileNotReached, subject, upgrade.to, step?.name ?? '', step?.detail ?? '')
  return [...over, ...noticeAtMostHourly(found, context)]
}

/** With a certificate, it is not let in without one again (A05.FR.09), whatever was allowed before. */
function closeOldWay(state: State, { to }: SecurityUpgrade, context: Context): readonly Effect[] {
  const { registration } = state
  if (to !== 3 || registration?.certificate_required !== false) return none
  return changedRegistration(state, { certificate_required: undefined }, context)
}

function about({ organization_id, charge_point_id }: SecurityUpgrade) {
  return { organizationId: organization_id, subject: charge_point_id }
}

function eventData(upgrade: SecurityUpgrade) {
  const { charge_point_id, upgrade_id, from, to, status, reason, begun_at, ended_at, steps } = upgrade
  const step = steps.find((one) => one.status === 'failed')
  return {
    charge_point_id,
    upgrade_id,
    from_security_profile: from,
    security_profile: to,
    status,
    step: step?.name ?? null,
    reason: reason ?? null,
    started_at: begun_at,
    completed_at: ended_at ?? null,
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
