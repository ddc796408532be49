// The configuration of the charge point: what it is to be, what the charger has reported, where they differ, and putting that right.

import './configuration.css'
import { useState } from 'preact/hooks'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Chip, Tag } from '../../parts/chip.js'
import { Field } from '../../parts/field.js'
import { Icon } from '../../parts/icon.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { attempt } from '../../parts/toast.js'
import { useHere } from './here.js'

type Configuration = Schema<'ChargePointConfiguration'>
type Application = Schema<'ConfigurationApplication'>

interface Row {
  readonly key: string
  readonly wanted: string | undefined
  readonly reported: string | null | undefined
  readonly isReadOnly: boolean
  readonly isDrifted: boolean
  readonly differs: boolean
}

function rowsOf({ wanted, reported, read_only, drifted, differing }: Configuration): readonly Row[] {
  const byKey = new Map(reported.map((one) => [one.key, one]))
  const keys = [...new Set([...Object.keys(wanted), ...byKey.keys()])].sort((one, other) => one.localeCompare(other))
  const isDrifted = new Set(drifted.map(({ key }) => key))
  return keys.map((key) => ({
    key,
    wanted: wanted[key] === undefined ? undefined : String(wanted[key]),
    reported: byKey.get(key)?.value,
    isReadOnly: byKey.get(key)?.read_only === true || read_only.includes(key),
    isDrifted: isDrifted.has(key),
    differs: isDrifted.has(key) || differing.includes(key),
  }))
}

const columns: readonly Column<Row>[] = [
  { id: 'key', name: 'Key', width: 'minmax(180px, 1fr)', cell: ({ key }) => <span class="mono">{key}</span> },
  {
    id: 'reported',
    name: 'The charger says',
    width: 'minmax(120px, 1fr)',
    cell: ({ reported }) =>
      reported === undefined ? <span class="dim">nothing</span> : <span class="mono">{reported ?? 'no value'}</span>,
  },
  {
    id: 'wanted',
    name: 'It is to be',
    width: 'minmax(120px, 1fr)',
    cell: ({ wanted }) =>
      wanted === undefined ? <span class="dim">as it is</span> : <span class="mono">{wanted}</span>,
  },
  {
    id: 'state',
    name: 'How it stands',
    width: '120px',
    cell: ({ isDrifted, differs, isReadOnly }) => (
      <>
        {differs && <Tag kind="warn">{isDrifted ? 'has drifted' : 'differs'}</Tag>}
        {differs && isReadOnly && ' '}
        {isReadOnly && <Tag>read only</Tag>}
      </>
    ),
  },
]

export function Page() {
  const { id, state } = useHere()
  const params = { path: { charge_point_id: id } }
  const configuration = useResource(
    (signal) => ask(api.GET('/api/v1/chargepoints/{charge_point_id}/configuration', { params, signal })),
    [id],
    { everySeconds: 4 },
  )
  const [only, setOnly] = useQuery('only')
  const [changed, setChanged] = useState<Row>()
  const mayChange = may('write:charge_points')
  const isOnline = state.data?.online === true

  async function act(work: () => Promise<unknown>, said: string): Promise<void> {
    await attempt(work, said)
    configuration.reload()
  }
  const apply = () =>
    act(
      () => ask(api.POST('/api/v1/chargepoints/{charge_point_id}/configuration/apply', { params })),
      'Asked. The keys are sent one after the other.',
    )
  const stop = () =>
    act(() => ask(api.POST('/api/v1/chargepoints/{charge_point_id}/configuration/stop', { params })), 'Stopped.')

  return (
    <Loaded of={configuration}>
      {(data) => {
        const rows = rowsOf(data)
        const differing = rows.filter(({ differs }) => differs)
        const shown = only === 'differing' ? differing : rows
        const isRunning = data.application?.status === 'running'
        const whyNot = isOnline
          ? isRunning
            ? 'It is being applied already.'
            : undefined
          : 'It is offline: its configuration can be applied once it has connected.'
        return (
          <div class="stack configuration">
            {differing.length > 0 && (
              <p class="drift">
                <Icon name="git-compare" />
                <span>
                  {differing.length === 1 ? 'One key is' : `${differing.length} keys are`} not as{' '}
                  {differing.length === 1 ? 'it' : 'they'} should be:{' '}
                  <span class="mono">
                    {differing
                      .map(({ key }) => key)
                      .slice(0, 6)
                      .join(', ')}
                  </span>
                  {differing.length > 6 && ' and more'}.
                </span>
                {mayChange && (
                  <Button kind="primary" small whyNot={whyNot} onClick={() => void apply()}>
                    Put {differing.length === 1 ? 'it' : 'them'} right
                  </Button>
                )}
              </p>
            )}
            {data.application !== null && (
              <Progress application={data.application} stop={mayChange ? stop : undefined} />
            )}
            <Panel
              title="Keys"
              hint={data.read_at === null ? 'never read' : `read ${agoText(data.read_at)}`}
              class="fills"
              actions={
                <>
                  <Chip
                    pressed={only === 'differing'}
                    count={differing.length}
                    onClick={() => setOnly(only === 'differing' ? undefined : 'differing')}
                  >
                    Only what differs
                  </Chip>
                  {mayChange && (
                    <Button small whyNot={whyNot} onClick={() => void apply()}>
                      Apply and read again
                    </Button>
                  )}
                </>
              }
            >
              {shown.length === 0 ? (
                <EmptyState
                  icon="settings"
                  title={only === 'differing' ? 'Nothing differs' : 'Nothing is known of its configuration'}
                />
              ) : (
                <Table
                  label="Configuration keys"
                  columns={columns}
                  count={shown.length}
                  rowAt={(at) => shown[at] as Row}
                  keyOf={({ key }) => key}
                  {...(mayChange && { open: setChanged })}
                />
              )}
            </Panel>
            {changed !== undefined && (
              <ChangeKey id={id} row={changed} close={() => setChanged(undefined)} done={configuration.reload} />
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

const endedWords: Readonly<Record<Application['status'], string>> = {
  running: 'is being applied',
  completed: 'was applied',
  failed: 'could not be applied',
  stopped: 'was stopped',
}

function Progress({
  application,
  stop,
}: {
  readonly application: Application
  readonly stop: (() => Promise<void>) | undefined
}) {
  const { status, done_keys, total_keys, keys, progress_at, reason } = application
  const wrong = keys.filter(({ outcome }) => outcome !== null && outcome !== 'applied' && outcome !== 'not_attempted')
  return (
    <Panel
      title={`The configuration ${endedWords[status]}`}
      hint={`${done_keys} of ${total_keys} keys, ${momentText(progress_at)}${reason === null ? '' : `, ${reason}`}`}
      actions={
        status === 'running' && stop !== undefined ? (
          <Button small icon="square" onClick={() => void stop()}>
            Stop
          </Button>
        ) : undefined
      }
    >
      {wrong.length > 0 && (
        <ul class="outcomes">
          {wrong.map(({ key, value, outcome, detail }) => (
            <li key={key}>
              <b class="mono">{key}</b> <span class="mono dim">{value}</span> <Tag kind="warn">{outcome}</Tag> {detail}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface ChangeKeyProps {
  readonly id: string
  readonly row: Row
  readonly close: () => void
  readonly done: () => void
}

function ChangeKey({ id, row, close, done }: ChangeKeyProps) {
  const [value, setValue] = useState(row.wanted ?? row.reported ?? '')

  async function save(given: string | null): Promise<void> {
    await ask(
      api.PATCH('/api/v1/chargepoints/{charge_point_id}/configuration', {
        params: { path: { charge_point_id: id } },
        body: { overrides: { [row.key]: given } },
      }),
    )
    done()
  }

  const said = 'Noted. It is sent to the charger when the configuration is applied.'
  return (
    <Ask
      title={row.key}
      does="Save"
      said={said}
      disabled={row.isReadOnly}
      run={() => save(value)}
      others={row.wanted === undefined ? [] : [{ does: 'As the template has it', said, run: () => save(null) }]}
      close={close}
    >
      <p class="sub">
        The charger says{' '}
        {row.reported === undefined ? 'nothing' : <span class="mono">{row.reported ?? 'no value'}</span>}.
      </p>
      <Field
        label="It is to be"
        path={`/overrides/${row.key}`}
        value={value}
        onChange={setValue}
        mono
        autofocus
        disabled={row.isReadOnly}
      />
      {row.isReadOnly && <p class="sub">The charger does not let this key be changed.</p>}
    </Ask>
  )
}
