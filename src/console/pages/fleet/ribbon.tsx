// The fleet by state, as a band and in figures: pressing one shows the charge points in that state alone.

import { fleetStates } from '../../client/fleet-store.js'
import { numberText } from '../../client/format.js'
import { Glyph, stateNames } from '../../parts/state-glyph.js'

/** From what moves to what rests. */
const order = [
  'Charging',
  'Preparing',
  'Finishing',
  'SuspendedEV',
  'SuspendedEVSE',
  'Reserved',
  'Available',
  'Unavailable',
  'Faulted',
  'Offline',
] as const

export const filterOfState = (state: string): string => `status:${state.toLowerCase()}`

export function Ribbon({
  counts,
  filter,
  show,
}: {
  readonly counts: readonly number[]
  readonly filter: string
  readonly show: (filter: string) => void
}) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <section class="panel ribbon" aria-label="Charge points by state">
      <div class="band" aria-hidden="true">
        {order.map((state) => {
          const count = counts[fleetStates.indexOf(state)] ?? 0
          return (
            count > 0 && (
              <i
                key={state}
                class={`fill-${state.toLowerCase()}`}
                style={{ flexGrow: String(count / Math.max(1, total)) }}
              />
            )
          )
        })}
      </div>
      <div class="legend">
        {order.map((state) => {
          const own = filterOfState(state)
          const isPressed = filter === own
          return (
            <button key={state} type="button" aria-pressed={isPressed} onClick={() => show(isPressed ? '' : own)}>
              <Glyph state={state} />
              {stateNames[state]} <b>{numberText(counts[fleetStates.indexOf(state)] ?? 0)}</b>
            </button>
          )
        })}
      </div>
    </section>
  )
}
