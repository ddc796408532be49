// Commands to many charge points that this tab has begun, one of them with its progress and its answers, and below them the history of the organization.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask } from '../../client/api.js'
import { commands, titleOf } from '../../client/command-list.js'
import { actions } from '../../client/command-messages.js'
import { type CommandRun, drop, isDone, runs } from '../../client/command-runs.js'
import { momentText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Button } from '../../parts/button.js'
import {
  CommandDetails,
  commandColumns,
  type ShownCommand,
  withoutWaiting,
  withWaiting,
} from '../../parts/command-history.js'
import { CommandRunView } from '../../parts/command-run.js'
import { Field } from '../../parts/field.js'
import { Fields } from '../../parts/fields.js'
import { Pager, useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { PeriodFields, usePeriod } from '../../parts/period.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'

const perPage = 50
const everySeconds = 5
const statuses = ['Accepted', 'Rejected', 'Timeout', 'Error'] as const

/** As the history names them: a message of OCPP that is no command of its own has the name of its action. */
const named = commands.filter(({ actionOf }) => actionOf === undefined)
const asked = [
  ...named,
  ...actions.filter((action) => named.every(({ name }) => name !== action)).map((name) => ({ name, title: name })),
]

const columns: readonly Column<ShownCommand>[] = [
  ...commandColumns.slice(0, 1),
  {
    id: 'charger',
    name: 'Charge point',
    narrow: 'title',
    width: 'minmax(100px, 0.8fr)',
    cell: ({ charge_point_id: id }) => <span class="mono">{id}</span>,
  },
  ...commandColumns.slice(1),
]

export function Page() {
  const [id, setId] = useQuery('run')
  const all = runs.value
  const shown = all.find((run) => run.id === id)
  return (
    <>
      <PageHead
        title="Commands"
        about="What was asked of charge points, and what they have answered. To ask many at once, choose them on the page of the fleet."
      />
      {all.length > 0 && <Runs all={all} shown={shown} />}
      {shown !== undefined && <ShownRun run={shown} close={() => setId(undefined)} />}
      {id !== undefined && shown === undefined && (
        <p class="dim" role="status">
          This was begun in another tab, or before the page was loaded anew: what it has sent is in the history.
        </p>
      )}
      {shown === undefined && <History />}
    </>
  )
}

function Runs({ all, shown }: { readonly all: readonly CommandRun[]; readonly shown: CommandRun | undefined }) {
  return (
    <Panel title="To many, from this tab">
      <ul class="runs">
        {all.map((run) => (
          <li key={run.id}>
            <Link class="link" href={`/commands?run=${run.id}`} aria-current={run === shown ? 'true' : undefined}>
              {run.command.title}
            </Link>{' '}
            <RunFigures run={run} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function RunFigures({ run }: { readonly run: CommandRun }) {
  const targets = run.targets.value
  return (
    <span class="dim">
      {numberText(targets.filter(isDone).length)} of {numberText(targets.length)}, begun {momentText(run.at)}
    </span>
  )
}

function ShownRun({ run, close }: { readonly run: CommandRun; readonly close: () => void }) {
  const [outcome, setOutcome] = useQuery('outcome')
  const [text, setText] = useQuery('id')
  const isOver = run.state.value.is === 'ended'
  return (
    <Panel
      class="fills"
      title={run.command.title}
      actions={
        <>
          {isOver && (
            <Button
              small
              onClick={() => {
                drop(run)
                close()
              }}
            >
              Put away
            </Button>
          )}
          <Button kind="ghost" small icon="x" label="Close" onClick={close} />
        </>
      }
    >
      <CommandRunView run={run} outcome={outcome} setOutcome={setOutcome} text={text} setText={setText} />
    </Panel>
  )
}

function History() {
  const [charger, setCharger] = useFilter('charger')
  const [command, setCommand] = useFilter('command')
  const [status, setStatus] = useFilter('status')
  const [by, setBy] = useFilter('by')
  const { from, to } = usePeriod()
  const [page] = usePage()
  const [opened, setOpened] = useState<ShownCommand>()
  const said = statuses.find((one) => one === status)
  const query = {
    ...(charger !== undefined && { charge_point_id: charger }),
    ...(command !== undefined && { command }),
    ...(said !== undefined && { status: said }),
    ...(by !== undefined && { executed_by: by }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
  // Filters are of what has ended, but for the charge point.
  const showsWaiting = page === 1 && Object.keys(query).every((name) => name === 'charge_point_id')
  const history = useResource(
    (signal) => {
      const params = { query: { ...query, page, per_page: perPage } }
      const read = () => ask(api.GET('/api/v1/cpo/commands/history', { params, signal }))
      return showsWaiting ? withWaiting(read, charger, signal) : read().then(withoutWaiting)
    },
    [JSON.stringify(query), page],
    { everySeconds },
  )
  const waiting = history.data?.allWaiting ?? 0
  // As it is by now, while it is in the list.
  const shown = history.data?.data.find(({ command_id }) => command_id === opened?.command_id) ?? opened
  return (
    <>
      <Fields>
        <Field label="Charge point" value={charger ?? ''} onChange={setCharger} mono />
        <Field
          label="Command"
          value={command ?? ''}
          options={[
            { value: '', name: 'Any' },
            ...asked.map(({ name, title }) => ({ value: name, name: title })),
            ...(command === undefined || asked.some(({ name }) => name === command)
              ? []
              : [{ value: command, name: titleOf(command) }]),
          ]}
          onChange={setCommand}
        />
        <Field
          label="What it said"
          value={status ?? ''}
          options={[{ value: '', name: 'Anything' }, ...statuses.map((value) => ({ value, name: value }))]}
          onChange={setStatus}
        />
        <Field label="By" value={by ?? ''} onChange={setBy} mono placeholder="user:usr_… or api_key:key_…" />
        <PeriodFields />
      </Fields>
      <Panel
        class="fills"
        title="History"
        {...(waiting > 0 && { hint: `${numberText(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for an answer` })}
      >
        <Loaded of={history}>
          {({ data, total }) =>
            data.length === 0 ? (
              <EmptyState icon="terminal" title="No command matches">
                <span>Change the filters, or send one from the page of a charge point or of the fleet.</span>
              </EmptyState>
            ) : (
              <>
                <Table
                  label="Commands"
                  columns={columns}
                  count={data.length}
                  rowAt={(at) => data[at] as ShownCommand}
                  keyOf={({ command_id }) => command_id}
                  open={setOpened}
                />
                <Pager total={total} perPage={perPage} of="commands" />
              </>
            )
          }
        </Loaded>
      </Panel>
      {shown !== undefined && <CommandDetails of={shown} close={() => setOpened(undefined)} />}
    </>
  )
}
