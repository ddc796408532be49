// How far one charge point of a rollout is: what becomes of its row by what is known of it. Pure, and it may be done any number of times: what is
// decided follows from the row, from what is stored of the charge point, and from the time.

import type { FirmwareRollout, RolloutChargePoint, UpdateError, UpdateStep } from '../../records/firmware-rollout.js'
import { isEnded } from '../../records/firmware-rollout.js'
import type { CallOutcome } from '../messages/command.js'
import { adviceOn } from './advice.js'
import { limits } from './limits.js'

/** What is known of a charge point that is still the organization's. */
export interface Facts {
  readonly isOnline: boolean
  /** Whether its registration lets it be sent calls. */
  readonly isAccepted: boolean
  /** Wall ms; absent before its first. */
  readonly connectedAt?: number
  readonly bootedAt?: number
  readonly version?: string
  readonly serialNumber?: string
  readonly isCharging: boolean
}

export type Look =
  | { readonly type: 'row'; readonly row: RolloutChargePoint }
  /** It can be sent its update now. */
  | { readonly type: 'send'; readonly row: RolloutChargePoint }

const asIs = (row: RolloutChargePoint): Look => ({ type: 'row', row })

/** Facts are undefined for a charge point that is no longer the organization's as it was then. */
export function look(
  before: RolloutChargePoint,
  rollout: FirmwareRollout,
  facts: Facts | undefined,
  now: number,
): Look {
  if (isEnded(before)) return asIs(before)
  if (facts === undefined) return asIs(gone(before, now))
  const row = bootShown(sameHardware(before, facts, now), rollout, facts, now)
  if (isEnded(row)) return asIs(row)
  if (row.standing === 'updating') return asIs(updating(row, rollout, facts, now))
  if (row.standing === 'sending') return sending(row, facts, now)
  return unsent(row, rollout, facts, now)
}

function gone(row: RolloutChargePoint, now: number): RolloutChargePoint {
  const detail = `The charge point was deleted, or is no longer of the organization. ${adviceOn.charge_point_removed}`
  return ended(row, 'gone', now, { error: 'charge_point_removed', detail })
}

/**
 * Other hardware has taken the place of what was sent the update: it is sent it, too. Known by the serial number alone, since new firmware may
 * call the model otherwise.
 */
function sameHardware(row: RolloutChargePoint, { serialNumber }: Facts, now: number): RolloutChargePoint {
  const { serial_number } = row
  if (serial_number === undefined || serialNumber === undefined || serial_number === serialNumber) return row
  const { rollout_id, place, stage, charge_point_id, organization_id, registered_at } = row
  const anew = { rollout_id, place, stage, charge_point_id, organization_id, registered_at }
  return { ...anew, standing: 'queued', due_at: now, updated_at: iso(now) }
}

/** What it has booted with since it was sent the update is the truth. */
function bootShown(row: RolloutChargePoint, rollout: FirmwareRollout, facts: Facts, now: number): RolloutChargePoint {
  const { version } = facts
  const { target_version: target } = rollout
  if (row.first_sent_at === undefined) {
    if (target === undefined || version !== target) return row
    return ended({ ...row, firmware_version: target }, 'installed', now, { detail: 'It had this version already.' })
  }
  const hasBooted = facts.bootedAt !== undefined && facts.bootedAt >= row.first_sent_at
  if (!hasBooted || version === undefined) return row
  const shown = row.firmware_version === version ? row : { ...row, firmware_version: version, updated_at: iso(now) }
  const { version_before } = row
  const isNew =
    target === undefined ? typeof version_before === 'string' && version !== version_before : version === target
  return isNew ? ended(shown, 'installed', now) : otherShown(shown, target, facts.bootedAt ?? now)
}

/** A boot with neither the target nor the version before is an answer, too: the time in which it may boot once more runs from then on. */
function otherShown(row: RolloutChargePoint, target: string | undefined, bootedAt: number): RolloutChargePoint {
  const { other_version_at: since, detail, ...left } = row
  const { version_before, firmware_version } = row
  const isOther = target !== undefined && typeof version_before === 'string' && firmware_version !== version_before
  if (isOther === (since !== undefined)) return row
  if (!isOther) return left
  return { ...left, other_version_at: bootedAt, detail: untilWrong(row, target, bootedAt + limits.bootsWithinMs) }
}

function untilWrong({ firmware_version, version_before }: RolloutChargePoint, target: string | undefined, at: number) {
  const booted = firmware_version === version_before ? `${firmware_version}, as before` : firmware_version
  const wanted = target ?? 'another version'
  return `It has booted with ${booted}. It fails unless it boots with ${wanted} before ${iso(at)}.`
}

function updating(row: RolloutChargePoint, rollout: FirmwareRollout, facts: Facts, now: number): RolloutChargePoint {
  const { said_installed_at: said, said_failed_at: failedAt, other_version_at: otherAt } = row
  const deadline = (row.first_sent_at ?? now) + limits.updateMs
  if (otherAt !== undefined) {
    const until = otherAt + limits.bootsWithinMs
    return now < until ? due(row, until) : otherVersion(row, now)
  }
  if (said !== undefined) {
    // One that does not name its version when it boots has only its word.
    const isNamed = facts.version !== undefined
    const until = Math.max(said, facts.bootedAt ?? said) + limits.bootsWithinMs
    const bootedSince = facts.bootedAt !== undefined && facts.bootedAt >= (row.first_sent_at ?? 0)
    const isKnown = row.version_before !== null || rollout.target_version !== undefined
    const isWrong = isNamed && bootedSince && isKnown
    if (isNamed && now < until)
      return due(isWrong ? told(row, untilWrong(row, rollout.target_version, until)) : row, until)
    return isWrong ? otherVersion(row, now) : ended(row, 'installed', now)
  }
  if (failedAt !== undefined && now >= (row.due_at ?? 0))
    return failed(row, 'download_failed', now, 'It reported DownloadFailed.')
  if (failedAt !== undefined) return row
  if (now < deadline) return due(inTime(row), deadline)
  if (row.overdue_at === undefined || row.overdue_at > now)
    return { ...row, overdue_at: now, due_at: now + limits.overdueMs }
  if (now < row.overdue_at + limits.overdueMs) return row
  const hours = limits.updateMs / 3_600_000
  const heard = row.firmware_version === undefined ? '' : ` It has booted with ${row.firmware_version} meanwhile.`
  return failed(row, 'timeout', now, `The charge point has not installed the firmware within ${hours} hours.${heard}`)
}

/** That it has not answered is no longer so. */
function heardAgain(row: RolloutChargePoint): RolloutChargePoint {
  if (row.other_version_at !== undefined) return row
  const { detail: _, ...left } = row
  return left
}

/** A clock that had jumped ahead is right again. */
function inTime(row: RolloutChargePoint): RolloutChargePoint {
  if (row.overdue_at === undefined) return row
  const { overdue_at: _, ...left } = row
  return left
}

function told(row: RolloutChargePoint, detail: string): RolloutChargePoint {
  return row.detail === detail ? row : { ...row, detail }
}

function otherVersion(row: RolloutChargePoint, now: number): RolloutChargePoint {
  const { firmware_version: version = '', version_before, said_installed_at } = row
  const said =
    said_installed_at === undefined ? 'It has booted' : 'It has said that the firmware is installed, and booted'
  if (version === version_before) return failed(row, 'version_unchanged', now, `${said} with ${version}, as before.`)
  return failed(row, 'other_version', now, `${said} with ${version}.`)
}

function sending(row: RolloutChargePoint, facts: Facts, now: number): Look {
  const sentAt = row.sent_at ?? now
  // The answer was to come over a connection that is gone, or it has not come in its time.
  const isLost = now >= sentAt + limits.answerLostMs || (facts.connectedAt ?? 0) > sentAt
  return asIs(isLost ? lost(row, now) : row)
}

/**
 * No record of the command exists, so that nothing may have been sent: this is no attempt. Its answer still counts, should it come before the update is
 * sent again.
 */
function lost(row: RolloutChargePoint, now: number): RolloutChargePoint {
  const times = (row.lost ?? 0) + 1
  if (times >= limits.lostSendings)
    return failed(row, 'no_answer', now, `The service could not learn ${times} times whether it was sent the update.`)
  return { ...row, lost: times, standing: 'queued', due_at: now + limits.connectedMs, updated_at: iso(now) }
}

/** The clock was set back after it was sent: its time to answer runs from now on. */
export function redated(row: RolloutChargePoint, now: number): RolloutChargePoint {
  if ((row.sent_at ?? now) <= now) return row
  return { ...row, sent_at: now, due_at: now + limits.answerLostMs }
}

/** Whether it may have been sent its update, as far as anybody knows. */
function mayBeSent({ unanswered = 0, lost = 0 }: RolloutChargePoint): boolean {
  return unanswered + lost > 0
}

/** Whether it was sent is not known: it is sent again, which is harmless as long as the charge point has not begun to download. */
export function unanswered(row: RolloutChargePoint, now: number): RolloutChargePoint {
  const { command_id: _, ...left } = row
  const times = (row.unanswered ?? 0) + 1
  if (times >= limits.unansweredSendings)
    return failed(row, 'no_answer', now, `The charge point has not answered ${times} times.`)
  const detail = `It has not answered ${times} of ${limits.unansweredSendings} times, and is sent the update again.`
  return {
    ...left,
    unanswered: times,
    detail,
    standing: 'queued',
    due_at: now + limits.connectedMs,
    updated_at: iso(now),
  }
}

function unsent(row: RolloutChargePoint, rollout: FirmwareRollout, facts: Facts, now: number): Look {
  if (rollout.status === 'paused') return asIs(stands(row, 'waiting', undefined, now))
  const startsAt = rollout.start_at === undefined ? 0 : Date.parse(rollout.start_at)
  if (now < startsAt) return asIs(stands(row, 'queued', startsAt, now))
  if (!facts.isOnline) return asIs(stands(row, 'offline', now + limits.awayMs, now))
  if (!facts.isAccepted) return asIs(stands(row, 'offline', now + limits.chargingMs, now))
  const { connectedAt = 0, bootedAt = 0 } = facts
  // After an answer that was lost, it may tell first that it has begun.
  const quietAt = mayBeSent(row) ? Math.max(connectedAt, row.sent_at ?? 0) : bootedAt < connectedAt ? connectedAt : 0
  if (now < quietAt + limits.connectedMs) return asIs(stands(row, 'queued', quietAt + limits.connectedMs, now))
  if (rollout.not_while_charging === true && facts.isCharging)
    return asIs(stands(row, 'charging', now + limits.chargingMs, now))
  return { type: 'send', row }
}

/** As it is sent its update; this is on disk before it is sent. */
export function sent(row: RolloutChargePoint, commandId: string, facts: Facts, now: number): RolloutChargePoint {
  return {
    ...row,
    standing: 'sending',
    updated_at: iso(now),
    due_at: now + limits.answerLostMs,
    command_id: commandId,
    request_id: Math.floor(now / 1_000) % 2 ** 31,
    first_sent_at: row.first_sent_at ?? now,
    sent_at: now,
    version_before: row.version_before ?? facts.version ?? null,
    ...(facts.serialNumber !== undefined && { serial_number: facts.serialNumber }),
  }
}

/** What a charge point says of its update (OCPP 1.6, 4.5; security whitepaper, L01): statuses repeat, and are left out. */
export function said(
  row: RolloutChargePoint,
  rollout: FirmwareRollout,
  { status, requestId }: { readonly status: string; readonly requestId?: number },
  now: number,
): RolloutChargePoint {
  if (isEnded(row) || row.sent_at === undefined) return row
  if (requestId !== undefined && row.request_id !== undefined && requestId !== row.request_id) return row
  const error = errorsOfStatuses[status]
  if (status === 'DownloadFailed' && (rollout.retries ?? 0) > 0) return downloadFailed(row, rollout, now)
  if (error !== undefined) return failed(row, error, now, `It reported ${status}.`)
  const step = stepsOfStatuses[status]
  if (step === undefined || (row.step === step && row.standing === 'updating')) return row
  const { said_installed_at: _, said_failed_at: __, command_id: ___, ...left } = heardAgain(row)
  const goesOn: RolloutChargePoint = {
    ...left,
    standing: 'updating',
    step,
    updated_at: iso(now),
    ...(step === 'installed' && { said_installed_at: now }),
  }
  return due(goesOn, (row.first_sent_at ?? now) + limits.updateMs)
}

function downloadFailed(row: RolloutChargePoint, rollout: FirmwareRollout, now: number): RolloutChargePoint {
  if (row.said_failed_at !== undefined) return row
  const { retry_interval_seconds: seconds } = rollout
  const interval = seconds === undefined ? limits.retryIntervalMs : seconds * 1_000
  const { command_id: _, ...left } = row
  const at = now + interval + limits.downloadAgainMs
  return { ...left, standing: 'updating', step: 'sent', said_failed_at: now, due_at: at, updated_at: iso(now) }
}

const stepsOfStatuses: Readonly<Record<string, UpdateStep>> = {
  DownloadScheduled: 'sent',
  Downloading: 'downloading',
  DownloadPaused: 'downloading',
  Downloaded: 'downloaded',
  SignatureVerified: 'downloaded',
  InstallScheduled: 'downloaded',
  Installing: 'installing',
  InstallRebooting: 'installing',
  Installed: 'installed',
}

const errorsOfStatuses: Readonly<Record<string, UpdateError>> = {
  DownloadFailed: 'download_failed',
  InvalidSignature: 'invalid_signature',
  InstallationFailed: 'installation_failed',
  InstallVerificationFailed: 'install_verification_failed',
}

const errorsOfAnswers: Readonly<Record<string, UpdateError>> = {
  InvalidCertificate: 'invalid_certificate',
  RevokedCertificate: 'revoked_certificate',
}

/** What has come of the call with which it was sent. */
export function answered(
  row: RolloutChargePoint,
  rollout: FirmwareRollout,
  outcome: CallOutcome,
  now: number,
): RolloutChargePoint {
  const { command_id: _, unanswered: __, lost: ___, ...left } = heardAgain(row)
  switch (outcome.type) {
    case 'answered': {
      const status = statusOf(outcome.payload)
      const isTaken = status === undefined || status === 'Accepted' || status === 'AcceptedCanceled'
      if (!isTaken) return failed(left, errorsOfAnswers[status] ?? 'refused', now, `It answered ${status}.`)
      const updating: RolloutChargePoint = { ...left, standing: 'updating', step: 'sent', updated_at: iso(now) }
      return due(updating, (row.first_sent_at ?? now) + limits.updateMs)
    }
    case 'call-error':
      return refused(left, rollout, outcome, now)
    case 'timeout':
    case 'connection-lost':
      return unanswered(row, now)
    default:
      return notSent(row, outcome.type === 'offline' ? 'offline' : 'queued', now)
  }
}

/** It was sent nothing: what its row said before is true again. */
export function notSent(row: RolloutChargePoint, standing: 'offline' | 'queued', now: number): RolloutChargePoint {
  const { command_id: _, ...left } = row
  const { first_sent_at: __, sent_at: ___, version_before: ____, serial_number: _____, ...never } = left
  const at = now + (standing === 'offline' ? limits.awayMs : limits.busyMs)
  return stands(mayBeSent(row) ? left : never, standing, at, now)
}

const isUnknownCall: ReadonlySet<string> = new Set(['NotImplemented', 'NotSupported'])

function refused(
  row: RolloutChargePoint,
  rollout: FirmwareRollout,
  { code, description }: { readonly code: string; readonly description: string },
  now: number,
): RolloutChargePoint {
  const isSigned = rollout.signature !== undefined && row.is_unsigned !== true
  if (isSigned && isUnknownCall.has(code))
    return { ...row, is_unsigned: true, standing: 'queued', due_at: now, updated_at: iso(now) }
  const words = `It answered ${code}${description === '' ? '' : ` (${description})`}`.slice(0, limits.detailCharacters)
  if (code === 'NotSupported' && rollout.signature === undefined)
    return failed(row, 'signed_firmware_required', now, `${words}.`)
  return failed(row, isUnknownCall.has(code) ? 'not_supported' : 'refused', now, `${words}.`)
}

function statusOf(payload: unknown): string | undefined {
  const isStatus = typeof payload === 'object' && payload !== null && 'status' in payload
  return isStatus ? String(payload.status).slice(0, limits.detailCharacters) : undefined
}

/** The rollout is over before it was sent. */
export function leftOut(row: RolloutChargePoint, now: number): RolloutChargePoint {
  const detail = `The rollout was over before it was sent the update. ${adviceOn.not_sent}`
  return ended(row, 'unsent', now, { error: 'not_sent', detail })
}

/** `what` has happened, in whole sentences. */
function failed(row: RolloutChargePoint, error: UpdateError, now: number, what: string): RolloutChargePoint {
  return ended(row, 'failed', now, { error, detail: `${what} ${adviceOn[error]}` })
}

function ended(
  row: RolloutChargePoint,
  standing: 'installed' | 'failed' | 'gone' | 'unsent',
  now: number,
  why: Pick<RolloutChargePoint, 'error' | 'detail'> = {},
): RolloutChargePoint {
  const { due_at: _, command_id: __, said_installed_at: ___, said_failed_at: ____, ...rest } = row
  const { other_version_at: _____, overdue_at: ______, detail: _______, ...left } = rest
  return { ...left, standing, updated_at: iso(now), ...why }
}

function due(row: RolloutChargePoint, at: number): RolloutChargePoint {
  return row.due_at === at ? row : { ...row, due_at: at }
}

/** What it waits for; only another thing is a change that its operator sees. */
function stands(
  row: RolloutChargePoint,
  standing: 'waiting' | 'queued' | 'offline' | 'charging',
  at: number | undefined,
  now: number,
): RolloutChargePoint {
  const { due_at: _, ...left } = row
  const updated_at = row.standing === standing ? row.updated_at : iso(now)
  return { ...left, standing, updated_at, ...(at !== undefined && { due_at: at }) }
}

function iso(now: number): string {
  return new Date(now).toISOString()
}
