// Who is connected now: a row says which life of which node holds the socket, and of those only some live. Asked here alone, so that
// whoever lists or counts does not know how many nodes there are, and a node that ends leaves its charge points offline without a
// write for each.

import type { ReadView } from '../runtime/store/store.js'
import type { Key } from '../runtime/store/table.js'
import {
  type ChargePointState,
  type ChargePointStatus,
  chargePointStatesTable,
  connectedStatus,
  outlets,
} from './charge-point-state.js'

/** A life of a node has a number of its own: these live now. */
export type LiveNodes = ReadonlySet<number>

/** A node as it is seen from its own threads. */
export interface Presence {
  /** The number of this life of the node. */
  readonly incarnation: number
  readonly live: LiveNodes
}

/** A node that is all there is. */
export function alone(incarnation: number): Presence {
  return { incarnation, live: new Set([incarnation]) }
}

type Held = Pick<ChargePointState, 'run' | 'connected'>

export function isOnline(state: Held | undefined, live: LiveNodes): boolean {
  return state?.connected === true && live.has(state.run)
}

/** Its socket ended with its node, and nobody has noted so. */
export function wasLost(state: Held, live: LiveNodes): boolean {
  return state.connected && !live.has(state.run)
}

/** The last socket that the row tells of, where the number of it still means something: its node lives. */
export function knownConnection(state: Held & Pick<ChargePointState, 'connection'>, live: LiveNodes) {
  return live.has(state.run) ? state.connection : undefined
}

export function chargePointStatus(state: ChargePointState | undefined, live: LiveNodes): ChargePointStatus {
  return state !== undefined && isOnline(state, live) ? connectedStatus(state) : 'offline'
}

/** How many connectors have a fault now: nothing is known of those of a charge point that is offline. */
export function faultedConnectors(state: ChargePointState | undefined, live: LiveNodes): number {
  if (state === undefined || !isOnline(state, live)) return 0
  return outlets(state).filter(({ status }) => status === 'Faulted').length
}

function listsOf(index: string, live: LiveNodes, group: (incarnation: number) => Key) {
  return [...live].map((incarnation) => ({ index, group: group(incarnation) }))
}

function totalOf(view: ReadView, lists: ReturnType<typeof listsOf>): number {
  return lists.reduce((sum, { index, group }) => sum + view.total(chargePointStatesTable, index, group), 0)
}

/** The lists, one for each node, of an organization's charge points that are connected and have the status. */
export function listsByStatus(organizationId: string, status: ChargePointStatus, live: LiveNodes) {
  return listsOf('byStatus', live, (incarnation) => [organizationId, incarnation, status])
}

/** Those of charge points that are connected and have a connector of the status. */
export function listsByConnectorStatus(organizationId: string, status: string, live: LiveNodes) {
  return listsOf('byLiveConnectorStatus', live, (incarnation) => [organizationId, incarnation, status])
}

export function onlineTotal(
  view: ReadView,
  organizationId: string,
  status: Exclude<ChargePointStatus, 'offline'>,
  live: LiveNodes,
): number {
  return totalOf(view, listsByStatus(organizationId, status, live))
}

/** How many connectors of connected charge points have the status. */
export function connectorsTotal(view: ReadView, organizationId: string, status: string, live: LiveNodes): number {
  return totalOf(
    view,
    listsOf('liveConnectors', live, (incarnation) => [organizationId, incarnation, status]),
  )
}

/** What connected charge points draw, as last metered. */
export function wattsTotal(view: ReadView, organizationId: string, live: LiveNodes): number {
  return totalOf(
    view,
    listsOf('power', live, (incarnation) => [organizationId, incarnation]),
  )
}

/** Those whose sockets ended with their nodes, `limit` at most. They stand between the lives that last. */
export function listLost(view: ReadView, live: LiveNodes, limit: number): readonly ChargePointState[] {
  const lasting = [...live].sort((one, other) => one - other)
  const found: ChargePointState[] = []
  for (let at = 0; at <= lasting.length && found.length < limit; at++) {
    const [before, next] = [lasting[at - 1], lasting[at]]
    const query = {
      ...(before !== undefined && { from: [before + 1] }),
      ...(next !== undefined && { to: [next] }),
      limit: limit - found.length,
    }
    found.push(...view.listBy(chargePointStatesTable, 'connected', [], query))
  }
  return found
}
