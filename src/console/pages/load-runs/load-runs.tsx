// The load runs that have ended, the newest first, and those that run.

import { useLocation } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { durationText, latencyText, momentText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Tag } from '../../parts/chip.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'

type Run = Schema<'LoadRun'>

const columns: readonly Column<Run>[] = [
  { id: 'started', name: 'Began', width: 'minmax(150px, 1fr)', cell: ({ started_at }) => momentText(started_at) },
  { id: 'profile', name: 'Profile', width: '100px', cell: ({ profile }) => profile },
  {
    id: 'state',
    name: 'State',
    width: 'minmax(90px, 130px)',
    cell: ({ status, ended_by }) =>
      status === 'running' ? (
        <Tag kind="info">running</Tag>
      ) : (
        <Tag kind={ended_by === 'duration' ? 'ok' : 'warn'}>
          {ended_by === 'duration' ? 'complete' : ended_by === 'signal' ? 'ended early' : (ended_by ?? '')}
        </Tag>
      ),
  },
  {
    id: 'length',
    name: 'Length',
    width: '100px',
    wideOnly: true,
    cell: ({ started_at, ended_at }) =>
      ended_at === null ? '' : durationText((Date.parse(ended_at) - Date.parse(started_at)) / 1_000),
  },
  {
    id: 'charge-points',
    name: 'Charge points',
    width: '110px',
    align: 'end',
    wideOnly: true,
    cell: ({ charge_points }) => numberText(charge_points),
  },
  {
    id: 'rate',
    name: 'Answered /s',
    width: '100px',
    align: 'end',
    cell: ({ figures }) => numberText(figures.answered_per_second, 1),
  },
  {
    id: 'p99',
    name: 'p99',
    width: '80px',
    align: 'end',
    cell: ({ figures }) => latencyText(figures.latency_milliseconds?.p99),
  },
  {
    id: 'errors',
    name: 'Errors',
    width: '80px',
    align: 'end',
    cell: ({ figures }) => numberText(figures.errors),
  },
]

export function Page() {
  const [, navigate] = useLocation()
  const runs = useResource(
    async (signal) => {
      const { running, data } = await ask(
        api.GET('/api/v1/load-runs', { params: { query: { per_page: 100 } }, signal }),
      )
      return [...running, ...data]
    },
    [],
    { everySeconds: 5 },
  )
  return (
    <>
      <PageHead title="Load runs" about="Reported by ampshard load with --report-to; the newest 100 are kept" />
      <Panel class="fills">
        <Loaded of={runs}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState icon="activity" title="No load run has been reported">
                <span class="mono">ampshard load --register --rate 200 --report-to {location.origin}</span>
              </EmptyState>
            ) : (
              <Table
                label="Load runs"
                columns={columns}
                count={rows.length}
                rowAt={(at) => rows[at] as Run}
                keyOf={({ run_id }) => run_id}
                open={({ run_id }) => navigate(`/load-runs/${encodeURIComponent(run_id)}`)}
              />
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}
