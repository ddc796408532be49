// StopTransaction: a charge has ended (OCPP 1.6, 4.10). It is always taken: what no session explains is kept apart.

import { stopTransaction as message, type StopTransactionRequest, unknownMeterStop } from '../../ocpp16/index.js'
import { type GroupedTag, sameGroup } from '../../records/id-tag.js'
import { meterValuesTable } from '../../records/meter-values.js'
import type { Session } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { assumeNoMore } from './assumed-charging.js'
import { authorizeIdTag } from './authorization.js'
import { judgeTime } from './clock-skew.js'
import { implausibleFlag, sessionEnergy } from './energy.js'
import { guestEnded } from './guests.js'
import { warnOfImplausible } from './implausible-energy.js'
import { refuseTransaction } from './keep-within.js'
import { noteOtherStop } from './other-stops.js'
import { endPower } from './power.js'
import { flagsOfRegisters, registerAt } from './registers.js'
import { defineHandler } from './request-handler.js'
import { tellRolloutOfEnd } from './rollout-news.js'
import { placeRows, readRows } from './samples.js'
import { settleCost } from './session-cost.js'
import { sessionEnded } from './session-events.js'
import { fitsRegister, mostOf, registerOf, takeReadings } from './session-register.js'
import { isKeptApart, isOwnSession, keepApart, sessionByTransaction, unexplained } from './sessions.js'
import { replaceSession, type State } from './state.js'

export const stopTransaction = defineHandler({
  message,
  needs: 'Accepted',
  handle(state, request, context, receivedAt) {
    const match = findSession(state, request, context)
    const response = { ...tagInfo(state, request, context) }
    if (match === undefined) {
      const { meterStop, ...others } = request
      const said = meterStop === unknownMeterStop ? others : request
      const stop = unexplained(message.action, said, 'no such transaction')
      if (isKeptApart(state, stop, context)) return { response: {} }
      return refuseTransaction(state, context) ?? { response: {}, effects: keepApart(state, stop, context) }
    }
    // The first StopTransaction counts; a repeat is answered alike and changes nothing.
    if (match.session.status === 'completed')
      return { response, effects: noteOtherStop(match.session, request, receivedAt) }
    return { response, effects: stopSession(state, match, request, receivedAt, context).effects }
  },
})

/** Ends a session that runs, or was ended by estimate, by the charge point's word of it, and prices it. */
export function stopSession(
  state: State,
  match: Match,
  request: StopTransactionRequest,
  receivedAt: number,
  context: Context,
): { readonly session: Session; readonly effects: readonly Effect[] } {
  const { session_id } = match.session
  const place = placeRows(session_id, state.newestSamples, context.read())
  const rows = readRows(session_id, request.transactionData ?? [], receivedAt, place)
  const read = { ...match, session: takeReadings(state, match.session, rows, context) }
  const closed = close(state, read, request, receivedAt, context)
  const { session, effects } = settleCost(closed, rows, context)
  const samples = rows.map((row) => effect.put(meterValuesTable, row))
  const { connector_id } = session
  const isOver = match.session.status === 'active' && isOwnSession(state, match.session)
  const ended = isOver
    ? [
        ...assumeNoMore(state, connector_id),
        ...endPower(state, connector_id, context),
        ...tellRolloutOfEnd(state.row.organization_id, context),
      ]
    : []
  return {
    session,
    effects: [
      replaceSession(state, session),
      ...samples,
      ...effects,
      ...ended,
      sessionEnded(session),
      ...warnOfImplausible(state, match.session, session, context),
      ...guestEnded(session, context),
    ],
  }
}

export interface Match {
  readonly session: Session
  readonly flags: readonly string[]
}

/** By id; else, since -1, 0 and the like mean that our answer never arrived, the one open session that fits (errata 3.18). */
function findSession(state: State, request: StopTransactionRequest, context: Context): Match | undefined {
  const { transactionId } = request
  if (transactionId !== undefined && transactionId > 0) {
    const session = sessionByTransaction(state, transactionId, context)
    return session === undefined ? undefined : { session, flags: [] }
  }
  const tag = request.idTag === undefined ? undefined : taggedWith(request.idTag, state, context)
  const fitting = state.open.filter(
    (session) =>
      (request.meterStop === unknownMeterStop || fitsRegister(state, session, request.meterStop, context)) &&
      (tag === undefined || sameGroup(tag, session)),
  )
  const [session] = fitting
  return session !== undefined && fitting.length === 1 ? { session, flags: ['reconciled'] } : undefined
}

/** A tag with its parent: any tag of the group may stop a session of the group (OCPP 1.6, 4.10). */
function taggedWith(idTag: string, state: State, context: Context): GroupedTag {
  const { info } = authorizeIdTag(state, idTag, context)
  return { id_tag: idTag, parent_id_tag: info.parentIdTag }
}

/** Said anew by every end of a session. */
const flagsOfEnd: ReadonlySet<string> = new Set(['estimated_close', implausibleFlag, ...flagsOfRegisters])

function close(
  state: State,
  { session, flags }: Match,
  request: StopTransactionRequest,
  receivedAt: number,
  context: Context,
): Session {
  const time = judgeTime(request.timestamp, receivedAt)
  const startedAt = Date.parse(session.started_at)
  const endedAt = Math.max(time.at, startedAt)
  const stopBeforeStart = time.at < startedAt
  const meterStop = request.meterStop === unknownMeterStop ? undefined : request.meterStop
  const { meter_start_unknown: unknown, ...known } = session
  // A start that nothing has told is the stop: nothing says what was taken.
  const meterStart = unknown === true ? (meterStop ?? session.meter_start) : session.meter_start
  const energy = sessionEnergy({
    meterStart,
    meterStop,
    register: unknown === true ? registerAt(meterStart) : registerOf(state, session, context),
    startedAt,
    endedAt,
    mostBetween: mostOf(state, session, time.suspect || stopBeforeStart),
  })
  return {
    ...known,
    meter_start: meterStart,
    status: 'completed',
    ended_at: new Date(endedAt).toISOString(),
    ...(time.reported !== undefined && { ended_at_reported: time.reported }),
    meter_stop: meterStop ?? meterStart + energy.wh,
    energy_wh: energy.wh,
    stop_reason: request.reason ?? 'Local',
    ...(request.idTag !== undefined && { stop_id_tag: request.idTag }),
    flags: [
      ...session.flags.filter((flag) => !flagsOfEnd.has(flag)),
      ...flags,
      ...energy.flags,
      ...(time.suspect ? ['clock_suspect'] : []),
      ...(stopBeforeStart ? ['stop_before_start'] : []),
    ].filter((flag, at, all) => all.indexOf(flag) === at),
  }
}

function tagInfo(
  state: State,
  request: StopTransactionRequest,
  context: Context,
): { idTagInfo?: ReturnType<typeof authorizeIdTag>['info'] } {
  if (request.idTag === undefined) return {}
  const { info, known } = authorizeIdTag(state, request.idTag, context)
  return known ? { idTagInfo: info } : {}
}
