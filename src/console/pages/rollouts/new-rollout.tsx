// A new rollout: which charge points, by the filter of the fleet, which firmware, and how carefully.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { chosen, fleet, fleetStatus, useFleet } from '../../client/fleet.js'
import { filterOf } from '../../client/fleet-filter.js'
import { type FleetState, fleetStates } from '../../client/fleet-store.js'
import { numberText } from '../../client/format.js'
import { Ask } from '../../parts/ask.js'
import { Field } from '../../parts/field.js'

type Strategy = 'canary' | 'rolling' | 'all_at_once'

const most = 10_000

export function NewRollout({
  begin = '',
  close,
  made,
}: {
  /** The filter that it begins with. */
  readonly begin?: string
  readonly close: () => void
  readonly made: (rolloutId: string) => void
}) {
  useFleet()
  const [filter, setFilter] = useState(begin)
  const [url, setUrl] = useState('')
  const [version, setVersion] = useState('')
  const [strategy, setStrategy] = useState<Strategy>('canary')
  const [size, setSize] = useState('')
  const [soak, setSoak] = useState('')
  const [failures, setFailures] = useState('20')
  const [whileCharging, setWhileCharging] = useState('false')
  // Each change of the fleet may change what a filter finds.
  void fleet.version.value
  const marked = chosen.value
  const found = foundBy(filter, marked)
  const { unknown } = filterOf(filter, fleet)

  async function make(): Promise<void> {
    const count = size === '' ? undefined : Number(size)
    const body = {
      charge_point_ids: [...found],
      firmware_url: url,
      strategy,
      ...(version.trim() !== '' && { target_version: version.trim() }),
      ...(strategy === 'canary' && count !== undefined && { canary_size: count }),
      ...(strategy === 'rolling' && count !== undefined && { batch_size: count }),
      ...(soak !== '' && { soak_minutes: Number(soak) }),
      max_failure_percent: Number(failures),
      not_while_charging: whileCharging === 'false',
    }
    const { rollout_id } = await ask(api.POST('/api/v1/cpo/firmware/rollout', { body }))
    made(rollout_id)
  }

  return (
    <Ask
      title="New rollout of firmware"
      does={`Make it, for ${numberText(found.length)}`}
      whyNot={
        found.length === 0
          ? 'The filter finds no charge point.'
          : found.length > most
            ? `A rollout has at most ${numberText(most)} charge points.`
            : /^https:\/\/\S+$/i.test(url)
              ? undefined
              : 'The address of the firmware has to begin with https://.'
      }
      run={make}
      close={close}
      wide
    >
      <p>Nothing is sent yet: you begin each stage on the page of the rollout.</p>
      <Field
        label="Charge points"
        path="/charge_point_ids"
        value={filter}
        onChange={setFilter}
        placeholder="model:K300 fw:<4.2 city:Leipzig"
        autofocus
        mono
        hint={
          fleetStatus.value.isReady
            ? `${numberText(found.length)} charge points${
                filter === '' && marked.size > 0 ? ', which are chosen on the page of the fleet' : ''
              }. The filter is that of the fleet. At most ${numberText(most)}.`
            : 'The fleet is being read.'
        }
        {...(unknown.length > 0 && { error: `This means nothing here: ${unknown.join(' ')}` })}
      />
      <Field
        label="Address of the firmware"
        path="/firmware_url"
        value={url}
        onChange={setUrl}
        hint="The charge points download it from there; it begins with https://."
        mono
      />
      <Field
        label="Version that they boot with then (optional)"
        path="/target_version"
        value={version}
        onChange={setVersion}
        hint="A charge point that has it already is sent nothing. Without it, a version that differs from the one before counts."
      />
      <Field
        label="How"
        path="/strategy"
        value={strategy}
        onChange={(value) => setStrategy(value as Strategy)}
        options={[
          { value: 'canary', name: 'A few first, then the rest' },
          { value: 'rolling', name: 'One batch after the other' },
          { value: 'all_at_once', name: 'All at once' },
        ]}
      />
      {strategy !== 'all_at_once' && (
        <Field
          label={strategy === 'canary' ? 'How many first (optional)' : 'How many in a batch (optional)'}
          path={strategy === 'canary' ? '/canary_size' : '/batch_size'}
          value={size}
          onChange={setSize}
          inputmode="numeric"
          hint={
            strategy === 'canary'
              ? 'One, unless you say so. Those that are connected and charge no car come first.'
              : 'A tenth of them, unless you say so.'
          }
        />
      )}
      <Field
        label="Minutes until the next stage begins by itself (optional)"
        path="/soak_minutes"
        value={soak}
        onChange={setSoak}
        inputmode="numeric"
        hint="Counted from when the stage before has ended well. Without it, you begin each stage."
      />
      <Field
        label="It stops itself when more than so many percent of a stage fail"
        path="/max_failure_percent"
        value={failures}
        onChange={setFailures}
        inputmode="decimal"
      />
      <Field
        label="While a car charges"
        path="/not_while_charging"
        value={whileCharging}
        onChange={setWhileCharging}
        options={[
          { value: 'false', name: 'Wait until no session runs there' },
          { value: 'true', name: 'Send it all the same' },
        ]}
      />
    </Ask>
  )
}

/** Those that can be sent it at once come first, since stages are made in this order: who is idle, then who charges, then who is not connected. */
function foundBy(filter: string, marked: ReadonlySet<string>): readonly string[] {
  const { matches } = filterOf(filter, fleet)
  const isFound = filter.trim() === '' ? (row: number) => marked.has(fleet.ids[row] ?? '') : matches
  const groups: string[][] = [[], [], []]
  const known = new Set<string>()
  for (let row = 0; row < fleet.end; row++) {
    const id = fleet.ids[row]
    if (id === undefined || !isFound(row)) continue
    groups[turnOf(fleetStates[fleet.state[row] as number], fleet.connectors[row] ?? '')]?.push(id)
    known.add(id)
  }
  const [idle = [], busy = [], away = []] = groups
  // What is chosen and not known here any more is told by the service.
  const gone = filter.trim() === '' ? [...marked].filter((id) => !known.has(id)) : []
  return [...idle, ...busy, ...away, ...gone]
}

function turnOf(state: FleetState | undefined, connectors: string): 0 | 1 | 2 {
  if (state === 'Offline') return 2
  return /[CVE]/.test(connectors) ? 1 : 0
}
