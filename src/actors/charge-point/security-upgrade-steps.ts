// The steps to a higher security profile, as functions of what is stored of them: which there are, what is sent next, and what an answer
// means. Nothing here reads a clock or sends anything.

import {
  callOf,
  changeConfiguration,
  extendedTriggerMessage,
  getConfiguration,
  installCertificate,
  type OcppCall,
  reset,
} from '../../ocpp16/index.js'
import {
  currentUpgradeStep,
  type HigherProfile,
  type SecurityProfile,
  type SecurityUpgrade,
  type UpgradeCall,
  type UpgradeReason,
  type UpgradeStep,
  type UpgradeStepName,
} from '../../records/security-upgrade.js'
import type { CallOutcome } from '../messages/command.js'
import { readAnswer } from './configuration-steps.js'
import { limits } from './limits.js'

const profileKey = 'SecurityProfile'
const detailCharacters = 100

export interface PlanOptions {
  readonly from: SecurityProfile
  readonly to: HigherProfile
  /** Why the charge point is sent no certificate of an authority, where it is not. */
  readonly noAuthority?: string
}

/** A certificate is signed for a charge point that has shown its password over TLS, so that the way to 3 leads by 2. */
export function plannedSteps({ from, to, noAuthority }: PlanOptions): readonly UpgradeStep[] {
  const legs: readonly HigherProfile[] = to === 3 && from < 2 ? [2, 3] : [to]
  return legs.flatMap((security_profile, at) => {
    const step = (name: UpgradeStepName): UpgradeStep => ({ name, security_profile, status: 'pending', attempts: 0 })
    const install = step('authority_certificate')
    return [
      ...(security_profile < 3 ? [step('authorization_key')] : []),
      ...(security_profile > 1 && at === 0
        ? [noAuthority === undefined ? install : skipped(install, noAuthority)]
        : []),
      ...(security_profile === 3 ? [step('client_certificate')] : []),
      step('security_profile'),
      step('reconnection'),
    ]
  })
}

function skipped(step: UpgradeStep, detail: string): UpgradeStep {
  return { ...step, status: 'skipped', detail }
}

/** What the charge point is like while a step is looked at. */
export interface Present {
  /** Wall ms. */
  readonly now: number
  /** Of its connection. */
  readonly securityProfile: SecurityProfile
  readonly epoch: number
  /** A restart would end what it does for a driver. */
  readonly isCharging: boolean
}

export type NextOfStep =
  | { readonly type: 'call'; readonly call: UpgradeCall; readonly detail?: string }
  | { readonly type: 'wait'; readonly ms: number; readonly detail?: string }
  | { readonly type: 'passed' }
  | { readonly type: 'failed'; readonly reason: UpgradeReason; readonly detail: string }

/** What is next where nothing is under way. */
export function nextOfStep(upgrade: SecurityUpgrade, step: UpgradeStep, present: Present): NextOfStep {
  if (step.name === 'reconnection') return nextOfReconnection(upgrade, step, present)
  // One that has connected anew has forgotten the question.
  if (step.name === 'client_certificate' && step.asked?.epoch === present.epoch) {
    const left = step.asked.at + limits.requestedCertificateWithinMs - present.now
    if (left > 0 && left <= limits.requestedCertificateWithinMs) return { type: 'wait', ms: left }
  }
  if (step.is_unknown === true && step.name === 'security_profile') return { type: 'call', call: 'read-profile' }
  if (step.attempts < limits.upgradeAttempts) return { type: 'call', call: callsOfSteps[step.name] }
  if (step.name === 'client_certificate')
    return {
      type: 'failed',
      reason: 'no_certificate',
      detail: 'It has not come to have a certificate: see the alerts.',
    }
  return { type: 'failed', reason: 'no_answer', detail: `It has not answered ${step.attempts} times.` }
}

const callsOfSteps: Readonly<Record<Exclude<UpgradeStepName, 'reconnection'>, UpgradeCall>> = {
  authorization_key: 'change-key',
  authority_certificate: 'install',
  client_certificate: 'ask-to-sign',
  security_profile: 'change-profile',
}

/** It comes back by itself (A05.FR.05), or is restarted; one that has come back in the old way may still come in the new. */
function nextOfReconnection(upgrade: SecurityUpgrade, step: UpgradeStep, present: Present): NextOfStep {
  const isBack = present.epoch > (upgrade.told_over ?? Number.POSITIVE_INFINITY)
  if (isBack && present.securityProfile >= step.security_profile) return { type: 'passed' }
  const began = Date.parse(step.started_at ?? '')
  const { attempts } = step
  // The first restart waits for the charge point to come by itself, each one after it for longer.
  const wanted =
    began + (isBack || attempts > 0 ? Math.max(attempts, 1) * limits.restartAgainMs : restartAfterMs(upgrade, step))
  const left = Math.min(wanted - present.now, limits.restartAgainMs * limits.upgradeAttempts)
  const detail = isBack ? `It has come back with security profile ${present.securityProfile}.` : undefined
  const shown = detail === undefined ? {} : { detail }
  if (attempts >= limits.upgradeAttempts) return { type: 'wait', ms: Number.POSITIVE_INFINITY, ...shown }
  if (left > 0) return { type: 'wait', ms: left, ...shown }
  if (present.isCharging)
    return { type: 'wait', ms: limits.chargingWaitMs, detail: 'It is restarted when no session runs.' }
  return { type: 'call', call: 'reset', ...shown }
}

/** One that has said that it needs a restart gets it at once. */
function restartAfterMs({ steps }: SecurityUpgrade, { security_profile }: UpgradeStep): number {
  const told = steps.find((one) => one.name === 'security_profile' && one.security_profile === security_profile)
  return told?.detail === needsRestart ? 0 : limits.comesByItselfMs
}

const needsRestart = 'It has accepted this for after its next restart.'

/** The call itself; `key` in hex for a new password. */
export function ocppCall(upgrade: SecurityUpgrade, step: UpgradeStep, call: UpgradeCall, key: string): OcppCall {
  switch (call) {
    case 'change-key':
      return callOf(changeConfiguration, { key: 'AuthorizationKey', value: key })
    case 'install':
      return callOf(installCertificate, {
        certificateType: 'CentralSystemRootCertificate',
        certificate: upgrade.authority_pem ?? '',
      })
    case 'ask-to-sign':
      return callOf(extendedTriggerMessage, { requestedMessage: 'SignChargePointCertificate' })
    case 'change-profile':
      return callOf(changeConfiguration, { key: profileKey, value: String(step.security_profile) })
    case 'read-profile':
      return callOf(getConfiguration, { key: [profileKey] })
    case 'reset':
      return callOf(reset, { type: 'Soft' })
  }
}

export type StepEnd =
  | { readonly type: 'passed' | 'skipped' | 'refused'; readonly detail?: string }
  /** What it has become is known later, or is to be tried again. */
  | { readonly type: 'goes-on'; readonly step: UpgradeStep }

/** What became of a call, which the step that was sent it had noted. */
export function afterUpgradeCall(
  step: UpgradeStep,
  call: UpgradeCall,
  outcome: CallOutcome,
  present: Present,
): StepEnd {
  const { sent: _, is_unknown, ...left } = step
  const answered = outcome.type === 'answered' || outcome.type === 'call-error'
  if (!answered) {
    if (outcome.type === 'timeout' || outcome.type === 'connection-lost')
      return { type: 'goes-on', step: { ...left, is_unknown: true } }
    // It was sent nothing.
    const attempts = Math.max(0, step.attempts - 1)
    return { type: 'goes-on', step: { ...left, attempts, ...(is_unknown === true && { is_unknown }) } }
  }
  const status = statusOf(outcome)
  if (call === 'read-profile') return afterReading(left, outcome)
  if (call === 'reset') {
    const words = status === 'Accepted' ? 'It was restarted.' : `It was asked to restart, and answered ${status}.`
    return { type: 'goes-on', step: { ...left, detail: words } }
  }
  if (status === 'Accepted' && call === 'ask-to-sign')
    return { type: 'goes-on', step: { ...left, asked: { at: present.now, epoch: present.epoch } } }
  if (status === 'Accepted') return { type: 'passed' }
  if (status === 'RebootRequired' && (call === 'change-key' || call === 'change-profile'))
    return { type: 'passed', detail: needsRestart }
  const detail = `It answered ${status}.`
  // Some know passwords and certificates, and have no such key: whether it uses them is seen when it comes back.
  if (call === 'change-profile' && status === 'NotSupported')
    return { type: 'skipped', detail: `It has no ${profileKey} key.` }
  if (call === 'change-profile' && present.securityProfile >= step.security_profile)
    return { type: 'skipped', detail: `${detail} It connects in this way already.` }
  // The answer to the first one was lost, and some refuse a certificate that they have.
  if (call === 'install' && is_unknown === true) return { type: 'skipped', detail }
  return { type: 'refused', detail }
}

function afterReading(step: UpgradeStep, outcome: CallOutcome): StepEnd {
  const { configurationKey = [] } = outcome.type === 'answered' ? readAnswer(outcome.payload) : {}
  const found = configurationKey.find(({ key }) => key.toLowerCase() === profileKey.toLowerCase())?.value
  return Number(found) >= step.security_profile ? { type: 'passed' } : { type: 'goes-on', step }
}

function statusOf(outcome: Extract<CallOutcome, { type: 'answered' | 'call-error' }>): string {
  if (outcome.type === 'call-error') return `the error ${outcome.code}`.slice(0, detailCharacters)
  const { payload } = outcome
  const isStatus = typeof payload === 'object' && payload !== null && 'status' in payload
  return isStatus ? String(payload.status).slice(0, detailCharacters) : 'nothing that it may answer'
}

export function withUpgradeStep(upgrade: SecurityUpgrade, step: UpgradeStep): SecurityUpgrade {
  if (upgrade.steps.includes(step)) return upgrade
  const steps = upgrade.steps.map((one) =>
    one.name === step.name && one.security_profile === step.security_profile ? step : one,
  )
  return { ...upgrade, steps }
}

/** The step that it is at, begun. */
export function begunStep(upgrade: SecurityUpgrade, now: number): UpgradeStep | undefined {
  const step = currentUpgradeStep(upgrade)
  if (step === undefined || step.status === 'running') return step
  return { ...step, status: 'running', started_at: new Date(now).toISOString() }
}

export function endedStep(
  step: UpgradeStep,
  status: 'passed' | 'skipped' | 'failed',
  now: number,
  detail?: string,
): UpgradeStep {
  const { sent: _, asked: __, is_unknown: ___, ...left } = step
  return {
    ...left,
    status,
    ended_at: new Date(now).toISOString(),
    ...(detail !== undefined && { detail }),
  }
}
