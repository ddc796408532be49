// StopTransaction: a charge has ended (OCPP 1.6, 4.10). It is always taken: what no session explains is kept apart.

import type { Context } from '../../runtime/actor.js'
import { effect } from '../../runtime/actor.js'
import { foldIdTag } from '../records/id-tag.js'
import { meterValuesTable } from '../records/meter-values.js'
import type { Session } from '../records/session.js'
import { authorizeIdTag } from './authorization.js'
import { judgeTime } from './clock-skew.js'
import { sessionEnergy } from './energy.js'
import { stopTransaction as message, type StopTransactionRequest } from './ocpp/index.js'
import { defineHandler } from './request-handler.js'
import { readRows } from './samples.js'
import { keepUnmatched, lastRegister, sessionByTransaction, sessionEnded } from './sessions.js'
import { replaceSession, type State } from './state.js'

export const stopTransaction = defineHandler({
  message,
  needs: 'Accepted',
  handle(state, request, context, receivedAt) {
    const match = findSession(state, request, context)
    const response = { ...tagInfo(state, request, context) }
    if (match === undefined) {
      return { response: {}, effects: keepUnmatched(state, 'StopTransaction', request, 'no such transaction', context) }
    }
    // The first StopTransaction counts; a repeat is answered alike and changes nothing.
    if (match.session.status === 'completed') return { response }
    const closed = close(match.session, request, match.flags, receivedAt, context)
    const rows = readRows(closed.session_id, request.transactionData ?? [], receivedAt, context.read())
    const samples = rows.map((row) => effect.put(meterValuesTable, row))
    return { response, effects: [replaceSession(state, closed), ...samples, sessionEnded(closed)] }
  },
})

interface Match {
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
  const fitting = state.open.filter(
    (session) =>
      request.meterStop >= session.meter_start &&
      (request.idTag === undefined || foldIdTag(request.idTag) === foldIdTag(session.id_tag)),
  )
  const [session] = fitting
  return session !== undefined && fitting.length === 1 ? { session, flags: ['reconciled'] } : undefined
}

function close(
  session: Session,
  request: StopTransactionRequest,
  flags: readonly string[],
  receivedAt: number,
  context: Context,
): Session {
  const time = judgeTime(request.timestamp, receivedAt)
  const startedAt = Date.parse(session.started_at)
  const energy = sessionEnergy(session.meter_start, request.meterStop, lastRegister(session.session_id, context))
  return {
    ...session,
    status: 'completed',
    ended_at: new Date(Math.max(time.at, startedAt)).toISOString(),
    ...(time.reported !== undefined && { ended_at_reported: time.reported }),
    meter_stop: request.meterStop,
    energy_wh: energy.wh,
    stop_reason: request.reason ?? 'Local',
    ...(request.idTag !== undefined && { stop_id_tag: request.idTag }),
    flags: [
      ...session.flags.filter((flag) => flag !== 'estimated_close'),
      ...flags,
      ...energy.flags,
      ...(time.suspect ? ['clock_suspect'] : []),
      ...(time.at < startedAt ? ['stop_before_start'] : []),
    ].filter((flag, at, all) => all.indexOf(flag) === at),
  }
}

function tagInfo(
  state: State,
  request: StopTransactionRequest,
  context: Context,
): { idTagInfo?: ReturnType<typeof authorizeIdTag>['info'] } {
  if (request.idTag === undefined) return {}
  const { info, known } = authorizeIdTag(context.read(), state.row.organization_id, request.idTag, context.now())
  return known ? { idTagInfo: info } : {}
}
