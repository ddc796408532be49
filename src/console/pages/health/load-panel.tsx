// The load test that runs now, or the last one, beside the one of the same profile before it.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, dateText, durationText, latencyText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Canvas, type Drawing } from '../../parts/canvas.js'
import { Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { Comparison } from './comparison.js'

type Run = Schema<'LoadRun'>
type Details = Schema<'LoadRunDetails'>

export function LoadPanel() {
  const runs = useResource(
    (signal) => ask(api.GET('/api/v1/load-runs', { params: { query: { per_page: 20 } }, signal })),
    [],
    { everySeconds: 3 },
  )
  return (
    <Loaded of={runs} rows={3}>
      {({ running, data }) => {
        const [now] = running
        const shown = now ?? data[0]
        if (shown === undefined) return <NoRun />
        const before = data.find(({ run_id, profile }) => run_id !== shown.run_id && profile === shown.profile)
        return <Shown run={shown} before={before} />
      }}
    </Loaded>
  )
}

function NoRun() {
  return (
    <Panel title="Load tests" padded>
      <p>No load test has been reported yet. This one runs for a minute, with charge points of its own:</p>
      <p class="mono">ampshard load --register --rate 200 --report-to {location.origin}</p>
      <p class="dim">It needs an API key of this organization in AMPSHARD_API_KEY. While it runs, it is shown here.</p>
    </Panel>
  )
}

function Shown({ run, before }: { readonly run: Run; readonly before: Run | undefined }) {
  const [isAsking, setAsking] = useState(false)
  const isRunning = run.status === 'running'
  const details = useResource(
    (signal) => ask(api.GET('/api/v1/load-runs/{run_id}', { params: { path: { run_id: run.run_id } }, signal })),
    [run.run_id, run.status],
    { ...(isRunning && { everySeconds: 2 }), enabled: isRunning },
  )
  const progress = isRunning ? details.data?.progress : undefined
  const end = (): Promise<unknown> =>
    ask(api.POST('/api/v1/load-runs/{run_id}/end', { params: { path: { run_id: run.run_id } } }))
  return (
    <Panel
      title={`Load test “${run.profile}”`}
      hint={
        isRunning
          ? progress == null
            ? 'runs'
            : `${progress.phase}, ${durationText(progress.elapsed_seconds)}${progress.remaining_seconds === null ? '' : `, ${durationText(progress.remaining_seconds)} left`}`
          : `ended ${agoText(run.ended_at ?? run.started_at)}`
      }
      actions={
        isRunning && may('write:organisations') ? (
          <Button small icon="x" disabled={details.data?.is_asked_to_end === true} onClick={() => setAsking(true)}>
            {details.data?.is_asked_to_end === true ? 'Ends' : 'End early'}
          </Button>
        ) : (
          <Link href="/load-runs" class="quiet-link">
            All runs
          </Link>
        )
      }
      padded
    >
      <Percentiles run={run} />
      {progress != null && <Curve details={details.data as Details} />}
      <Comparison
        now={run}
        before={before}
        nowName={isRunning ? 'now' : dateText(run.started_at)}
        beforeName={before === undefined ? '' : dateText(before.started_at)}
      />
      {isAsking && (
        <Ask title="End the load test?" does="End it" close={() => setAsking(false)} run={end}>
          The tool ends it in order, and reports what it has measured until then. Its charge points disconnect.
        </Ask>
      )}
    </Panel>
  )
}

function Percentiles({ run }: { readonly run: Run }) {
  const { latency_milliseconds: latency, answered } = run.figures
  if (latency === null)
    return <p class="dim">{numberText(run.charge_points)} charge points; no message has been answered yet.</p>
  return (
    <dl class="percentiles">
      {(['p50', 'p90', 'p99', 'p999'] as const).map((name) => (
        <div key={name}>
          <dt>{name === 'p999' ? 'p99.9' : name}</dt>
          <dd>{latencyText(latency[name])}</dd>
        </div>
      ))}
      <div>
        <dt>Answered</dt>
        <dd>{numberText(answered)}</dd>
      </div>
    </dl>
  )
}

function drawCurve({ context, width, height, color }: Drawing, details: Details): void {
  const { progress } = details
  if (progress === null) return
  const { answered_per_second: rates } = progress.curve
  const target = details.figures.target_per_second
  const most = Math.max(target ?? 0, ...rates.map((rate) => rate ?? 0), 1) * 1.15
  const total = progress.elapsed_seconds + (progress.remaining_seconds ?? 0)
  const step = progress.curve.step_seconds
  const floor = height - 2
  const xOf = (at: number): number => ((at * step) / Math.max(1, total)) * width
  const yOf = (rate: number): number => floor - (rate / most) * (floor - 6)
  context.fillStyle = color('--grid')
  context.fillRect(0, floor, width, 1)
  if (target !== null) {
    context.strokeStyle = color('--text-3')
    context.setLineDash([3, 3])
    context.beginPath()
    context.moveTo(0, yOf(target))
    context.lineTo(width, yOf(target))
    context.stroke()
    context.setLineDash([])
    context.fillStyle = color('--text-3')
    context.font = '11px Inter, sans-serif'
    context.textAlign = 'right'
    context.fillText(`target ${numberText(target)} /s`, width, yOf(target) - 5)
  }
  context.strokeStyle = color('--chart-2')
  context.lineWidth = 1.5
  context.beginPath()
  for (const [at, rate] of rates.entries()) {
    if (rate === null) continue
    if (at === 0) context.moveTo(xOf(at), yOf(rate))
    else context.lineTo(xOf(at), yOf(rate))
  }
  context.stroke()
}

function Curve({ details }: { readonly details: Details }) {
  return (
    <div class="curve">
      <Canvas
        label="Messages answered a second since the start, beside the target"
        draw={(drawing) => drawCurve(drawing, details)}
        depends={[details]}
      />
    </div>
  )
}
