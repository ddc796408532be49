// What needs attention, by cause: what charge points have in common is told, not a list of them. A press shows them.

import { api, ask, type Schema } from '../../client/api.js'
import { fleetStatus } from '../../client/fleet.js'
import { durationText, numberText } from '../../client/format.js'
import type { Resource } from '../../client/resource.js'
import { useResource } from '../../client/resource.js'
import { Icon, type IconName } from '../../parts/icon.js'
import { Panel } from '../../parts/panel.js'
import { type ConnectorState, Glyph } from '../../parts/state-glyph.js'
import { EmptyState, Loaded } from '../../parts/states.js'

export type Cause = Schema<'FleetCause'>

/** The service works it out every 15 seconds at most, for all who ask: so it is told within half a minute, whoever asked before. */
const everySeconds = 10

export function useAttention(): Resource<Schema<'FleetAttention'>> {
  // The service works it out from the whole fleet: those who look at the rows do not wait for it.
  const enabled = fleetStatus.value.isReady
  return useResource((signal) => ask(api.GET('/api/v1/cpo/fleet/attention', { signal })), [], { everySeconds, enabled })
}

const glyphs: Readonly<Partial<Record<Cause['kind'], ConnectorState>>> = {
  faults: 'Faulted',
  offline: 'Offline',
  held: 'SuspendedEVSE',
}
const icons: Readonly<Partial<Record<Cause['kind'], IconName>>> = {
  refused: 'unplug',
  silent: 'unplug',
  clock: 'clock',
  deviations: 'git-compare',
  security: 'shield-alert',
}

export function Attention({
  causes,
  show,
  shown,
}: {
  readonly causes: Resource<Schema<'FleetAttention'>>
  readonly show: (filter: string) => void
  /** The filter that is set. */
  readonly shown: string
}) {
  const count = causes.data?.causes.length ?? 0
  const concerned = causes.data?.charge_points ?? 0
  return (
    <Panel
      title="Needs attention"
      class="needs"
      {...(count > 0 && {
        hint: `${count} ${count === 1 ? 'cause' : 'causes'} behind ${numberText(concerned)} charge ${concerned === 1 ? 'point' : 'points'}`,
      })}
    >
      <Loaded of={causes}>
        {({ causes: found }) =>
          found.length === 0 ? (
            <EmptyState icon="circle-check" title="Nothing needs attention" />
          ) : (
            <ol>
              {found.map((cause) => (
                <li key={cause.cause_id}>
                  <button type="button" aria-pressed={cause.filter === shown} onClick={() => show(cause.filter)}>
                    <CauseSign kind={cause.kind} />
                    <b>{cause.title}</b>
                    <span class="age">
                      {cause.since !== null && durationText((Date.now() - Date.parse(cause.since)) / 1_000)}
                    </span>
                    <span class="why">{cause.why}</span>
                  </button>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Panel>
  )
}

function CauseSign({ kind }: { readonly kind: Cause['kind'] }) {
  const state = glyphs[kind]
  if (state !== undefined)
    return (
      <span class={`state-${state.toLowerCase()}`}>
        <Glyph state={state} />
      </span>
    )
  return <Icon name={icons[kind] ?? 'triangle-alert'} small />
}
