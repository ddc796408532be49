// How the installation fares: what needs attention first, then load and latency, the threads, what charge points say, what was refused, and the disk.

import './health.css'
import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { bytesText, latencyText, numberText, percentText } from '../../client/format.js'
import { Segmented, Tag } from '../../parts/chip.js'
import { Icon } from '../../parts/icon.js'
import { Kpis } from '../../parts/kpi.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { type Finding, findingsOf, ladder, spaceLadder, threadName } from './findings.js'
import { HeatMap } from './heat-map.js'
import { LoadPanel } from './load-panel.js'
import { Rates } from './rates.js'
import { type Readiness, useReadiness } from './readiness.js'
import { lastMinute, newest, percentile, type Range, ranges, type Series, summed, useSeries } from './series.js'
import { Threads } from './threads.js'

const isRange = (text: string | undefined): text is Range => text !== undefined && text in ranges

export function Page() {
  const [asked, setRange] = useQuery('range')
  const range = isRange(asked) ? asked : '10min'
  const series = useSeries(range)
  const readiness = useReadiness()
  return (
    <>
      <PageHead
        title="Health and load"
        about={<ReadyWords of={readiness.data} />}
        actions={
          <Segmented
            label="How far back"
            value={range}
            options={Object.entries(ranges).map(([value, { name }]) => ({ value: value as Range, name }))}
            onChange={(next) => setRange(next === '10min' ? undefined : next)}
          />
        }
      />
      <Loaded of={series}>{(data) => <Health series={data} readiness={readiness.data} />}</Loaded>
    </>
  )
}

function ReadyWords({ of }: { readonly of: Readiness | undefined }) {
  if (of === undefined) return null
  const wrong = Object.entries(of.checks).filter(([, outcome]) => outcome !== 'ok')
  return (
    <>
      <Tag kind={of.status === 'ready' ? 'ok' : 'bad'}>{of.status === 'ready' ? 'ready' : 'not ready'}</Tag>{' '}
      {wrong.length === 0
        ? 'the disk takes writes, all threads answer, and the listener is open'
        : wrong.map(([check, outcome]) => `${check}: ${outcome}`).join('; ')}
    </>
  )
}

function Health({ series, readiness }: { readonly series: Series; readonly readiness: Readiness | undefined }) {
  const { figures, step_seconds: step, actions, refusals, request_refusals: requestRefusals } = series
  return (
    <div class="health-page">
      <Findings of={findingsOf(series, readiness)} />
      <Figures series={series} />
      <div class="health">
        <Panel
          title="From a frame’s arrival until it is on disk"
          hint="all messages of charge points; brighter is more"
        >
          <HeatMap series={series} />
        </Panel>
        <LoadPanel />
        <Panel title="Threads" hint="the service is as fast as the slowest of them">
          <Threads series={series} />
        </Panel>
        <Panel title="What charge points say" hint="by action, in the last minute">
          <Rates of={actions} stepSeconds={step} what="Action" none="No charge point has said anything in this time." />
        </Panel>
        <Panel title="Under too much load" hint="what the service stops doing, step by step" padded>
          <Ladder steps={ladder} level={newest(figures.overload_level) ?? 0} />
        </Panel>
        <Panel title="Disk" hint={`${bytesText(newest(figures.disk_free_bytes) ?? 0)} free`} padded>
          <Ladder steps={spaceLadder} level={newest(figures.space_level) ?? 0} />
        </Panel>
        <Panel
          title="Refused connections"
          hint="by reason"
          actions={
            <Link href="/refused" class="quiet-link">
              By charge point, with what to do
            </Link>
          }
        >
          <Rates
            of={refusals}
            stepSeconds={step}
            what="Reason"
            none="Nobody was refused in this time."
            nameOf={words}
          />
        </Panel>
        <Panel title="Refused requests" hint="HTTP requests, before anything was done for them">
          <Rates
            of={requestRefusals}
            stepSeconds={step}
            what="Reason"
            none="No request was refused in this time."
            nameOf={words}
          />
        </Panel>
      </div>
    </div>
  )
}

const words = (reason: string): string => reason.replaceAll('_', ' ')

function Findings({ of }: { readonly of: readonly Finding[] }) {
  if (of.length === 0)
    return (
      <ul class="findings" aria-label="What needs attention">
        <li>
          <Icon name="circle-check" />
          <b>Nothing needs you</b>
          <p>Charge points are answered in time, the disk takes writes, and no thread is late.</p>
        </li>
      </ul>
    )
  return (
    <ul class="findings" aria-label="What needs attention">
      {of.map(({ kind, title, meaning, todo }) => (
        <li key={title} class={kind}>
          <Icon name="triangle-alert" />
          <b>{title}</b>
          <p>{meaning}</p>
          <p class="todo">{todo}</p>
        </li>
      ))}
    </ul>
  )
}

function Figures({ series }: { readonly series: Series }) {
  const { figures, threads, latency, step_seconds: step } = series
  const minute = Math.max(1, Math.round(60 / step))
  const counts = summed(latency.counts, minute)
  const within = (share: number): string => latencyText(percentile(counts, latency.bounds_milliseconds, share))
  const busiest = Object.entries(threads)
    .map(([thread, columns]) => ({ thread, busy: lastMinute(columns.busy_share, step) ?? 0 }))
    .sort((one, other) => other.busy - one.busy)[0]
  const rate = (column: Series['figures']['actors']): number => lastMinute(column, step) ?? 0
  return (
    <Kpis
      of={[
        {
          name: 'Connections',
          value: numberText(newest(figures.connections) ?? 0),
          about: `${numberText(rate(figures.connections_refused_per_second) * 60)} refused in a minute`,
        },
        {
          name: 'Messages',
          value: numberText(rate(figures.messages_per_second), 1),
          unit: '/s',
          about: `${numberText(newest(figures.unacknowledged_items) ?? 0)} not finished yet`,
        },
        { name: 'Handled within', value: within(0.99), about: `99 of 100 in the last minute; half ${within(0.5)}` },
        {
          name: 'Commits',
          value: numberText(rate(figures.commits_per_second), 1),
          unit: '/s',
          about: `the store is busy ${percentText(rate(figures.store_busy_share), 0)} of the time`,
        },
        {
          name: 'Processor',
          value: numberText(rate(figures.processor_cores), 2),
          unit: 'cores',
          about:
            busiest === undefined
              ? undefined
              : `${threadName(busiest.thread)} is busiest, ${percentText(busiest.busy, 0)} of the time`,
        },
        {
          name: 'Memory',
          value: bytesText(newest(figures.resident_bytes) ?? 0),
          about: `${numberText(newest(figures.actors) ?? 0)} actors in it`,
        },
      ]}
    />
  )
}

interface Step {
  readonly name: string
  readonly about: string
}

function Ladder({ steps, level }: { readonly steps: readonly Step[]; readonly level: number }) {
  return (
    <ol class="overload-steps">
      {steps.map(({ name, about }, at) => (
        <li key={name} aria-current={at === level ? 'step' : undefined} class={at > 0 ? 'above' : ''}>
          <b>{name}</b>
          <span>{about}</span>
        </li>
      ))}
    </ol>
  )
}
