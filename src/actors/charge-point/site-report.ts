// Word to the site of a charge point: whether it can be asked, which sessions it has, what they draw. It follows every message after which one
// of these is another, so that nothing that changes them needs to know of sites.

import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { type ChargerReport, siteAddress } from '../messages/site.js'
import { limits } from './limits.js'
import { connectorCountOf } from './named-connectors.js'
import { type Reported, registeredFor, type State, type Turn } from './state.js'

export function withSiteReport<Rest extends readonly unknown[]>(turn: Turn<Rest>): Turn<Rest> {
  return (state, ...rest) => {
    const effects = turn(state, ...rest)
    const context = rest.at(-1) as Context
    const word = reportToSite(state, context)
    return word === undefined ? effects : [...effects, word]
  }
}

function reportToSite(state: State, context: Context): Effect | undefined {
  const siteId = state.registration?.site_id
  if (siteId === undefined) {
    state.reported = undefined
    return undefined
  }
  const { open, row, draws, cleared } = state
  // A report may be lost with the shard that it was sent to.
  const isOld = open.length > 0 && context.monotonic() - (state.reported?.at ?? 0) > limits.siteReportMs
  const before = isOld ? undefined : state.reported
  const isReady = state.connection !== undefined && registeredFor(state, 'Accepted')
  const bootedAt = row.boot?.booted_at
  const connectors = connectorCountOf(state)
  const isSame =
    before?.siteId === siteId &&
    before.isReady === isReady &&
    before.epoch === state.epoch &&
    before.cleared === cleared &&
    before.connectors === connectors
  if (isSame && before.open === open && before.draws === draws && before.bootedAt === bootedAt) return undefined
  const charging = open.map(({ session_id, connector_id }) => `${session_id}/${connector_id}`)
  const sessions = charging.join(' ')
  const at = context.monotonic()
  const reported = { siteId, epoch: state.epoch, isReady, bootedAt, cleared, connectors, open, draws, sessions, at }
  // A session is written anew with each of its readings.
  if (isSame && before.sessions === sessions && before.draws === draws && before.bootedAt === bootedAt) {
    state.reported = { ...reported, at: before.at }
    return undefined
  }
  state.reported = reported
  return effect.send(siteAddress(siteId), reportOf(state, reported, context))
}

function reportOf(
  { open }: State,
  { isReady, epoch, bootedAt, cleared, connectors, draws }: Reported,
  context: Context,
): ChargerReport {
  return {
    type: 'charger-report',
    chargePointId: context.id,
    isReady,
    epoch,
    ...(bootedAt !== undefined && { bootedAt }),
    ...(cleared !== undefined && { cleared }),
    ...(connectors !== undefined && { connectors }),
    sessions: open.map(({ session_id, transaction_id, connector_id }) => ({
      sessionId: session_id,
      transactionId: transaction_id,
      connectorId: connector_id,
    })),
    draws: [...draws.values()].filter(({ connectorId }) =>
      open.some((session) => session.connector_id === connectorId),
    ),
  }
}
