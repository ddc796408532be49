// One load run: its figures beside those of another, its course, and what it was run with.

import '../health/health.css'
import type { PageProps } from '../../app/pages.js'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { durationText, latencyText, momentText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Button } from '../../parts/button.js'
import { Chart } from '../../parts/chart.js'
import { Tag } from '../../parts/chip.js'
import { saveFile } from '../../parts/download.js'
import { Facts } from '../../parts/facts.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { Comparison } from '../health/comparison.js'

type Details = Schema<'LoadRunDetails'>
type Run = Schema<'LoadRun'>

/** What is used of a result, as the tool writes it: an older tool may have left some of it out. */
interface Result {
  readonly seconds?: readonly {
    readonly second: number
    readonly answered: number
    readonly errors: number
    readonly p50: number | null
    readonly p99: number | null
  }[]
  readonly errors?: readonly { readonly kind: string; readonly phase: string; readonly count: number }[]
  readonly configuration?: Readonly<Record<string, unknown>>
  readonly machine?: Readonly<Record<string, unknown>>
  readonly generator?: { readonly warnings?: readonly string[] }
  readonly thresholds?: readonly {
    readonly name: string
    readonly limit: string
    readonly measured: string
    readonly met: boolean
  }[]
}

export function Page({ params: { run_id = '' } }: PageProps) {
  const [chosen, choose] = useQuery('with')
  const run = useResource(
    (signal) => ask(api.GET('/api/v1/load-runs/{run_id}', { params: { path: { run_id } }, signal })),
    [run_id],
  )
  const others = useResource(
    async (signal) => (await ask(api.GET('/api/v1/load-runs', { params: { query: { per_page: 100 } }, signal }))).data,
    [],
  )
  return (
    <Loaded of={run}>
      {(details) => {
        const rest = (others.data ?? []).filter((other) => other.run_id !== run_id)
        const before =
          rest.find((other) => other.run_id === chosen) ??
          rest.find(({ profile, started_at }) => profile === details.profile && started_at < details.started_at)
        return <Shown details={details} before={before} others={rest} choose={(id) => choose(id)} />
      }}
    </Loaded>
  )
}

function Shown({
  details,
  before,
  others,
  choose,
}: {
  readonly details: Details
  readonly before: Run | undefined
  readonly others: readonly Run[]
  readonly choose: (runId: string | undefined) => void
}) {
  const result = (details.result ?? {}) as Result
  const { warnings = [] } = result.generator ?? {}
  return (
    <>
      <PageHead
        title={`Load run “${details.profile}”`}
        about={`${momentText(details.started_at)}, ${numberText(details.charge_points)} charge points${
          details.ended_at === null
            ? ''
            : `, ${durationText((Date.parse(details.ended_at) - Date.parse(details.started_at)) / 1_000)}`
        }`}
        actions={details.result !== null && <Save details={details} />}
      />
      {warnings.length > 0 && (
        <ul class="findings">
          {warnings.map((warning) => (
            <li key={warning} class="warn">
              <b>The tool says</b>
              <p>{warning}</p>
            </li>
          ))}
        </ul>
      )}
      <div class="health">
        <Panel
          title="Compared"
          actions={
            <select
              aria-label="Compared with"
              value={before?.run_id ?? ''}
              onChange={(event) => choose(event.currentTarget.value)}
            >
              {others.length === 0 && <option value="">no other run</option>}
              {others.map(({ run_id, started_at, profile }) => (
                <option key={run_id} value={run_id}>{`${momentText(started_at)}, ${profile}`}</option>
              ))}
            </select>
          }
          padded
        >
          <Comparison
            now={details}
            before={before}
            nowName="this run"
            beforeName={before === undefined ? '' : momentText(before.started_at)}
          />
        </Panel>
        <Panel title="Thresholds and errors" padded>
          <Verdicts result={result} />
        </Panel>
        {result.seconds !== undefined && result.seconds.length > 0 && (
          <Panel title="Second by second" class="wide" padded>
            <Course seconds={result.seconds} startedAt={details.started_at} />
          </Panel>
        )}
        <Panel title="What it was run with" padded>
          <Facts of={factsOf(result.configuration)} />
        </Panel>
        <Panel title="The machine of the tool" padded>
          <Facts of={factsOf(result.machine)} />
        </Panel>
      </div>
    </>
  )
}

function Save({ details }: { readonly details: Details }) {
  const save = () =>
    saveFile(`${details.run_id}.json`, 'application/json', JSON.stringify(details.result, undefined, 2))
  return (
    <Button icon="download" onClick={save}>
      Save the result
    </Button>
  )
}

function Verdicts({ result }: { readonly result: Result }) {
  const { thresholds = [], errors = [] } = result
  return (
    <table class="plain">
      <tbody>
        {thresholds.map(({ name, limit, measured, met }) => (
          <tr key={name}>
            <th scope="row">{`${name}: ${measured}, of ${limit}`}</th>
            <td class="end">
              <Tag kind={met ? 'ok' : 'bad'}>{met ? 'met' : 'missed'}</Tag>
            </td>
          </tr>
        ))}
        {errors.map(({ kind, phase, count }) => (
          <tr key={`${kind} ${phase}`}>
            <th scope="row">{`${kind} (${phase})`}</th>
            <td class="end">{numberText(count)}</td>
          </tr>
        ))}
        {thresholds.length + errors.length === 0 && (
          <tr>
            <td>No threshold was set, and no error occurred.</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

function Course({
  seconds,
  startedAt,
}: {
  readonly seconds: NonNullable<Result['seconds']>
  readonly startedAt: string
}) {
  const from = Date.parse(startedAt) / 1_000
  const times = seconds.map(({ second }) => from + second)
  return (
    <>
      <Chart
        label="Messages answered a second, and errors"
        times={times}
        height={160}
        axis={(value) => numberText(value)}
        series={[
          {
            name: 'answered a second',
            values: seconds.map(({ answered }) => answered),
            color: '--chart-2',
            text: (value) => numberText(value),
            fill: true,
          },
          {
            name: 'errors',
            values: seconds.map(({ errors }) => errors),
            color: '--bad',
            text: (value) => numberText(value),
          },
        ]}
      />
      <Chart
        label="Latency of each second"
        times={times}
        height={160}
        axis={(value) => latencyText(value)}
        series={[
          { name: 'p50', values: seconds.map(({ p50 }) => p50), color: '--chart-1', text: latencyText },
          { name: 'p99', values: seconds.map(({ p99 }) => p99), color: '--chart-3', text: latencyText },
        ]}
      />
    </>
  )
}

/** `durationSeconds` is shown as `duration seconds`. */
function factsOf(values: Readonly<Record<string, unknown>> = {}) {
  return Object.entries(values)
    .filter(([, value]) => value !== null && (typeof value !== 'object' || Array.isArray(value)))
    .map(([name, value]) => ({
      name: name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`),
      value: Array.isArray(value) ? value.join(', ') : String(value),
    }))
}
