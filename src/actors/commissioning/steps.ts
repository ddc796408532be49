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
import {
  type ApplicationKey,
  type ConfigurationApplication,
  isHarmless,
  isRefused,
  isTaken,
} from '../../records/configuration.js'
import type { Session } from '../../records/session.js'
import type { ModelTraits } from '../../records/traits.js'
import { verdict } from './charge-verdict.js'
import { call, type Decision, doubtful, failed, passed, skip, wait } from './decision.js'
import { inWords, isLost, isPromised, isRefusedStart, lastOf } from './exchanges.js'
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
  /** By the newest reading of its register, Wh; undefined before the first. */
  readonly takenWh: number | undefined
  /** What the model is known to be like. */
  readonly traits: () => ModelTraits
}

type Decide = (step: CommissioningStep, session: CommissioningSession, facts: Facts) => Decision

export const pinged = 'Ping'
/** In evidence: all calls of the application of a configuration. */
export const configured = 'Configuration'
export const neverAnswersPings = 'never answers pings'
/** Between a call that could not be sent and the next attempt, and from the last answer to a look at the statuses that follow it. */
const pauseMs = 2_000

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

  heartbeat: ({ evidence }, session, { now, lastSeenAt, traits }) => {
    const last = evidence.at(-1)
    const isHeard = lastSeenAt !== undefined && now - lastSeenAt < limits.heardWithinMs
    const ask = call(callOf(triggerMessage, { requestedMessage: heartbeat.action }))
    if (last === undefined) return isHeard ? trigger({ requestedMessage: heartbeat.action }, traits()) : ask
    if (last.outcome === 'not_asked')
      return doubtful('The charge point was heard lately. Its model is known not to send a Heartbeat on request.')
    if (isPromised(last)) {
      if (last.reported_at !== undefined) return passed('The charge point sent a Heartbeat on request.')
      if (waitedMs(last.ended_at, session, now) < limits.reportMs) return wait
      return doubtful(
        `The charge point accepted to send a Heartbeat, and sent none within ${seconds(limits.reportMs)}.`,
      )
    }
    if (isLost(last) && evidence.length < limits.attempts) return isRecent(last, now) ? wait : ask
    const answer = inWords(last)
    if (isHeard)
      return doubtful(`The charge point ${answer} when asked for a Heartbeat, but it was heard lately by itself.`)
    return failed(`The charge point ${answer} when asked for a Heartbeat, and was not heard lately.`)
  },

  configuration: (step, session, { now, application }) => {
    const { configuration, interrupted_at } = session
    if (configuration.length === 0) return passed('No template matches the charge point, and no key is set for it.')
    const isOwn = step.application_id !== undefined && application?.application_id === step.application_id
    const since = Math.max(Date.parse(step.started_at ?? ''), interrupted_at ?? 0)
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
    if (refused.length > harmless.length)
      return failed(`The charge point did not take: ${named(refused.filter((key) => !harmless.includes(key)))}.`)
    const { keys } = application
    const shown = keys.filter(({ outcome }) => outcome === 'applied')
    const unread = keys.filter((key) => isTaken(key) && !shown.includes(key))
    const counted = `${shown.length} of ${keys.length} keys are set and read back.`
    const doubts = [
      ...(unread.length === 0 ? [] : [`Accepted, but not read back: ${named(unread)}.`]),
      ...(refused.length === 0 ? [] : [`It does not let set: ${named(refused)}.`]),
    ]
    return doubts.length === 0 ? passed(counted) : doubtful([counted, ...doubts].join(' '))
  },

  connector_test: ({ evidence }, session, { now, connectors, connectorCount, traits }) => {
    for (const connectorId of connectorsToTest(connectors, connectorCount)) {
      const asked = askedFor(evidence, connectorId)
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
    const isDue = (one: Exchange): boolean =>
      isPromised(one) && one.reported_at === undefined && waitedMs(one.ended_at, session, now) < limits.reportMs
    if (evidence.some((one) => isRecent(one, now) || isDue(one))) return wait
    const statusOf = (id: number) => connectors.find(({ connector_id }) => connector_id === id)
    const ids = connectorsToTest(connectors, connectorCount)
    const unknown = ids.filter((id) => statusOf(id) === undefined)
    const fault = faultOf(connectors)
    if (fault !== undefined) return fault
    if (unknown.length > 0) return failed(`The charge point has reported no status of connector ${unknown.join(', ')}.`)
    const told = ids.map((id) => `connector ${id} is ${statusOf(id)?.status}`).join(', ')
    const unusable = ids.filter((id) => statusOf(id)?.status === 'Unavailable')
    const missing = ids.filter((id) => {
      const last = askedFor(evidence, id).at(-1)
      return last !== undefined && isPromised(last) && last.reported_at === undefined
    })
    const isStale = missing.length > 0 || ids.some((id) => !askedFor(evidence, id).some(isPromised))
    if (!isStale && unusable.length === 0) return passed(`No connector is faulted: ${told}.`)
    const doubts = [
      isStale ? `As last reported, ${told}.` : `No connector is faulted: ${told}.`,
      ...(missing.length > 0
        ? [
            `It accepted to report the status of connector ${missing.join(', ')}, and did not within ${seconds(limits.reportMs)}.`,
          ]
        : []),
      ...(unusable.length > 0 ? [`Nobody can charge at connector ${unusable.join(', ')}.`] : []),
    ]
    return doubtful(doubts.join(' '))
  },

  test_transaction: ({ evidence }, session, facts) => {
    const { test, owed_stop } = session
    // An earlier test has to be over first.
    if (owed_stop !== undefined) return wait
    const { now, charge } = facts
    if (test === undefined) return begin(session, facts)
    const start = lastOf(evidence, remoteStartTransaction.action)
    if (charge !== undefined) return charging(evidence, charge, session, facts)
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
    if (waitedMs(start.sent_at, session, now) < limits.transactionStartsMs) return wait
    const unanswered = start.outcome === 'answered' ? '' : ' What it answered to the remote start is not known.'
    return failed(
      `No transaction began within ${seconds(limits.transactionStartsMs)} of the remote start. Plug in a vehicle, or a test box.${unanswered}`,
    )
  },
}

function askedFor(evidence: readonly Exchange[], connectorId: number): readonly Exchange[] {
  return evidence.filter(({ parameters }) => parameters?.connectorId === connectorId)
}

function faultOf(connectors: readonly ConnectorState[]): Decision | undefined {
  const faulted = connectors.filter(({ status }) => status === 'Faulted')
  if (faulted.length === 0) return undefined
  const each = faulted.map(({ connector_id, error_code }) => `connector ${connector_id} (${error_code})`)
  return failed(`The charge point reports a fault of ${each.join(', ')}.`)
}

function named(keys: readonly ApplicationKey[]): string {
  const names = keys.slice(0, limits.namedKeys).map(({ key, outcome }) => `${key} (${outcome})`)
  const others = keys.length - names.length
  return `${names.join(', ')}${others > 0 ? `, and ${others} more` : ''}`
}

/** Those that count against the bound of the charge point; not one from after now, where the clock was set back since. */
export function testsBegunLately({ tests_begun = [] }: CommissioningSession, now: number): readonly number[] {
  return tests_begun.filter((at) => at <= now && now - at < limits.testTransactionsWithinMs)
}

function begin(session: CommissioningSession, { connectors, connectorCount, now }: Facts): Decision {
  const [oldest = now, ...others] = testsBegunLately(session, now)
  if (others.length + 1 >= limits.testTransactions) {
    const until = new Date(oldest + limits.testTransactionsWithinMs).toISOString()
    return failed(
      `A charge point has at most ${limits.testTransactions} test transactions an hour. Begin again after ${until}.`,
    )
  }
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

function charging(
  evidence: readonly Exchange[],
  charge: Session,
  session: CommissioningSession,
  facts: Facts,
): Decision {
  const { now } = facts
  if (charge.authorization !== 'Accepted')
    return failed(`The charge with the test tag was not allowed: ${charge.authorization}.`)
  const stop = lastOf(evidence, remoteStopTransaction.action)
  if (stop === undefined) {
    if (charge.status !== 'active')
      return failed(`The charge ended by itself before it was stopped: ${charge.stop_reason ?? 'no reason was given'}.`)
    return metering(evidence, charge, session, facts)
  }
  const isOfCharge = ({ connector_id: id }: ConnectorState): boolean => id === 0 || id === charge.connector_id
  if (charge.status === 'completed')
    return faultOf(facts.connectors.filter(isOfCharge)) ?? verdict(evidence, charge, session)
  if (stop.outcome === 'answered' && stop.answer !== 'Accepted')
    return failed(`The charge point ${inWords(stop)} when asked to stop the charge.`)
  const stops = evidence.filter(({ sent }) => sent === remoteStopTransaction.action)
  if (isLost(stop) && stops.length < limits.attempts) return isRecent(stop, now) ? wait : stopTest(charge)
  if (waitedMs(stop.ended_at, session, now) < limits.transactionStopsMs) return wait
  return failed(
    `The charge point ${inWords(stop)} when asked to stop the charge, and sent no StopTransaction within ${seconds(limits.transactionStopsMs)}.`,
  )
}

/** It is stopped once its register has risen, or has shown for long enough that it does not. */
function metering(
  evidence: readonly Exchange[],
  charge: Session,
  session: CommissioningSession,
  { now, takenWh, traits }: Facts,
): Decision {
  const waited = waitedMs(charge.received_at, session, now)
  if (takenWh !== undefined && (takenWh > 0 || waited >= limits.energyRisesMs)) return stopTest(charge)
  const asked = evidence.filter(({ sent }) => sent === triggerMessage.action)
  const last = asked.at(-1)
  const ask: TriggerMessageRequest = { requestedMessage: meterValues.action, connectorId: charge.connector_id }
  if (last === undefined) return trigger(ask, traits())
  const isHeeded = isPromised(last)
  const isDue = Math.abs(now - Date.parse(last.ended_at)) >= limits.meterAgainMs
  // A vehicle draws only some seconds after the start.
  if (takenWh !== undefined && isHeeded && isDue && asked.length < limits.attempts)
    return call(callOf(triggerMessage, ask))
  if (takenWh !== undefined || waited < limits.meterValueMs) return wait
  return failed(
    `The charge point sent no reading of energy within ${seconds(limits.meterValueMs)} of the start. Check that its key MeterValuesSampledData has Energy.Active.Import.Register.`,
  )
}

/** How long something that begins by itself has been waited for: while it or the service is away, a charge point can send nothing. */
function waitedMs(since: string, { returned, interrupted_at }: CommissioningSession, now: number): number {
  return now - Math.max(Date.parse(since), returned?.at ?? 0, interrupted_at ?? 0)
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

export function connectorsToTest(connectors: readonly ConnectorState[], count = 0): readonly number[] {
  const reported = connectors.map(({ connector_id }) => connector_id).filter((id) => id > 0)
  const declared = Array.from({ length: Math.min(count, limits.testedConnectors) }, (_, at) => at + 1)
  const ids = [...new Set([...reported, ...declared])].sort((one, other) => one - other)
  return ids.length === 0 ? [1] : ids.slice(0, limits.testedConnectors)
}

function isRecent({ ended_at }: Exchange, now: number): boolean {
  // Not before either: the clock may have been set back since.
  return Math.abs(now - Date.parse(ended_at)) < pauseMs
}
