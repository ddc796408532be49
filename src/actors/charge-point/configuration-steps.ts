// How the application of a configuration goes on: which call is next, and what its end means. Pure, so that every odd life of a charge
// point can be looked at without one.

import { isDeepStrictEqual } from 'node:util'
import {
  changeConfiguration,
  type GetConfigurationResponse,
  getConfiguration,
  readResponse,
} from '../../ocpp16/index.js'
import type {
  ApplicationKey,
  ApplicationReason,
  ConfigurationApplication,
  KeyOutcome,
  ReportedConfiguration,
  ConfigurationStep as Step,
} from '../../records/configuration.js'
import { foldKey, isSameValue, itemsOf, shownValue } from '../../records/configuration-value.js'
import type { CallOutcome } from '../messages/command.js'
import { limits } from './limits.js'

export type Reported = Pick<ReportedConfiguration, 'keys' | 'unknown' | 'keys_per_read' | 'avoided'>

/** The key that says how many keys one GetConfiguration may name (OCPP 1.6, 9.1.12). */
const maximumKey = 'GetConfigurationMaxKeys'
/** What a charge point takes that says nothing of it. */
const usualKeysPerRead = 20
const detailCharacters = 200

export function keysPerRead({ keys, keys_per_read: learned }: Reported): number {
  const said = Number(keys[foldKey(maximumKey)]?.value)
  const taken = Number.isInteger(said) && said > 0 ? said : usualKeysPerRead
  return Math.min(taken, learned ?? limits.configurationKeys, limits.configurationKeys)
}

/** What is read before the first key is changed: how many keys may be asked for at once, the keys themselves, and how long lists may be. */
export function keysToRead(keys: readonly { readonly key: string; readonly value: string }[]): readonly string[] {
  const lists = keys.filter(({ value }) => value.includes(',')).map(({ key }) => `${key}MaxLength`)
  return [maximumKey, ...keys.map(({ key }) => key), ...lists.filter((key) => key.length <= limits.keyCharacters)]
}

/** The next keys to be asked for; that of the most keys comes alone, because it rules the rest. */
export function nextRead(toRead: readonly string[], reported: Reported): readonly string[] {
  return toRead[0] === maximumKey ? [maximumKey] : toRead.slice(0, keysPerRead(reported))
}

/** Undefined when nothing is left to do. */
export function nextStep(application: ConfigurationApplication, reported: Reported): Step | undefined {
  const keys = nextRead(application.to_read, reported)
  if (keys.length > 0) return { type: 'read', keys }
  const open = application.keys.find(({ outcome }) => outcome === undefined)
  if (open === undefined) return undefined
  const { key, value, answer } = open
  return answer === undefined ? { type: 'change', key, value } : { type: 'verify', key }
}

/** How the charge point is to be read. */
export type Learned = Pick<ReportedConfiguration, 'keys_per_read' | 'avoided'>

export interface Progress {
  readonly application: ConfigurationApplication
  readonly learned?: Learned
}

/** What the end of a call means. `reported` has what the answer says already. */
export function afterCall(
  application: ConfigurationApplication,
  step: Step,
  outcome: CallOutcome,
  reported: Reported,
): Progress {
  const isSilent = outcome.type === 'timeout'
  const { lost_reads: _, ...left } = application
  const counted = isSilent ? { ...application, unanswered: application.unanswered + 1 } : { ...left, unanswered: 0 }
  const next = endOf(counted, step, outcome, reported)
  if (counted.unanswered < limits.unansweredConfigurationCalls) return next
  return { ...next, application: failed(next.application, 'no_answer') }
}

function endOf(application: ConfigurationApplication, step: Step, outcome: CallOutcome, reported: Reported): Progress {
  switch (step.type) {
    case 'read': {
      const { left, ...learned } = afterRead(application.to_read, step.keys, outcome)
      const keys = application.keys.map((key) => (wasRead(key, step.keys) ? looked(key, reported) : key))
      return { application: withoutTooLong({ ...application, to_read: left, keys }, reported), ...learned }
    }
    case 'change':
      return { application: replaced(application, step.key, (key) => afterChange(key, outcome, reported)) }
    case 'verify':
      return { application: replaced(application, step.key, (key) => afterVerify(key, outcome)) }
  }
}

interface ReadEnd {
  readonly left: readonly string[]
  readonly learned?: Learned
}

/** What is left to be read. A charge point that refuses a list of keys, or answers less than was asked for, is asked for fewer at a time. */
export function afterRead(toRead: readonly string[], asked: readonly string[], outcome: CallOutcome): ReadEnd {
  const without = (keys: ReadonlySet<string>) => toRead.filter((key) => !keys.has(foldKey(key)))
  const answered = outcome.type === 'answered' ? keysOf(readAnswer(outcome.payload)) : new Set<string>()
  const missing = asked.filter((key) => !answered.has(foldKey(key)))
  if (missing.length === 0) return { left: without(answered) }
  // One that does not know the message at all, and a key that is not answered even when it is asked for alone.
  const isDeaf = outcome.type === 'call-error' && /^Not(Implemented|Supported)$/i.test(outcome.code)
  if (isDeaf) return { left: [] }
  if (asked.length === 1) return { left: without(new Set(asked.map(foldKey))) }
  const fewer = Math.max(1, Math.min(Math.floor(asked.length / 2), answered.size || asked.length))
  return { left: without(answered), learned: { keys_per_read: fewer } }
}

export function readAnswer(payload: unknown): GetConfigurationResponse {
  const reading = readResponse(getConfiguration, payload, 0)
  return reading.ok ? reading.value : {}
}

function keysOf({ configurationKey = [], unknownKey = [] }: GetConfigurationResponse): ReadonlySet<string> {
  return new Set([...configurationKey.map(({ key }) => key), ...unknownKey].map(foldKey))
}

function wasRead({ key }: ApplicationKey, asked: readonly string[]): boolean {
  return asked.some((one) => foldKey(one) === foldKey(key))
}

/** Before anything is sent: a key that is right already is not changed, since some charge points restart for each change. */
function looked(key: ApplicationKey, reported: Reported): ApplicationKey {
  const now = reported.keys[foldKey(key.key)]?.value
  const isRight = key.outcome === undefined && now !== undefined && isSameValue(key.value, now)
  return isRight ? ended(key, 'applied') : key
}

/** Once everything has been read: a list that is longer than the charge point takes is not sent. */
function withoutTooLong(application: ConfigurationApplication, reported: Reported): ConfigurationApplication {
  if (application.to_read.length > 0) return application
  const keys = application.keys.map((key) => {
    const most = Number(reported.keys[foldKey(`${key.key}MaxLength`)]?.value)
    const isTooLong = key.outcome === undefined && most > 0 && itemsOf(key.value).length > most
    return isTooLong ? ended(key, 'too_long', `at most ${most} values`) : key
  })
  return { ...application, keys }
}

function replaced(
  application: ConfigurationApplication,
  key: string,
  change: (key: ApplicationKey) => ApplicationKey,
): ConfigurationApplication {
  return { ...application, keys: application.keys.map((one) => (one.key === key ? change(one) : one)) }
}

function ended({ key, value, answer, reboots }: ApplicationKey, outcome: KeyOutcome, detail?: string): ApplicationKey {
  return {
    key,
    value,
    ...(answer !== undefined && { answer }),
    ...(reboots !== undefined && { reboots }),
    outcome,
    ...(detail !== undefined && { detail: detail.slice(0, detailCharacters) }),
  }
}

function afterChange(key: ApplicationKey, outcome: CallOutcome, reported: Reported): ApplicationKey {
  if (outcome.type === 'call-error') return ended(key, 'error', outcome.code)
  // It may have taken the value all the same: what it has is read back.
  if (outcome.type !== 'answered') return { ...key, answer: 'unknown', attempts: (key.attempts ?? 0) + 1 }
  const reading = readResponse(changeConfiguration, outcome.payload, 0)
  const status = reading.ok ? reading.value.status : 'unknown'
  switch (status) {
    case 'Accepted':
    case 'RebootRequired':
      return { ...key, answer: status }
    case 'NotSupported':
      return ended(key, 'not_supported')
    case 'Rejected':
      return ended(key, reported.keys[foldKey(key.key)]?.read_only === true ? 'read_only' : 'rejected')
    default:
      return { ...key, answer: 'unknown', attempts: limits.configurationAttempts }
  }
}

function afterVerify(key: ApplicationKey, outcome: CallOutcome): ApplicationKey {
  const { configurationKey = [] } = outcome.type === 'answered' ? readAnswer(outcome.payload) : {}
  const found = configurationKey.find((one) => foldKey(one.key) === foldKey(key.key))
  if (found?.value !== undefined && isSameValue(key.value, found.value)) return ended(key, 'applied')
  const detail = shownValue(key.key, found?.value)
  if (key.answer === 'RebootRequired') return ended(key, 'reboot_required', detail)
  if (key.answer === 'Accepted')
    return found?.value === undefined ? ended(key, 'unverified') : ended(key, 'other_value', detail)
  // The answer was lost, and the value is not there: it is sent once more.
  if ((key.attempts ?? 0) < limits.configurationAttempts) return again(key)
  return ended(key, (key.reboots ?? 0) > 0 ? 'reboots' : 'unanswered', detail)
}

function again({ answer: _, ...key }: ApplicationKey): ApplicationKey {
  return key
}

/** The connection was lost in the middle of a step: whether a change was taken has to be looked at. Reads are not repeated for ever. */
export function afterLoss(application: ConfigurationApplication, step: Step): ConfigurationApplication {
  if (step.type !== 'change') {
    const lost_reads = (application.lost_reads ?? 0) + 1
    const counted = { ...application, lost_reads }
    return lost_reads < limits.lostConfigurationReads ? counted : failed(counted, 'no_answer')
  }
  return replaced(application, step.key, (key) => ({ ...unsure(key), attempts: (key.attempts ?? 0) + 1 }))
}

/** The owner of the charge point has ended, perhaps in the middle of a step. If so, the charge point is not to blame. */
export function afterTakeover(application: ConfigurationApplication, reported: Reported): ConfigurationApplication {
  const step = nextStep(application, reported)
  return step?.type === 'change' ? replaced(application, step.key, unsure) : application
}

function unsure(key: ApplicationKey): ApplicationKey {
  return { ...key, answer: 'unknown' }
}

/** The charge point has restarted over a step (field note 25): what made it do so is not done again and again. */
export function afterReboot(application: ConfigurationApplication, step: Step, reported: Reported): Progress {
  const counted = { ...application, reboots: application.reboots + 1 }
  if (counted.reboots > limits.rebootsOfApplication) return { application: failed(counted, 'keeps_rebooting') }
  if (step.type === 'read') {
    const learned = learnedOfReboot(step.keys, reported)
    return { application: withoutAvoided(counted, { ...reported, ...learned }), learned }
  }
  const withReboot = replaced(counted, step.key, (key) => ({ ...key, reboots: (key.reboots ?? 0) + 1 }))
  const entry = withReboot.keys.find(({ key }) => key === step.key)
  if (step.type === 'change' || (entry?.reboots ?? 0) < limits.rebootsOfKey) return { application: withReboot }
  // Not the change: it restarts whenever the key is read.
  return {
    application: replaced(withReboot, step.key, (key) => ended(key, 'reboots')),
    learned: learnedOfReboot([step.key], reported),
  }
}

/** Whether anything of it was read, sent or verified between the two. */
export function isFurther(application: ConfigurationApplication, before: ConfigurationApplication): boolean {
  const isRead = application.to_read.length < before.to_read.length
  return isRead || !isDeepStrictEqual(application.keys, before.keys)
}

/** For other hardware, which has none of it. */
export function begunAgain(application: ConfigurationApplication): ConfigurationApplication {
  const keys = application.keys.map(({ key, value }) => ({ key, value }))
  return { ...application, keys, to_read: keysToRead(keys), unanswered: 0 }
}

/** Of several keys, the culprit is looked for by asking for each alone; one that was asked for alone is not asked for again. */
export function learnedOfReboot(keys: readonly string[], { avoided = [] }: Reported): Learned {
  if (keys.length > 1) return { keys_per_read: 1 }
  return { avoided: [...new Set([...avoided, ...keys.map(foldKey)])].slice(-limits.avoidedConfigurationKeys) }
}

/** Keys that are never read by the service itself cannot be looked at before they are changed, nor verified. */
export function withoutAvoided(
  application: ConfigurationApplication,
  { avoided = [] }: Reported,
): ConfigurationApplication {
  if (avoided.length === 0) return application
  const isAvoided = (key: string): boolean => avoided.includes(foldKey(key))
  return {
    ...application,
    to_read: application.to_read.filter((key) => !isAvoided(key)),
    keys: application.keys.map((key) =>
      key.outcome === undefined && isAvoided(key.key) ? ended(key, 'reboots') : key,
    ),
  }
}

function failed(application: ConfigurationApplication, reason: ApplicationReason): ConfigurationApplication {
  return { ...application, status: 'failed', reason }
}

/** With every key's outcome: what was not done is not attempted. */
export function closed(application: ConfigurationApplication, now: string): ConfigurationApplication {
  const status = application.status === 'running' ? 'completed' : application.status
  const keys = application.keys.map((key) => (key.outcome === undefined ? ended(key, 'not_attempted') : key))
  return { ...application, status, keys, to_read: [], ended_at: now, progress_at: now }
}
