// The states of a connector: a shape of its own for each, then a colour, and what it means before what OCPP calls it.

import './state-glyph.css'
import type { ComponentChildren } from 'preact'

/** As OCPP 1.6 calls them, and one for a charge point that is not connected. */
export type ConnectorState =
  | 'Available'
  | 'Preparing'
  | 'Charging'
  | 'SuspendedEV'
  | 'SuspendedEVSE'
  | 'Finishing'
  | 'Reserved'
  | 'Unavailable'
  | 'Faulted'
  | 'Offline'

/** In the words of the field. */
export const stateNames: Readonly<Record<ConnectorState, string>> = {
  Available: 'Available',
  Preparing: 'Preparing',
  Charging: 'Charging',
  SuspendedEV: 'Held by car',
  SuspendedEVSE: 'Held by charger',
  Finishing: 'Finishing',
  Reserved: 'Reserved',
  Unavailable: 'Out of service',
  Faulted: 'Faulted',
  Offline: 'Offline',
}

export const connectorStates = Object.keys(stateNames) as readonly ConnectorState[]

/** The state of this name; in any case, so that `available` of the API is one. */
export function stateOf(name: string): ConnectorState {
  const wanted = name.replaceAll('_', '').toLowerCase()
  return (
    connectorStates.find((one) => one.toLowerCase() === wanted) ?? (wanted === 'occupied' ? 'Preparing' : 'Offline')
  )
}

function shapeOf(state: ConnectorState): ComponentChildren {
  switch (state) {
    case 'Available':
      return <circle cx="6" cy="6" r="4.1" fill="none" stroke="currentColor" stroke-width="1.8" />
    case 'Preparing':
      return (
        <>
          <circle cx="6" cy="6" r="4.1" fill="none" stroke="currentColor" stroke-width="1.8" />
          <path d="M6 1.9a4.1 4.1 0 0 1 0 8.2z" fill="currentColor" />
        </>
      )
    case 'Charging':
      return (
        <>
          <circle cx="6" cy="6" r="6" fill="currentColor" />
          <path class="cut" d="M6.9 1.9 3.4 6.7h2.1l-.5 3.4 3.6-4.9H6.4z" />
        </>
      )
    case 'SuspendedEV':
      return (
        <>
          <rect x="2" y="1.5" width="2.8" height="9" rx="1" fill="currentColor" />
          <rect x="7.2" y="1.5" width="2.8" height="9" rx="1" fill="currentColor" />
        </>
      )
    case 'SuspendedEVSE':
      return (
        <>
          <rect x=".8" y=".8" width="10.4" height="10.4" rx="2.4" fill="currentColor" />
          <path class="cut-line" d="M4.3 3.6v4.8M7.7 3.6v4.8" />
        </>
      )
    case 'Finishing':
      return (
        <>
          <circle cx="6" cy="6" r="4.9" fill="none" stroke="currentColor" stroke-width="1.5" />
          <path d="m3.8 6.1 1.6 1.6 3-3.2" fill="none" stroke="currentColor" stroke-width="1.5" />
        </>
      )
    case 'Reserved':
      return <path d="M6 .7 11.3 6 6 11.3.7 6z" fill="currentColor" />
    case 'Unavailable':
      return (
        <>
          <circle cx="6" cy="6" r="4.9" fill="none" stroke="currentColor" stroke-width="1.5" />
          <path d="M3.4 6h5.2" stroke="currentColor" stroke-width="1.7" />
        </>
      )
    case 'Faulted':
      return (
        <>
          <path d="M6 .5 11.8 11H.2z" fill="currentColor" />
          <path class="cut-line" d="M6 4.2v3.1M6 8.9v.4" />
        </>
      )
    case 'Offline':
      return (
        <>
          <circle cx="6" cy="6" r="4.4" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2 1.6" />
          <path d="M2 10 10 2" stroke="currentColor" stroke-width="1.5" />
        </>
      )
  }
}

/** The shape alone; without a name it says nothing to who does not see it. */
export function Glyph({ state, label }: { readonly state: ConnectorState; readonly label?: string }) {
  const drawn = (
    <svg class={`glyph state-${state.toLowerCase()}`} viewBox="0 0 12 12" aria-hidden="true">
      {shapeOf(state)}
    </svg>
  )
  if (label === undefined) return drawn
  return (
    <span class="glyph-of" title={label}>
      {drawn}
      <span class="only-read">{label}</span>
    </span>
  )
}

/** The shape and its words; what OCPP calls it is in the tip. */
export function StateLabel({
  state,
  children,
}: {
  readonly state: ConnectorState
  readonly children?: ComponentChildren
}) {
  return (
    <span class={`state-label state-${state.toLowerCase()}`} title={state}>
      <Glyph state={state} />
      <span>{children ?? stateNames[state]}</span>
    </span>
  )
}
