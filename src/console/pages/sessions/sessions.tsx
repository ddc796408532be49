// The sessions of the organization, newest first: filtered and paged by the service, those that run kept current, and all that match as a file.

import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask, type paths, type Schema } from '../../client/api.js'
import { delay } from '../../client/delay.js'
import { dateText, durationText, minuteText, momentText, numberText } from '../../client/format.js'
import { asApiError, useResource } from '../../client/resource.js'
import { Button } from '../../parts/button.js'
import { Segmented, Tag, type TagKind } from '../../parts/chip.js'
import { csvText, saveFile } from '../../parts/download.js'
import { Field } from '../../parts/field.js'
import { Fields } from '../../parts/fields.js'
import { Amount, amountOf } from '../../parts/money.js'
import { Pager, useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { PeriodFields, usePeriod } from '../../parts/period.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, type NarrowRow, Table } from '../../parts/table.js'
import { toast, toastFailure } from '../../parts/toast.js'

type Session = Schema<'Session'>
type Status = Session['status']
type Query = NonNullable<paths['/api/v1/sessions']['get']['parameters']['query']>

const perPage = 100
const exportedPerRequest = 200
const mostExported = 20_000

const kinds: Readonly<Record<Status, TagKind>> = { active: 'info', completed: 'ok', estimated: 'warn' }
const names: Readonly<Record<Status, string>> = {
  active: 'charging',
  completed: 'completed',
  estimated: 'estimated',
}

const secondsOf = ({ started_at, ended_at }: Session): number =>
  ((ended_at === null ? Date.now() : Date.parse(ended_at)) - Date.parse(started_at)) / 1_000

/** 23 Nov, 18:03; with the year where it is another. */
const startedText = (at: string): string => {
  const day = dateText(at)
  const year = dateText(Date.now()).slice(-5)
  return `${day.endsWith(year) ? day.slice(0, -5) : day}, ${minuteText(at)}`
}

const columns: readonly Column<Session>[] = [
  {
    id: 'started',
    name: 'Started',
    width: 'minmax(92px, 150px)',
    cell: ({ session_id, started_at }) => (
      <Link class="link" href={`/sessions/${session_id}`} title={momentText(started_at)}>
        {startedText(started_at)}
      </Link>
    ),
  },
  {
    id: 'status',
    name: 'State',
    width: '92px',
    wideOnly: true,
    cell: ({ status }) => <Tag kind={kinds[status]}>{names[status]}</Tag>,
  },
  {
    id: 'charge-point',
    name: 'Charger',
    width: 'minmax(60px, 1fr)',
    cell: ({ charge_point_id, connector_id }) => (
      <span class="mono">
        {charge_point_id}/{connector_id}
      </span>
    ),
  },
  {
    id: 'tag',
    name: 'Tag',
    width: 'minmax(110px, 1fr)',
    wideOnly: true,
    cell: ({ id_tag }) => <span class="mono">{id_tag}</span>,
  },
  { id: 'for', name: 'For', width: '92px', wideOnly: true, align: 'end', cell: (row) => durationText(secondsOf(row)) },
  {
    id: 'energy',
    name: 'kWh',
    width: '64px',
    align: 'end',
    cell: ({ energy_kwh }) => numberText(energy_kwh, 3, true),
  },
  {
    id: 'cost',
    name: 'Cost',
    width: 'minmax(76px, 110px)',
    align: 'end',
    cell: ({ cost, currency }) =>
      cost === null || currency === null ? (
        <span class="dim">–</span>
      ) : (
        <Amount of={amountOf(cost, currency)} currency={currency} />
      ),
  },
  {
    id: 'flags',
    name: 'Unusual',
    width: 'minmax(90px, 1fr)',
    wideOnly: true,
    cell: ({ flags, dispute }) => {
      const all = [...(dispute === null ? [] : [`dispute ${dispute.status}`]), ...flags].map((flag) =>
        flag.replaceAll('_', ' '),
      )
      return <span title={all.join('\n')}>{all.join(', ')}</span>
    },
  },
]

const narrow: NarrowRow<Session> = {
  title: ({ charge_point_id, connector_id }) => (
    <b class="mono">
      {charge_point_id}/{connector_id}
    </b>
  ),
  about: (row) => `${startedText(row.started_at)}, ${durationText(secondsOf(row))}, ${names[row.status]}`,
  end: ({ cost, currency, energy_kwh }) =>
    cost === null || currency === null ? (
      `${numberText(energy_kwh, 3, true)} kWh`
    ) : (
      <Amount of={amountOf(cost, currency)} currency={currency} />
    ),
}

/** The flags by which the service filters, as its document lists them. */
const flags = [
  'energy_implausible',
  'estimated_close',
  'closed_by_operator',
  'charge_point_silent',
  'clock_suspect',
  'not_authorized',
  'concurrent_transaction',
  'meter_reset',
  'meter_rolled_over',
  'meter_stop_missing',
  'not_priced',
  'tariff_unusable',
  'stop_differs',
  'reconciled',
] as const satisfies readonly NonNullable<Query['flag']>[]

function useFilters(): Query {
  const [status] = useQuery('status')
  const [charger] = useQuery('charger')
  const [tag] = useQuery('tag')
  const [tariff] = useQuery('tariff')
  const [flag] = useQuery('flag')
  const { from, to } = usePeriod()
  return {
    ...(status !== undefined && { status: status as Status }),
    ...(charger !== undefined && { charge_point_id: charger }),
    ...(tag !== undefined && { id_tag: tag }),
    ...(tariff !== undefined && { tariff_id: tariff }),
    ...(flag !== undefined && { flag: flag as NonNullable<Query['flag']> }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

const exported: readonly (readonly [name: string, of: (row: Session) => string | number | null])[] = [
  ['session_id', (row) => row.session_id],
  ['transaction_id', (row) => row.transaction_id],
  ['charge_point_id', (row) => row.charge_point_id],
  ['connector_id', (row) => row.connector_id],
  ['id_tag', (row) => row.id_tag],
  ['status', (row) => row.status],
  ['started_at', (row) => row.started_at],
  ['ended_at', (row) => row.ended_at],
  ['energy_kwh', (row) => row.energy_kwh],
  ['subtotal', (row) => row.subtotal],
  ['adjustments', (row) => row.adjustments],
  ['tax', (row) => row.tax],
  ['cost', (row) => row.cost],
  ['currency', (row) => row.currency],
  ['tariff_id', (row) => row.tariff_id],
  ['site_id', (row) => row.site_id],
  ['stop_reason', (row) => row.stop_reason],
  ['flags', (row) => row.flags.join(' ')],
]

/** Waits where the service says that too much is asked of it at once. */
async function unhurried<Data>(load: () => Promise<Data>): Promise<Data> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      const { status, retryAfterSeconds } = asApiError(error)
      if (status !== 429) throw error
      await delay((retryAfterSeconds ?? 1) * 1_000)
    }
  }
}

function Export({ filters, total }: { readonly filters: Query; readonly total: number }) {
  const [done, setDone] = useState<number>()
  async function run(): Promise<void> {
    const rows: Session[] = []
    setDone(0)
    try {
      for (let page = 1; rows.length < Math.min(total, mostExported); page++) {
        const query = { ...filters, page, per_page: exportedPerRequest }
        const { sessions } = await unhurried(() => ask(api.GET('/api/v1/sessions', { params: { query } })))
        if (sessions.length === 0) break
        rows.push(...sessions)
        setDone(rows.length)
      }
      saveFile(
        'sessions.csv',
        'text/csv',
        csvText([exported.map(([name]) => name), ...rows.map((row) => exported.map(([, of]) => of(row)))]),
      )
      const isCut = total > mostExported
      toast(
        isCut
          ? `The newest ${numberText(mostExported)} of ${numberText(total)} sessions are in the file: choose a shorter period for the others.`
          : `${numberText(rows.length)} sessions are in the file.`,
      )
    } catch (error) {
      toastFailure(error)
    }
    setDone(undefined)
  }
  return (
    <Button icon="download" disabled={done !== undefined || total === 0} onClick={() => void run()}>
      {done === undefined ? 'CSV' : `${numberText(done)} of ${numberText(Math.min(total, mostExported))}`}
    </Button>
  )
}

export function Page() {
  const [, navigate] = useLocation()
  const [status, setStatus] = useFilter('status')
  const [charger, setCharger] = useFilter('charger')
  const [tag, setTag] = useFilter('tag')
  const [flag, setFlag] = useFilter('flag')
  const [page] = usePage()
  const filters = useFilters()
  const sessions = useResource(
    (signal) =>
      ask(api.GET('/api/v1/sessions', { params: { query: { ...filters, page, per_page: perPage } }, signal })),
    [JSON.stringify(filters), page],
    { everySeconds: 5 },
  )
  return (
    <>
      <PageHead
        title="Sessions"
        about="The newest first; those that run are kept current"
        actions={
          <>
            <Link class="button plain" href="/unmatched">
              Unmatched stops
            </Link>
            <Export filters={filters} total={sessions.data?.total ?? 0} />
          </>
        }
      >
        <Fields>
          <Segmented
            label="State"
            value={status ?? ''}
            options={[
              { value: '', name: 'All' },
              { value: 'active', name: 'Charging' },
              { value: 'completed', name: 'Completed' },
              { value: 'estimated', name: 'Estimated' },
            ]}
            onChange={setStatus}
          />
          <Field label="Charger" value={charger ?? ''} onChange={setCharger} placeholder="whole id" mono />
          <Field label="Tag" value={tag ?? ''} onChange={setTag} placeholder="whole id" mono />
          <Field
            label="Unusual"
            value={flag ?? ''}
            options={[
              { value: '', name: 'Any' },
              ...flags.map((value) => ({ value, name: value.replaceAll('_', ' ') })),
            ]}
            onChange={setFlag}
          />
          <PeriodFields withTimes />
        </Fields>
      </PageHead>
      <Panel class="fills">
        <Loaded of={sessions}>
          {({ sessions: rows, total }) => (
            <>
              {rows.length === 0 ? (
                <EmptyState icon="battery-charging" title="No session matches">
                  <span>
                    {charger === undefined && tag === undefined
                      ? 'Change the filters, or choose a longer period.'
                      : 'The ids of chargers and tags have to be whole, with the capital letters that they have. Ctrl K finds them by their beginning, and sessions by their id.'}
                  </span>
                </EmptyState>
              ) : (
                <Table
                  label="Sessions"
                  columns={columns}
                  narrow={narrow}
                  count={rows.length}
                  rowAt={(at) => rows[at] as Session}
                  keyOf={({ session_id }) => session_id}
                  open={({ session_id }) => navigate(`/sessions/${session_id}`)}
                />
              )}
              <Pager total={total} perPage={perPage} of="sessions" />
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}
