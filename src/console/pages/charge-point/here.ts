// The charge point that the pages of the frame are about: asked for once, by the frame, and again when it has changed.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Schema } from '../../client/api.js'
import type { Resource } from '../../client/resource.js'
import { wholeState } from '../../client/whole-state.js'
import { type ConnectorState, stateOf } from '../../parts/state-glyph.js'

export type State = Schema<'ChargePointState'>
export type Connector = State['connectors'][number]

export interface Here {
  readonly id: string
  readonly state: Resource<State>
  /** Opens the box of commands, with one of them chosen. */
  readonly command: (name?: string, connectorId?: number) => void
  /** Opens the dialog that makes a new password. It stays open when the charge point connects with it. */
  readonly password: () => void
}

export const HereContext = createContext<Here | undefined>(undefined)

export function useHere(): Here {
  const here = useContext(HereContext)
  if (here === undefined) throw new Error('this is no page of a charge point')
  return here
}

/** As it is shown: of a charge point that is offline nothing is known of now. */
export function shownState({ status }: Pick<Connector, 'status'>, online: boolean): ConnectorState {
  return !online || status === null ? 'Offline' : stateOf(status)
}

/** It has not said what it is. */
export const isSilent = ({ online, registration }: State): boolean => online && registration === null

/** Of all of it. */
export function stateOfWhole(state: State): ConnectorState {
  const has = (wanted: ConnectorState): boolean => state.connectors.some(({ status }) => status === wanted)
  return wholeState(state.status, has, isSilent(state))
}
