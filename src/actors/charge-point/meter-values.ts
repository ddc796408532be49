// MeterValues: what the meter shows (OCPP 1.6, 4.7). Stored before it is answered, and always answered.

import type { Context, Effect } from '../../runtime/actor.js'
import { effect } from '../../runtime/actor.js'
import { meterValuesTable } from '../records/meter-values.js'
import type { Session } from '../records/session.js'
import { noteClock } from './clock-watch.js'
import { guestMetered } from './guests.js'
import { type MeterValuesRequest, meterValues as message } from './ocpp/index.js'
import { notePower } from './power.js'
import { defineHandler } from './request-handler.js'
import { updateCost } from './running-cost.js'
import { placeRows, readRows } from './samples.js'
import { openOnConnector, sessionByTransaction } from './sessions.js'
import type { State } from './state.js'

export const meterValues = defineHandler({
  message,
  needs: 'Accepted',
  handle(state, request, context, receivedAt) {
    const session = sessionOf(state, request, context)
    const owner = session?.session_id ?? `${context.id}/${request.connectorId}`
    const rows = readRows(owner, request.meterValue, receivedAt, placeRows(state.newestSamples, context.read()))
    const effects: Effect[] = rows.map((row) => effect.put(meterValuesTable, row))
    const watts = session?.status === 'active' ? rows.at(-1)?.power_watts : undefined
    if (session !== undefined && watts !== undefined)
      effects.push(...notePower(state, session.connector_id, watts, context))
    if (session?.status === 'active')
      effects.push(...updateCost(state, session, rows, context), ...guestMetered(session, context))
    const timestamp = request.meterValue.at(-1)?.timestamp
    effects.push(...noteClock(state, { timestamp, repeated: false }, receivedAt, context))
    return { response: {}, effects }
  },
})

/**
 * The transaction that the values belong to. Without a usable id it is the one open on the connector (field note 12);
 * values that come after the stop are still the session's, which they do not open again.
 */
function sessionOf(state: State, request: MeterValuesRequest, context: Context): Session | undefined {
  if (request.transactionId !== undefined && request.transactionId > 0) {
    const named = sessionByTransaction(state, request.transactionId, context)
    if (named !== undefined) return named
  }
  const onConnector = openOnConnector(state, request.connectorId)
  if (onConnector !== undefined) return onConnector
  // A charge point with one outlet may call it 0, unless the message is of the main meter, outside any transaction.
  const single = state.registration?.connector_count === 1 && request.transactionId !== undefined
  return single ? state.open[0] : undefined
}
