// MeterValues: what the meter shows (OCPP 1.6, 4.7). Stored before it is answered, and always answered.

import { type MeterValuesRequest, meterValues as message } from '../../ocpp16/index.js'
import { meterValuesTable } from '../../records/meter-values.js'
import type { Session } from '../../records/session.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { noteClock } from './clock-watch.js'
import { noteViolation } from './conformance.js'
import { drawnWatts, noteDraw } from './draws.js'
import { guestMetered } from './guests.js'
import { connectorCountOf, isPlausibleConnector, noteConnector } from './named-connectors.js'
import { notePower } from './power.js'
import { defineHandler } from './request-handler.js'
import { updateCost } from './running-cost.js'
import { placeRows, readRows } from './samples.js'
import { takeReadings } from './session-register.js'
import { openOnConnector, sessionByTransaction } from './sessions.js'
import { replaceSession, type State } from './state.js'
import { countLeftOut } from './statistics.js'

export const meterValues = defineHandler({
  message,
  needs: 'Accepted',
  handle(state, request, context, receivedAt) {
    const session = sessionOf(state, request, context)
    if (session === undefined && !isPlausibleConnector(state, request.connectorId)) {
      noteViolation(state, { rule: 'implausible-connector', path: '/connectorId' })
      countLeftOut('connector')
      return { response: {} }
    }
    const owner = session?.session_id ?? `${context.id}/${request.connectorId}`
    const place = placeRows(owner, state.newestSamples, context.read())
    const rows = readRows(owner, request.meterValue, receivedAt, place)
    const effects: Effect[] = rows.map((row) => effect.put(meterValuesTable, row))
    const newest = rows.at(-1)
    const watts = session?.status === 'active' && newest !== undefined ? drawnWatts(newest) : undefined
    if (session !== undefined && watts !== undefined)
      effects.push(...notePower(state, session.connector_id, watts, context))
    if (session?.status === 'active') noteDraw(state, session.connector_id, rows)
    if (session !== undefined && session.status !== 'completed') {
      const taken = takeReadings(state, session, rows, context)
      if (taken !== session) effects.push(replaceSession(state, taken))
      effects.push(...updateCost(state, taken, context))
      if (taken.status === 'active') effects.push(...guestMetered(taken, context))
    }
    const timestamp = request.meterValue.at(-1)?.timestamp
    effects.push(...noteConnector(state, request.connectorId, context))
    effects.push(...noteClock(state, { timestamp, repeated: false }, receivedAt, context))
    return { response: {}, effects }
  },
})

/**
 * The transaction that the values belong to. Without a usable id it is the one open on the connector (field note 12);
 * values that come after the stop are still the session's, which they do not open again. One connector's are never another's.
 */
function sessionOf(state: State, request: MeterValuesRequest, context: Context): Session | undefined {
  const { connectorId, transactionId } = request
  if (transactionId !== undefined && transactionId > 0) {
    const named = sessionByTransaction(state, transactionId, context)
    // Not every charge point says the connector here; one that says another speaks of that one's charge.
    if (named !== undefined && (connectorId === 0 || named.connector_id === 0 || named.connector_id === connectorId))
      return named
  }
  const onConnector = openOnConnector(state, connectorId)
  if (onConnector !== undefined || connectorId !== 0) return onConnector
  // A charge point with one outlet may call it 0, unless the message is of the main meter, outside any transaction.
  const single = connectorCountOf(state) === 1 && transactionId !== undefined
  return single ? state.open[0] : undefined
}
