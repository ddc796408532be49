// What the test transaction of a commissioning has shown, once its charge has ended.

import { remoteStartTransaction, remoteStopTransaction } from '../../ocpp16/index.js'
import type { CommissioningSession, Exchange } from '../../records/commissioning.js'
import type { Session } from '../../records/session.js'
import { implausibleFlag } from '../charge-point/energy.js'
import { flagsOfRegisters } from '../charge-point/registers.js'
import { type Decision, doubtful, failed, passed } from './decision.js'
import { inWords, isLost, isRefusedStart, lastOf } from './exchanges.js'

/** The session flags that say that its readings are odd. */
const oddReadings: ReadonlySet<string> = new Set([...flagsOfRegisters, implausibleFlag])

/** What the charge has shown, once it has ended. It is stopped before it is judged, so that nothing goes on. */
export function verdict(evidence: readonly Exchange[], charge: Session, { test }: CommissioningSession): Decision {
  const { connector_id: connectorId, stop_reason: reason = 'Local', energy_wh: wh = 0, flags } = charge
  const start = lastOf(evidence, remoteStartTransaction.action)
  if (start !== undefined && isRefusedStart(start))
    return failed(`The charge point ${inWords(start)} when asked to start a charge, and began one all the same.`)
  if (test !== undefined && connectorId !== 0 && connectorId !== test.connector_id)
    return failed(`The charge was to begin on connector ${test.connector_id}, and began on connector ${connectorId}.`)
  const stops = evidence.filter(({ sent }) => sent === remoteStopTransaction.action)
  const isAccepted = stops.some(({ answer }) => answer === 'Accepted')
  const last = stops.at(-1)
  // Of one that was lost, the charge point may have heard: what it is asked again is about nothing then.
  if (last !== undefined && !isAccepted && !stops.some(isLost))
    return failed(`The charge point ${inWords(last)} when asked to stop the charge.`)
  // Also where it has said no reason.
  const isLocal = reason === 'Local'
  if (!isLocal && reason !== 'Remote' && reason !== 'Other')
    return failed(`The charge ended by itself (${reason}) after the remote stop, and not by it.`)
  const odd = flags.filter((flag) => oddReadings.has(flag))
  const doubts = [
    ...(isAccepted || reason === 'Remote'
      ? []
      : [`It ended by itself (${reason}) after the remote stop, whose answer is not known.`]),
    ...(isAccepted && isLocal ? ['Its reason is Local, or none, and not Remote.'] : []),
    ...(wh > 0 ? [] : ['Whether its meter counts is not shown: that takes a vehicle, or a load.']),
    ...(odd.length > 0 ? [`Its readings are odd: ${odd.join(', ')}.`] : []),
  ]
  const shown = `A charge was started, metered and stopped remotely; it took ${wh} Wh.`
  return doubts.length === 0 ? passed(shown) : doubtful([shown, ...doubts].join(' '))
}
