// One command to many charge points, while it runs and afterwards: how far it is, what each of them has answered, and what can be done with those that have not
// taken it.

import './command-run.css'
import { useMemo, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { type CommandRun, isDone, isOpen, isTaken, type Outcome, type Target } from '../client/command-runs.js'
import { latencyText, momentText, numberText } from '../client/format.js'
import { Ask } from './ask.js'
import { Button } from './button.js'
import { Chip, Tag, type TagKind } from './chip.js'
import { parametersText } from './command-history.js'
import { csvText, saveFile } from './download.js'
import { Field } from './field.js'
import { Icon } from './icon.js'
import { EmptyState } from './states.js'
import { type Column, Table } from './table.js'

const names: Readonly<Record<Outcome, readonly [name: string, kind: TagKind]>> = {
  accepted: ['Accepted', 'ok'],
  late: ['Answered late', 'warn'],
  rejected: ['Refused', 'bad'],
  timeout: ['No answer', 'warn'],
  offline: ['Not connected', 'plain'],
  error: ['Failed', 'bad'],
  unknown: ['Not known', 'warn'],
  asked: ['Asked', 'info'],
  waiting: ['Waiting', 'plain'],
  'not-sent': ['Not sent', 'plain'],
}
const order = Object.keys(names) as readonly Outcome[]

/** What a code means for whoever has asked. */
const reasons: Readonly<Record<string, string>> = {
  charge_point_offline: 'It is not connected, so nothing was sent.',
  connection_lost: 'It disconnected before it answered. It may have done it all the same.',
  not_sent: 'The service could not send it.',
  timeout: 'It has not answered in time. It may have done it all the same.',
  not_found: 'There is no such charge point any more.',
  unknown_connector: 'It has no such connector.',
  rate_limited: 'Too many commands were sent at once.',
  charge_point_not_accepted: 'It has not booted yet, or is not accepted.',
  managed_by_site: 'Its site sets the limits.',
  interrupted: 'The service was interrupted. Whether it was carried out is not known.',
}

function reasonOf({ outcome, error, late }: Target): string {
  if (outcome === 'late') return `It has said ${JSON.stringify(late)} after its time.`
  if (outcome === 'unknown') return 'The service has not said what became of it.'
  return error === null ? '' : (reasons[error] ?? `It has answered with the error ${error}.`)
}

const isUncertain = ({ outcome }: Target): boolean => outcome === 'timeout' || outcome === 'unknown'

const columns: readonly Column<Target>[] = [
  {
    id: 'charger',
    name: 'Charge point',
    width: 'minmax(110px, 1fr)',
    cell: ({ id }) => <span class="mono">{id}</span>,
  },
  {
    id: 'outcome',
    name: 'What it said',
    narrow: 'end',
    width: '124px',
    cell: ({ outcome }) => <Tag kind={names[outcome][1]}>{names[outcome][0]}</Tag>,
  },
  {
    id: 'why',
    name: 'Why',
    width: 'minmax(150px, 2.4fr)',
    cell: (target) => <span title={reasonOf(target)}>{reasonOf(target)}</span>,
  },
  {
    id: 'ms',
    name: 'After',
    width: '80px',
    align: 'end',
    wideOnly: true,
    cell: ({ milliseconds: ms }) => (ms === null ? '' : latencyText(ms)),
  },
  {
    id: 'attempts',
    name: 'Asked',
    width: '64px',
    align: 'end',
    wideOnly: true,
    cell: ({ attempts }) => (attempts === 1 ? 'once' : attempts === 0 ? '' : `${attempts} times`),
  },
]

function save(run: CommandRun, shown: readonly Target[]): void {
  const head = ['charge_point_id', 'command', 'outcome', 'error', 'response_time_ms', 'late_response', 'attempts']
  const rows = shown.map(({ id, outcome, error, milliseconds, late, attempts, commandId }) => [
    id,
    run.command.name,
    outcome,
    error,
    milliseconds,
    late === null ? null : JSON.stringify(late),
    attempts,
    commandId,
  ])
  const at = new Date(run.at).toISOString().slice(0, 19).replaceAll(':', '')
  saveFile(`${run.command.name}-${at}.csv`, 'text/csv', csvText([[...head, 'command_id'], ...rows]))
}

export interface CommandRunProps {
  readonly run: CommandRun
  /** Those that are shown: an outcome, and a part of the id. */
  readonly outcome: string | undefined
  readonly setOutcome: (outcome: string | undefined) => void
  readonly text: string | undefined
  readonly setText: (text: string) => void
}

export function CommandRunView({ run, outcome, setOutcome, text = '', setText }: CommandRunProps) {
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const targets = run.targets.value
  const counts = useMemo(() => {
    const found = new Map<Outcome, number>()
    for (const one of targets) found.set(one.outcome, (found.get(one.outcome) ?? 0) + 1)
    return found
  }, [targets])
  const shown = useMemo(() => {
    const part = text.toLowerCase()
    return targets.filter((one) => (outcome ?? one.outcome) === one.outcome && one.id.toLowerCase().includes(part))
  }, [targets, outcome, text])
  const again = useMemo(() => shown.filter(isOpen), [shown])
  const sendAgain = (): void => run.send(again.map(({ id }) => id))
  const isCounted = run.command.isCounted === true && again.length > 1
  return (
    <div class="command-run">
      <Progress run={run} />
      <div class="filters-of">
        <Chip pressed={outcome === undefined} onClick={() => setOutcome(undefined)} count={numberText(targets.length)}>
          All
        </Chip>
        {order
          .filter((one) => counts.has(one) || one === outcome)
          .map((one) => (
            <Chip
              key={one}
              pressed={one === outcome}
              onClick={() => setOutcome(one === outcome ? undefined : one)}
              count={numberText(counts.get(one) ?? 0)}
            >
              {names[one][0]}
            </Chip>
          ))}
        <Field label="Charge point" hideLabel value={text} onChange={setText} placeholder="A part of the id" mono />
        <span class="actions">
          {again.length > 0 && (
            <Button small icon="rotate-ccw" onClick={() => (isCounted ? setAsking(true) : sendAgain())}>
              Send again to {numberText(again.length)}
            </Button>
          )}
          <Button small icon="download" disabled={shown.length === 0} onClick={() => save(run, shown)}>
            CSV
          </Button>
        </span>
      </div>
      {shown.length === 0 ? (
        <EmptyState icon="funnel" title="No charge point matches">
          <Button
            small
            onClick={() => {
              setOutcome(undefined)
              setText('')
            }}
          >
            Show all
          </Button>
        </EmptyState>
      ) : (
        <Table
          label={`Answers to ${run.command.title}`}
          columns={columns}
          count={shown.length}
          rowAt={(at) => shown[at] as Target}
          keyOf={({ id }) => id}
          stampOf={(target) => target}
          open={({ id }) => navigate(`/charge-points/${encodeURIComponent(id)}`)}
        />
      )}
      {isAsking && (
        <Ask
          title={`${run.command.title} again`}
          does={run.command.button}
          danger
          word={String(again.length)}
          run={async () => sendAgain()}
          close={() => setAsking(false)}
        >
          <p>
            It is sent once more to {numberText(again.length)} charge points that have not taken it.
            {again.some(isUncertain) && ' Some of those that gave no answer may have done it.'}
          </p>
        </Ask>
      )}
    </div>
  )
}

function Progress({ run }: { readonly run: CommandRun }) {
  const targets = run.targets.value
  const state = run.state.value
  const done = targets.filter(isDone)
  const taken = done.filter(isTaken).length
  const share = (count: number): string => `${(count / Math.max(1, targets.length)) * 100}%`
  return (
    <div class="progress-of">
      <p role="status" aria-live="polite">
        <b>
          {numberText(done.length)} of {numberText(targets.length)}
        </b>{' '}
        {targets.length === 1 ? 'charge point is done' : 'charge points are done'}: {numberText(taken)} accepted it,{' '}
        {numberText(done.length - taken)} did not. <StateWords run={run} />
      </p>
      <div
        class="bar"
        role="progressbar"
        aria-label="Charge points that are done"
        aria-valuemin={0}
        aria-valuemax={targets.length}
        aria-valuenow={done.length}
      >
        <i class="taken" style={{ width: share(taken) }} />
        <i class="failed" style={{ width: share(done.length - taken) }} />
      </div>
      <div class="row-of">
        {(state.is === 'running' || state.is === 'repeating') && (
          <Button small icon="square" onClick={run.stop}>
            Stop
          </Button>
        )}
        {state.is === 'halted' && (
          <>
            <Button small kind="primary" icon="play" onClick={() => run.send()}>
              Go on
            </Button>
            <Button small icon="square" onClick={run.stop}>
              Stop
            </Button>
          </>
        )}
        <span class="dim">
          Begun {momentText(run.at)}
          {Object.keys(run.parameters).length > 0 && (
            <>
              {' with '}
              {parametersText(run.parameters)}
            </>
          )}
        </span>
      </div>
    </div>
  )
}

function StateWords({ run }: { readonly run: CommandRun }) {
  const state = run.state.value
  switch (state.is) {
    case 'running':
      return run.targets.value.some(({ outcome }) => outcome === 'waiting') ? (
        <>The others are asked a hundred at a time.</>
      ) : (
        <>The others have not answered yet.</>
      )
    case 'stopping':
      return <>It stops when those that were asked have answered.</>
    case 'repeating':
      return <>The last call was not answered ({state.error.code}). It is repeated, and carried out once.</>
    case 'halted':
      return (
        <span class="halted">
          <Icon name="triangle-alert" small /> It waits for you: {state.error.message}{' '}
          <span class="mono">
            {state.error.code}
            {state.error.requestId !== undefined && `, ${state.error.requestId}`}
          </span>
        </span>
      )
    default:
      return <>{run.targets.value.every(isDone) ? 'The command has ended.' : 'It was stopped.'}</>
  }
}
