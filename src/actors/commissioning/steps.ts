// What a step does next, from what it has sent so far and what is known of the charge point: functions of these alone. They may be asked at any
// time, any number of times, and so also after an interruption.

import {
  callOf,
  heartbeat,
  meterValues,
  type OcppCall,
  remoteStartTransaction,
  remoteStopTransaction,
  statusNotification,
  triggerMessage,
} from '../../ocpp16/index.js'
import type { TriggerMessageRequest } from '../../ocpp16/schemas/trigger-message.js'
import type { ConnectorState } from '../../records/charge-point-state.js'
import type { CommissioningSession, CommissioningStep, Exchange, StepName } from '../../records/commissioning.js'
import { type ConfigurationApplication, isHarmless, isRefused } from '../../records/configuration.js'
import type { ModelTraits } from '../../records/model-traits.js'
import type { Session } from '../../records/session.js'
import { limits } from './limits.js'

export interface Facts {
  /** Wall ms. */
  readonly now: number
  readonly isConnected: boolean
  /** Wall ms; to the minute. */
  readonly lastSeenAt: number | undefined
  readonly connectors: readonly ConnectorState[]
  /** Undefined where nobody has said. */
  readonly connectorCount: number | undefined
  /** The newest of the charge point. */
  readonly application: ConfigurationApplication | undefined
  /** The charge that has begun with the test tag. */
  readonly charge: Session | undefined
  readonly isMetered: boolean
  /** What the model is known to be like. */
  readonly traits: () => ModelTraits
}

export type Decision =
  | { readonly type: 'ping' }
  | { readonly type: 'call'; readonly call: OcppCall }
  /** It is not sent: the answer is known. */
  | { readonly type: 'skip'; readonly sent: string; readonly parameters?: OcppCall['payload']; readonly answer: string }
  | { readonly type: 'apply' }
  | { readonly type: 'start-test'; readonly connectorId: number }
  | { readonly type: 'wait' }
  | { readonly type: 'passed'; readonly detail: string; readonly isDoubtful?: true }
  | { readonly type: 'failed'; readonly detail: string }

type Decide = (step: CommissioningStep, session: CommissioningSession, facts: Facts) => Decision

export const pinged = 'Ping'
export const neverAnswersPings = 'never answers pings'
/** Between a call that could not be sent and the next attempt, and from the last answer to a look at the statuses that follow it. */
const pauseMs = 2_000

const wait: Decision = { type: 'wait' }
const passed = (detail: string): Decision => ({ type: 'passed', detail })
const doubtful = (detail: string): Decision => ({ type: 'passed', detail, isDoubtful: true })
const failed = (detail: string): Decision => ({ type: 'failed', detail })
const call = (made: OcppCall): Decision => ({ type: 'call', call: made })
const skip = (sent: string, answer: string): Decision => ({ type: 'skip', sent, answer })
const seconds = (ms: number): string => `${Math.round(ms / 1_000)} seconds`

export function decide(session: CommissioningSession, step: CommissioningStep, facts: Facts): Decision {
  return steps[step.name](step, session, facts)
}

const steps: Readonly<Record<StepName, Decide>> = {
  connectivity: ({ evidence }, _session, { now, traits }) => {
    const last = evidence.at(-1)
    if (last === undefined) return traits().answers_pings === false ? skip(pinged, neverAnswersPings) : { type: 'ping' }
    if (last.outcome === 'not_asked')
      return doubtful('The charge point was not pinged, because its model is known to answer no pings.')
    if (last.outcome === 'answered') return passed(`The charge point answered a ping: ${last.answer ?? ''}.`)
    // It is known to break when pinged, or it has never answered one although it speaks (field note 23).
    if (last.answer === 'not pinged')
      return doubtful('The charge point is not pinged, because its registration says that it breaks when it is.')
    if (evidence.length < limits.attempts) return isRecent(last, now) ? wait : { type: 'ping' }
    if (last.answer === neverAnswersPings)
      return doubtful('The charge point answers no pings. Whether it can be reached is seen in the next step.')
    return failed(`The charge point did not answer ${evidence.length} pings. Check its network, and firewalls between.`)
  },

  heartbeat: ({ evidence }, _session, { now, lastSeenAt, traits }) => {
    const last = evidence.at(-1)
    const isHeard = lastSeenAt !== undefined && now - lastSeenAt < limits.heardWithinMs
    const ask = call(callOf(triggerMessage, { requestedMessage: heartbeat.action }))
    if (last === undefined) return isHeard ? trigger({ requestedMessage: heartbeat.action }, traits()) : ask
    if (last.outcome === 'not_asked')
      return doubtful('The charge point was heard lately. Its model is known not to send a Heartbeat on request.')
    if (last.outcome === 'answered' && last.answer === 'Accepted')
      return passed('The charge point accepted to send a Heartbeat.')
    if (isLost(last) && evidence.length < limits.attempts) return isRecent(last, now) ? wait : ask
    const answer = inWords(last)
    if (isHeard)
      return doubtful(`The charge point ${answer} when asked for a Heartbeat, but it was heard lately by itself.`)
    return failed(`The charge point ${answer} when asked for a Heartbeat, and was not heard lately.`)
  },

  configuration: (step, { configuration }, { now, application }) => {
    if (configuration.length === 0) return passed('No template matches the charge point, and no key is set for it.')
    const isOwn = step.application_id !== undefined && application?.application_id === step.application_id
    const since = Date.parse(step.started_at ?? '')
    if (!isOwn || application.status === 'running') {
      if (now - since > limits.configurationMs)
        return failed(`The configuration was not applied within ${limits.configurationMs / 60_000} minutes.`)
      return isOwn ? wait : { type: 'apply' }
    }
    // What was begun as the installer's ends with the claim, and begins again as the organization's.
    if (application.reason === 'handed_over') return { type: 'apply' }
    if (application.status !== 'completed')
      return failed(`The configuration was not applied: ${application.reason ?? application.status}.`)
    const refused = application.keys.filter(isRefused)
    const harmless = refused.filter(isHarmless)
    const named = (keys: typeof refused): string => keys.map(({ key, outcome }) => `${key} (${outcome})`).join(', ')
    if (refused.length > harmless.length)
      return failed(`The charge point did not take: ${named(refused.filter((key) => !harmless.includes(key)))}.`)
    const taken = `${application.keys.length - refused.length} of ${application.keys.length} keys are set and read back.`
    return refused.length === 0 ? passed(taken) : doubtful(`${taken} It does not let set: ${named(refused)}.`)
  },

  connector_test: ({ evidence }, _session, { now, connectors, connectorCount, traits }) => {
    for (const connectorId of connectorsToTest(connectors, connectorCount)) {
      const asked = evidence.filter(({ parameters }) => parameters?.connectorId === connectorId)
      const last = asked.at(-1)
      const ask = { requestedMessage: statusNotification.action, connectorId }
      // A status that was reported by itself may do; one that was never reported is asked for in any case.
      if (last === undefined)
        return connectors.some(({ connector_id }) => connector_id === connectorId)
          ? trigger(ask, traits())
          : call(callOf(triggerMessage, ask))
      if (isLost(last) && asked.length < limits.attempts)
        return isRecent(last, now) ? wait : call(callOf(triggerMessage, ask))
    }
    // Each status follows the answer with which it was promised.
    if (evidence.some((one) => isRecent(one, now))) return wait
    const statusOf = (id: number) => connectors.find(({ connector_id }) => connector_id === id)
    const ids = connectorsToTest(connectors, connectorCount)
    const unknown = ids.filter((id) => statusOf(id) === undefined)
    const faulted = connectors.filter(({ status }) => status === 'Faulted')
    if (faulted.length > 0) {
      const each = faulted.map(({ connector_id, error_code }) => `connector ${connector_id} (${error_code})`)
      return failed(`The charge point reports a fault of ${each.join(', ')}.`)
    }
    if (unknown.length > 0) return failed(`The charge point has reported no status of connector ${unknown.join(', ')}.`)
    const told = ids.map((id) => `connector ${id} is ${statusOf(id)?.status}`).join(', ')
    const refused = evidence.some(({ answer }) => answer !== 'Accepted')
    return refused ? doubtful(`As last reported, ${told}.`) : passed(`No connector is faulted: ${told}.`)
  },

  test_transaction: ({ evidence }, { test, owed_stop }, facts) => {
    // An earlier test has to be over first.
    if (owed_stop !== undefined) return wait
    const { now, charge } = facts
    if (test === undefined) return begin(facts)
    const start = lastOf(evidence, remoteStartTransaction.action)
    if (charge !== undefined) return charging(evidence, charge, facts)
    if (start === undefined) return startTest(test.id_tag, test.connector_id)
    if (start.outcome === 'unsent') {
      if (evidence.length >= limits.attempts) return failed('The remote start could not be sent to the charge point.')
      return isRecent(start, now) ? wait : startTest(test.id_tag, test.connector_id)
    }
    if (isRefusedStart(start))
      return failed(
        `The charge point ${inWords(start)} when asked to start a charge on connector ${test.connector_id}. Check that it allows remote starts and that the connector is free.`,
      )
    // The answer may be lost, and the charge begin all the same: it is never asked for twice.
    if (now - Date.parse(start.sent_at) < limits.transactionStartsMs) return wait
    const unanswered = start.outcome === 'answered' ? '' : ' What it answered to the remote start is not known.'
    return failed(
      `No transaction began within ${seconds(limits.transactionStartsMs)} of the remote start. Plug in a vehicle, or a test box.${unanswered}`,
    )
  },
}

function begin({ connectors, connectorCount }: Facts): Decision {
  const ids = connectorsToTest(connectors, connectorCount)
  const usable = (id: number): boolean =>
    connectors.some(
      ({ connector_id, status }) => connector_id === id && (status === 'Available' || status === 'Preparing'),
    )
  const prepared = connectors.find(({ connector_id, status }) => connector_id > 0 && status === 'Preparing')
  const connectorId = prepared?.connector_id ?? ids.find(usable)
  if (connectorId === undefined) return failed('No connector is free: each is charging, reserved or unavailable.')
  return { type: 'start-test', connectorId }
}

function startTest(idTag: string, connectorId: number): Decision {
  return call(callOf(remoteStartTransaction, { connectorId, idTag }))
}

function charging(evidence: readonly Exchange[], charge: Session, { now, isMetered, traits }: Facts): Decision {
  const startedAt = Date.parse(charge.received_at)
  if (charge.authorization !== 'Accepted')
    return failed(`The charge with the test tag was not allowed: ${charge.authorization}.`)
  const stop = lastOf(evidence, remoteStopTransaction.action)
  if (stop === undefined) {
    if (charge.status !== 'active')
      return failed(`The charge ended by itself before it was stopped: ${charge.stop_reason ?? 'no reason was given'}.`)
    if (isMetered) return stopTest(charge)
    if (lastOf(evidence, triggerMessage.action) === undefined)
      return trigger({ requestedMessage: meterValues.action, connectorId: charge.connector_id }, traits())
    if (now - startedAt < limits.meterValueMs) return wait
    return failed(`The charge point sent no meter value within ${seconds(limits.meterValueMs)} of the start.`)
  }
  if (charge.status === 'completed')
    return passed(`A charge was started, metered and stopped remotely; it took ${charge.energy_wh ?? 0} Wh.`)
  if (stop.outcome === 'answered' && stop.answer !== 'Accepted')
    return failed(`The charge point ${inWords(stop)} when asked to stop the charge.`)
  const stops = evidence.filter(({ sent }) => sent === remoteStopTransaction.action)
  if (isLost(stop) && stops.length < limits.attempts) return isRecent(stop, now) ? wait : stopTest(charge)
  if (now - Date.parse(stop.ended_at) < limits.transactionStopsMs) return wait
  return failed(
    `The charge point ${inWords(stop)} when asked to stop the charge, and sent no StopTransaction within ${seconds(limits.transactionStopsMs)}.`,
  )
}

/** Asks for a message, unless the model is known not to send it on request. */
function trigger(payload: TriggerMessageRequest, { actions, triggers }: ModelTraits): Decision {
  const { action } = triggerMessage
  const isKnown = actions?.[action] === false || triggers?.[payload.requestedMessage] === false
  return isKnown
    ? { type: 'skip', sent: action, parameters: { ...payload }, answer: 'NotImplemented' }
    : call(callOf(triggerMessage, payload))
}

export function stopCall({ transaction_id }: Session): OcppCall {
  return callOf(remoteStopTransaction, { transactionId: transaction_id })
}

function stopTest(charge: Session): Decision {
  return call(stopCall(charge))
}

/** Whether a charge may yet begin by this remote start. */
export function isRefusedStart({ outcome, answer }: Exchange): boolean {
  return outcome === 'error' || (outcome === 'answered' && answer !== 'Accepted')
}

export function connectorsToTest(connectors: readonly ConnectorState[], count = 0): readonly number[] {
  const reported = connectors.map(({ connector_id }) => connector_id).filter((id) => id > 0)
  const declared = Array.from({ length: Math.min(count, limits.testedConnectors) }, (_, at) => at + 1)
  const ids = [...new Set([...reported, ...declared])].sort((one, other) => one - other)
  return ids.length === 0 ? [1] : ids.slice(0, limits.testedConnectors)
}

function lastOf(evidence: readonly Exchange[], action: string): Exchange | undefined {
  return evidence.findLast(({ sent }) => sent === action)
}

/** It may be made again: it was not answered. */
function isLost({ outcome }: Exchange): boolean {
  return outcome === 'unsent' || outcome === 'timeout' || outcome === 'unknown'
}

function isRecent({ ended_at }: Exchange, now: number): boolean {
  // Not before either: the clock may have been set back since.
  return Math.abs(now - Date.parse(ended_at)) < pauseMs
}

function inWords({ outcome, answer }: Exchange): string {
  switch (outcome) {
    case 'answered':
      return `answered ${answer ?? 'nothing'}`
    case 'error':
      return `answered with the error ${answer ?? ''}`
    case 'timeout':
      return 'did not answer'
    case 'unsent':
      return 'could not be sent anything'
    case 'not_asked':
      return 'was not asked'
    case 'unknown':
      return 'lost the connection, or the service was interrupted,'
  }
}
